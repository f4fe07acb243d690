// Runs the schedule of a Max on the memory of one binding.
#ifndef SUPREMUM_SRC_OPS_MAX_EXECUTE_H_
#define SUPREMUM_SRC_OPS_MAX_EXECUTE_H_

#include <cstddef>

#include "core/few.h"
#include "ops/max_schedule.h"

namespace supremum {

/// The memory of one binding: the addresses of all operands at the nest's origin.
struct MaxBindings {
  Few<const std::byte*, kFewOperands> inputs;  ///< in the order of MaxSchedule::inputs
  std::byte* output = nullptr;

  /// The output is written by non-temporal stores. Not where it is an input: its lines are in the core's
  /// cache when they are stored; a cached store then reads no line, and a non-temporal one has to evict it.
  bool non_temporal = false;
};

/// Writes the maximum of the bound inputs to the bound output.
///
/// Requires: `bindings` has an address for each operand of `schedule`, whose elements are within the address
///   space; the output is exactly an input with its layout or shares no memory with it (MEM-2).
/// Cost: no allocation; less than 96 KiB of stack of each thread; schedule.threads threads at most.
void Execute(const MaxSchedule& schedule, const MaxBindings& bindings) noexcept;

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_EXECUTE_H_
