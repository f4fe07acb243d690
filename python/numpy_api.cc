#include "numpy_api.h"

#include <array>
#include <bit>
#include <string_view>
#include <utility>

namespace py = pybind11;

namespace supremum::python {
namespace {

// NumPy numbers its types by C's types, so that two of its numbers may be one element type here.
constexpr int kTypeNums = 24;

template <class T>
constexpr std::optional<DType> Integer(bool is_signed) {
  switch (sizeof(T)) {
    case 1:
      return is_signed ? DType::kInt8 : DType::kUInt8;
    case 2:
      return is_signed ? DType::kInt16 : DType::kUInt16;
    case 4:
      return is_signed ? DType::kInt32 : DType::kUInt32;
    default:
      return is_signed ? DType::kInt64 : DType::kUInt64;
  }
}

constexpr std::array<std::optional<DType>, kTypeNums> kDTypes = [] {
  std::array<std::optional<DType>, kTypeNums> table;
  table[0] = DType::kBool;
  table[1] = DType::kInt8;
  table[2] = DType::kUInt8;
  table[3] = Integer<short>(true);
  table[4] = Integer<short>(false);
  table[5] = Integer<int>(true);
  table[6] = Integer<int>(false);
  table[7] = Integer<long>(true);
  table[8] = Integer<long>(false);
  table[9] = Integer<long long>(true);
  table[10] = Integer<long long>(false);
  table[11] = DType::kFloat32;
  table[12] = DType::kFloat64;
  table[23] = DType::kFloat16;
  return table;
}();

}  // namespace

// Importing runs Python code, which may let another thread run or call the library again. A static variable
// that is initialized by a call could deadlock here: a second thread would wait for the initialization while
// it holds Python's lock, or the initializing thread would wait for itself.
const NumPy* NumPy::Get() {
  enum class State : std::uint8_t { kUnknown, kThere, kMissing };
  static constinit State state = State::kUnknown;
  static constinit NumPy numpy;
  if (state == State::kThere) return &numpy;
  if (state == State::kMissing) return nullptr;
  try {
    const py::module_ root = py::module_::import("numpy");
    NumPy loaded;
    loaded.Load(root);
    numpy = loaded;
    state = State::kThere;
    return &numpy;
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ImportError) && !error.matches(PyExc_AttributeError)) throw;
    // A NumPy that is still being imported is complete later, so the state stays unknown.
    if (error.matches(PyExc_ModuleNotFoundError)) state = State::kMissing;
    return nullptr;
  }
}

void NumPy::Load(const py::module_& numpy) {
  const bool newer = py::hasattr(numpy, "_core");  // since NumPy 2
  const py::capsule table =
      py::module_::import(newer ? "numpy._core._multiarray_umath" : "numpy.core._multiarray_umath")
          .attr("_ARRAY_API");
  void** const entries = static_cast<void**>(PyCapsule_GetPointer(table.ptr(), nullptr));
  if (entries == nullptr) throw py::error_already_set();
  array_type_ = static_cast<PyTypeObject*>(entries[2]);
  // Types live as long as the process here: NumPy is never unloaded.
  const auto type_named = [&](const char* name) {
    const py::object type = numpy.attr(name);
    return PyType_Check(type.ptr()) == 0 ? nullptr : reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
  };
  memmap_type_ = type_named("memmap");
  scalar_type_ = type_named("generic");
  descr_from_type_ = reinterpret_cast<decltype(descr_from_type_)>(entries[45]);
  return_ = reinterpret_cast<decltype(return_)>(entries[76]);
  new_from_descr_ = reinterpret_cast<decltype(new_from_descr_)>(entries[94]);
  set_base_object_ = reinterpret_cast<decltype(set_base_object_)>(entries[282]);
}

std::optional<DType> NumPy::DTypeOf(NumPyDescr* descr) const {
  constexpr char kOwnOrder = std::endian::native == std::endian::little ? '<' : '>';
  if (descr->byteorder != '=' && descr->byteorder != '|' && descr->byteorder != kOwnOrder)
    return std::nullopt;
  const int number = descr->type_num;
  if (number >= 0 && number < kTypeNums) return kDTypes[static_cast<std::size_t>(number)];
  if (number < kFirstUserType) return std::nullopt;
  static int bfloat16 = -1;  // ml_dtypes registers its types when it is imported
  if (number != bfloat16) {
    const std::string name = py::str(py::handle(reinterpret_cast<PyObject*>(descr)).attr("name"));
    if (name != "bfloat16") return std::nullopt;
    bfloat16 = number;
  }
  return DType::kBFloat16;
}

NumPyDescr* NumPy::DescrOf(DType dtype) const {
  if (dtype == DType::kBFloat16) {
    try {
      const py::object type = py::module_::import("ml_dtypes").attr("bfloat16");
      py::object descr = py::module_::import("numpy").attr("dtype")(type);
      return reinterpret_cast<NumPyDescr*>(descr.release().ptr());
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_ImportError)) throw;
      return nullptr;
    }
  }
  int number = 0;
  while (kDTypes[static_cast<std::size_t>(number)] != dtype) ++number;
  return reinterpret_cast<NumPyDescr*>(descr_from_type_(number));
}

py::object NumPy::New(NumPyDescr* descr, DimsView shape, DimsView strides) const {
  PyObject* const array =
      new_from_descr_(array_type_, reinterpret_cast<PyObject*>(descr), static_cast<int>(shape.size()),
                      shape.data(), strides.empty() ? nullptr : strides.data(), nullptr, 0, nullptr);
  if (array == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(array);
}

py::object NumPy::Show(NumPyDescr* descr, DimsView shape, void* data, py::object owner) const {
  PyObject* const array =
      new_from_descr_(array_type_, reinterpret_cast<PyObject*>(descr), static_cast<int>(shape.size()),
                      shape.data(), nullptr, data, kWriteable, nullptr);
  if (array == nullptr) throw py::error_already_set();
  auto shown = py::reinterpret_steal<py::object>(array);
  if (set_base_object_(array, owner.release().ptr()) != 0) throw py::error_already_set();
  return shown;
}

py::object NumPy::AsResult(py::object array) const {
  return py::reinterpret_steal<py::object>(return_(array.release().ptr()));
}

}  // namespace supremum::python
