// Row-major copies of strided tensors, byte for byte.
#ifndef SUPREMUM_PYTHON_MASKED_COPY_H_
#define SUPREMUM_PYTHON_MASKED_COPY_H_

#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::python {

/// A row-major copy of `source` with the same bits; models take their inputs in this form.
Tensor Copy(const TensorView& source);

/// The same for strides in bytes, which need not be multiples of the element's size.
Tensor CopyOfBytes(DType dtype, DimsView shape, DimsView byte_steps, const void* data);

/// A row-major copy of `source` with the identity element of Join where `mask` is false (RED-6). The mask is
/// a bool tensor that is broadcast to the source's shape.
///
/// Errors: kTypeMismatch if the mask is not bool; kNotBroadcastable, E1 (BRO-2); kOutOfMemory.
/// Cost: memory for all elements of the source; each is read once.
Tensor CopyWhere(const TensorView& source, const TensorView& mask);

}  // namespace supremum::python

#endif  // SUPREMUM_PYTHON_MASKED_COPY_H_
