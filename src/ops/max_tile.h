// A tile of a Max, and where its operands have it.
#ifndef SUPREMUM_SRC_OPS_MAX_TILE_H_
#define SUPREMUM_SRC_OPS_MAX_TILE_H_

#include <cstddef>
#include <cstdint>

#include "core/walk.h"
#include "kernels/kernels.h"
#include "ops/max_execute.h"
#include "ops/max_schedule.h"

namespace supremum {

/// The first step of a tile along each loop up to the first of a line, and the tile's extents along the last
/// three of them.
struct MaxTile {
  DimsView first;
  std::int64_t blocks, lines, parts;

  /// The elements of a line.
  std::int64_t Length(const MaxSchedule& s) const { return parts * s.part_elements; }

  /// Of an operand with these steps: bytes from the nest's origin to the first element of the tile, from line
  /// to line, and from block to block.
  std::ptrdiff_t Distance(const MaxSchedule& s, DimsView steps) const {
    return s.Bytes(DistanceTo(first, steps));
  }
  static std::ptrdiff_t LineStride(const MaxSchedule& s, DimsView steps) {
    return s.line >= 1 ? s.Bytes(steps[s.line - 1]) : 0;
  }
  static std::ptrdiff_t BlockStride(const MaxSchedule& s, DimsView steps) {
    return s.line >= 2 ? s.Bytes(steps[s.line - 2]) : 0;
  }

  /// The tile of the output.
  kernels::LinesTo Output(const MaxSchedule& s, const MaxBindings& bindings) const {
    const DimsView steps = s.nest.DrivingSteps();
    return {bindings.output + Distance(s, steps),
            BlockStride(s, steps),
            LineStride(s, steps),
            static_cast<std::size_t>(blocks),
            static_cast<std::size_t>(lines),
            static_cast<std::size_t>(Length(s)),
            bindings.non_temporal};
  }
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_TILE_H_
