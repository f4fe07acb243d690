#include "supremum/reduce_max.h"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "core/axes.h"
#include "core/operand_errors.h"
#include "core/overlap.h"
#include "kernels/kernels.h"
#include "ops/loop_nest.h"
#include "ops/view_check.h"
#include "ops/walk.h"

namespace supremum {
namespace {

// Accumulators stay on the stack, in the first-level cache, until all that belongs to them has been folded.
constexpr std::size_t kTileBytes = 8 * 1024;

OperandNames NamesOf(const ReduceMaxOptions& options) {
  OperandNames names;
  if (!options.source_name.empty()) names.inputs = {&options.source_name, 1};
  names.output = options.output_name;
  names.one_source = true;
  return names;
}

// From the types to the axes, in the order of docs/semantics.md, section 7.
Result<AxisSet> CheckOperands(const Views& views, const ReduceMaxOptions& options) {
  const TensorView& source = views.inputs()[0];
  if (auto ok = views.CheckOneType(); !ok) return std::move(ok).error();
  if (!Admits(options.version, source.dtype)) {
    return TypeNotAdmittedError(views.names().Input(0), Name(source.dtype), options.version);
  }
  if (auto ok = views.CheckRanks(); !ok) return std::move(ok).error();
  if (auto ok = views.CheckExtents(); !ok) return std::move(ok).error();
  return ResolveAxes(options.axes, source.shape.size(), options.version, options.source_name);
}

// All that can be said without comparing addresses.
Result<AxisSet> CheckReduceMax(const Views& views, const MutableTensorView& output,
                               const ReduceMaxOptions& options) {
  if (auto ok = views.CheckData(); !ok) return std::move(ok).error();
  Result<AxisSet> reduced = CheckOperands(views, options);
  if (!reduced) return reduced;
  if (auto ok = views.CheckReach(); !ok) return std::move(ok).error();
  const Shape computed = ReducedShape(views.inputs()[0].shape, *reduced, options.keepdims);
  if (auto ok = CheckOutputShape(views.names().Output(), output.shape, computed); !ok) {
    return std::move(ok).error();
  }
  return reduced;
}

}  // namespace

// The source's dimensions, merged, in the order of its memory: kept ones (K), along which the output moves
// with the source, and reduced ones (R), along which it stands still. The innermost kept dimension and the
// innermost reduced one are what a primitive folds at once; the others are loops around it:
//
//   for each index of the other kept dimensions, for each tile of the innermost kept one:
//     accumulators = bottom
//     for each index of the other reduced dimensions: fold a block into the accumulators
//     output = accumulators
struct ReduceMaxPlan::State {
  // Loops around the blocks, outermost first; of the reduced ones, output_steps are not used.
  struct Loops {
    Shape extents, source_steps, output_steps;
  };
  // What a block goes through. Extent 1 where there is no such dimension.
  struct Inner {
    std::int64_t extent = 1, source_step = 0, output_step = 0;
  };

  std::size_t width = 0;
  kernels::RowKernels row = {};
  bool has_output = false;   // elements
  bool same_layout = false;  // the output may be the source itself (MEM-2)
  Loops kept, reduced;
  Inner run, line;  // the innermost reduced dimension, and the innermost kept one
  bool runs_are_closest = false;
  std::int64_t source_origin = 0, output_origin = 0;

  const std::byte* source = nullptr;
  std::byte* output = nullptr;

