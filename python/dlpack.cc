#include "dlpack.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "errors.h"
#include "operand.h"
#include "supremum/shape.h"
#include "torch.h"

namespace py = pybind11;

namespace supremum::python {
namespace {

constexpr std::uint8_t kDLBool = 6;  // since DLPack 0.8
constexpr const char* kCapsuleName = "dltensor";

std::optional<DType> DTypeOf(DLDataType type) {
  for (const DType dtype : kAllDTypes) {
    const std::uint8_t code = dtype == DType::kBool       ? kDLBool
                              : dtype == DType::kBFloat16 ? std::uint8_t{kDLBfloat}
                              : IsFloat(dtype)            ? std::uint8_t{kDLFloat}
                              : dtype >= DType::kUInt8    ? std::uint8_t{kDLUInt}
                                                          : std::uint8_t{kDLInt};
    if (type.code == code && type.bits == 8 * ByteWidth(dtype) && type.lanes == 1) return dtype;
  }
  return std::nullopt;
}

DLDataType TypeOf(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * ByteWidth(dtype));
  for (const std::uint8_t code : {std::uint8_t{kDLInt}, std::uint8_t{kDLUInt}, std::uint8_t{kDLFloat},
                                  std::uint8_t{kDLBfloat}, kDLBool}) {
    const DLDataType type{code, bits, 1};
    if (DTypeOf(type) == dtype) return type;
  }
  return {};
}

struct Exported {
  DLManagedTensor managed = {};
  std::shared_ptr<Tensor> tensor;
  Shape strides;
};

}  // namespace

Imported ImportDLPack(PyObject* object, std::string_view name) {
  py::object capsule;
  try {
    if (IsTorchTensor(object) && py::handle(object).attr("is_neg")().cast<bool>()) {
      Fail(ErrorCode::kInvalidArgument,
           std::string(name) + " has elements whose sign is yet to be changed; call its resolve_neg()");
    }
    capsule = py::handle(object).attr("__dlpack__")();
  } catch (py::error_already_set& refusal) {
    Fail(ErrorCode::kInvalidArgument,
         std::string(name) + " of type " + TypeName(object) + " does not give its memory: " + refusal.what());
  }
  auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kCapsuleName));
  if (managed == nullptr) {
    PyErr_Clear();
    FailOfType(std::string(name) + " has a __dlpack__ that returns no capsule named 'dltensor'");
  }
  const DLTensor& tensor = managed->dl_tensor;
  if (tensor.device.device_type != kDLCPU && tensor.device.device_type != kDLCUDAHost) {
    Fail(ErrorCode::kUnsupportedDevice, std::string(name) + " is on device " +
                                            std::to_string(tensor.device.device_type) +
                                            " of DLPack's list; copy it to the processor's memory first");
  }
  const std::optional<DType> dtype = DTypeOf(tensor.dtype);
  if (!dtype) {
    Fail(ErrorCode::kTypeNotAdmitted,
         std::string(name) + " has elements of DLPack's type code " + std::to_string(tensor.dtype.code) +
             " with " + std::to_string(tensor.dtype.bits) + " bits and " +
             std::to_string(tensor.dtype.lanes) +
             " lanes, which are none of the twelve numbers and bool (TYP-1); convert it before the call");
  }
  // The capsule still owns the tensor, and lets go of it when it goes.
  return {*dtype, &tensor, std::move(capsule)};
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
  const std::string module = py::str(py::type::of(py::handle(like)).attr("__module__"));
  const py::dict modules = py::module_::import("sys").attr("modules");
  const py::str root(module.substr(0, module.find('.')));
  if (!modules.contains(root) || !py::hasattr(modules[root], "from_dlpack")) return {};
  return modules[root].attr("from_dlpack")(AsDLPackTensor(tensor));
}

void AddDLPackTensor(py::module_& module) {
  using Shared = std::shared_ptr<Tensor>;
  py::class_<Tensor, Shared>(module, "DLPackTensor",
                             "A result for which no better type is there: bfloat16 without ml_dtypes.")
      .def("__dlpack__", [](const Shared& self, const py::args&,
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
