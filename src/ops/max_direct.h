// A small Max, of dense tensors or of a view and another operand, computed without a plan.
#ifndef SUPREMUM_SRC_OPS_MAX_DIRECT_H_
#define SUPREMUM_SRC_OPS_MAX_DIRECT_H_

#include <span>

#include "supremum/max.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// Computes Max and returns true, if all of this is certain: the call violates no rule; the tensors fit into
/// the core's own cache; the output is row-major without stated strides, and so are the inputs, unless
/// JoinWithStrides takes both of two; at most 64 inputs have one shape, or at most eight are broadcast, to at
/// most 64 KiB unless JoinByPatterns takes them, by few loops, and a plan would not take less time. Otherwise
/// it does nothing and returns false: then a plan computes Max, or returns the error.
///
/// Cost: no allocation; one thread; less than 48 KiB of stack.
bool ComputeMaxDirectly(std::span<const TensorView> inputs, const MutableTensorView& output,
                        const MaxOptions& options);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_DIRECT_H_