  Result<void> Arrange(const TensorView& from, const TensorView& to, AxisSet axes, bool keepdims);
  Result<void> Bind(const void* source_data, void* output_data, const OperandNames& names);
  StridedMemory SourceMemory(const void* data, Shape& extents, Shape& strides) const;
  StridedMemory OutputMemory(const void* data, Shape& extents, Shape& strides) const;
  void RunLine(std::int64_t source_at, std::int64_t output_at) const;
};

Result<void> ReduceMaxPlan::State::Arrange(const TensorView& from, const TensorView& to, AxisSet axes,
                                           bool keepdims) {
  const std::size_t rank = from.shape.size();
  const Shape source_strides = StridesOf(from), output_strides = StridesOf(to);
  const bool empty = ElementCount(from.shape) == 0;  // and the output is not: RED-6
  Shape extents = *Shape::FromSpan(from.shape);
  Shape output_steps = Shape::Filled(rank, 0);
  std::size_t next = 0;  // dimension of the output
  for (std::size_t d = 0; d < rank; ++d) {
    if (!axes.Has(d)) {
      output_steps[d] = output_strides[next++];
      continue;
    }
    if (keepdims) ++next;
    // The same element again and again is that element once.
    if (empty || source_strides[d] == 0) extents[d] = 1;
  }
  Result<LoopNest> nest = LoopNest::Make(extents, source_strides, 1);
  if (!nest) return std::move(nest).error();
  nest->Follow(0, output_steps);
  nest->Merge();
  source_origin = nest->LeaderOrigin();
  output_origin = nest->Origin(0);

  // Innermost first: the first of each kind is the block's, the others are loops.
  bool has_run = false, has_line = false;
  std::size_t run_at = 0, line_at = 0;
  for (std::size_t d = nest->rank(); d-- > 0;) {
    const bool is_kept = nest->Steps(0)[d] != 0;
    bool& has = is_kept ? has_line : has_run;
    if (has) continue;
    has = true;
    Inner& inner = is_kept ? line : run;
    inner = Inner{nest->extents()[d], nest->LeaderSteps()[d], nest->Steps(0)[d]};
    (is_kept ? line_at : run_at) = d;
  }
  for (std::size_t d = 0; d < nest->rank(); ++d) {
    const bool is_kept = nest->Steps(0)[d] != 0;
    if (d == (is_kept ? line_at : run_at)) continue;
    Loops& loops = is_kept ? kept : reduced;
    loops.extents.PushBack(nest->extents()[d]);
    loops.source_steps.PushBack(nest->LeaderSteps()[d]);
    loops.output_steps.PushBack(nest->Steps(0)[d]);
  }
  if (empty) run = {0, 0, 0};
  runs_are_closest = has_run && (!has_line || run_at > line_at);
  return {};
}

StridedMemory ReduceMaxPlan::State::SourceMemory(const void* data, Shape& extents, Shape& strides) const {
  const auto add = [&](std::int64_t extent, std::int64_t step) {
    extents.PushBack(extent);
    strides.PushBack(step);
  };
  for (const Loops* loops : {&kept, &reduced}) {
    for (std::size_t d = 0; d < loops->extents.rank(); ++d) add(loops->extents[d], loops->source_steps[d]);
  }
  if (line.extent != 1) add(line.extent, line.source_step);
  if (run.extent != 1) add(run.extent, run.source_step);
  return {static_cast<const std::byte*>(data) + source_origin * static_cast<std::int64_t>(width), width,
          extents, strides};
}

StridedMemory ReduceMaxPlan::State::OutputMemory(const void* data, Shape& extents, Shape& strides) const {
  extents = kept.extents;
  strides = kept.output_steps;
  if (line.extent != 1) {
    extents.PushBack(line.extent);
    strides.PushBack(line.output_step);
  }
  return {static_cast<const std::byte*>(data) + output_origin * static_cast<std::int64_t>(width), width,
          extents, strides};
}

// Checks everything before anything changes, so that a plan that is refused new memory keeps its old one.
Result<void> ReduceMaxPlan::State::Bind(const void* source_data, void* output_data,
                                        const OperandNames& names) {
  const bool in_place = same_layout && source_data == output_data;
  if (has_output && !in_place) {
    Shape x_extents, x_strides, y_extents, y_strides;
    const Overlap overlap = Overlaps(OutputMemory(output_data, y_extents, y_strides),
                                     SourceMemory(source_data, x_extents, x_strides));
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(0), overlap);
  }
  source = static_cast<const std::byte*>(source_data);
  output = static_cast<std::byte*>(output_data);
  return {};
}

