#include "ops/reduce_schedule.h"

#include <utility>

#include "ops/loop_nest.h"
#include "rules/views.h"

namespace supremum {
namespace {

// Runs and lines of fewer bytes are short: the cost of each call outweighs that of its elements. Chosen by
// estimate; no benchmark line yet. Cases: reduce * subset, whose runs are 36 to 12544 bytes.
constexpr std::int64_t kMinLongRunBytes = 512;

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

Result<ReduceSchedule> ReduceSchedule::Make(const TensorView& source, const TensorView& output, AxisSet axes,
                                            bool keepdims) {
  const Shape source_strides = StridesOf(source);
  const bool empty = ElementCount(source.shape) == 0;  // while the output has elements: RED-6
  Shape extents = *Shape::FromSpan(source.shape);
  for (std::size_t d = 0; d < extents.rank(); ++d) {
    // The maximum of one element, repeated by stride 0, is that of the element once.
    if (axes.Has(d) && (empty || source_strides[d] == 0)) extents[d] = 1;
  }
  Result<LoopNest> nest = LoopNest::Make(extents, source_strides, 1);
  if (!nest) return std::move(nest).error();
  nest->SetStrides(0, OutputStepsOverSource(source, output, axes, keepdims));
  nest->Merge();

  ReduceSchedule schedule;
  schedule.source_origin = nest->DrivingOrigin();
  schedule.output_origin = nest->Origin(0);
  const std::size_t none = nest->rank();
  std::size_t run_at = none, line_at = none;
  for (std::size_t d = 0; d < nest->rank(); ++d) (nest->Steps(0)[d] != 0 ? line_at : run_at) = d;
  for (std::size_t d = 0; d < nest->rank(); ++d) {
    const std::int64_t extent = nest->extents()[d], step = nest->DrivingSteps()[d], to = nest->Steps(0)[d];
    if (d == run_at) {
      schedule.run = Inner{extent, step, 0};
    } else if (d == line_at) {
      schedule.line = Inner{extent, step, to};
    } else {
      Append(to != 0 ? schedule.kept : schedule.reduced, extent, step, to);
    }
  }
  if (empty) schedule.run = Inner{0, 0, 0};

  const bool runs_are_closest = run_at != none && (line_at == none || run_at > line_at);
  const Inner& closest = runs_are_closest ? schedule.run : schedule.line;
  const Inner& other = runs_are_closest ? schedule.line : schedule.run;
  const std::int64_t bytes = static_cast<std::int64_t>(ByteWidth(source.dtype));
  const bool contiguous = closest.source_step == 1 && other.source_step == closest.extent;
  // Blocks of order kRows must fit as a whole; those of order kRuns can be divided by runs.
  const bool fits =
      runs_are_closest || closest.extent * other.extent * bytes <= ReduceSchedule::kMaxFoldedBlockBytes;
  schedule.order = runs_are_closest ? Order::kRuns : Order::kRows;
  schedule.fold_blocks_first =
      !schedule.reduced.extents.empty() && contiguous && fits && closest.extent * bytes < kMinLongRunBytes;
  return schedule;
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
