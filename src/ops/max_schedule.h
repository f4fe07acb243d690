// How a Max iterates over its loop nest: in tiles of lines that are long enough for full vectors.
#ifndef SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_
#define SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ops/loop_nest.h"
#include "supremum/shape.h"

namespace supremum {

/// The innermost loops of a nest make a line of the output: one loop where that is long enough, otherwise as
/// many as are contiguous in the output's memory. A tile, the unit of work, is a part of some lines of some
/// blocks.
///
// clang-format off
///   loops of the nest, outermost first             a tile of 2 blocks of 3 lines of 4 parts
///
///   0 .. line-3   1 step                           block 0   |part|part|part|part|   line 0
///   line-2        tile[line-2] blocks of a tile              |part|part|part|part|   line 1
///   line-1        tile[line-1] lines of a block              |part|part|part|part|   line 2
///   line          tile[line] parts of a line       block 1   |part|part|part|part|   line 0
///   line+1 ..     `part` elements of a part                  |part|part|part|part|   line 1
///                                                            |part|part|part|part|   line 2
// clang-format on
struct MaxSchedule {
  std::size_t line = 0;       ///< the first loop of a line; the nest's rank if it has no loops
  std::int64_t part = 1;      ///< elements of one step of that loop
  bool dense = true;          ///< a line of the output is contiguous
  bool needs_buffer = false;  ///< a temporary buffer holds an expanded input or an intermediate result
  Shape tile;                 ///< steps of a tile along each loop up to `line`: 1 before loop line-2
  Shape tiles;                ///< number of tiles along each of these loops
  std::int64_t units = 1;     ///< tiles of the whole output

  /// Upper bound of a tile's bytes where needs_buffer: the first-level cache holds a tile of the output and
  /// one of each temporary buffer. Chosen by estimate; no benchmark line yet. Cases: max * inner row,
  /// two-sided.
  static constexpr std::size_t kMaxTileBytes = 16 * 1024;

  /// The schedule of a nest with `inputs` inputs of elements of `width` bytes. Changes the nest where that
  /// makes it faster: where an input is transposed, the loop along which its step is 1 becomes loop line-1;
  /// where an input repeats along a line, the line is cut into lines of some of its periods.
  ///
  /// Requires: `nest` is merged, no extent is 0, and the output is its driving operand.
  static MaxSchedule Make(LoopNest& nest, std::size_t inputs, std::size_t width);
};

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

#endif  // SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_
