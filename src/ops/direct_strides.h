// A small Max of two operands of one shape, of which one is a view with strides, computed without a plan.
#ifndef SUPREMUM_SRC_OPS_DIRECT_STRIDES_H_
#define SUPREMUM_SRC_OPS_DIRECT_STRIDES_H_

#include "supremum/tensor_view.h"

namespace supremum {

/// Joins the inputs and returns true; does nothing and returns false where an input has another shape than
/// `output`, leaves the address space, or is a view with addresses among those of the output; where there are
/// more than three loops, many short lines or more than 64 KiB; and unless the rows of one input are dense
/// and those of the other dense, backwards or transposed.
///
// clang-format off
///   a slice                backwards              transposed
///   |a0 a1 a2|..|b0 b1 b2| |a2 a1 a0|b2 b1 b0|    |a0 b0 c0|a1 b1 c1|a2 b2 c2|
// clang-format on
///
/// Requires: all are of one type and have data; `output` is row-major without stated strides, and has
///   elements, whose bytes are within the address space. It may be an input without stated strides.
/// Cost: no allocation; one thread; less than 24 KiB of stack.
bool JoinWithStrides(const TensorView& a, const TensorView& b, const MutableTensorView& output);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_DIRECT_STRIDES_H_
