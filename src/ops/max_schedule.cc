#include "ops/max_schedule.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "core/align.h"
#include "core/out_of_memory.h"
#include "kernels/memory_model.h"
#include "ops/parallel.h"
#include "ops/tuning.h"
#include "rules/views.h"

namespace supremum {
namespace {

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

// True if extending the line by the loop before it costs nothing. Every input must be contiguous there, or
// its step must be 0 in all loops before the line, so that one expansion serves all tiles.
bool ExtensionCostsNothing(const LoopNest& nest, std::size_t inputs, const Line& line) {
  for (std::size_t m = 0; m < inputs; ++m) {
    const DimsView steps = nest.Steps(m);
    const bool contiguous =
        ReadingOf(nest, m, line.first).IsDense() && steps[line.first - 1] == line.Elements();
    if (!contiguous && !AllZero(steps.first(line.first))) return false;
  }
  return true;
}

bool AllAreReadInPlace(const LoopNest& nest, std::size_t inputs, std::size_t line) {
  for (std::size_t m = 0; m < inputs; ++m) {
    if (!ReadingOf(nest, m, line).IsInPlace()) return false;
  }
  return true;
}

// `output_bytes`: if one tile has them all, an input that is expanded is read once.
Line LineOf(const LoopNest& nest, std::size_t inputs, std::int64_t width, double output_bytes) {
  const bool one_tile = output_bytes <= static_cast<double>(tuning.max_buffered_tile_bytes);
  const std::int64_t final_in_place = one_tile ? tuning.min_single_line_bytes : tuning.min_long_line_bytes;
  Line line{nest.rank() - 1, nest.extents().back(), 1};
  if (nest.DrivingSteps().back() != 1) return line;
  while (line.first > 0 && nest.DrivingSteps()[line.first - 1] == line.Elements()) {
    const std::int64_t bytes = line.Elements() * width;
    if (bytes >= tuning.min_final_line_bytes) break;
    const bool in_place = AllAreReadInPlace(nest, inputs, line.first);
    if (bytes >= final_in_place && in_place) break;
    const bool whole_vectors = bytes >= kCacheLineBytes && bytes % kCacheLineBytes == 0;
    const bool is_long = bytes >= tuning.min_separate_line_bytes || whole_vectors ||
                         (bytes >= tuning.min_medium_line_bytes && in_place);
    if (is_long && !ExtensionCostsNothing(nest, inputs, line)) break;
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
// Returns the number of periods of such a line, or nullopt if the line is not cut. The nest has room
// for the loop that this adds: no tensor has 64 extents of 2 or more.
std::optional<std::int64_t> PeriodsOfALine(const LoopNest& nest, std::size_t inputs, const Line& line,
                                           std::int64_t width) {
  const bool expanded_for_each_line = [&] {
    for (std::size_t m = 0; m < inputs; ++m) {
      const DimsView steps = nest.Steps(m);
      if (steps[line.first] != 0 || ReadingOf(nest, m, line.first).IsInPlace()) continue;
      if (!AllZero(steps.first(line.first))) return true;
    }
    return false;
  }();
  if (!expanded_for_each_line) return std::nullopt;
  std::int64_t periods = 1;
  const auto bytes = [&] { return periods * line.part * width; };
  while (bytes() % kCacheLineBytes != 0 || bytes() < tuning.min_separate_line_bytes) periods *= 2;
  if (line.parts % periods != 0 || line.parts == periods) return std::nullopt;
  return periods;
}

// The nest over the output; an input's stride is 0 where it is broadcast.
Result<void> InitNest(std::span<const TensorView> inputs, const TensorView& output, LoopNest& nest) {
  if (auto ok = nest.Init(output.shape, StridesOf(output), inputs.size()); !ok) return ok;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    nest.SetStrides(m, AlignedStrides(inputs[m], output.shape.size()));
  }
  nest.Merge();
  return {};
}

// The bytes that an operand's elements have, an element that is repeated by a step of 0 counted once. In
// double: of views whose elements alias in other ways, the sum can exceed 2^63.
double BytesOf(const LoopNest& nest, DimsView steps, std::size_t width) {
  double bytes = static_cast<double>(width);
  for (std::size_t d = 0; d < steps.size(); ++d) {
    if (steps[d] != 0) bytes *= static_cast<double>(nest.extents()[d]);
  }
  return bytes;
}

}  // namespace

Result<void> MaxSchedule::Init(std::span<const TensorView> operands, const TensorView& output,
                               std::size_t max_threads) {
  width = ByteWidth(output.dtype);
  has_elements = ElementCount(output.shape) != 0;
  row = kernels::ActiveKernels().For(output.dtype);
  input_count = operands.size();
  if (!inputs.Resize(input_count) || !has_output_layout.Resize(input_count)) return OutOfMemory();
  for (std::size_t m = 0; m < input_count; ++m) has_output_layout[m] = SameLayout(operands[m], output);
  if (!has_elements) return {};

  if (auto ok = InitNest(operands, output, nest); !ok) return ok;
  const double output_bytes = static_cast<double>(*ElementCount(output.shape)) * static_cast<double>(width);
  const double most_bytes = output_bytes * static_cast<double>(input_count + 1);
  if (most_bytes > std::min(static_cast<double>(tuning.min_bytes_per_thread), ThisMemory().core_bytes)) {
    double moved = output_bytes;
    for (std::size_t m = 0; m < input_count; ++m) moved += BytesOf(nest, nest.Steps(m), width);
    threads = ThreadsWorthHaving(max_threads, moved);
    non_temporal = nest.rank() > 0 && nest.DrivingSteps().back() == 1 && ThisMemory().PrefersStreaming(moved);
  }
  Few<Reading, kFewOperands> readings;
  if (!readings.Resize(input_count)) return OutOfMemory();
  MakeTiles(output_bytes, readings);
  OrderInputs(readings);
  ChooseBuffers();
  FindOneJoin();
  return {};
}

Error MaxSchedule::OutOfMemory() const {
  return AllocationError(input_count * sizeof(Input), "a plan of " + std::to_string(input_count) + " inputs");
}

std::size_t MaxSchedule::MemoryBytes() const {
  return inputs.MemoryBytes() + has_output_layout.MemoryBytes() + nest.MemoryBytes();
}

// Decides the line and the tiles. Changes the nest if that is faster. If an input is transposed, the loop
// along which its step is 1 becomes loop line-1. If an input repeats along a line, the line is cut into lines
// of some of its periods.
void MaxSchedule::MakeTiles(double output_bytes, Few<Reading, kFewOperands>& readings) {
  const auto set_readings = [&] {
    for (std::size_t m = 0; m < input_count; ++m) readings[m] = ReadingOf(nest, m, line);
  };
  if (nest.rank() == 0) {
    needs_buffer = input_count > 2;
    return set_readings();
  }
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  Line chosen = LineOf(nest, input_count, bytes, output_bytes);
  dense = nest.DrivingSteps().back() == 1;

  bool transposed = false;
  if (dense && chosen.first > 0 && chosen.part == 1) {
    if (const auto closest = ClosestLoop(nest, input_count, chosen.first)) {
      nest.MoveLoop(*closest, chosen.first - 1);
      transposed = true;
    }
  }
  if (dense && !transposed) {
    if (const auto periods = PeriodsOfALine(nest, input_count, chosen, bytes)) {
      nest.SplitLoop(chosen.first, *periods);
      chosen = {chosen.first + 1, *periods, chosen.part};
    }
  }
  line = chosen.first;
  part_elements = chosen.part;
  non_temporal = non_temporal && chosen.Elements() * bytes >= tuning.min_separate_line_bytes;

  set_readings();
  bool all_in_place = true, one_is_dense = false;
  for (std::size_t m = 0; m < input_count; ++m) {
    all_in_place = all_in_place && readings[m].IsInPlace();
    one_is_dense = one_is_dense || readings[m].IsDense();
  }
  if (!transposed) joined_step = JoinedStep();
  needs_buffer = joined_step == 0 && (!dense || input_count > 2 || !one_is_dense || !all_in_place);

  for (std::size_t d = 0; d <= line; ++d) tile_extents.PushBack(1);
  const std::int64_t max_bytes = !needs_buffer     ? tuning.max_tile_bytes
                                 : input_count > 2 ? tuning.max_accumulator_bytes
                                                   : tuning.max_buffered_tile_bytes;
  if (dense && !transposed && line <= 2 && output_bytes <= static_cast<double>(max_bytes)) {
    for (std::size_t d = 0; d <= line; ++d) {  // one tile, without divisions
      tile_extents[d] = nest.extents()[d];
      tile_counts.PushBack(1);
    }
    return;
  }
  // The extents of a tile, from the line outwards: the steps that fit into it.
  std::int64_t fit = std::max<std::int64_t>(1, max_bytes / (part_elements * bytes));
  const auto choose_extent = [&](std::size_t d) {
    const std::int64_t extent = nest.extents()[d];
    const std::int64_t count = (extent + fit - 1) / fit;
    // Tiles of about equal size. A line is cut after a multiple of kCacheLineBytes steps, so that the cut is
    // at the end of a cache line, for any element size, if the line begins at one.
    const bool cut_at_cache_lines = d == line && count > 1 && fit >= kCacheLineBytes;
    tile_extents[d] = cut_at_cache_lines ? fit - fit % kCacheLineBytes : (extent + count - 1) / count;
    fit = count == 1 ? fit / extent : 1;
  };
  if (transposed) {
    const std::int64_t square = static_cast<std::int64_t>(SquareSide(width));
    tile_extents[line - 1] = std::min(square, nest.extents()[line - 1]);
    fit = std::max<std::int64_t>(1, fit / tile_extents[line - 1]);
    choose_extent(line);
  } else {
    choose_extent(line);
    if (dense && line > 0) choose_extent(line - 1);
    if (dense && line > 1) choose_extent(line - 2);
  }
  for (std::size_t d = 0; d <= line; ++d) {
    tile_counts.PushBack((nest.extents()[d] + tile_extents[d] - 1) / tile_extents[d]);
    tile_count *= tile_counts[d];
  }
}

// Orders inputs: first those with the output's steps, then those that are dense along a line, then those that
// will be dense because they are expanded, then the others. Kernels require that one of two operands is
// dense.
void MaxSchedule::OrderInputs(const Few<Reading, kFewOperands>& readings) {
  const auto precedence = [&](std::size_t m) -> std::size_t {
    if (dense && SameDims(nest.Steps(m), nest.DrivingSteps())) return 0;
    return readings[m].IsDense() ? 1 : readings[m].IsInPlace() ? 3 : 2;
  };
  std::array<std::size_t, 4> places = {};  // of each precedence: how many inputs have a smaller one
  for (std::size_t m = 0; m < input_count; ++m) ++places[precedence(m)];
  inputs_like_output = places[0];
  std::size_t place = 0;
  for (std::size_t& of_precedence : places) place += std::exchange(of_precedence, place);
  for (std::size_t m = 0; m < input_count; ++m) inputs[places[precedence(m)]++] = {m, readings[m], false, 0};
}

// Decides which inputs are read in place, and into which buffers the others are expanded. The first input is
// expanded unless it is dense.
void MaxSchedule::ChooseBuffers() {
  std::uint8_t owned = 0;
  for (std::size_t k = 0; k < input_count; ++k) {
    Input& input = inputs[k];
    if (joined_step != 0) continue;
    if (k == 0 && !input.reading.IsDense()) input.reading = {};
    if (!input.reading.IsInPlace()) {
      input.owns_buffer = owned + 1 < kMaxExpandBuffers;
      input.buffer = input.owns_buffer ? owned++ : kMaxExpandBuffers - 1;
    }
  }
}

// The step that both inputs have along the line if `join` reads them by vectors, otherwise 0.
std::int64_t MaxSchedule::JoinedStep() const {
  if (input_count != 2 || !dense || non_temporal || line + 1 != nest.rank()) return 0;
  const std::int64_t step = nest.Steps(0).back();
  if (step != nest.Steps(1).back() || step < 2 || step > static_cast<std::int64_t>(row.max_step)) return 0;
  return Bytes(nest.extents().back()) >= static_cast<std::ptrdiff_t>(row.vector_bytes) ? step : 0;
}

void MaxSchedule::FindOneJoin() {
  if (input_count != 2 || line != 0 || tile_count != 1 || !dense || needs_buffer || non_temporal) {
    return;
  }
  if (joined_step != 0) {
    one_join_strides = {Bytes(joined_step), Bytes(joined_step)};
  } else {
    const Reading second = inputs[1].reading;
    if (!second.IsDense() && second.repeat_count != Reading::kWholeLine) return;
    one_join_strides = {Bytes(1), second.IsDense() ? Bytes(1) : 0};
  }
  one_join = static_cast<std::size_t>(nest.rank() == 0 ? 1 : nest.extents()[0] * part_elements);
}

}  // namespace supremum
