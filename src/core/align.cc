#include "core/align.h"

namespace supremum {

bool BroadcastsTo(DimsView from, DimsView to) {
  bool fits = from.size() <= to.size();
  if (fits) {
    ForEachAligned(from, to.size(), [&](std::size_t d, std::size_t j) { fits = fits && from[d] == to[j]; });
  }
  return fits;
}

bool FillsOneBlock(DimsView shape, DimsView strides) {
  std::int64_t step = 1;  // the elements of the dimensions found so far, the innermost first
  for (std::size_t d = 0; d < shape.size();) {
    const bool is_next = shape[d] != 1 && strides[d] == step;
    if (is_next) step *= shape[d];
    d = is_next ? 0 : d + 1;
  }
  return step == ElementCount(shape);
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
