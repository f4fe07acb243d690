#include "ops/max_schedule.h"

#include <algorithm>

#include "kernels/kernels.h"

namespace supremum {
namespace {

// Lines of fewer bytes are no whole vector, and those that are little longer no whole number of them: the
// next loop is taken in.
constexpr std::int64_t kCacheLine = 64;
constexpr std::int64_t kShort = kCacheLine;

// What a line of this many bytes takes to begin and to end is little.
constexpr std::int64_t kEnough = 256;
constexpr std::int64_t kMore = 512;
constexpr std::int64_t kPlenty = 4096;

// Of more than two operands, what is joined of them should stay in the first-level cache beside the next.
constexpr std::int64_t kTileBytesOfMany = 8 * 1024;

// Without scratch, tiles are what threads share.
constexpr std::int64_t kTileBytesWithoutScratch = 32 * 1024;

// A transposed operand is read in squares about as wide as this, so that whole cache lines are used.
constexpr std::int64_t kSquareBytes = 256;
constexpr std::int64_t kSquareElements = 64;

bool StandsStill(DimsView steps) {
  return std::all_of(steps.begin(), steps.end(), [](std::int64_t s) { return s == 0; });
}

// What a line is while it is looked for.
struct Line {
  std::size_t first;   // loop
  std::int64_t parts;  // extent of that loop
  std::int64_t part;   // elements of one of its steps

