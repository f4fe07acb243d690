// Row-major copies of strided tensors, byte for byte.
#ifndef SUPREMUM_PYTHON_MASKED_COPY_H_
#define SUPREMUM_PYTHON_MASKED_COPY_H_

#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::python {

/// `source` with the same bits, row-major: what a model is given.
Tensor Copy(const TensorView& source);

/// The same of a tensor whose steps are in bytes, and need be no multiples of its element's size.
Tensor CopyOfBytes(DType dtype, DimsView shape, DimsView byte_steps, const void* data);

/// `source` where `mask` holds, and elsewhere the value that loses against every other (RED-6). The mask is a
/// bool tensor that broadcasts to the source's shape.
///
/// Errors: kTypeMismatch if the mask is not bool; kNotBroadcastable, E1 (BRO-2); kOutOfMemory.
/// Cost: memory for all elements of the source; each is read once.
Tensor CopyWhere(const TensorView& source, const TensorView& mask);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_MASKED_COPY_H_
