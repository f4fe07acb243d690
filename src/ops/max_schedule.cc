#include "ops/max_schedule.h"

#include <algorithm>

#include "kernels/kernels.h"

namespace supremum {
namespace {

// Every threshold below was chosen by estimate; no benchmark line yet. "Cases" are the lines of
// supremum_bench to measure when its value changes (docs/architecture.md, Thresholds).

// One cache line, which is also the widest supported vector. Whole vectors need lines of a multiple of it.
constexpr std::int64_t kCacheLineBytes = 64;

// Lines of at least so many bytes are long, and so are those of a multiple of a cache line: the line is
// extended by the next loop only where that costs nothing. The second threshold is for lines that are read in
// place. Cases: max * alternating, whose innermost extents are 40 to 4096 bytes in f32.
constexpr std::int64_t kMinLongLineBytes = 256;
constexpr std::int64_t kMinLongInPlaceLineBytes = 2 * kCacheLineBytes;

// Lines of at least so many bytes are never extended: what each line costs besides its elements is small.
// The second threshold is for lines that are read in place. Cases: max * inner row, alternating, row, column.
constexpr std::int64_t kMinFinalLineBytes = 4096;
constexpr std::int64_t kMinFinalInPlaceLineBytes = 512;

// Upper bound of a tile's bytes with more than two inputs, whose intermediate result stays in the first-level
// cache beside a tile of the next input. Cases: max * 3 inputs 1MiB and more.
constexpr std::int64_t kMaxTileBytesOfManyInputs = 8 * 1024;

// Upper bound of a tile's bytes without temporary buffers, where tiles only divide the work among threads.
// Cases: max * equal, with two threads.
constexpr std::int64_t kMaxTileBytesWithoutBuffer = 32 * 1024;

// Upper bounds of the side of the squares in which a transposed input is read, so that whole cache lines are
// used. Cases: max * transposed.
constexpr std::int64_t kMaxSquareSideBytes = 256;
constexpr std::int64_t kMaxSquareSideElements = 64;

bool AllZero(DimsView steps) {
  return std::all_of(steps.begin(), steps.end(), [](std::int64_t s) { return s == 0; });
}

// A candidate for the schedule's line.
struct Line {
  std::size_t first;   // its outermost loop
  std::int64_t parts;  // the extent of that loop
  std::int64_t part;   // the elements of one step of that loop