  std::int64_t Elements() const { return parts * part; }
};

// True if the line and the loop before it are worth being one line: if every operand lies side by side there,
// or stands still in all loops before, so that it is expanded once for all tiles.
bool LengtheningCostsNothing(const LoopNest& nest, std::size_t followers, const Line& line) {
  for (std::size_t m = 0; m < followers; ++m) {
    const DimsView steps = nest.Steps(m);
    const bool side_by_side =
        IsDense(ReadingOf(nest, m, line.first)) && steps[line.first - 1] == line.Elements();
    if (!side_by_side && !StandsStill(steps.first(line.first))) return false;
  }
  return true;
}

bool AllAreReadInPlace(const LoopNest& nest, std::size_t followers, std::size_t line) {
  for (std::size_t m = 0; m < followers; ++m) {
    if (!ReadingOf(nest, m, line)) return false;
  }
  return true;
}

Line LineOf(const LoopNest& nest, std::size_t followers, std::int64_t width) {
  Line line{nest.rank() - 1, nest.extents().back(), 1};
  if (nest.LeaderSteps().back() != 1) return line;
  while (line.first > 0 && nest.LeaderSteps()[line.first - 1] == line.Elements()) {
    const std::int64_t bytes = line.Elements() * width;
    const bool in_place = AllAreReadInPlace(nest, followers, line.first);
    const bool is_long =
        bytes >= kEnough || (bytes >= kShort && bytes % kShort == 0) || (bytes >= 2 * kShort && in_place);
    const bool is_long_enough = bytes >= kPlenty || (bytes >= kMore && in_place);
    if (is_long_enough || (is_long && !LengtheningCostsNothing(nest, followers, line))) break;
    --line.first;
    line.part = line.Elements();
    line.parts = nest.extents()[line.first];
  }
  return line;
}

// The loop before the line along which a transposed operand lies closest together, if there is one.
std::optional<std::size_t> ClosestLoop(const LoopNest& nest, std::size_t followers, std::size_t line) {
  for (std::size_t m = 0; m < followers; ++m) {
    const DimsView steps = nest.Steps(m);
    if (steps[line] >= -1 && steps[line] <= 1) continue;
    const DimsView before = steps.first(line);
    const auto closest = std::find(before.begin(), before.end(), 1);
    if (closest != before.end()) return static_cast<std::size_t>(closest - before.begin());
  }
  return std::nullopt;
}

// An operand that repeats along the line, and moves outside, is expanded anew for each line: cut into lines
// as long as some of its periods, of which it is enough to expand one. The extent of such a line along the
// outermost loop, or nullopt if the line is not to be cut. There is room for the loop that this adds: no
// tensor has 64 extents of 2 and more.
std::optional<std::int64_t> PeriodsOfALine(const LoopNest& nest, std::size_t followers, const Line& line,
                                           std::int64_t width) {
  const bool repeats_and_moves = [&] {
    for (std::size_t m = 0; m < followers; ++m) {
      const DimsView steps = nest.Steps(m);
      if (steps[line.first] != 0 || ReadingOf(nest, m, line.first)) continue;
      if (!StandsStill(steps.first(line.first))) return true;
    }
    return false;
  }();
  if (!repeats_and_moves) return std::nullopt;
  std::int64_t periods = 1;
  const auto bytes = [&] { return periods * line.part * width; };
  while (bytes() % kShort != 0 || bytes() < kEnough) periods *= 2;
  if (line.parts % periods != 0 || line.parts == periods) return std::nullopt;
  return periods;
}

}  // namespace

MaxSchedule MaxSchedule::Make(LoopNest& nest, std::size_t followers, std::size_t width) {
  MaxSchedule route;
  if (nest.rank() == 0) {
    route.needs_buffer = followers > 2;
    return route;
  }
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  Line line = LineOf(nest, followers, bytes);
  route.dense = nest.LeaderSteps().back() == 1;

  bool transposed = false;
  if (route.dense && line.first > 0 && line.part == 1) {
    if (const auto closest = ClosestLoop(nest, followers, line.first)) {
      nest.MoveLoop(*closest, line.first - 1);
      transposed = true;
    }
  }
  if (route.dense && !transposed) {
    if (const auto periods = PeriodsOfALine(nest, followers, line, bytes)) {
      nest.SplitLoop(line.first, *periods);
      line = {line.first + 1, *periods, line.part};
    }
  }
  route.line = line.first;
  route.part = line.part;

  const bool all_in_place = AllAreReadInPlace(nest, followers, line.first);
  const bool one_is_dense = [&] {
    for (std::size_t m = 0; m < followers; ++m) {
      if (IsDense(ReadingOf(nest, m, line.first))) return true;
    }
    return false;
  }();
  route.needs_buffer = !route.dense || followers > 2 || !one_is_dense || !all_in_place;

  // The tile, from the line outwards.
  route.tile = Shape::Filled(line.first + 1, 1);
  const std::int64_t most = !route.needs_buffer ? kTileBytesWithoutScratch
                            : followers > 2      ? kTileBytesOfMany
                                                 : static_cast<std::int64_t>(kTileBytes);
  std::int64_t fit = std::max<std::int64_t>(1, most / (line.part * bytes));  // steps that may be in a tile
  const auto take = [&](std::size_t d) {
    const std::int64_t extent = nest.extents()[d];
    const std::int64_t count = (extent + fit - 1) / fit;
    // About as many in each; where a long line is cut, as many as end where cache lines do.
    const bool cut_at_cache_lines = d == line.first && count > 1 && fit >= kCacheLine;
    route.tile[d] = cut_at_cache_lines ? fit - fit % kCacheLine : (extent + count - 1) / count;
    fit = count == 1 ? fit / extent : 1;
  };
  if (transposed) {
    const std::int64_t square = std::min(kSquareElements, kSquareBytes / bytes);
    route.tile[line.first - 1] = std::min(square, nest.extents()[line.first - 1]);
    fit = std::max<std::int64_t>(1, fit / route.tile[line.first - 1]);
    take(line.first);
  } else {
    take(line.first);
    if (route.dense && line.first > 0) take(line.first - 1);
    if (route.dense && line.first > 1) take(line.first - 2);
  }
  for (std::size_t d = 0; d <= line.first; ++d) {
    route.tiles.PushBack((nest.extents()[d] + route.tile[d] - 1) / route.tile[d]);
    route.units *= route.tiles[d];
  }
  return route;
}

std::optional<Reading> ReadingOf(const LoopNest& nest, std::size_t m, std::size_t line) {
  const DimsView all = nest.Steps(m), steps = all.subspan(line), extents = nest.extents().subspan(line);
  if (steps.size() == 1 && steps[0] == -1) return Reading{1, true};
  std::size_t d = steps.size();
  std::int64_t times = 1;
  for (; d > 0 && steps[d - 1] == 0; --d) times *= extents[d - 1];
  if (d == 0) return Reading{times == 1 ? 1 : Reading::kWholeLine, false};
  std::int64_t side_by_side = 1;
  for (; d > 0; --d) {
    if (steps[d - 1] != side_by_side) return std::nullopt;
    side_by_side *= extents[d - 1];
  }
  const auto still = [&](std::size_t loops_before) {
    return line >= loops_before && all[line - loops_before] == 0;
  };
  if (times > 1 && (still(1) || still(2))) return std::nullopt;
  if (times > static_cast<std::int64_t>(kernels::kMaxRepeatCount)) return std::nullopt;
  return Reading{static_cast<std::uint32_t>(times), false};
}

}  // namespace supremum
