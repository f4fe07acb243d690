// How a Max goes through its loop nest: a tile at a time, each a few lines that are long enough for full
// vectors.
#ifndef SUPREMUM_SRC_OPS_MAX_ROUTE_H_
#define SUPREMUM_SRC_OPS_MAX_ROUTE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ops/loop_nest.h"
#include "supremum/shape.h"

namespace supremum {

/// The innermost loops of a nest make a line of the output: one loop where that is long enough, otherwise as
/// many as lie side by side in the output's memory. A tile is a part of some lines, cut along the line's
/// outermost loop; it is the unit of work.
struct MaxRoute {
  std::size_t outer = 0;        ///< loops around the tiles: the first of the nest
  bool has_lines = false;       ///< the next loop counts a tile's lines
  std::int64_t lines = 1;       ///< its extent
  std::int64_t parts = 1;       ///< extent of the outermost loop of a line
  std::int64_t part = 1;        ///< elements of one of its steps
  bool dense = true;            ///< a line of the output lies side by side
  bool needs_scratch = false;   ///< some operand must be expanded, or what is joined be kept for a while
  std::int64_t tile_lines = 1;  ///< lines of a tile, at most
  std::int64_t tile_parts = 1;  ///< steps of the outermost loop of a line in a tile, at most
  std::int64_t blocks_of_lines = 1;
  std::int64_t blocks_of_parts = 1;
  std::int64_t units = 1;  ///< tiles of the whole output

  /// Bytes of a tile, at most, where there is scratch.
  static constexpr std::size_t kTileBytes = 8 * 1024;

  /// Where an operand is transposed, the loop along which it lies closest becomes the one that counts lines.
  ///
  /// Requires: `nest` is merged, no extent is 0, and the output leads it.
  static MaxRoute Make(LoopNest& nest, std::size_t followers, std::size_t width);

  /// The first loop of a line.
  std::size_t LineLoop() const { return outer + (has_lines ? 1 : 0); }
};

/// How often an operand with these steps shows each element in succession along loops of these extents: once
/// if it is dense, as many times as there are elements if it is a scalar. nullopt if it lies any other way,
/// or shows elements more often than kernels can: then it must be expanded.
std::optional<std::size_t> TimesShown(DimsView steps, DimsView extents);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_ROUTE_H_
