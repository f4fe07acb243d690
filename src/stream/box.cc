#include "stream/box.h"

#include <algorithm>
#include <cstddef>

namespace supremum::stream {

Box NextBox(DimsView shape, std::int64_t position, std::int64_t most) {
  const std::size_t rank = shape.size();
  Box box{Shape::Filled(rank, 0), Shape::Filled(rank, 1)};
  for (std::size_t d = rank; d-- > 0;) {
    box.first[d] = position % shape[d];
    position /= shape[d];
  }
  // From the innermost dimension outwards, as long as whole dimensions fit and begin at `position`.
  std::int64_t whole = 1;
  for (std::size_t d = rank; d-- > 0;) {
    if (most < whole) break;
    box.extent[d] = std::min(shape[d] - box.first[d], most / whole);
    if (box.extent[d] < shape[d]) break;
    whole *= shape[d];
  }
  return box;
}

std::int64_t OffsetOf(DimsView first, DimsView strides) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < first.size(); ++d) offset += first[d] * strides[d];
  return offset;
}

}  // namespace supremum::stream
