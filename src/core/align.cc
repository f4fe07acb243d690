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
  const DimsView shape = view.shape;
  Shape aligned = Shape::Filled(common_rank, 0);
  ForEachStride(view, [&](std::size_t d, std::int64_t stride) {
    if (shape[d] != 1) aligned[CommonDimension(d, shape.size(), common_rank)] = stride;
  });
  return aligned;
}

}  // namespace supremum
