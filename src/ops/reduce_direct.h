// A small ReduceMax of a tensor without gaps, computed without a plan.
#ifndef SUPREMUM_SRC_OPS_REDUCE_DIRECT_H_
#define SUPREMUM_SRC_OPS_REDUCE_DIRECT_H_

#include "supremum/reduce_max.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// Computes ReduceMax and returns true, if all of this is certain: the call violates no rule; the output is
/// row-major without stated strides; the source is too, or lies in memory without gaps, its kept dimensions
/// in the order of the output, all of them forwards or backwards; the reduced dimensions, neighbours in
/// memory counted as one, are at most two; the source has less than 512 KiB, and what a reduction leaves fits
/// into a first-level cache. Otherwise does nothing and returns false: then a plan computes ReduceMax, or
/// returns the error.
///
/// Cost: one thread; no allocation unless the axes are invalid; less than 40 KiB of stack.
bool ComputeReduceMaxDirectly(const TensorView& source, const MutableTensorView& output,
                              const ReduceMaxOptions& options);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_REDUCE_DIRECT_H_
