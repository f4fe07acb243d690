// Boxes of indices: what of a tensor is in memory at once.
#ifndef SUPREMUM_SRC_STREAM_BOX_H_
#define SUPREMUM_SRC_STREAM_BOX_H_

#include <cstdint>

#include "supremum/shape.h"

namespace supremum::stream {

/// The indices i with first[d] <= i[d] < first[d] + extent[d].
struct Box {
  Shape first;
  Shape extent;

  std::int64_t Count() const { return ElementCount(extent).value_or(0); }
};

/// The largest box of at most `most` elements that holds, without a gap, the elements of a row-major tensor
/// of that shape from the one at `position` on: leading coordinates fixed, one dimension in part, the rest
/// whole. Whatever `most` was before, what follows is cut anew, so that a tensor can be gone through in
/// changing steps.
///
/// Requires: most >= 1, 0 <= position < the number of elements, which is not 0.
///
///   NextBox({4, 5}, 0, 12)    // rows 0 and 1
///   NextBox({4, 5}, 7, 12)    // what is left of row 1
Box NextBox(DimsView shape, std::int64_t position, std::int64_t most);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_BOX_H_
