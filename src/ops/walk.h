// A walk over the outer loops of a nest: everything around the rows that primitives take.
#ifndef SUPREMUM_SRC_OPS_WALK_H_
#define SUPREMUM_SRC_OPS_WALK_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "supremum/shape.h"

namespace supremum {

/// Calls `visit(distances)` at each point of the rectangle `extents`, the last dimension fastest:
/// distances[m] = index . steps[m]. Without dimensions there is one point.
///
/// Requires: as many steps as extents for each operand; at most kMaxRank dimensions.
template <std::size_t kOperands, class Visit>
void Walk(DimsView extents, const std::array<DimsView, kOperands>& steps, Visit visit) {
  for (const std::int64_t extent : extents) {
    if (extent == 0) return;
  }
  std::array<std::int64_t, kMaxRank> index;  // as many as there are extents
  std::fill_n(index.begin(), extents.size(), 0);
  std::array<std::int64_t, kOperands> distances{};
  for (;;) {
    visit(distances);
    std::size_t d = extents.size();
    while (d > 0) {
      --d;
      for (std::size_t m = 0; m < kOperands; ++m) distances[m] += steps[m][d];
      if (++index[d] < extents[d]) break;
      for (std::size_t m = 0; m < kOperands; ++m) distances[m] -= steps[m][d] * extents[d];
      index[d] = 0;
      if (d == 0) return;
    }
    if (extents.empty()) return;
  }
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_WALK_H_
