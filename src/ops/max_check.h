// Everything that is checked of a Max before it runs. MaxOutputShape, declared in max.h, is the part that
// needs no output.
#ifndef SUPREMUM_SRC_OPS_MAX_CHECK_H_
#define SUPREMUM_SRC_OPS_MAX_CHECK_H_

#include <cstddef>
#include <span>

#include "supremum/max.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// kInputCount: no input, or more than MAX-1 admits.
Result<void> CheckInputCount(std::size_t count);

/// Checks all that can be said without comparing the addresses of two tensors, in the order of
/// docs/semantics.md, section 7: the error that is returned is the first that holds. Ensures: on success
/// ElementCount(output.shape) has a value, and every operand's elements lie within the address space.
Result<void> CheckMax(std::span<const TensorView> inputs, const MutableTensorView& output,
                      const MaxOptions& options);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_CHECK_H_
