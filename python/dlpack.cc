#include "dlpack.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "bindings/c/dl_operands.h"
#include "errors.h"
#include "foreign.h"
#include "masked_copy.h"
#include "supremum/shape.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

// DLPack 1, which the headers of distributions do not have yet: the members at the addresses that it defines.
constexpr std::uint32_t kMajor = 1;
constexpr std::uint64_t kReadOnly = 1, kIsCopied = 2;
struct Versioned {
  std::uint32_t major, minor;
  void* manager_ctx;
  void (*deleter)(Versioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

// The two kinds of capsules.
template <class Managed>
constexpr const char* kName = "dltensor";
template <>
constexpr const char* kName<Versioned> = "dltensor_versioned";
template <class Managed>
constexpr const char* kUsedName = "used_dltensor";
template <>
constexpr const char* kUsedName<Versioned> = "used_dltensor_versioned";

template <class Managed>
struct Exported {
  Managed managed = {};
  std::shared_ptr<Tensor> tensor;
  Shape strides;
};

// Calls `method` with keywords, or without any if it does not know them.
py::object Returned(PyObject* object, PyObject* method, std::string_view name, bool writable) {
  static PyObject* const of_version = Py_BuildValue("(s)", "max_version");
  static PyObject* const of_version_and_copy = Py_BuildValue("(ss)", "max_version", "copy");
  static PyObject* const version = Py_BuildValue("(ii)", static_cast<int>(kMajor), 0);
  // A result in a copy would be lost.
  PyObject* const arguments[] = {version, Py_False};
  auto returned = py::reinterpret_steal<py::object>(
      PyObject_Vectorcall(method, arguments, 0, writable ? of_version_and_copy : of_version));
  if (!returned && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
    PyErr_Clear();
    returned = py::reinterpret_steal<py::object>(PyObject_CallNoArgs(method));
  }
  if (!returned) FailOfRefusal(object, name);
  return returned;
}

// The tensor of `capsule`, which this call owns from here on, by DLPack's protocol: later consumers find the
// capsule used.
template <class Managed>
Managed* TakeOver(PyObject* capsule, Imported& imported) {
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, kName<Managed>));
  if (PyCapsule_SetName(capsule, kUsedName<Managed>) != 0) throw py::error_already_set();
  const auto release = [](void* taken) {
    Managed* const own = static_cast<Managed*>(taken);
    if (own->deleter != nullptr) own->deleter(own);
  };
  imported.managed = {managed, {release}};
  return managed;
}

template <class Managed>
Managed* Fill(const std::shared_ptr<Tensor>& tensor, DType shown_as) {
  auto exported = std::make_unique<Exported<Managed>>();
  exported->tensor = tensor;
  exported->strides = RowMajorStrides(tensor->shape());
  Managed& managed = exported->managed;
  // DLPack's consumers read extents and strides, whatever the pointers' types say.
  managed.dl_tensor = {tensor->data(),
                       {kDLCPU, 0},
                       static_cast<int>(tensor->shape().rank()),
                       capi::DlTypeOf(shown_as),
                       const_cast<std::int64_t*>(exported->tensor->shape().data()),
                       const_cast<std::int64_t*>(exported->strides.data()),
                       0};
  managed.manager_ctx = exported.get();
  managed.deleter = [](Managed* self) { delete static_cast<Exported<Managed>*>(self->manager_ctx); };
  static_cast<void>(exported.release());
  return &managed;
}

template <class Managed>
py::capsule CapsuleOf(Managed* managed) {
  PyObject* const capsule = PyCapsule_New(managed, kName<Managed>, [](PyObject* unused) {
    if (PyCapsule_IsValid(unused, kName<Managed>) == 0) return;  // a consumer has taken it over
    auto* const kept = static_cast<Managed*>(PyCapsule_GetPointer(unused, kName<Managed>));
    kept->deleter(kept);
  });
  if (capsule == nullptr) {
    managed->deleter(managed);
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::capsule>(capsule);
}

// The two whole numbers of a tuple that a consumer passes to __dlpack__.
std::pair<Py_ssize_t, Py_ssize_t> PairOf(const py::object& tuple, const char* argument) {
  Py_ssize_t first = 0, second = 0;
  if (PyTuple_Check(tuple.ptr()) == 0 || PyTuple_GET_SIZE(tuple.ptr()) != 2) {
    throw py::type_error(std::string(argument) + " of __dlpack__ is of type " + TypeName(tuple.ptr()) +
                         "; expected None or a tuple of two whole numbers");
  }
  if (PyArg_ParseTuple(tuple.ptr(), "nn", &first, &second) == 0) throw py::error_already_set();
  return {first, second};
}

// DLPackTensor.__dlpack__, with the arguments of the array API.
py::capsule ExportFor(const std::shared_ptr<Tensor>& self, const py::object& stream,
                      const py::object& max_version, const py::object& dl_device, const py::object& copy) {
  const bool versioned = !max_version.is_none() && PairOf(max_version, "max_version").first >= kMajor;
  if (!dl_device.is_none() &&
      PairOf(dl_device, "dl_device") != std::pair<Py_ssize_t, Py_ssize_t>(kDLCPU, 0)) {
    throw py::buffer_error(
        "the tensor is in the processor's memory, DLPack device (1, 0), and is exported to no other device");
  }
  if (!stream.is_none())
    throw py::buffer_error("a tensor in the processor's memory has no stream: pass None");
  if (!copy.is_none() && PyBool_Check(copy.ptr()) == 0) {
    throw py::type_error("copy of __dlpack__ is of type " + TypeName(copy.ptr()) +
                         "; expected None, True or False");
  }
  if (copy.ptr() != Py_True) return ExportDLPack(self, self->dtype(), versioned);
  return ExportDLPack(std::make_shared<Tensor>(Copy(self->View())), self->dtype(), versioned, true);
}

}  // namespace

