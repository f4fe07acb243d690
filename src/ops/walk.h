// A walk over the outer loops of a nest, or a part of it: everything around the rows that primitives take.
#ifndef SUPREMUM_SRC_OPS_WALK_H_
#define SUPREMUM_SRC_OPS_WALK_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "supremum/shape.h"

namespace supremum {

/// Calls visit(index) at the points number `begin` to `end` of the rectangle `extents`, counted with the last
/// dimension fastest. Without dimensions there is one point.
///
/// Requires: no extent is 0; at most kMaxRank dimensions; 0 <= begin <= end <= the number of points.
template <class Visit>
void Walk(DimsView extents, std::int64_t begin, std::int64_t end, Visit visit) {
  std::array<std::int64_t, kMaxRank> index;  // as many as there are extents
  std::int64_t rest = begin;
  for (std::size_t d = extents.size(); d-- > 0; rest /= extents[d]) index[d] = rest % extents[d];
  for (std::int64_t point = begin; point < end; ++point) {
    visit(DimsView(index.data(), extents.size()));
    for (std::size_t d = extents.size(); d-- > 0;) {
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
  }
}

/// index . steps.
inline std::int64_t DistanceTo(DimsView index, DimsView steps) {
  std::int64_t distance = 0;
  for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * steps[d];
  return distance;
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_WALK_H_
