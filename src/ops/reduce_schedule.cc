#include "ops/reduce_schedule.h"

#include <algorithm>
#include <utility>

#include "ops/loop_nest.h"
#include "ops/parallel.h"
#include "ops/tuning.h"
#include "rules/views.h"

namespace supremum {
namespace {

void Append(ReduceSchedule::Loops& loops, std::int64_t extent, std::int64_t source_step,
            std::int64_t output_step) {
  loops.extents.PushBack(extent);
  loops.source_steps.PushBack(source_step);
  loops.output_steps.PushBack(output_step);
}

std::int64_t Product(DimsView extents) {
  std::int64_t product = 1;
  for (std::int64_t extent : extents) product *= extent;
  return product;
}

// The number of parts of `part` that cover `all`.
std::int64_t Parts(std::int64_t all, std::int64_t part) { return (all + part - 1) / part; }

// An extent as a divisor: a run without elements counts as one of a single element.
std::int64_t AtLeastOne(std::int64_t extent) { return std::max<std::int64_t>(extent, 1); }

// The output's steps along the source's dimensions: 0 along the reduced ones.
Shape OutputStepsOverSource(const TensorView& source, const TensorView& output, AxisSet axes, bool keepdims) {
  const Shape strides = StridesOf(output);
  Shape steps = Shape::Filled(source.shape.size(), 0);
  std::size_t next = 0;  // dimension of the output
  for (std::size_t d = 0; d < source.shape.size(); ++d) {
    if (!axes.Has(d)) {
      steps[d] = strides[next++];
    } else if (keepdims) {
      ++next;
    }
  }
  return steps;
}

}  // namespace

Result<void> ReduceSchedule::Init(const TensorView& source_view, const TensorView& output_view, AxisSet axes,
                                  bool keepdims, std::size_t max_threads) {
  width = ByteWidth(output_view.dtype);
  has_elements = ElementCount(output_view.shape) != 0;
  row = kernels::ActiveKernels().For(output_view.dtype);
  has_output_layout = SameLayout(source_view, output_view);
  if (!has_elements) return {};
  if (Result<void> made = MakeLoops(source_view, output_view, axes, keepdims); !made) return made;
  MakeTiles(max_threads);
  return {};
}

// Decides the loops and the block.
Result<void> ReduceSchedule::MakeLoops(const TensorView& source, const TensorView& output, AxisSet axes,
                                       bool keepdims) {
  const bool empty = ElementCount(source.shape) == 0;  // while the output has elements: RED-6
  // Strides of no elements may be any numbers, with which nothing must be computed.
  const Shape source_strides = empty ? Shape::Filled(source.shape.size(), 0) : StridesOf(source);
  Shape extents = *Shape::FromSpan(source.shape);
  for (std::size_t d = 0; d < extents.rank(); ++d) {
    // The maximum of one element, repeated by stride 0, is that of the element once.
    if (axes.Has(d) && source_strides[d] == 0) extents[d] = 1;
  }
  LoopNest nest;
  if (auto ok = nest.Init(extents, source_strides, 1); !ok) return ok;
  nest.SetStrides(0, OutputStepsOverSource(source, output, axes, keepdims));
  nest.Merge();

  source_origin = nest.DrivingOrigin();
  output_origin = nest.Origin(0);
  const std::size_t none = nest.rank();
  std::size_t run_at = none, line_at = none;
  for (std::size_t d = 0; d < nest.rank(); ++d) (nest.Steps(0)[d] != 0 ? line_at : run_at) = d;
  for (std::size_t d = 0; d < nest.rank(); ++d) {
    const std::int64_t extent = nest.extents()[d], step = nest.DrivingSteps()[d], to = nest.Steps(0)[d];
    if (d == run_at) {
      run = Inner{extent, step, 0};
    } else if (d == line_at) {
      line = Inner{extent, step, to};
    } else {
      Append(to != 0 ? kept : reduced, extent, step, to);
    }
  }
  if (empty) run = Inner{0, 0, 0};

  const bool runs_are_closest = run_at != none && (line_at == none || run_at > line_at);
  const Inner& closest = runs_are_closest ? run : line;
  const Inner& other = runs_are_closest ? line : run;
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  const bool contiguous = closest.source_step == 1 && other.source_step == closest.extent;
  // Blocks of order kRows must fit as a whole; those of order kRuns can be divided by runs.
  // Divided, since elements that overlap can be more than the product has room for.
  const bool fits =
      runs_are_closest || tuning.max_accumulator_bytes / bytes / line.extent / AtLeastOne(run.extent) > 0;
  order = runs_are_closest ? Order::kRuns : Order::kRows;
  fold_blocks_first =
      !reduced.extents.empty() && contiguous && fits && closest.extent * bytes < tuning.min_long_line_bytes;
  is_copy = Product(reduced.extents) * run.extent == 1;
  return {};
}

// Decides the tiles and the threads.
void ReduceSchedule::MakeTiles(std::size_t max_threads) {
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  line_elements_per_tile = tuning.max_accumulator_bytes / bytes;
  if (fold_blocks_first && order == Order::kRuns) {
    line_elements_per_tile = std::max<std::int64_t>(1, line_elements_per_tile / run.extent);
  }
  line_elements_per_tile = std::min(line_elements_per_tile, line.extent);
  const std::int64_t lines = Product(kept.extents);
  const std::int64_t source_elements = lines * Product(reduced.extents) * line.extent * run.extent;
  threads =
      ThreadsWorthHaving(max_threads, static_cast<double>(source_elements) * static_cast<double>(width));
  if (threads > 1) DivideLines(lines);
  const std::int64_t tiles_per_line = Parts(line.extent, line_elements_per_tile);
  if (lines * tiles_per_line < static_cast<std::int64_t>(threads)) {
    const std::int64_t fit = tuning.max_tile_bytes / (line_elements_per_tile * bytes);
    threads_per_tile = static_cast<std::size_t>(std::clamp<std::int64_t>(
        std::min(static_cast<std::int64_t>(threads), SharedExtent()), 1, std::max<std::int64_t>(fit, 1)));
  }
  blocks_per_tile = ChooseBlocksPerTile();
  tiles = kept;
  if (blocks_per_tile > 1) {
    const std::size_t last = tiles.extents.rank() - 1;
    tiles.extents[last] = Parts(tiles.extents[last], blocks_per_tile);
    tiles.source_steps[last] *= blocks_per_tile;
    tiles.output_steps[last] *= blocks_per_tile;
  } else {
    Append(tiles, tiles_per_line, line_elements_per_tile * line.source_step,
           line_elements_per_tile * line.output_step);
  }
  tile_count = Product(tiles.extents);
}

// Divides each line into smaller parts if there are few tiles, so that the threads have the same number of
// tiles, each of whole cache lines of the output. Lines of order kRows are divided only if they have
// several tiles anyway: a part of a line is less contiguous memory, while parts of runs are not.
void ReduceSchedule::DivideLines(std::int64_t lines) {
  const std::int64_t all = static_cast<std::int64_t>(threads);
  const std::int64_t tiles_per_line = Parts(line.extent, line_elements_per_tile);
  if (lines * tiles_per_line >= tuning.min_tiles_per_thread * all) return;
  if (order == Order::kRows && tiles_per_line == 1) return;
  std::int64_t parts = tiles_per_line;
  while (lines * parts % all != 0) ++parts;
  const std::int64_t cache_line = kCacheLineBytes / static_cast<std::int64_t>(width);
  const std::int64_t elements = Parts(Parts(line.extent, parts), cache_line) * cache_line;
  if (lines * Parts(line.extent, elements) >= all)
    line_elements_per_tile = std::min(line_elements_per_tile, elements);
}

// As many indices of the last kept loop as make the cost of starting a tile small, where their accumulators
// are contiguous in the output; otherwise 1.
std::int64_t ReduceSchedule::ChooseBlocksPerTile() const {
  if (kept.extents.empty() || threads_per_tile > 1 || is_copy || line_elements_per_tile < line.extent)
    return 1;
  const std::size_t last = kept.extents.rank() - 1;
  const bool dense = kept.output_steps[last] == line.extent && line.output_step == 1;
  if (!dense) return 1;
  // Divided, since elements that overlap can be more than their product has room for. The accumulators are in
  // a buffer if the output is not aligned to them.
  const std::int64_t bytes = static_cast<std::int64_t>(width),
                     lines = tuning.max_accumulator_bytes / bytes / line.extent;
  const std::int64_t fit = (fold_blocks_first ? tuning.max_accumulator_bytes : tuning.max_tile_bytes) /
                           bytes / line.extent / AtLeastOne(run.extent);
  return std::clamp<std::int64_t>(std::min(fit, lines), 1, kept.extents[last]);
}

ReduceSchedule::Loops ReduceSchedule::Source() const {
  Loops all = kept;
  for (std::size_t d = 0; d < reduced.extents.rank(); ++d) {
    Append(all, reduced.extents[d], reduced.source_steps[d], 0);
  }
  if (line.extent != 1) Append(all, line.extent, line.source_step, line.output_step);
  if (run.extent != 1) Append(all, run.extent, run.source_step, 0);
  return all;
}

ReduceSchedule::Loops ReduceSchedule::Output() const {
  Loops all = kept;
  if (line.extent != 1) Append(all, line.extent, line.source_step, line.output_step);
  return all;
}

}  // namespace supremum
