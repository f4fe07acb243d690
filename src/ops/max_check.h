// Everything that is checked of a Max before it runs. MaxOutputShape, declared in max.h, is the part that
// needs no output.
#ifndef SUPREMUM_SRC_OPS_MAX_CHECK_H_
#define SUPREMUM_SRC_OPS_MAX_CHECK_H_

#include <span>
#include <string>

#include "supremum/max.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// What error texts call the output.
std::string OutputName(const MaxOptions& options);

/// The strides of a view, row-major where it states none. Requires: at most kMaxRank extents; as many
/// strides, or none.
Shape StridesOf(const TensorView& view);

/// Checks all that can be said without comparing the addresses of two tensors, in the order of
/// docs/semantics.md, section 7: the error that is returned is the first that holds. Ensures: on success
/// ElementCount(output.shape) has a value, and every operand's elements lie within the address space.
Result<void> CheckMax(std::span<const TensorView> inputs, const MutableTensorView& output,
                      const MaxOptions& options);

/// True if the two have the same type, shape and strides (MEM-2 asks for the same address beside). Strides of
/// extents 1 address nothing and do not count.
bool SameLayout(const TensorView& input, const TensorView& output);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_CHECK_H_
