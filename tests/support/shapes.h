// Random shapes, and shapes that broadcast to them.
#ifndef SUPREMUM_TESTS_SUPPORT_SHAPES_H_
#define SUPREMUM_TESTS_SUPPORT_SHAPES_H_

#include <algorithm>
#include <cstdint>

#include "support/values.h"
#include "supremum/shape.h"

namespace supremum::test {

/// A shape of at most a few hundred elements; now and then an extent is 0.
inline Shape RandomShape(Rng& rng, std::size_t rank) {
  Shape shape;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t extents[] = {1, 2, 3, 4, 5, 17, 40};
    std::int64_t extent = extents[Below(rng, 7)];
    if (Below(rng, 40) == 0) extent = 0;
    if (extent > 1 && count * extent > 400) extent = 1;
    count *= std::max<std::int64_t>(extent, 1);
    shape.PushBack(extent);
  }
  return shape;
}

/// A shape that broadcasts to `common`.
inline Shape RandomOperandShape(Rng& rng, const Shape& common) {
  const std::size_t dropped = Below(rng, 4) == 0 ? Below(rng, common.rank() + 1) : 0;
  Shape shape;
  for (std::size_t d = dropped; d < common.rank(); ++d) shape.PushBack(Below(rng, 4) == 0 ? 1 : common[d]);
  return shape;
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_SHAPES_H_
