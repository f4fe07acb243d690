// The common shape of several tensors (BRO-1..4).
#ifndef SUPREMUM_BROADCAST_H_
#define SUPREMUM_BROADCAST_H_

#include <initializer_list>
#include <span>
#include <string_view>

#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// The shape that all `shapes` broadcast to.
///
///   rank = max over m of rank(shapes[m])
///   result[j] = the extent other than 1 among the shapes' extents at dimension j; 1 if there is none.
///
/// The shapes are aligned at the last dimension. A scalar broadcasts with everything (BRO-4); 0 with 1 gives
/// 0, and 0 with 3 is E1 (BRO-3).
///
/// Ensures: the result does not depend on the order of `shapes`.
/// Errors: kInputCount for no shape (MAX-1); kRank for more than 64 dimensions (BRO-4); kInvalidShape for an
///   extent below zero; kNotBroadcastable, E1, where two extents differ and neither is 1 (BRO-2). The text
///   states the two inputs (from `names`, or their positions if it is empty), both shapes and the dimension.
/// Cost: one pass over the extents, no allocation unless there is an error.
///
///   Result<Shape> y = BroadcastShapes({Shape{2, 1, 4}, Shape{3, 1}});   // [2,3,4]
Result<Shape> BroadcastShapes(std::span<const DimsView> shapes, std::span<const std::string_view> names = {});

/// The same for a braced list.
inline Result<Shape> BroadcastShapes(std::initializer_list<DimsView> shapes) {
  return BroadcastShapes(std::span<const DimsView>(shapes.begin(), shapes.size()));
}

}  // namespace supremum

#endif  // SUPREMUM_BROADCAST_H_
