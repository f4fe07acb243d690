#include "torch.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/operand_errors.h"
#include "dlpack.h"
#include "errors.h"
#include "foreign.h"
#include "supremum/shape.h"
#include "torch_direct.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

// The parts of PyTorch that are used, looked up when the first of its tensors is read.
struct Torch {
  PyTypeObject* tensor_type = nullptr;
  py::object from_dlpack;
  const TorchDirect* direct = nullptr;  // null: supremum._torch was not built for this version
  std::array<PyObject*, kAllDTypes.size()> dtypes = {};  // null: this version does not have the type

  // The descriptors and methods of PyTorch's own class, which no subclass overrides.
  py::object dtype, layout, device, requires_grad, is_cpu, shape;
  py::object is_neg, stride, is_contiguous, data_ptr;
  py::object disable;    // a context manager: PyTorch's methods then do not dispatch to subclasses and modes
  py::object strided;    // the layout that has strides
  py::object is_nested;  // empty: this version has none
  py::object no_function;  // the __torch_function__ of a class that changes no operation
};

Torch& GetTorch() {
  static Torch* const torch = new Torch;  // never destroyed: Python may be gone by then
  return *torch;
}

// The version is compared first, because loading the C++ interface of another version is already unsafe. If
// the import fails, tensors are read through their attributes.
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

void Find(PyTypeObject* type, const py::module_& root) {
  Torch found;
  // The base class of torch.Tensor, which PyTorch implements in C++.
  const py::handle own(reinterpret_cast<PyObject*>(type->tp_base));
  found.dtype = own.attr("dtype");
  found.layout = own.attr("layout");
  found.device = own.attr("device");
  found.requires_grad = own.attr("requires_grad");
  found.is_cpu = own.attr("is_cpu");
  found.shape = own.attr("shape");
  found.is_neg = own.attr("is_neg");
  found.stride = own.attr("stride");
  found.is_contiguous = own.attr("is_contiguous");
  found.data_ptr = own.attr("data_ptr");
  if (py::hasattr(own, "is_nested")) found.is_nested = own.attr("is_nested");
  found.from_dlpack = py::module_::import("torch.utils.dlpack").attr("from_dlpack");
  found.disable = root.attr("_C").attr("DisableTorchFunction");
  found.strided = root.attr("strided");
  found.no_function = root.attr("_C").attr("_disabled_torch_function_impl");
  for (const DType dtype : kAllDTypes) {
    const std::string name(Name(dtype));
    if (py::hasattr(root, name.c_str())) {
      found.dtypes[static_cast<std::size_t>(dtype)] = py::object(root.attr(name.c_str())).release().ptr();
    }
  }
  found.direct = FindDirect(root);
  found.tensor_type = type;
  GetTorch() = std::move(found);
}

// True if torch.Tensor has been found, now or before. PyTorch may still be being imported.
bool HasTorch(Torch& torch) {
  if (torch.tensor_type != nullptr) return true;
  static PyObject* const name = PyUnicode_InternFromString("torch");
  static PyObject* const tensor_name = PyUnicode_InternFromString("Tensor");
  const auto root = py::reinterpret_steal<py::object>(PyImport_GetModule(name));
  if (!root) {
    PyErr_Clear();
    return false;
  }
  if (PyModule_Check(root.ptr()) == 0) return false;
  PyObject* const tensor = PyDict_GetItemWithError(PyModule_GetDict(root.ptr()), tensor_name);
  if (tensor == nullptr || PyType_Check(tensor) == 0) return false;
  try {
    Find(reinterpret_cast<PyTypeObject*>(tensor), py::reinterpret_borrow<py::module_>(root));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_AttributeError) && !error.matches(PyExc_ImportError)) throw;
    return false;
  }
  return true;
}

// Disables, for its lifetime, the dispatch of PyTorch's methods to a tensor's class and to active modes.
class NoDispatch {
 public:
  explicit NoDispatch(const Torch& torch) : guard_(CallOf(torch.disable.ptr())) {
    guard_.attr("__enter__")();
  }
  NoDispatch(const NoDispatch&) = delete;
  NoDispatch& operator=(const NoDispatch&) = delete;
  ~NoDispatch() {
    const py::error_scope kept;
    const auto left = py::reinterpret_steal<py::object>(
        PyObject_CallMethod(guard_.ptr(), "__exit__", "OOO", Py_None, Py_None, Py_None));
    if (!left) PyErr_Clear();
  }

 private:
  py::object guard_;
};

// One tensor that is read through PyTorch's attributes.
class Reader {
 public:
  Reader(const Torch& torch, PyObject* object, std::string_view name)
      : torch_(torch), object_(object), name_(name) {}

  TorchTensor Read(std::span<std::int64_t> extents, std::span<std::int64_t> strides) const {
    CheckClass();
    const NoDispatch no_dispatch(torch_);
    CheckLayout();
    TorchTensor tensor = {};
    tensor.dtype = ElementType();
    CheckElements();
    const py::object shape = Get(torch_.shape);
    tensor.rank = TakeNumbers(shape, extents);
    tensor.row_major = IsTrue(Call(torch_.is_contiguous));
    if (!tensor.row_major) TakeNumbers(Call(torch_.stride), strides);
    tensor.data = PyLong_AsVoidPtr(Call(torch_.data_ptr).ptr());
    if (PyErr_Occurred() != nullptr) FailOfRefusal(object_, name_);
    const std::optional<std::int64_t> count = ElementCount({extents.data(), tensor.rank});
    if (!count) Refuse("it has a negative extent, or more than 2^63-1 elements");
    if (tensor.data == nullptr && *count != 0) Refuse("it has no memory of its own");
    return tensor;
  }