  std::int64_t Elements() const { return parts * part; }
};

// True if extending the line by the loop before it costs nothing: every input is contiguous there, or has
// step 0 in all loops before the line, so that it is expanded once for all tiles.
bool ExtensionCostsNothing(const LoopNest& nest, std::size_t inputs, const Line& line) {
  for (std::size_t m = 0; m < inputs; ++m) {
    const DimsView steps = nest.Steps(m);
    const bool contiguous =
        IsDense(ReadingOf(nest, m, line.first)) && steps[line.first - 1] == line.Elements();
    if (!contiguous && !AllZero(steps.first(line.first))) return false;
  }
  return true;
}

bool AllAreReadInPlace(const LoopNest& nest, std::size_t inputs, std::size_t line) {
  for (std::size_t m = 0; m < inputs; ++m) {
    if (!ReadingOf(nest, m, line)) return false;
  }
  return true;
}

Line LineOf(const LoopNest& nest, std::size_t inputs, std::int64_t width) {
  Line line{nest.rank() - 1, nest.extents().back(), 1};
  if (nest.DrivingSteps().back() != 1) return line;
  while (line.first > 0 && nest.DrivingSteps()[line.first - 1] == line.Elements()) {
    const std::int64_t bytes = line.Elements() * width;
    const bool in_place = AllAreReadInPlace(nest, inputs, line.first);
    const bool whole_vectors = bytes >= kCacheLineBytes && bytes % kCacheLineBytes == 0;
    const bool is_long =
        bytes >= kMinLongLineBytes || whole_vectors || (bytes >= kMinLongInPlaceLineBytes && in_place);
    const bool is_final = bytes >= kMinFinalLineBytes || (bytes >= kMinFinalInPlaceLineBytes && in_place);
    if (is_final || (is_long && !ExtensionCostsNothing(nest, inputs, line))) break;
    --line.first;
    line.part = line.Elements();
    line.parts = nest.extents()[line.first];
  }
  return line;
}

// The loop before the line along which a transposed input has step 1, or nullopt.
std::optional<std::size_t> ClosestLoop(const LoopNest& nest, std::size_t inputs, std::size_t line) {
  for (std::size_t m = 0; m < inputs; ++m) {
    const DimsView steps = nest.Steps(m);
    if (steps[line] >= -1 && steps[line] <= 1) continue;
    const DimsView before = steps.first(line);
    const auto closest = std::find(before.begin(), before.end(), 1);
    if (closest != before.end()) return static_cast<std::size_t>(closest - before.begin());
  }
  return std::nullopt;
}

// An input that repeats along the line, and has a step other than 0 outside, would be expanded anew for each
// line. Instead, the line is cut into lines of some of the input's periods, of which one is expanded:
//
// clang-format off
//   line               |x0 x1 x2 x0 x1 x2 x0 x1 x2 x0 x1 x2|      line.parts = 4, line.part = 3
//   cut into lines     |x0 x1 x2 x0 x1 x2|x0 x1 x2 x0 x1 x2|      2 periods each
//   expanded           |x0 x1 x2 x0 x1 x2|
// clang-format on
//
// Returns the number of periods of such a line, or nullopt if the line is not to be cut. The nest has room
// for the loop that this adds: no tensor has 64 extents of 2 or more.
std::optional<std::int64_t> PeriodsOfALine(const LoopNest& nest, std::size_t inputs, const Line& line,
                                           std::int64_t width) {
  const bool expanded_for_each_line = [&] {
    for (std::size_t m = 0; m < inputs; ++m) {
      const DimsView steps = nest.Steps(m);
      if (steps[line.first] != 0 || ReadingOf(nest, m, line.first)) continue;
      if (!AllZero(steps.first(line.first))) return true;
    }
    return false;
  }();
  if (!expanded_for_each_line) return std::nullopt;
  std::int64_t periods = 1;
  const auto bytes = [&] { return periods * line.part * width; };
  while (bytes() % kCacheLineBytes != 0 || bytes() < kMinLongLineBytes) periods *= 2;
  if (line.parts % periods != 0 || line.parts == periods) return std::nullopt;
  return periods;
}

}  // namespace

MaxSchedule MaxSchedule::Make(LoopNest& nest, std::size_t inputs, std::size_t width) {
  MaxSchedule schedule;
  if (nest.rank() == 0) {
    schedule.needs_buffer = inputs > 2;
    return schedule;
  }
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  Line line = LineOf(nest, inputs, bytes);
  schedule.dense = nest.DrivingSteps().back() == 1;

  bool transposed = false;
  if (schedule.dense && line.first > 0 && line.part == 1) {
    if (const auto closest = ClosestLoop(nest, inputs, line.first)) {
      nest.MoveLoop(*closest, line.first - 1);
      transposed = true;
    }
  }
  if (schedule.dense && !transposed) {
    if (const auto periods = PeriodsOfALine(nest, inputs, line, bytes)) {
      nest.SplitLoop(line.first, *periods);
      line = {line.first + 1, *periods, line.part};
    }
  }
  schedule.line = line.first;
  schedule.part = line.part;

  const bool all_in_place = AllAreReadInPlace(nest, inputs, line.first);
  const bool one_is_dense = [&] {
    for (std::size_t m = 0; m < inputs; ++m) {
      if (IsDense(ReadingOf(nest, m, line.first))) return true;
    }
    return false;
  }();
  schedule.needs_buffer = !schedule.dense || inputs > 2 || !one_is_dense || !all_in_place;

  // The extents of a tile, from the line outwards.
  schedule.tile = Shape::Filled(line.first + 1, 1);
  const std::int64_t max_bytes = !schedule.needs_buffer ? kMaxTileBytesWithoutBuffer
                                 : inputs > 2           ? kMaxTileBytesOfManyInputs
                                                        : static_cast<std::int64_t>(kMaxTileBytes);
  std::int64_t fit =
      std::max<std::int64_t>(1, max_bytes / (line.part * bytes));  // steps that fit into a tile
  const auto take = [&](std::size_t d) {
    const std::int64_t extent = nest.extents()[d];
    const std::int64_t count = (extent + fit - 1) / fit;
    // Tiles of about equal size; where a line is cut, after a multiple of kCacheLineBytes steps: then the cut
    // is at the end of a cache line, whatever a step's bytes, if the line begins at one.
    const bool cut_at_cache_lines = d == line.first && count > 1 && fit >= kCacheLineBytes;
    schedule.tile[d] = cut_at_cache_lines ? fit - fit % kCacheLineBytes : (extent + count - 1) / count;
    fit = count == 1 ? fit / extent : 1;
  };
  if (transposed) {
    const std::int64_t square = std::min(kMaxSquareSideElements, kMaxSquareSideBytes / bytes);
    schedule.tile[line.first - 1] = std::min(square, nest.extents()[line.first - 1]);
    fit = std::max<std::int64_t>(1, fit / schedule.tile[line.first - 1]);
    take(line.first);
  } else {
    take(line.first);
    if (schedule.dense && line.first > 0) take(line.first - 1);
    if (schedule.dense && line.first > 1) take(line.first - 2);
  }
  for (std::size_t d = 0; d <= line.first; ++d) {
    schedule.tiles.PushBack((nest.extents()[d] + schedule.tile[d] - 1) / schedule.tile[d]);
    schedule.units *= schedule.tiles[d];
  }
  return schedule;
}

std::optional<Reading> ReadingOf(const LoopNest& nest, std::size_t m, std::size_t line) {
  const DimsView all = nest.Steps(m), steps = all.subspan(line), extents = nest.extents().subspan(line);
  if (steps.size() == 1 && steps[0] == -1) return Reading{1, true};
  std::size_t d = steps.size();
  std::int64_t repeat_count = 1;
  for (; d > 0 && steps[d - 1] == 0; --d) repeat_count *= extents[d - 1];
  if (d == 0) return Reading{repeat_count == 1 ? 1 : Reading::kWholeLine, false};
  std::int64_t contiguous = 1;
  for (; d > 0; --d) {
    if (steps[d - 1] != contiguous) return std::nullopt;
    contiguous *= extents[d - 1];
  }
  const auto same_for_each = [&](std::size_t loops_before) {
    return line >= loops_before && all[line - loops_before] == 0;
  };
  if (repeat_count > 1 && (same_for_each(1) || same_for_each(2))) return std::nullopt;
  if (repeat_count > static_cast<std::int64_t>(kernels::kMaxRepeatCount)) return std::nullopt;
  return Reading{static_cast<std::uint32_t>(repeat_count), false};
}

}  // namespace supremum
