#include "operand.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "core/operand_errors.h"
#include "dlpack.h"
#include "errors.h"
#include "foreign.h"
#include "masked_copy.h"
#include "numpy_api.h"
#include "torch.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

// The struct module's letter for an element type, in this machine's byte order.
std::optional<DType> DTypeOfFormat(std::string_view format, std::size_t width) {
  constexpr char kOwnOrder = std::endian::native == std::endian::little ? '<' : '>';
  if (format.size() == 2 && (format[0] == '@' || format[0] == '=' || format[0] == kOwnOrder)) {
    format.remove_prefix(1);
  }
  if (format.size() != 1) return std::nullopt;
  const auto integer = [&](DType narrowest) {
    // The enumerators of one sign follow each other by width.
    return static_cast<DType>(static_cast<int>(narrowest) + std::countr_zero(width));
  };
  switch (format[0]) {
    case '?':
      return DType::kBool;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return integer(DType::kInt8);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      return integer(DType::kUInt8);
    case 'e':
      return DType::kFloat16;
    case 'f':
      return DType::kFloat32;
    case 'd':
      return DType::kFloat64;
    default:
      return std::nullopt;
  }
}

[[noreturn]] void FailOfElements(std::string_view name, const std::string& elements,
                                 std::string_view advice) {
  Fail(ErrorCode::kTypeNotAdmitted, "TYP-1",
       std::string(name) + " has elements of type '" + elements +
           "', which is not one of the twelve numeric types and bool in this machine's byte order",
       std::string("; ") + std::string(advice));
}

// For elements of a type of NumPy that the library does not have: a way that loses nothing, or none.
std::string_view AdviceFor(const py::handle& descr) {
  const NumPyDescr& type = *reinterpret_cast<const NumPyDescr*>(descr.ptr());
  if (type.type_num >= kFirstUserType) return "nothing is converted: use astype before the call";
  switch (type.kind) {
    case 'M':
    case 'm':
      return "dates and durations may be NaT, which a conversion to integers would hide: use NumPy's own "
             "function";
    case 'O':
      return "make an array of one numeric type of its objects first";
    case 'c':
      return "complex numbers have no order: pass its real part, its imaginary part or numpy.abs of it";
    case 'V':
      if (!descr.attr("names").is_none()) return "pass one of its fields";
      if (descr.attr("itemsize").cast<int>() == 2) {
        return "two bytes without a type: if they are bfloat16, state it: "
               "supremum.reinterpret(x, 'bfloat16')";
      }
      return "bytes without a type: state it by the array's view method";
    case 'b':
    case 'i':
    case 'u':
      return "convert it before the call: astype(x.dtype.newbyteorder('='))";
    case 'f':
      return "convert it before the call, by astype: another byte order loses nothing, another width rounds";
    default:
      return "use NumPy's own function";
  }
}

constexpr const char* kNumbersAlone = "; to compute with its numbers alone, pass numpy.asarray of it";

// The elements of a subclass may mean more than their numbers: a unit, a mask, a missing value.
[[noreturn]] void FailOfSubclass(PyObject* object, std::string_view name) {
  static PyObject* const mask_name = PyUnicode_InternFromString("mask");
  if (_PyType_Lookup(Py_TYPE(object), mask_name) != nullptr) {
    FailOfType(std::string(name) + " is a masked array, whose mask would be ignored; pass its data, and " +
               "where=~mask to max");
  }
  FailOfType(std::string(name) + " is of type " + TypeName(object) +
             ", a subclass of numpy.ndarray whose elements may mean more than their numbers" + kNumbersAlone);
}

// True for an object that is no array of NumPy and overrides NumPy's functions, to respect units for example.
bool ComputesItself(PyObject* object) {
  static PyObject* const names[] = {PyUnicode_InternFromString("__array_ufunc__"),
                                    PyUnicode_InternFromString("__array_function__")};
  return std::any_of(std::begin(names), std::end(names),
                     [&](PyObject* name) { return _PyType_Lookup(Py_TYPE(object), name) != nullptr; });
}

}  // namespace

Operand::~Operand() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
}

