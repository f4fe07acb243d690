#include "ops/reduce_schedule.h"

#include <utility>

#include "ops/loop_nest.h"
#include "ops/view_check.h"

namespace supremum {
namespace {

// Runs and lines below this many bytes are shorter than what folding them costs to begin and to end.
constexpr std::int64_t kShort = 512;

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

// The steps of the output over the source's dimensions: 0 along the reduced ones.
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

Result<ReduceSchedule> ReduceSchedule::Make(const TensorView& source, const TensorView& output, AxisSet axes,
                                      bool keepdims) {
  const Shape source_strides = StridesOf(source);
  const bool empty = ElementCount(source.shape) == 0;  // and the output is not: RED-6
  Shape extents = *Shape::FromSpan(source.shape);
  for (std::size_t d = 0; d < extents.rank(); ++d) {
    // The same element again and again is that element once.
    if (axes.Has(d) && (empty || source_strides[d] == 0)) extents[d] = 1;
  }
  Result<LoopNest> nest = LoopNest::Make(extents, source_strides, 1);
  if (!nest) return std::move(nest).error();
  nest->Follow(0, OutputStepsOverSource(source, output, axes, keepdims));
  nest->Merge();

  ReduceSchedule route;
  route.source_origin = nest->LeaderOrigin();
  route.output_origin = nest->Origin(0);
  const std::size_t none = nest->rank();
  std::size_t run_at = none, line_at = none;
  for (std::size_t d = 0; d < nest->rank(); ++d) (nest->Steps(0)[d] != 0 ? line_at : run_at) = d;
  for (std::size_t d = 0; d < nest->rank(); ++d) {
    const std::int64_t extent = nest->extents()[d], step = nest->LeaderSteps()[d], to = nest->Steps(0)[d];
    if (d == run_at) {
      route.run = Inner{extent, step, 0};
    } else if (d == line_at) {
      route.line = Inner{extent, step, to};
    } else {
      Append(to != 0 ? route.kept : route.reduced, extent, step, to);
    }
  }
  if (empty) route.run = Inner{0, 0, 0};

  const bool runs_are_closest = run_at != none && (line_at == none || run_at > line_at);
  const Inner& closest = runs_are_closest ? route.run : route.line;
  const Inner& other = runs_are_closest ? route.line : route.run;
  const std::int64_t bytes = static_cast<std::int64_t>(ByteWidth(source.dtype));
  const bool side_by_side = closest.source_step == 1 && other.source_step == closest.extent;
  // Blocks whose lines are closest must fit as a whole; of the others a part can be taken.
  const bool fits = runs_are_closest || closest.extent * other.extent * bytes <= ReduceSchedule::kMaxFoldedBlockBytes;
  route.order = runs_are_closest ? Order::kRuns : Order::kRows;
  route.fold_blocks_first =
      !route.reduced.extents.empty() && side_by_side && fits && closest.extent * bytes < kShort;
  return route;
}

std::int64_t ReduceSchedule::SourceElements() const {
  return Product(kept.extents) * Product(reduced.extents) * line.extent * run.extent;
}

std::int64_t ReduceSchedule::OutputElements() const { return Product(kept.extents) * line.extent; }

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