Imported ImportDLPack(PyObject* object, PyObject* method, std::string_view name, bool writable) {
  const py::object returned = Returned(object, method, name, writable);
  PyObject* const capsule = returned.ptr();
  Imported imported;
  if (PyCapsule_IsValid(capsule, kName<Versioned>) != 0) {
    const Versioned* const managed = TakeOver<Versioned>(capsule, imported);
    const auto refuse = [&](const std::string& why) {
      Fail(ErrorCode::kInvalidArgument, std::string(name) + " of type " + TypeName(object) + why);
    };
    if (managed->major != kMajor) {
      refuse(" has a __dlpack__ that returns a tensor of version " + std::to_string(managed->major) +
             " of DLPack, although version 1 is asked for; convert it by its own package first");
    }
    if (writable && (managed->flags & kReadOnly) != 0) refuse(" is read-only; pass a writable tensor");
    if (writable && (managed->flags & kIsCopied) != 0) {
      refuse(" exports a copy of its memory, in which the result would be lost; pass another tensor");
    }
    imported.tensor = managed->dl_tensor;
  } else if (PyCapsule_IsValid(capsule, kName<DLManagedTensor>) != 0) {
    imported.tensor = TakeOver<DLManagedTensor>(capsule, imported)->dl_tensor;
  } else {
    const bool used = PyCapsule_IsValid(capsule, kUsedName<DLManagedTensor>) != 0 ||
                      PyCapsule_IsValid(capsule, kUsedName<Versioned>) != 0;
    FailOfType(std::string(name) + " of type " + TypeName(object) +
               " has a __dlpack__ that returns no capsule named 'dltensor' or 'dltensor_versioned'" +
               (used ? "; this one has been used already" : ""));
  }
  imported.view = Take(capi::CheckedViewOf(imported.tensor, name));
  return imported;
}

py::capsule ExportDLPack(const std::shared_ptr<Tensor>& tensor, DType shown_as, bool versioned, bool copied) {
  if (!versioned) return CapsuleOf(Fill<DLManagedTensor>(tensor, shown_as));
  Versioned* const managed = Fill<Versioned>(tensor, shown_as);
  managed->major = kMajor;
  managed->flags = copied ? kIsCopied : 0;
  return CapsuleOf(managed);
}

py::object AsTensorLike(PyObject* like, const std::shared_ptr<Tensor>& tensor) {
  const std::string type = TypeName(like);
  const py::str root(type.substr(0, type.find('.')));
  const auto package = py::reinterpret_steal<py::object>(PyImport_GetModule(root.ptr()));
  if (!package && PyErr_Occurred() != nullptr) throw py::error_already_set();
  static PyObject* const from_dlpack = PyUnicode_InternFromString("from_dlpack");
  const py::object make = package ? AttributeOf(package.ptr(), from_dlpack) : py::object();
  return make ? CallOf(make.ptr(), AsDLPackTensor(tensor).ptr()) : py::object();
}

void AddDLPackTensor(py::module_& module) {
  using Shared = std::shared_ptr<Tensor>;
  py::class_<Tensor, Shared> type(module, "DLPackTensor",
                                  "A result whose type NumPy does not have: bfloat16 without ml_dtypes.",
                                  py::is_final());
  ForbidNew(type);
  type.def("__dlpack__", &ExportFor, py::kw_only(), py::arg("stream") = py::none(),
           py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
           py::arg("copy") = py::none())
      .def("__dlpack_device__", [](const Tensor&) { return py::make_tuple(int{kDLCPU}, 0); })
      .def_property_readonly("shape",
                             [](const Tensor& self) {
                               py::tuple shape(self.shape().rank());
                               for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = self.shape()[d];
                               return shape;
                             })
      .def_property_readonly("dtype", [](const Tensor& self) { return std::string(Name(self.dtype())); })
      .def("__repr__", [](const Tensor& self) {
        return "<supremum.DLPackTensor " + std::string(Name(self.dtype())) + ToString(self.shape()) + ">";
      });
}

py::object AsDLPackTensor(const std::shared_ptr<Tensor>& tensor) { return py::cast(tensor); }

}  // namespace supremum::python
