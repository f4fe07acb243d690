// PyTorch's tensors. They have __dlpack__ like others, which takes longer than a small Max and does not know
// of signs that are yet to be changed. They are read through PyTorch's C++ interface where supremum._torch is
// there for its version (torch_direct.h), otherwise through attributes. PyTorch is never imported here: a
// tensor that comes in has seen to that.
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

/// True for a torch.Tensor and whatever is derived from it, whatever its class says.
bool IsTorchTensor(PyObject* object);

/// A torch.Tensor in this machine's memory.
struct TorchTensor {
  DType dtype;
  void* data;
  std::size_t rank;
  bool row_major;
};

/// Reads `object`; its extents, and its strides unless it is row-major, go to the arrays, which hold
/// kMaxRank. What a subclass makes of the attributes of a tensor does not matter: PyTorch's own are read.
///
/// Errors: kInvalidType if the class gives operations or __dlpack__ a meaning of its own, so that the
/// elements
///   in memory may not be what the tensor means; kInvalidArgument for a gradient, a sign that is yet to be
///   changed, another layout than strides, no memory; kUnsupportedDevice, kTypeNotAdmitted, kRank.
/// Requires: IsTorchTensor(object).
TorchTensor ReadTorch(PyObject* object, std::span<std::int64_t> extents, std::span<std::int64_t> strides,
                      std::string_view name);

/// A new row-major torch.Tensor, and where its elements lie. Empty where that takes PyTorch's C++ interface
/// and this is not there: AsTorchTensor then makes a tensor of memory that is the library's own.
pybind11::object NewTorchTensor(DType dtype, DimsView shape, void*& data);

/// The tensor as a torch.Tensor, which keeps it. Requires: a torch.Tensor has come in.
pybind11::object AsTorchTensor(const std::shared_ptr<Tensor>& tensor);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_H_
