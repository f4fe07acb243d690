#include "core/align.h"

namespace supremum {

bool BroadcastsTo(DimsView from, DimsView to) {
  bool fits = from.size() <= to.size();
  if (fits) {
    ForEachAligned(from, to.size(), [&](std::size_t d, std::size_t j) { fits = fits && from[d] == to[j]; });
  }
  return fits;
}

Shape StridesOf(const TensorView& view) {
  if (view.strides.empty()) return RowMajorStrides(view.shape);
  return *Shape::FromSpan(view.strides);
}

Shape AlignedStrides(const TensorView& view, std::size_t common_rank) {
  const Shape strides = StridesOf(view);
  Shape aligned = Shape::Filled(common_rank, 0);
  ForEachAligned(view.shape, common_rank, [&](std::size_t d, std::size_t j) { aligned[j] = strides[d]; });
  return aligned;
}

}  // namespace supremum
