#include "stream/box.h"

#include <algorithm>
#include <cstddef>

#include "core/walk.h"

namespace supremum::stream {

Box NextBox(DimsView shape, std::int64_t position, std::int64_t most) {
  const std::size_t rank = shape.size();
  Box box{*Shape::FromSpan(Walk<0>(shape, {}, position).index()), Shape::Filled(rank, 1)};
  // From the innermost dimension out, as long as whole dimensions fit and begin here.
  std::int64_t whole = 1;
  for (std::size_t d = rank; d-- > 0;) {
    if (most < whole) break;
    box.extent[d] = std::min(shape[d] - box.first[d], most / whole);
    if (box.extent[d] < shape[d]) break;
    whole *= shape[d];
  }
  return box;
}

}  // namespace supremum::stream
