#include "dlpack.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "bindings/c/dl_operands.h"
#include "errors.h"
#include "foreign.h"
#include "supremum/shape.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

constexpr std::uint8_t kBoolCode = 6;  // which DLPack has a name for since 0.8
constexpr const char* kCapsuleName = "dltensor";
constexpr const char* kUsedName = "used_dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";

DLDataType TypeOf(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * ByteWidth(dtype));
  for (const std::uint8_t code : {std::uint8_t{kDLInt}, std::uint8_t{kDLUInt}, std::uint8_t{kDLFloat},
                                  std::uint8_t{kDLBfloat}, kBoolCode}) {
    const DLDataType type{code, bits, 1};
    if (capi::DTypeOf(type) == dtype) return type;
  }
  return {};
}

struct Exported {
  DLManagedTensor managed = {};
  std::shared_ptr<Tensor> tensor;
  Shape strides;
};

}  // namespace

void Imported::Release::operator()(DLManagedTensor* taken) const {
  if (taken->deleter != nullptr) taken->deleter(taken);
}

Imported ImportDLPack(PyObject* object, PyObject* method, std::string_view name) {
  const auto returned = py::reinterpret_steal<py::object>(PyObject_CallNoArgs(method));
  if (!returned) FailOfRefusal(object, name);
  PyObject* const capsule = returned.ptr();
  if (PyCapsule_IsValid(capsule, kCapsuleName) == 0) {
    const bool used = PyCapsule_IsValid(capsule, kUsedName) != 0;
    const bool versioned = PyCapsule_IsValid(capsule, kVersionedName) != 0;
    const char* const why = used        ? "; this one has been used already"
                            : versioned ? "; a 'dltensor_versioned' is returned only where it is asked for"
                                        : "";
    FailOfType(std::string(name) + " of type " + TypeName(object) +
               " has a __dlpack__ that returns no capsule named 'dltensor'" + why);
  }
  // From here on this call owns the tensor, by DLPack's protocol: later consumers find the capsule used.
  auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kCapsuleName));
  if (PyCapsule_SetName(capsule, kUsedName) != 0) throw py::error_already_set();
  Imported imported;
  imported.managed.reset(managed);
  imported.tensor = managed->dl_tensor;
  // Pinned host memory (kDLCUDAHost) is host memory. The field may hold any number, hence memcpy.
  std::int32_t device = 0;
  std::memcpy(&device, &imported.tensor.device.device_type, sizeof(device));
  if (device == kDLCUDAHost) imported.tensor.device.device_type = kDLCPU;
  imported.view = Take(capi::CheckedViewOf(imported.tensor, name));
  return imported;
}

py::capsule ExportDLPack(const std::shared_ptr<Tensor>& tensor, DType shown_as) {
  auto exported = std::make_unique<Exported>();
  exported->tensor = tensor;
  exported->strides = RowMajorStrides(tensor->shape());
  DLManagedTensor& managed = exported->managed;
  // DLPack's consumers read extents and strides, whatever the pointers' types say.
  managed.dl_tensor = {tensor->data(),
                       {kDLCPU, 0},
                       static_cast<int>(tensor->shape().rank()),
                       TypeOf(shown_as),
                       const_cast<std::int64_t*>(exported->tensor->shape().data()),
                       const_cast<std::int64_t*>(exported->strides.data()),
                       0};
  managed.manager_ctx = exported.get();
  managed.deleter = [](DLManagedTensor* self) { delete static_cast<Exported*>(self->manager_ctx); };
  PyObject* const capsule = PyCapsule_New(&managed, kCapsuleName, [](PyObject* unused) {
    if (PyCapsule_IsValid(unused, kCapsuleName) == 0) return;  // a consumer has taken it over
    auto* const kept = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(unused, kCapsuleName));
    kept->deleter(kept);
  });
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(exported.release());
  return py::reinterpret_steal<py::capsule>(capsule);
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
  type.def("__dlpack__", [](const Shared& self, const py::args&,
                            const py::kwargs&) { return ExportDLPack(self, self->dtype()); })
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
