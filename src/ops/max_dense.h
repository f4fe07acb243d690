// A small Max of dense tensors of one shape: nearly all its time is a call of a kernel.
#ifndef SUPREMUM_SRC_OPS_MAX_DENSE_H_
#define SUPREMUM_SRC_OPS_MAX_DENSE_H_

#include <span>

#include "supremum/tensor_view.h"

namespace supremum {

/// Computes Max and returns true, if there are at most 64 inputs, all tensors fit into the core's own cache,
/// and each input is the output or shares no memory with it (MEM-2). Otherwise it does nothing and returns
/// false.
///
/// Requires: CheckedMax::is_dense. Cost: no allocation; one thread; less than 48 KiB of stack.
bool ComputeSmallDense(std::span<const TensorView> inputs, const MutableTensorView& output);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_DENSE_H_
