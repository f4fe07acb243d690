// Boxes of indices: the parts of a tensor that are in memory at one time.
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

/// The largest box of at most `most` elements that begins at `position` of a row-major tensor and is
/// contiguous in it. A box has fixed leading coordinates, a part of one dimension, and whole inner
/// dimensions. The result depends on the arguments alone, so `most` may change from one box to the next.
///
/// Requires: most >= 1, 0 <= position < the number of elements, which is not 0.
///
///   NextBox({4, 5}, 0, 12)    // rows 0 and 1
///   NextBox({4, 5}, 7, 12)    // the rest of row 1
Box NextBox(DimsView shape, std::int64_t position, std::int64_t most);

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_BOX_H_
