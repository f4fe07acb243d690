// PyTorch's tensors through PyTorch's C++ interface: the functions that the module supremum._torch, built for
// one version of PyTorch, provides to supremum._core. Reading attributes through Python takes longer than a
// small Max.
#ifndef SUPREMUM_PYTHON_TORCH_DIRECT_H_
#define SUPREMUM_PYTHON_TORCH_DIRECT_H_

#include "torch.h"

namespace supremum::python {

struct TorchDirect {
  /// As ReadTorch, but returns false if the tensor needs special treatment or is refused: the caller then
  /// reads its attributes. Never sets a Python error, never calls Python.
  bool (*read)(PyObject* object, TorchTensor& tensor, std::span<std::int64_t> extents,
               std::span<std::int64_t> strides) noexcept;
  /// A new reference to a tensor of these strides, or row-major without them; `data` is set to its elements.
  /// Null with a Python error set if the allocation fails, and without one for a type that this version of
  /// PyTorch does not have.
  PyObject* (*make)(DType dtype, DimsView shape, DimsView strides, void*& data) noexcept;
};

/// The capsule in supremum._torch that holds a const TorchDirect*.
inline constexpr const char* kTorchDirectCapsule = "supremum._torch.direct";

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_DIRECT_H_
