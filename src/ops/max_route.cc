#include "ops/max_route.h"

#include <algorithm>

namespace supremum {
namespace {

// A row of this many bytes is worth the calls that it takes; below, rows are made longer, to at least
// kLongRow, by taking in the next loop.
constexpr std::int64_t kEnough = 1024;
constexpr std::int64_t kLongRow = 4096;

}  // namespace

MaxRoute MaxRoute::Make(const LoopNest& nest, std::size_t width) {
  MaxRoute route;
  const std::size_t rank = nest.rank();
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  if (rank > 0) {
    route.inner = 1;
    route.lines = nest.extents()[rank - 1];
    route.dense = nest.LeaderSteps()[rank - 1] == 1;
    std::int64_t length = route.lines;
    while (route.dense && route.inner < rank && length * bytes < (route.inner == 1 ? kEnough : kLongRow)) {
      const std::size_t next = rank - route.inner - 1;
      if (nest.LeaderSteps()[next] != length) break;
      route.line = length;
      route.lines = nest.extents()[next];
      length *= route.lines;
      ++route.inner;
    }
  } else {
    route.dense = true;
  }
  route.outer = rank - route.inner;
  route.tile = std::max<std::int64_t>(1, static_cast<std::int64_t>(kTileBytes) / (route.line * bytes));
  route.tile = std::min(route.tile, route.lines);
  route.tiles = (route.lines + route.tile - 1) / route.tile;
  route.units = route.tiles;
  for (std::int64_t extent : nest.extents().first(route.outer)) route.units *= extent;
  return route;
}

RowKind KindOf(DimsView steps, DimsView extents) {
  bool dense = true, scalar = true;
  std::int64_t side_by_side = 1;
  for (std::size_t d = steps.size(); d-- > 0;) {
    dense = dense && steps[d] == side_by_side;
    scalar = scalar && steps[d] == 0;
    side_by_side *= extents[d];
  }
  return scalar ? RowKind::kScalar : dense ? RowKind::kDense : RowKind::kOther;
}

}  // namespace supremum
