// The alignment of shapes and strides to a common shape (BRO-1, BRO-2, BRO-5); no other code has it.
#ifndef SUPREMUM_SRC_CORE_ALIGN_H_
#define SUPREMUM_SRC_CORE_ALIGN_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// BRO-1: which dimension of a common shape of rank `common_rank` is dimension `d` of an operand of rank
/// `rank`. Both count from the outermost, and the last ones are aligned.
///
/// Requires: d < rank <= common_rank.
constexpr std::size_t CommonDimension(std::size_t d, std::size_t rank, std::size_t common_rank) {
  return common_rank - rank + d;
}

/// Calls visit(d, j) for each dimension d of `shape` whose coordinate is that of dimension j of the common
/// shape. Along every other dimension the operand is broadcast: the coordinate of an extent of 1, or of a
/// dimension that it lacks, is always 0 (BRO-5).
///
/// Requires: shape.size() <= common_rank.
template <class Visit>
constexpr void ForEachAligned(DimsView shape, std::size_t common_rank, Visit visit) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1) visit(d, CommonDimension(d, shape.size(), common_rank));
  }
}

/// BRO-2: the common extents of operands, which may come in any order.
class CommonExtents {
 public:
  /// Requires: rank <= kMaxRank.
  explicit CommonExtents(std::size_t rank) : shape_(Shape::Filled(rank, 1)) {}

  /// Takes the extent that operand `m` has in dimension `j` of the common shape. False if that and another
  /// operand's extent differ and neither is 1 (E1): then shape() and owner(j) tell the other's.
  bool Add(std::size_t j, std::int64_t extent, std::size_t m) {
    if (extent == 1 || extent == shape_[j]) return true;
    if (shape_[j] != 1) return false;
    shape_[j] = extent;
    owner_[j] = m;
    return true;
  }

  const Shape& shape() const { return shape_; }

  /// The first operand whose extent is shape()[j]. Requires: that is not 1.
  std::size_t owner(std::size_t j) const { return owner_[j]; }

 private:
  Shape shape_;
  std::array<std::size_t, kMaxRank> owner_;  // set where the extent is not 1
};

/// True if an operand of shape `from` can be read as one of shape `to`.
bool BroadcastsTo(DimsView from, DimsView to);

/// Calls visit(d, stride) for each dimension d of a view, the innermost first: the stride that it states, or
/// the row-major one. Requires: as many strides as extents, or none; RowMajorStrides' preconditions.
template <class Visit>
constexpr void ForEachStride(const TensorView& view, Visit visit) {
  const DimsView shape = view.shape, strides = view.strides;
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    visit(d, strides.empty() ? step : strides[d]);
    if (strides.empty()) step = internal::StrideBefore(step, shape[d]);
  }
}

/// True if these strides are row-major for the dimensions in some order: then the elements fill one block of
/// memory from the first one on. Requires: as many strides as extents; ElementCount(shape) is not 0.
bool FillsOneBlock(DimsView shape, DimsView strides);

/// The strides of a view, row-major where it states none. Requires: at most kMaxRank extents; as many
/// strides, or none.
Shape StridesOf(const TensorView& view);

/// The strides of `view` over a common shape of rank `common_rank`: 0 along every dimension in which it is
/// broadcast (BRO-5).
///
/// Requires: as StridesOf; view.shape.size() <= common_rank <= kMaxRank.
///
///   AlignedStrides of shape [3,1], strides [5,1], over rank 3    // [0,5,0]
Shape AlignedStrides(const TensorView& view, std::size_t common_rank);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_ALIGN_H_
