// BroadcastShapes without a list of shapes: they may be members of other objects, so a million of them need
// no copy.
#ifndef SUPREMUM_SRC_CORE_BROADCAST_ALL_H_
#define SUPREMUM_SRC_CORE_BROADCAST_ALL_H_

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/operand_errors.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// BroadcastShapes of the `count` shapes that shape_at(0), shape_at(1), ... return as DimsView.
template <class ShapeAt>
Result<Shape> BroadcastAll(std::size_t count, ShapeAt shape_at, std::span<const std::string_view> names) {
  if (count == 0) {
    return MakeError(ErrorCode::kInputCount, "there is no shape to broadcast; give at least one (MAX-1)");
  }
  std::size_t rank = 0;
  for (std::size_t m = 0; m < count; ++m) {
    const DimsView shape = shape_at(m);
    if (shape.size() > kMaxRank) return RankError(InputName(names, m), shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] < 0) return NegativeExtentError(InputName(names, m), shape, d);
    }
    rank = shape.size() > rank ? shape.size() : rank;
  }

  // BRO-1, BRO-2: per dimension, aligned at the last, the one extent that is not 1, and which input brought
  // it.
  Shape common = Shape::Filled(rank, 1);
  std::array<std::size_t, kMaxRank> owner{};
  for (std::size_t m = 0; m < count; ++m) {
    const DimsView shape = shape_at(m);
    const std::size_t missing = rank - shape.size();
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::size_t j = missing + d;
      if (shape[d] == 1 || shape[d] == common[j]) continue;
      if (common[j] != 1) {
        const std::size_t first = owner[j];
        return NotBroadcastableError({InputName(names, first), ToString(shape_at(first)), common[j]},
                                     {InputName(names, m), ToString(shape), shape[d]}, j, rank);
      }
      common[j] = shape[d];
      owner[j] = m;
    }
  }
  return common;
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_BROADCAST_ALL_H_