void Operand::Read(PyObject* object, Access access, std::string_view name) {
  object_ = object;
  access_ = access;
  const NumPy* const numpy = NumPy::Get();
  static PyObject* const dlpack_name = PyUnicode_InternFromString("__dlpack__");
  if (numpy != nullptr && numpy->IsArray(object)) {
    if (!numpy->IsPlainArray(object)) FailOfSubclass(object, name);
    return ReadArray(object, access, name);
  }
  if (IsTorchTensor(object)) return ReadTorch(object, name);
  if (ComputesItself(object)) {
    const std::string text = std::string(name) + " is of type " + TypeName(object) +
                             ", which computes NumPy's functions itself" + kNumbersAlone;
    if (TypeName(object) != "dask.array.core.Array") FailOfType(text);
    throw DaskArrayFound(MakeError(ErrorCode::kInvalidArgument, text), true);
  }
  if (const py::object method = AttributeOf(object, dlpack_name)) {
    return ReadDLPack(object, method.ptr(), name);
  }
  if (PyObject_CheckBuffer(object) != 0) return ReadBuffer(object, access, name);
  FailOfType(
      std::string(name) + " is of type " + TypeName(object) +
      ", which has neither __dlpack__ nor the buffer protocol; convert it by numpy.asarray, with the dtype "
      "of the others");
}

std::size_t Operand::Bytes() const {
  std::size_t bytes = ByteWidth(dtype_);
  for (std::size_t d = 0; d < rank_; ++d) {
    if (row_major_ || strides_[d] != 0) bytes *= static_cast<std::size_t>(extents_[d]);
  }
  return bytes;
}

void Operand::TakeExtents(const std::int64_t* extents, std::size_t rank, std::string_view name) {
  if (rank > kMaxRank) Fail(RankError(std::string(name), rank));
  rank_ = rank;
  std::copy_n(extents, rank, extents_.begin());
}

// False if a stride that is used is not a multiple of the element's size.
bool Operand::TakeByteStrides(const Py_ssize_t* strides) {
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype_));
  for (std::size_t d = 0; d < rank_; ++d) {
    if (strides[d] % width != 0 && extents_[d] > 1) return false;
    strides_[d] = strides[d] / width;
  }
  return true;
}

void Operand::ReadArray(PyObject* object, Access access, std::string_view name) {
  const NumPy& numpy = *NumPy::Get();
  const NumPyArray* array = reinterpret_cast<const NumPyArray*>(object);
  const std::optional<DType> dtype = numpy.DTypeOf(array->descr);
  if (!dtype) {
    const py::handle descr(reinterpret_cast<PyObject*>(array->descr));
    FailOfElements(name, TextOf(py::str(descr.attr("str")).ptr()), AdviceFor(descr));
  }
  dtype_ = *dtype;
  descr_ = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(array->descr));
  if (access == Access::kWrite && (array->flags & kWriteable) == 0) {
    Fail(ErrorCode::kInvalidArgument, std::string(name) + " is read-only; pass a writable array");
  }
  TakeExtents(array->shape, static_cast<std::size_t>(array->rank), name);
  row_major_ = (array->flags & kRowMajor) != 0;
  data_ = array->data;
  if (row_major_ || TakeByteStrides(array->strides)) return;
  if (access == Access::kWrite) {
    Fail(ErrorCode::kInvalidArgument,
         std::string(name) +
             " has strides that are not multiples of its element's size; pass an array whose "
             "elements are not fields of packed records");
  }
  const DimsView steps(reinterpret_cast<const std::int64_t*>(array->strides), rank_);
  copy_ = std::make_shared<Tensor>(CopyOfBytes(dtype_, shape(), steps, array->data));
  row_major_ = true;
  data_ = copy_->data();
}

void Operand::ReadBuffer(PyObject* object, Access access, std::string_view name) {
  kind_ = Kind::kBuffer;
  const int wanted = access == Access::kWrite ? PyBUF_RECORDS : PyBUF_RECORDS_RO;
  if (PyObject_GetBuffer(object, &buffer_, wanted) != 0) FailOfRefusal(object, name);
  has_buffer_ = true;
  const std::string_view format = buffer_.format == nullptr ? "B" : buffer_.format;
  const NumPy* const numpy = NumPy::Get();
  if (buffer_.ndim != 0 && numpy != nullptr && numpy->IsScalar(object)) {  // a date exports its bytes
    FailOfElements(name, TypeName(object), "use NumPy's own function");
  }
  const std::optional<DType> dtype = DTypeOfFormat(
      format, std::bit_floor(static_cast<std::size_t>(std::clamp<Py_ssize_t>(buffer_.itemsize, 1, 8))));
  if (!dtype || ByteWidth(*dtype) != static_cast<std::size_t>(buffer_.itemsize)) {
    FailOfElements(name, std::string(format), "make an array of one of these types of it first");
  }
  dtype_ = *dtype;
  TakeExtents(buffer_.shape, static_cast<std::size_t>(buffer_.ndim), name);
  data_ = buffer_.buf;
  row_major_ = PyBuffer_IsContiguous(&buffer_, 'C') != 0;
  if (!row_major_ && !TakeByteStrides(buffer_.strides)) {
    Fail(ErrorCode::kInvalidArgument,
         std::string(name) + " has strides that are not multiples of its element's size; copy it");
  }
}

