// PyTorch's tensors. They have __dlpack__ like others; these are the shorter ways, since a DLPack capsule for
// each operand takes longer than a small Max: through PyTorch's C++ interface where supremum._torch is there
// for its version (torch_direct.h), otherwise through attributes. PyTorch is never imported here: a tensor
// that comes in has seen to that.
#ifndef SUPREMUM_PYTHON_TORCH_H_
#define SUPREMUM_PYTHON_TORCH_H_

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>

#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::python {

/// True for a torch.Tensor itself, not for a subclass.
bool IsTorchTensor(PyObject* object);

/// A torch.Tensor in this machine's memory.
struct TorchTensor {
  DType dtype;
  void* data;
  std::size_t rank;
  bool row_major;
};

/// Reads `object`; its extents, and its strides unless it is row-major, go to the arrays, which hold
/// kMaxRank. False if there is anything special about it (another device, a gradient, a lazy sign, too many
/// dimensions): __dlpack__ then knows what to do or to say.
///
/// Requires: IsTorchTensor(object).
bool ReadTorch(PyObject* object, TorchTensor& tensor, std::span<std::int64_t> extents,
               std::span<std::int64_t> strides);

/// A new row-major tensor of that shape, of the type of `like`, and where its elements lie.
///
/// Requires: IsTorchTensor(like), whose type is `dtype`.
pybind11::object NewTorchTensor(PyObject* like, DType dtype, DimsView shape, void*& data);

/// The tensor as a torch.Tensor, which keeps it. Requires: a torch.Tensor has come in.
pybind11::object AsTorchTensor(const std::shared_ptr<Tensor>& tensor);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_TORCH_H_
