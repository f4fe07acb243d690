#include "torch.h"

#include <array>
#include <string>
#include <string_view>

#include "dlpack.h"
#include "supremum/shape.h"
#include "torch_direct.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

// What is used of PyTorch, found when the first of its tensors comes in.
struct Torch {
  PyTypeObject* tensor_type = nullptr;
  py::object from_dlpack;
  const TorchDirect* direct = nullptr;  // null: supremum._torch was not built for this version
  std::array<PyObject*, kAllDTypes.size()> dtypes = {};  // null: this version has not the type

  // Names of attributes and methods, made once.
  PyObject* dtype = PyUnicode_InternFromString("dtype");
  PyObject* requires_grad = PyUnicode_InternFromString("requires_grad");
  PyObject* is_cpu = PyUnicode_InternFromString("is_cpu");
  PyObject* is_neg = PyUnicode_InternFromString("is_neg");
  PyObject* shape = PyUnicode_InternFromString("shape");
  PyObject* stride = PyUnicode_InternFromString("stride");
  PyObject* is_contiguous = PyUnicode_InternFromString("is_contiguous");
  PyObject* data_ptr = PyUnicode_InternFromString("data_ptr");
  PyObject* new_empty = PyUnicode_InternFromString("new_empty");
};

Torch& GetTorch() {
  static Torch* const torch = new Torch;  // never destroyed: Python may be gone by then
  return *torch;
}

bool LooksLikeTorch(PyTypeObject* type) {
  if (std::string_view(type->tp_name) != "Tensor") return false;
  const py::object module = py::handle(reinterpret_cast<PyObject*>(type)).attr("__module__");
  return py::isinstance<py::str>(module) && module.cast<std::string>() == "torch";
}

// Another version's C++ interface must not even be loaded: the version is compared first. An import that
// fails leaves the way through attributes.
const TorchDirect* FindDirect(const py::module_& root) {
  if (py::str(root.attr("__version__")).cast<std::string>() != SUPREMUM_TORCH_VERSION) return nullptr;
  try {
    const py::object capsule = py::module_::import("supremum._torch").attr("direct");
    return static_cast<const TorchDirect*>(PyCapsule_GetPointer(capsule.ptr(), kTorchDirectCapsule));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    return nullptr;
  }
}

void Find(Torch& torch, PyTypeObject* type) {
  const py::module_ root = py::module_::import("torch");
  torch.from_dlpack = py::module_::import("torch.utils.dlpack").attr("from_dlpack");
  for (const DType dtype : kAllDTypes) {
    const std::string name(Name(dtype));
    if (py::hasattr(root, name.c_str())) {
      torch.dtypes[static_cast<std::size_t>(dtype)] = py::object(root.attr(name.c_str())).release().ptr();
    }
  }
  torch.direct = FindDirect(root);
  torch.tensor_type = type;
}

// A new reference, empty with a Python error set where there is none.
py::object Attribute(PyObject* object, PyObject* name) {
  return py::reinterpret_steal<py::object>(PyObject_GetAttr(object, name));
}
py::object Call(PyObject* object, PyObject* method) {
  return py::reinterpret_steal<py::object>(PyObject_CallMethodNoArgs(object, method));
}

// False if it is no tuple of at most `numbers.size()` whole numbers.
bool TakeNumbers(const py::object& tuple, std::span<std::int64_t> numbers) {
  if (!tuple || PyTuple_Check(tuple.ptr()) == 0) return false;
  const Py_ssize_t size = PyTuple_GET_SIZE(tuple.ptr());
  if (size > static_cast<Py_ssize_t>(numbers.size())) return false;
  for (Py_ssize_t d = 0; d < size; ++d) {
    numbers[static_cast<std::size_t>(d)] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple.ptr(), d));
  }
  return PyErr_Occurred() == nullptr;
}

bool Read(const Torch& torch, PyObject* object, TorchTensor& tensor, std::span<std::int64_t> extents,
          std::span<std::int64_t> strides) {
  const py::object dtype = Attribute(object, torch.dtype);
  std::size_t place = 0;
  while (place < torch.dtypes.size() && torch.dtypes[place] != dtype.ptr()) ++place;
  if (!dtype || place == torch.dtypes.size()) return false;
  tensor.dtype = kAllDTypes[place];
  if (Attribute(object, torch.requires_grad).ptr() != Py_False) return false;
  if (Attribute(object, torch.is_cpu).ptr() != Py_True) return false;
  if (Call(object, torch.is_neg).ptr() != Py_False) return false;
  const py::object shape = Attribute(object, torch.shape);
  if (!TakeNumbers(shape, extents)) return false;
  tensor.rank = static_cast<std::size_t>(PyTuple_GET_SIZE(shape.ptr()));
  tensor.row_major = Call(object, torch.is_contiguous).ptr() == Py_True;
  if (!tensor.row_major && !TakeNumbers(Call(object, torch.stride), strides)) return false;
  const py::object address = Call(object, torch.data_ptr);
  if (!address) return false;
  tensor.data = PyLong_AsVoidPtr(address.ptr());
  return PyErr_Occurred() == nullptr;
}

}  // namespace

bool IsTorchTensor(PyObject* object) {
  Torch& torch = GetTorch();
  PyTypeObject* const type = Py_TYPE(object);
  if (torch.tensor_type != nullptr) return type == torch.tensor_type;
  if (!LooksLikeTorch(type)) return false;
  Find(torch, type);
  return true;
}

bool ReadTorch(PyObject* object, TorchTensor& tensor, std::span<std::int64_t> extents,
               std::span<std::int64_t> strides) {
  const Torch& torch = GetTorch();
  if (torch.direct != nullptr && torch.direct->read(object, tensor, extents, strides)) return true;
  const bool read = Read(torch, object, tensor, extents, strides);
  if (!read) PyErr_Clear();
  return read;
}

py::object NewTorchTensor(PyObject* like, DType dtype, DimsView shape, void*& data) {
  const Torch& torch = GetTorch();
  if (torch.direct != nullptr) {
    PyObject* const made = torch.direct->make(dtype, shape, data);
    if (made != nullptr) return py::reinterpret_steal<py::object>(made);
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  }
  py::tuple extents(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) {
    PyTuple_SET_ITEM(extents.ptr(), static_cast<Py_ssize_t>(d), PyLong_FromLongLong(shape[d]));
  }
  auto made =
      py::reinterpret_steal<py::object>(PyObject_CallMethodOneArg(like, torch.new_empty, extents.ptr()));
  const py::object address = made ? Call(made.ptr(), torch.data_ptr) : py::object();
  if (!address) throw py::error_already_set();
  data = PyLong_AsVoidPtr(address.ptr());
  return made;
}

py::object AsTorchTensor(const std::shared_ptr<Tensor>& tensor) {
  const Torch& torch = GetTorch();
  const bool is_bool = tensor->dtype() == DType::kBool;  // which not every version takes
  const py::capsule capsule = ExportDLPack(tensor, is_bool ? DType::kUInt8 : tensor->dtype());
  auto made = py::reinterpret_steal<py::object>(PyObject_CallOneArg(torch.from_dlpack.ptr(), capsule.ptr()));
  if (!made) throw py::error_already_set();
  return is_bool ? made.attr("view")(py::handle(torch.dtypes[static_cast<std::size_t>(DType::kBool)])) : made;
}

}  // namespace supremum::python
