// PyTorch's tensors. They implement __dlpack__, but that takes longer than a small Max and ignores a pending
// sign change (the negative bit). They are read through PyTorch's C++ interface if supremum._torch was built
// for its version (torch_direct.h), otherwise through attributes. PyTorch is never imported here: a program
// that has a tensor has imported it.
#ifndef SUPREMUM_PYTHON_TORCH_H_
#define SUPREMUM_PYTHON_TORCH_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::python {

/// True for a torch.Tensor and an instance of a subclass, even if the class overrides isinstance().
bool IsTorchTensor(PyObject* object);

/// A torch.Tensor in this machine's memory.
struct TorchTensor {
  DType dtype;
  void* data;
  std::size_t rank;
  bool row_major;
};

/// Reads `object`; writes its extents, and its strides unless it is row-major, to the arrays. PyTorch's own
/// attributes are read, even if a subclass overrides them.
///
/// Requires: IsTorchTensor(object); the arrays have kMaxRank elements.
/// Errors: kInvalidArgument, as a TypeError, if the class overrides operations or __dlpack__: its memory may
///   not hold its elements. A gradient, a pending sign change, a layout without strides and a tensor without
///   memory are kInvalidArgument. Otherwise kUnsupportedDevice, kTypeNotAdmitted, kRank.
TorchTensor ReadTorch(PyObject* object, std::span<std::int64_t> extents, std::span<std::int64_t> strides,
                      std::string_view name);

/// A new torch.Tensor of these strides, or a row-major one without them; `data` is set to its elements. Empty
/// if PyTorch's C++ interface is not available: AsTorchTensor then makes a tensor from memory of the library.
pybind11::object NewTorchTensor(DType dtype, DimsView shape, DimsView strides, void*& data);

/// The tensor as a torch.Tensor, which owns it. Requires: IsTorchTensor returned true before.
pybind11::object AsTorchTensor(const std::shared_ptr<Tensor>& tensor);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_H_
