// How a Max goes through its loop nest: in rows that are long enough for full vectors, a tile at a time.
#ifndef SUPREMUM_SRC_OPS_MAX_ROUTE_H_
#define SUPREMUM_SRC_OPS_MAX_ROUTE_H_

#include <cstddef>
#include <cstdint>

#include "ops/loop_nest.h"
#include "supremum/shape.h"

namespace supremum {

/// The innermost loops of a nest make a row of the output: one loop where that is long enough, otherwise as
/// many as lie side by side in the output's memory. Rows are cut into tiles along their outermost loop; tiles
/// are the units of work, in the order of the output's memory.
struct MaxRoute {
  std::size_t outer = 0;   ///< loops around the rows: the first of the nest
  std::size_t inner = 0;   ///< loops of a row: the others
  std::int64_t lines = 1;  ///< extent of a row's outermost loop
  std::int64_t line = 1;   ///< elements of one of its steps
  bool dense = false;      ///< a row's elements of the output lie side by side
  std::int64_t tile = 1;   ///< lines of a tile; the last one of a row may have fewer
  std::int64_t tiles = 1;  ///< tiles of a row
  std::int64_t units = 1;  ///< tiles of the whole output

  /// Bytes of a tile, at most.
  static constexpr std::size_t kTileBytes = 8 * 1024;

  /// Requires: `nest` is merged, no extent is 0, and the output leads it.
  static MaxRoute Make(const LoopNest& nest, std::size_t width);
};

/// How an operand lies along a row.
enum class RowKind : std::uint8_t {
  kDense,   ///< as the output does, side by side
  kScalar,  ///< one element
  kOther,   ///< any other way: it is expanded, tile by tile
};

/// Of an operand with these steps over a row's loops, which have these extents.
RowKind KindOf(DimsView steps, DimsView extents);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_ROUTE_H_
