// Which inputs of a Max kernels can read in place.
#ifndef SUPREMUM_SRC_OPS_READING_H_
#define SUPREMUM_SRC_OPS_READING_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ops/loop_nest.h"

namespace supremum {

/// How a kernel reads an input in place: the repeat count of its elements, and whether the input is read from
/// its highest address to its lowest (step -1). kernels.h draws both.
struct Reading {
  static constexpr std::uint32_t kWholeLine = ~std::uint32_t{0};  ///< the repeat count of a scalar

  std::uint32_t repeat_count = 1;
  bool backwards = false;
};

/// How input m is read along a line, or nullopt if it must be expanded: its steps are others than those of a
/// Reading; its repeat count exceeds kernels::kMaxRepeatCount; or several lines read the same repeated
/// elements, so that expanding them once is cheaper.
std::optional<Reading> ReadingOf(const LoopNest& nest, std::size_t m, std::size_t line);

/// True if the input is read in place, each element once and forwards.
inline bool IsDense(const std::optional<Reading>& reading) {
  return reading && reading->repeat_count == 1 && !reading->backwards;
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_READING_H_
