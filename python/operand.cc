#include "operand.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "dlpack.h"
#include "errors.h"
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

[[noreturn]] void FailOfElements(std::string_view name, const std::string& elements) {
  Fail(ErrorCode::kTypeNotAdmitted,
       std::string(name) + " has elements of type '" + elements +
           "', which are none of the twelve numbers and bool in this machine's byte order (TYP-1); "
           "nothing is converted: use astype before the call");
}

}  // namespace

std::string TypeName(PyObject* object) {
  const py::object type = py::type::of(py::handle(object));
  const std::string module = py::str(type.attr("__module__"));
  const std::string name = py::str(type.attr("__qualname__"));
  return module == "builtins" ? name : module + "." + name;
}

Operand::~Operand() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
}

void Operand::Read(PyObject* object, Access access, std::string_view name) {
  object_ = object;
  const NumPy* const numpy = NumPy::Get();
  if (numpy != nullptr && numpy->IsArray(object)) {
    if (!numpy->IsPlainArray(object) && PyObject_HasAttrString(object, "mask") != 0) {
      FailOfType(std::string(name) + " is a masked array, whose mask would be lost; give its data, and " +
                 "where=~mask to reduce_max");
    }
    return ReadArray(object, access, name);
  }
  if (IsTorchTensor(object) || PyObject_HasAttrString(object, "__dlpack__") != 0)
    return ReadDLPack(object, name);
  if (PyObject_CheckBuffer(object) != 0) return ReadBuffer(object, access, name);
  FailOfType(
      std::string(name) + " is of type " + TypeName(object) +
      ", which has neither __dlpack__ nor the buffer protocol; numpy.asarray makes an array of it, with "
      "the dtype of the others");
}

std::size_t Operand::Bytes() const {
  std::size_t bytes = ByteWidth(dtype_);
  for (std::size_t d = 0; d < rank_; ++d) {
    if (row_major_ || strides_[d] != 0) bytes *= static_cast<std::size_t>(extents_[d]);
  }
  return bytes;
}

void Operand::TakeExtents(const std::int64_t* extents, std::size_t rank, std::string_view name) {
  if (rank > kMaxRank) {
    Fail(ErrorCode::kRank, std::string(name) + " has rank " + std::to_string(rank) +
                               "; at most 64 dimensions are supported (BRO-4)");
  }
  rank_ = rank;
  std::copy_n(extents, rank, extents_.begin());
}

// False if one of them is no multiple of the element's size, where it matters.
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
  if (!dtype)
    FailOfElements(
        name, py::str(py::handle(reinterpret_cast<PyObject*>(array->descr)).attr("str")).cast<std::string>());
  dtype_ = *dtype;
  if (access == Access::kWrite && (array->flags & kWriteable) == 0) {
    Fail(ErrorCode::kInvalidArgument, std::string(name) + " is read-only; give an array that may be written");
  }
  TakeExtents(array->shape, static_cast<std::size_t>(array->rank), name);
  row_major_ = (array->flags & kRowMajor) != 0;
  column_major_ = !row_major_ && (array->flags & kColumnMajor) != 0;
  data_ = array->data;
  if (row_major_ || TakeByteStrides(array->strides)) return;
  if (access == Access::kWrite) {
    Fail(ErrorCode::kInvalidArgument,
         std::string(name) +
             " has strides that are no multiples of its element's size; give an array whose "
             "elements are not parts of packed records");
  }
  keep_ = py::module_::import("numpy").attr("ascontiguousarray")(py::handle(object));
  row_major_ = true;
  column_major_ = false;
  data_ = reinterpret_cast<const NumPyArray*>(keep_.ptr())->data;
}

void Operand::ReadBuffer(PyObject* object, Access access, std::string_view name) {
  kind_ = Kind::kBuffer;
  const int wanted = access == Access::kWrite ? PyBUF_RECORDS : PyBUF_RECORDS_RO;
  if (PyObject_GetBuffer(object, &buffer_, wanted) != 0) {
    const std::string why = py::error_already_set().what();
    Fail(ErrorCode::kInvalidArgument,
         std::string(name) + " of type " + TypeName(object) + " does not give its memory: " + why);
  }
  has_buffer_ = true;
  const std::string_view format = buffer_.format == nullptr ? "B" : buffer_.format;
  const std::optional<DType> dtype = DTypeOfFormat(format, static_cast<std::size_t>(buffer_.itemsize));
  if (!dtype || ByteWidth(*dtype) != static_cast<std::size_t>(buffer_.itemsize)) {
    FailOfElements(name, std::string(format));
  }
  dtype_ = *dtype;
  TakeExtents(buffer_.shape, static_cast<std::size_t>(buffer_.ndim), name);
  data_ = buffer_.buf;
  row_major_ = PyBuffer_IsContiguous(&buffer_, 'C') != 0;
  if (!row_major_ && !TakeByteStrides(buffer_.strides)) {
    Fail(ErrorCode::kInvalidArgument,
         std::string(name) + " has strides that are no multiples of its element's size; copy it");
  }
}

void Operand::ReadDLPack(PyObject* object, std::string_view name) {
  kind_ = Kind::kDLPack;
  TorchTensor torch;
  if (IsTorchTensor(object) && ReadTorch(object, torch, extents_, strides_)) {
    dtype_ = torch.dtype;
    rank_ = torch.rank;
    row_major_ = torch.row_major;
    data_ = torch.data;
    return;
  }
  Imported tensor = ImportDLPack(object, name);
  dtype_ = tensor.dtype;
  TakeExtents(tensor.managed->shape, static_cast<std::size_t>(tensor.managed->ndim), name);
  data_ = static_cast<char*>(tensor.managed->data) + tensor.managed->byte_offset;
  row_major_ = tensor.managed->strides == nullptr;
  if (!row_major_) {
    std::copy_n(tensor.managed->strides, rank_, strides_.begin());
    const Shape dense = RowMajorStrides(shape());
    row_major_ = true;
    for (std::size_t d = 0; d < rank_; ++d)
      row_major_ = row_major_ && (extents_[d] == 1 || strides_[d] == dense[d]);
  }
  keep_ = std::move(tensor.keep);
}

}  // namespace supremum::python
