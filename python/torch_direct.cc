#include "torch_direct.h"

#include <ATen/EmptyTensor.h>
#include <torch/csrc/autograd/python_variable.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace supremum::python {
namespace {

// PyTorch's unsigned types except uint8 are missing from some versions; such tensors are read through
// attributes.
constexpr std::array<std::pair<at::ScalarType, DType>, 10> kTypes = {{
    {at::ScalarType::Float, DType::kFloat32},
    {at::ScalarType::Double, DType::kFloat64},
    {at::ScalarType::Half, DType::kFloat16},
    {at::ScalarType::BFloat16, DType::kBFloat16},
    {at::ScalarType::Char, DType::kInt8},
    {at::ScalarType::Short, DType::kInt16},
    {at::ScalarType::Int, DType::kInt32},
    {at::ScalarType::Long, DType::kInt64},
    {at::ScalarType::Byte, DType::kUInt8},
    {at::ScalarType::Bool, DType::kBool},
}};

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
    const at::ScalarType type = tensor.scalar_type();
    const auto* const found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& pair) { return pair.first == type; });
    const at::IntArrayRef sizes = tensor.sizes();
    if (found == kTypes.end() || sizes.size() > extents.size()) return false;
    read.dtype = found->second;
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

PyObject* Make(DType dtype, DimsView shape, void*& data) noexcept {
  try {
    const auto* const found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& pair) { return pair.second == dtype; });
    if (found == kTypes.end()) return nullptr;
    const at::TensorBase tensor = at::detail::empty_cpu({shape.data(), shape.size()}, found->first);
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
}