  // The elements of a class that overrides operations may differ from what is in its memory.
  void CheckClass() const {
    PyTypeObject* const type = Py_TYPE(object_);
    if (type == torch_.tensor_type) return;
    static PyObject* const names[] = {PyUnicode_InternFromString("__torch_function__"),
                                      PyUnicode_InternFromString("__torch_dispatch__"),
                                      PyUnicode_InternFromString("__dlpack__")};
    for (PyObject* const attribute : names) {
      PyObject* const value = _PyType_Lookup(type, attribute);
      if (value == _PyType_Lookup(torch_.tensor_type, attribute) || value == torch_.no_function.ptr())
        continue;
      FailOfType(
          std::string(name_) + " is of type " + TypeName(object_) + ", a torch.Tensor whose class has a " +
          TextOf(attribute) +
          " of its own, so that its memory may not hold its elements; pass a torch.Tensor, for example "
          "its as_subclass(torch.Tensor) if the memory does hold them");
    }
  }

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    Fail(ErrorCode::kInvalidArgument,
         std::string(name_) + " of type " + TypeName(object_) + " does not export its memory: " + why);
  }

  py::object Get(const py::object& descriptor) const {
    PyTypeObject* const type = Py_TYPE(object_);
    auto value = py::reinterpret_steal<py::object>(
        Py_TYPE(descriptor.ptr())
            ->tp_descr_get(descriptor.ptr(), object_, reinterpret_cast<PyObject*>(type)));
    if (!value) FailOfRefusal(object_, name_);
    return value;
  }
  py::object Call(const py::object& method) const {
    auto value = py::reinterpret_steal<py::object>(PyObject_CallOneArg(method.ptr(), object_));
    if (!value) FailOfRefusal(object_, name_);
    return value;
  }
  static bool IsTrue(const py::object& value) { return value.ptr() == Py_True; }
  static std::string Text(const py::object& value) { return TextOf(py::str(value).ptr()); }

  void CheckLayout() const {
    if (torch_.is_nested && IsTrue(Get(torch_.is_nested)))
      Refuse("it is nested; pass one of its component tensors");
    const py::object layout = Get(torch_.layout);
    if (!layout.is(torch_.strided)) Refuse("its layout is " + Text(layout) + "; call its to_dense()");
    if (IsTrue(Get(torch_.is_cpu))) return;
    Fail(ErrorCode::kUnsupportedDevice, std::string(name_) + " of type " + TypeName(object_) +
                                            " is on device '" + Text(Get(torch_.device)) +
                                            "'; copy it to the processor's memory first, with its cpu()");
  }

  DType ElementType() const {
    const py::object dtype = Get(torch_.dtype);
    for (std::size_t place = 0; place < torch_.dtypes.size(); ++place) {
      if (torch_.dtypes[place] == dtype.ptr()) return kAllDTypes[place];
    }
    Fail(ErrorCode::kTypeNotAdmitted, "TYP-1",
         std::string(name_) + " has elements of type " + Text(dtype) +
             ", which is not one of the twelve numeric types and bool",
         "; convert it "
         "before the call");
  }

  void CheckElements() const {
    if (!(Get(torch_.requires_grad).is(py::handle(Py_False)))) {
      Refuse("it requires a gradient, which the result would not have; call its detach()");
    }
    if (!(Call(torch_.is_neg).is(py::handle(Py_False)))) {
      Refuse("it has a pending sign change (its negative bit is set); call its resolve_neg()");
    }
  }

  std::size_t TakeNumbers(const py::object& tuple, std::span<std::int64_t> numbers) const {
    if (PyTuple_Check(tuple.ptr()) == 0) Refuse("its shape or strides are not a tuple");
    const auto size = static_cast<std::size_t>(PyTuple_GET_SIZE(tuple.ptr()));
    if (size > numbers.size()) Fail(RankError(std::string(name_), size));
    for (std::size_t d = 0; d < size; ++d) {
      numbers[d] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(d)));
    }
    if (PyErr_Occurred() != nullptr) FailOfRefusal(object_, name_);
    return size;
  }

  const Torch& torch_;
  PyObject* object_;
  std::string_view name_;
};

}  // namespace

bool IsTorchTensor(PyObject* object) {
  Torch& torch = GetTorch();
  return HasTorch(torch) && PyType_IsSubtype(Py_TYPE(object), torch.tensor_type) != 0;
}

TorchTensor ReadTorch(PyObject* object, std::span<std::int64_t> extents, std::span<std::int64_t> strides,
                      std::string_view name) {
  const Torch& torch = GetTorch();
  const Reader reader(torch, object, name);
  if (torch.direct != nullptr) {
    reader.CheckClass();
    TorchTensor tensor;
    if (torch.direct->read(object, tensor, extents, strides)) return tensor;
  }
  return reader.Read(extents, strides);
}

py::object NewTorchTensor(DType dtype, DimsView shape, DimsView strides, void*& data) {
  const Torch& torch = GetTorch();
  if (torch.direct == nullptr) return {};
  PyObject* const made = torch.direct->make(dtype, shape, strides, data);
  if (made == nullptr && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

py::object AsTorchTensor(const std::shared_ptr<Tensor>& tensor) {
  const Torch& torch = GetTorch();
  const bool is_bool = tensor->dtype() == DType::kBool;  // which not every version imports
  const py::capsule capsule = ExportDLPack(tensor, is_bool ? DType::kUInt8 : tensor->dtype());
  auto made = py::reinterpret_steal<py::object>(PyObject_CallOneArg(torch.from_dlpack.ptr(), capsule.ptr()));
  if (!made) throw py::error_already_set();
  return is_bool ? made.attr("view")(py::handle(torch.dtypes[static_cast<std::size_t>(DType::kBool)])) : made;
}

}  // namespace supremum::python
