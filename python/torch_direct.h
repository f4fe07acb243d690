// PyTorch's tensors by PyTorch's own C++ interface: what the module supremum._torch, made for one version of
// PyTorch, offers supremum._core. Reading attributes through Python takes longer than a small Max.
#ifndef SUPREMUM_PYTHON_TORCH_DIRECT_H_
#define SUPREMUM_PYTHON_TORCH_DIRECT_H_

#include "torch.h"

namespace supremum::python {

struct TorchDirect {
  /// As ReadTorch, but false where there is anything special about the tensor: its attributes say what. Never
  /// sets a Python error, never calls Python.
  bool (*read)(PyObject* object, TorchTensor& tensor, std::span<std::int64_t> extents,
               std::span<std::int64_t> strides) noexcept;
  /// A new reference to a row-major tensor, and where its elements lie. Null with a Python error set if there
  /// is no memory for it, and without one for a type that is not known here.
  PyObject* (*make)(DType dtype, DimsView shape, void*& data) noexcept;
};

/// The capsule in supremum._torch that holds a const TorchDirect*.
inline constexpr const char* kTorchDirectCapsule = "supremum._torch.direct";

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_DIRECT_H_
