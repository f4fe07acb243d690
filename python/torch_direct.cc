#include "torch_direct.h"

#include <ATen/EmptyTensor.h>
#include <torch/csrc/autograd/python_variable.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "torch_operators.h"
#include "torch_types.h"

namespace supremum::python {
namespace {

// True if the elements are in this process's memory, their bits are their values, and no gradient is
// required.
bool IsPlain(const at::TensorBase& tensor) {
  if (!tensor.defined() || tensor.is_nested() || tensor.layout() != at::kStrided) return false;
  if (!tensor.device().is_cpu() || !tensor.has_storage()) return false;
  return !tensor.requires_grad() && !tensor.is_neg() && !tensor._is_zerotensor();
}

bool Read(PyObject* object, TorchTensor& read, std::span<std::int64_t> extents,
          std::span<std::int64_t> strides) noexcept {
  try {
    const at::TensorBase& tensor = THPVariable_Unpack(object);
    if (!IsPlain(tensor)) return false;
    const std::optional<DType> type = TypeOf(tensor.scalar_type());
    const at::IntArrayRef sizes = tensor.sizes();
    if (!type || sizes.size() > extents.size()) return false;
    read.dtype = *type;
    read.data = tensor.data_ptr();
    if (read.data == nullptr && tensor.numel() != 0) return false;
    read.rank = sizes.size();
    read.row_major = tensor.is_contiguous();
    std::copy(sizes.begin(), sizes.end(), extents.begin());
    if (!read.row_major) std::copy(tensor.strides().begin(), tensor.strides().end(), strides.begin());
    return true;
  } catch (const std::exception&) {
    return false;  // a kind of tensor without some of these properties
  }
}

PyObject* Make(DType dtype, DimsView shape, DimsView strides, void*& data) noexcept {
  try {
    const auto* const found = std::find_if(kTorchTypes.begin(), kTorchTypes.end(),
                                           [&](const auto& pair) { return pair.second == dtype; });
    if (found == kTorchTypes.end()) return nullptr;
    const at::IntArrayRef sizes(shape.data(), shape.size()), steps(strides.data(), strides.size());
    const at::TensorBase tensor = strides.empty() ? at::detail::empty_cpu(sizes, found->first)
                                                  : at::detail::empty_strided_cpu(sizes, steps, found->first);
    data = tensor.data_ptr();
    return THPVariable_Wrap(tensor);
  } catch (const std::exception& error) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

constexpr TorchDirect kDirect = {&Read, &Make};

}  // namespace
}  // namespace supremum::python

PYBIND11_MODULE(_torch, module) {
  using supremum::python::kDirect, supremum::python::kTorchDirectCapsule;
  module.doc() = "Access to tensors of the version of PyTorch that supremum was built for.";
  module.attr("direct") = pybind11::capsule(&kDirect, kTorchDirectCapsule);
  const void* const library = PyCapsule_Import(supremum::python::kTorchLibraryCapsule, 0);
  if (library == nullptr) throw pybind11::error_already_set();
  supremum::python::DefineTorchOperators(*static_cast<const supremum::python::TorchLibrary*>(library));
  module.def("replace_kernels", &supremum::python::ReplaceTorchKernels);
  module.def("kernels_are_replaced", &supremum::python::TorchKernelsAreReplaced);
}
