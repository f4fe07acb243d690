// Runs the schedule of a ReduceMax on the memory of one binding.
#ifndef SUPREMUM_SRC_OPS_REDUCE_EXECUTE_H_
#define SUPREMUM_SRC_OPS_REDUCE_EXECUTE_H_

#include <cstddef>

#include "ops/reduce_schedule.h"

namespace supremum {

/// The memory of one binding: the addresses of both tensors at the schedule's origins.
struct ReduceBindings {
  const std::byte* source = nullptr;
  std::byte* output = nullptr;
};

/// Writes the maxima of the bound source to the bound output.
///
/// Requires: `bindings` has the address of the output, and of the source if it has elements. All elements are
///   within the address space. The output is exactly the source with its layout or shares no memory with it
///   (MEM-2).
/// Cost: no allocation; less than 96 KiB of stack of each thread; schedule.threads threads at most.
void Execute(const ReduceSchedule& schedule, const ReduceBindings& bindings) noexcept;

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_REDUCE_EXECUTE_H_
