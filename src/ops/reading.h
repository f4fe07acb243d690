// Decides which inputs of a Max the kernels read in place.
#ifndef SUPREMUM_SRC_OPS_READING_H_
#define SUPREMUM_SRC_OPS_READING_H_

#include <cstddef>
#include <cstdint>

#include "ops/loop_nest.h"

namespace supremum {

/// How a kernel reads an input along a line: in place, each element `repeat_count` times, as kernels.h draws
/// it, or in one of three other ways. It is one number, since a struct of several is slow to return.
struct Reading {
  static constexpr std::uint32_t kExpanded = 0;                       ///< from a temporary buffer
  static constexpr std::uint32_t kWholeLine = ~std::uint32_t{0};      ///< in place: a scalar
  static constexpr std::uint32_t kBackwards = ~std::uint32_t{0} - 1;  ///< in place: step -1

  std::uint32_t repeat_count = kExpanded;

  bool IsInPlace() const { return repeat_count != kExpanded; }
  bool IsDense() const { return repeat_count == 1; }
  bool IsBackwards() const { return repeat_count == kBackwards; }
};

/// How input m is read along a line. It is expanded if kernels do not read its steps in place; if its repeat
/// count exceeds kernels::kMaxRepeatCount; or if several lines read the same repeated elements, so that
/// expanding them once is cheaper.
Reading ReadingOf(const LoopNest& nest, std::size_t m, std::size_t line);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_READING_H_
