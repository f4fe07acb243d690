// A small Max of dense tensors whose inputs are read by their patterns, computed without a plan.
#ifndef SUPREMUM_SRC_OPS_DIRECT_PATTERNS_H_
#define SUPREMUM_SRC_OPS_DIRECT_PATTERNS_H_

#include <span>

#include "supremum/tensor_view.h"

namespace supremum {

/// Joins the inputs in one pass and returns true; does nothing and returns false where `output` is not of the
/// common shape, there are more than four loops, or inputs that join_patterns does not read along one line.
///
/// Requires: 2 to kernels::kMaxPatternInputs dense inputs and a dense output of one type, with more than one
/// element; the highest rank of an input is the output's; the output is exactly an input or shares no memory
/// with any.
/// Cost: no allocation; less than 16 KiB of stack.
bool JoinByPatterns(std::span<const TensorView> inputs, const MutableTensorView& output);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_DIRECT_PATTERNS_H_
