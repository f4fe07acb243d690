// How a Max goes through its loop nest: a tile at a time, each some lines that are long enough for full
// vectors.
#ifndef SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_
#define SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ops/loop_nest.h"
#include "supremum/shape.h"

namespace supremum {

/// The innermost loops of a nest make a line of the output: one loop where that is long enough, otherwise as
/// many as lie side by side in the output's memory. A tile, the unit of work, is a part of some blocks of
/// some lines: the loop before a line counts the lines of a block, the one before that the blocks, and the
/// outermost loop of a line is where a line is cut into parts.
struct MaxSchedule {
  std::size_t line = 0;        ///< the first loop of a line; the nest's rank if it has no loops
  std::int64_t part = 1;       ///< elements of one step of that loop
  bool dense = true;           ///< a line of the output lies side by side
  bool needs_buffer = false;  ///< some operand is expanded, or what is joined is kept for a while
  Shape tile;                  ///< steps of a tile along each loop up to `line`: 1 outside of the blocks
  Shape tiles;                 ///< how many tiles there are along each of these loops
  std::int64_t units = 1;      ///< tiles of the whole output

  /// Bytes of a tile, at most, where there is scratch.
  static constexpr std::size_t kTileBytes = 16 * 1024;

  /// Changes the nest where that helps: where an operand is transposed, the loop along which it lies closest
  /// comes to count lines; where one repeats along a line, the line is cut into lines that repeat.
  ///
  /// Requires: `nest` is merged, no extent is 0, and the output leads it.
  static MaxSchedule Make(LoopNest& nest, std::size_t followers, std::size_t width);
};

/// How a kernel reads an operand where it lies: how often it shows each element in succession, and whether it
/// goes from the last to the first.
struct Reading {
  static constexpr std::uint32_t kWholeLine =
      ~std::uint32_t{0};  ///< of a scalar: more often than any line is long

  std::uint32_t times = 1;
  bool backwards = false;
};

/// How follower m is read along a line, or nullopt if it must be expanded: if it lies in another way, shows
/// elements more often than kernels can, or is worth expanding, since it shows the same to several lines.
std::optional<Reading> ReadingOf(const LoopNest& nest, std::size_t m, std::size_t line);

/// True if it is read where it lies, each element once and forwards.
inline bool IsDense(const std::optional<Reading>& reading) {
  return reading && reading->times == 1 && !reading->backwards;
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_
