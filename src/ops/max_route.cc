#include "ops/max_route.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/kernels.h"

namespace supremum {
namespace {

// Lines of fewer bytes are no whole vector: the next loop is taken in. From kLong on, what a line takes to
// begin and to end is little.
constexpr std::int64_t kShort = 64;
constexpr std::int64_t kLong = 256;

// Without scratch, tiles are what threads share.
constexpr std::int64_t kTileBytesWithoutScratch = 32 * 1024;

// A transposed operand is read in squares about as wide as this, so that whole cache lines are used.
constexpr std::int64_t kSquareBytes = 256;
constexpr std::int64_t kSquareElements = 64;

// True if the loops from `line` on are worth being one line with the loop before: if every operand lies side
// by side there, or stands still in all loops before, so that it is expanded once for all tiles.
bool LengtheningCostsNothing(const LoopNest& nest, std::size_t followers, std::size_t line) {
  std::int64_t elements = 1;
  for (std::int64_t extent : nest.extents().subspan(line)) elements *= extent;
  for (std::size_t m = 0; m < followers; ++m) {
    const DimsView steps = nest.Steps(m), before = steps.first(line);
    const bool dense = TimesShown(steps.subspan(line), nest.extents().subspan(line)) == 1;
    const bool side_by_side = dense && steps[line - 1] == elements;
    const bool still = std::all_of(before.begin(), before.end(), [](std::int64_t s) { return s == 0; });
    if (!side_by_side && !still) return false;
  }
  return true;
}

// The loop outside of `line` along which some operand lies closer together than along the line, if any.
std::optional<std::size_t> ClosestLoop(const LoopNest& nest, std::size_t followers, std::size_t line) {
  for (std::size_t m = 0; m < followers; ++m) {
    const DimsView steps = nest.Steps(m);
    const std::int64_t along_line = std::abs(steps[line]);
    if (along_line <= 1) continue;
    for (std::size_t d = 0; d < line; ++d) {
      if (std::abs(steps[d]) == 1) return d;
    }
  }
  return std::nullopt;
}

}  // namespace

MaxRoute MaxRoute::Make(LoopNest& nest, std::size_t followers, std::size_t width) {
  MaxRoute route;
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  const std::size_t rank = nest.rank();
  std::size_t line = rank;
  if (rank > 0) {
    line = rank - 1;
    route.parts = nest.extents()[line];
    route.dense = nest.LeaderSteps()[line] == 1;
    while (route.dense && line > 0) {
      const std::int64_t length = route.parts * route.part;
      if (nest.LeaderSteps()[line - 1] != length || length * bytes >= kLong) break;
      if (length * bytes >= kShort && !LengtheningCostsNothing(nest, followers, line)) break;
      --line;
      route.part = length;
      route.parts = nest.extents()[line];
    }
  }

  std::size_t dense_operands = 0;
  bool all_in_place = true;
  for (std::size_t m = 0; m < followers; ++m) {
    const auto times = TimesShown(nest.Steps(m).subspan(line), nest.extents().subspan(line));
    if (times == 1) ++dense_operands;
    all_in_place = all_in_place && times.has_value();
  }
  route.needs_scratch = !route.dense || followers > 2 || dense_operands == 0 || !all_in_place;

  const std::int64_t step_bytes = route.part * bytes;
  const std::int64_t most =
      route.needs_scratch ? static_cast<std::int64_t>(kTileBytes) : kTileBytesWithoutScratch;
  const bool may_transpose = !all_in_place && route.dense && line + 1 == rank;
  const std::optional<std::size_t> closest =
      may_transpose ? ClosestLoop(nest, followers, line) : std::nullopt;
  if (closest) {
    nest.MoveLoop(*closest, line - 1);
    route.has_lines = true;
    route.lines = nest.extents()[line - 1];
    route.tile_lines = std::min({route.lines, kSquareElements, kSquareBytes / bytes});
    route.tile_parts = std::min(route.parts, std::max<std::int64_t>(1, most / (route.tile_lines * bytes)));
  } else {
    route.tile_parts = std::min(route.parts, std::max<std::int64_t>(1, most / step_bytes));
    const std::int64_t fit = most / (route.parts * step_bytes);
    if (line > 0 && route.dense && fit > 1) {
      route.has_lines = true;
      route.lines = nest.extents()[line - 1];
      route.tile_lines = std::min(route.lines, fit);
    }
  }
  route.outer = line - (route.has_lines ? 1 : 0);
  route.blocks_of_lines = (route.lines + route.tile_lines - 1) / route.tile_lines;
  route.blocks_of_parts = (route.parts + route.tile_parts - 1) / route.tile_parts;
  route.units = route.blocks_of_lines * route.blocks_of_parts;
  for (std::int64_t extent : nest.extents().first(route.outer)) route.units *= extent;
  return route;
}

std::optional<std::size_t> TimesShown(DimsView steps, DimsView extents) {
  std::size_t d = steps.size();
  std::int64_t times = 1;
  for (; d > 0 && steps[d - 1] == 0; --d) times *= extents[d - 1];
  if (d == 0) return static_cast<std::size_t>(times);
  std::int64_t side_by_side = 1;
  for (; d > 0; --d) {
    if (steps[d - 1] != side_by_side) return std::nullopt;
    side_by_side *= extents[d - 1];
  }
  if (times > static_cast<std::int64_t>(kernels::kMostTimes)) return std::nullopt;
  return static_cast<std::size_t>(times);
}

}  // namespace supremum
