// Everything that is checked of a Max before it runs.
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

/// The strides of a view, row-major where it states none. Requires: as many strides as extents, or none.
Shape StridesOf(const TensorView& view);

/// Checks all that can be said without comparing addresses of two tensors, in the order of docs/semantics.md, section 7: the first
/// error that holds is the one returned. Ensures: on success ElementCount(output.shape) has a value and every RangeOf does.
Result<void> CheckMax(std::span<const TensorView> inputs, const MutableTensorView& output, const MaxOptions& options);

/// True if the two are the same tensor: type, address, shape and strides (MEM-2). Strides of extents 1 address nothing and do not
/// count.
bool SameLayout(const TensorView& input, const TensorView& output);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_CHECK_H_