Result<ReduceMaxPlan> ReduceMaxPlan::Prepare(const TensorView& source, MutableTensorView output,
                                             const ReduceMaxOptions& options) {
  const OperandNames names = NamesOf(options);
  const Result<AxisSet> reduced = CheckReduceMax(Views({&source, 1}, &output, names), output, options);
  if (!reduced) return reduced.error();

  std::unique_ptr<State> state(new (std::nothrow) State);
  if (state == nullptr) {
    return MakeError(ErrorCode::kOutOfMemory,
                     std::to_string(sizeof(State)) + " bytes for a plan are not to be had");
  }
  state->width = ByteWidth(output.dtype);
  state->row = kernels::ActiveKernels().For(output.dtype);
  state->has_output = ElementCount(output.shape) != 0;
  state->same_layout = SameLayout(source, output);
  if (state->has_output) {
    if (auto ok = CheckVisitsOnce(names.Output(), output); !ok) return std::move(ok).error();
    if (auto ok = state->Arrange(source, output, *reduced, options.keepdims); !ok) {
      return std::move(ok).error();
    }
  }
  if (auto ok = state->Bind(source.data, output.data, names); !ok) return std::move(ok).error();
  return ReduceMaxPlan(std::move(state));
}

ReduceMaxPlan::ReduceMaxPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReduceMaxPlan::ReduceMaxPlan(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan& ReduceMaxPlan::operator=(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan::~ReduceMaxPlan() = default;

Result<void> ReduceMaxPlan::Rebind(const void* source, void* output) {
  const bool reads = state_->has_output && state_->run.extent != 0;
  if ((reads && source == nullptr) || (state_->has_output && output == nullptr)) {
    return MakeError(ErrorCode::kInvalidArgument,
                     std::string(reads && source == nullptr ? "the source" : "the output") +
                         " has elements and no data: its pointer is null");
  }
  return state_->Bind(source, output, NamesOf({}));
}

void ReduceMaxPlan::Run() const noexcept {
  const State& state = *state_;
  if (!state.has_output) return;
  Walk<2>(state.kept.extents, {state.kept.source_steps, state.kept.output_steps},
          [&](const auto& at) { state.RunLine(state.source_origin + at[0], state.output_origin + at[1]); });
}

// The innermost kept dimension, a tile at a time; distances in elements.
void ReduceMaxPlan::State::RunLine(std::int64_t source_at, std::int64_t output_at) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  const std::int64_t tile = static_cast<std::int64_t>(kTileBytes / width);
  alignas(64) std::array<std::byte, kTileBytes> accumulators;
  for (std::int64_t begin = 0; begin < line.extent; begin += tile) {
    const std::size_t n = static_cast<std::size_t>(std::min(tile, line.extent - begin));
    row.clear(accumulators.data(), n);
    if (run.extent > 0) {
      const std::int64_t first = source_at + begin * line.source_step;
      Walk<1>(reduced.extents, {reduced.source_steps}, [&](const auto& at) {
        const kernels::Block block{source + (first + at[0]) * step, line.source_step * step,
                                   run.source_step * step, n, static_cast<std::size_t>(run.extent)};
        (runs_are_closest ? row.reduce_runs : row.fold_rows)(block, accumulators.data());
      });
    }
    const std::ptrdiff_t y_stride = line.output_step * step;
    row.copy({accumulators.data(), step}, {output + (output_at + begin * line.output_step) * step, y_stride},
             n);
  }
}

std::size_t ReduceMaxPlan::MemoryBytes() const noexcept { return sizeof(State); }

Result<Shape> ReduceMaxOutputShape(const TensorView& source, const ReduceMaxOptions& options) {
  const Result<AxisSet> reduced = CheckOperands(Views({&source, 1}, nullptr, NamesOf(options)), options);
  if (!reduced) return reduced.error();
  return ReducedShape(source.shape, *reduced, options.keepdims);
}

Result<void> ReduceMax(const TensorView& source, MutableTensorView output, const ReduceMaxOptions& options) {
  Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(source, output, options);
  if (!plan) return std::move(plan).error();
  plan->Run();
  return {};
}

}  // namespace supremum