void Operand::ReadTorch(PyObject* object, std::string_view name) {
  kind_ = Kind::kTorch;
  const TorchTensor torch = python::ReadTorch(object, extents_, strides_, name);
  dtype_ = torch.dtype;
  rank_ = torch.rank;
  row_major_ = torch.row_major;
  data_ = torch.data;
}

void Operand::ReadDLPack(PyObject* object, PyObject* method, std::string_view name) {
  kind_ = Kind::kDLPack;
  imported_ = ImportDLPack(object, method, name, access_ == Access::kWrite);
  const TensorView& view = imported_.view;
  dtype_ = view.dtype;
  TakeExtents(view.shape.data(), view.shape.size(), name);
  data_ = const_cast<void*>(view.data);  // written only if it was imported as writable
  row_major_ = view.strides.empty();
  if (row_major_) return;
  std::copy_n(view.strides.data(), rank_, strides_.begin());
  const Shape dense = RowMajorStrides(shape());
  row_major_ = true;
  for (std::size_t d = 0; d < rank_; ++d) {
    row_major_ = row_major_ && (extents_[d] == 1 || strides_[d] == dense[d]);
  }
}

void Operand::Pin() {
  const NumPy* const numpy = NumPy::Get();
  PyObject* object = object_;
  // NumPy refuses to resize an array to which there are weak references, even with refcheck=False.
  while (kind_ == Kind::kNumPy && numpy != nullptr && object != nullptr && numpy->IsArray(object)) {
    auto pin = py::reinterpret_steal<py::object>(PyWeakref_NewRef(object, nullptr));
    if (!pin) throw py::error_already_set();
    pins_.push_back(std::move(pin));
    object = reinterpret_cast<const NumPyArray*>(object)->base;
  }
}

bool Operand::IsAsRead() const {
  switch (kind_) {
    case Kind::kNumPy:
      return copy_ != nullptr || IsSameArray();
    case Kind::kTorch:
      return IsSameTorch();
    case Kind::kBuffer:
    case Kind::kDLPack:
      break;
  }
  return true;
}

bool Operand::IsSameArray() const {
  const NumPyArray* array = reinterpret_cast<const NumPyArray*>(object_);
  if (array->data != data_ || reinterpret_cast<PyObject*>(array->descr) != descr_.ptr()) return false;
  if (static_cast<std::size_t>(array->rank) != rank_) return false;
  if (access_ == Access::kWrite && (array->flags & kWriteable) == 0) return false;
  const auto width = static_cast<std::int64_t>(ByteWidth(dtype_));
  for (std::size_t d = 0; d < rank_; ++d) {
    if (array->shape[d] != extents_[d]) return false;
    if (!row_major_ && extents_[d] > 1 && array->strides[d] != strides_[d] * width) return false;
  }
  return !row_major_ || (array->flags & kRowMajor) != 0;
}

bool Operand::IsSameTorch() const {
  std::array<std::int64_t, kMaxRank> extents, strides;
  const TorchTensor torch = python::ReadTorch(object_, extents, strides, "an operand");
  if (torch.data != data_ || torch.dtype != dtype_ || torch.rank != rank_) return false;
  if (torch.row_major != row_major_) return false;
  return std::equal(extents_.begin(), extents_.begin() + static_cast<std::ptrdiff_t>(rank_),
                    extents.begin()) &&
         (row_major_ || std::equal(strides_.begin(), strides_.begin() + static_cast<std::ptrdiff_t>(rank_),
                                   strides.begin()));
}

void FailOfChange(std::string_view name) {
  Fail(ErrorCode::kInvalidArgument,
       std::string(name) +
           " was changed while the call read its operands, by a method of another operand: its memory, "
           "element "
           "type, shape or strides differ; pass operands that do not change during the call");
}

}  // namespace supremum::python
