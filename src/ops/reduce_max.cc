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
#include "ops/parallel.h"
#include "ops/reduce_route.h"
#include "ops/view_check.h"
#include "ops/walk.h"

namespace supremum {
namespace {

// Accumulators stay on the stack, in the first-level cache, until all that belongs to them has been folded.
constexpr std::int64_t kTileBytes = ReduceRoute::kBlockBytes;

// And so do those of all parts together, where threads share one tile.
constexpr std::int64_t kPartsBytes = 32 * 1024;

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

//   for each index of the other kept dimensions, for each tile of the line:       (units, shared by threads)
//     accumulators = bottom
//     for each index of the other reduced dimensions: fold a block into the accumulators
//     output = accumulators
//
// Where there are fewer units than threads, the reduced dimensions are shared instead: each thread folds a
// part, and the parts are joined.
struct ReduceMaxPlan::State {
  // Some of the outermost reduced loop, or of the run where there is none.
  struct Part {
    std::int64_t begin, end;
  };

  std::size_t width = 0;
  kernels::RowKernels row = {};
  bool has_output = false;   // elements
  bool same_layout = false;  // the output may be the source itself (MEM-2)
  bool identity = false;     // nothing is reduced
  ReduceRoute route;
  std::int64_t tile = 1;   // elements of the line in a unit
  std::int64_t tiles = 1;  // units of a line
  std::int64_t units = 1;
  std::size_t threads = 1;
  std::size_t parts = 1;

  const std::byte* source = nullptr;  // at the route's origin
  std::byte* output = nullptr;

  void Arrange(std::size_t threads_wanted);
  Result<void> Bind(const void* source_data, void* output_data, const OperandNames& names);
  std::int64_t PartsExtent() const;
  void FoldBlock(bool fresh, const std::byte* at, std::int64_t n, std::int64_t run, std::byte* acc) const;
  void FoldBlocks(const std::byte* at, std::int64_t n, const Part& part, std::byte* acc) const;
  void Fold(const std::byte* at, std::int64_t n, const Part& part, std::byte* acc) const;
  void RunUnits(std::int64_t begin, std::int64_t end) const;
  void RunUnitInParts(const std::byte* at, std::int64_t n, std::byte* acc) const;
};

// Sizes of tiles, and who does what.
void ReduceMaxPlan::State::Arrange(std::size_t threads_wanted) {
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  tile = kTileBytes / bytes;
  if (route.blocks_first && route.order == ReduceRoute::Order::kRuns) {
    tile = std::max<std::int64_t>(1, tile / route.run.extent);
  }
  tile = std::min(tile, route.line.extent);
  threads = ThreadsWorthHaving(threads_wanted,
                               static_cast<double>(route.SourceElements()) * static_cast<double>(width));
  const std::int64_t lines = route.OutputElements() / route.line.extent;
  if (lines * ((route.line.extent + tile - 1) / tile) < static_cast<std::int64_t>(threads)) {
    const std::int64_t fit = kPartsBytes / (tile * bytes);
    parts = static_cast<std::size_t>(std::clamp<std::int64_t>(
        std::min(static_cast<std::int64_t>(threads), PartsExtent()), 1, std::max<std::int64_t>(fit, 1)));
  }
  tiles = (route.line.extent + tile - 1) / tile;
  units = lines * tiles;
  WarmUpThreads(threads);
}

// Checks everything before anything changes, so that a plan that is refused new memory keeps its old one.
Result<void> ReduceMaxPlan::State::Bind(const void* source_data, void* output_data,
                                        const OperandNames& names) {
  if (!has_output) return {};
  const std::int64_t step = static_cast<std::int64_t>(width);
  const std::byte* const x_origin = static_cast<const std::byte*>(source_data) + route.source_origin * step;
  std::byte* const y_origin = static_cast<std::byte*>(output_data) + route.output_origin * step;
  if (!same_layout || source_data != output_data) {
    const ReduceRoute::Loops x = route.Source(), y = route.Output();
    const Overlap overlap =
        Overlaps({y_origin, width, y.extents, y.output_steps}, {x_origin, width, x.extents, x.source_steps});
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(0), overlap);
  }
  source = x_origin;
  output = y_origin;
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
    Result<ReduceRoute> route = ReduceRoute::Make(source, output, *reduced, options.keepdims);
    if (!route) return std::move(route).error();
    state->route = *std::move(route);
    state->identity = state->route.SourceElements() == state->route.OutputElements();
    state->Arrange(options.threads);
  }
  if (auto ok = state->Bind(source.data, output.data, names); !ok) return std::move(ok).error();
  return ReduceMaxPlan(std::move(state));
}

ReduceMaxPlan::ReduceMaxPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReduceMaxPlan::ReduceMaxPlan(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan& ReduceMaxPlan::operator=(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan::~ReduceMaxPlan() = default;

Result<void> ReduceMaxPlan::Rebind(const void* source, void* output) {
  const bool reads = state_->has_output && state_->route.run.extent != 0;
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
  if (state.parts > 1) return state.RunUnits(0, state.units);
  ParallelFor(state.threads, static_cast<std::size_t>(state.units),
              [&state](std::size_t begin, std::size_t end) noexcept {
                state.RunUnits(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
              });
}

std::int64_t ReduceMaxPlan::State::PartsExtent() const {
  return route.reduced.extents.empty() ? route.run.extent : route.reduced.extents[0];
}

// Folds n lines of a block with runs of `run` elements.
void ReduceMaxPlan::State::FoldBlock(bool fresh, const std::byte* at, std::int64_t n, std::int64_t run,
                                     std::byte* acc) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  const kernels::Block block{at,
                             route.line.source_step * step,
                             route.run.source_step * step,
                             static_cast<std::size_t>(n),
                             static_cast<std::size_t>(run),
                             fresh};
  (route.order == ReduceRoute::Order::kRuns ? row.reduce_runs : row.fold_rows)(block, acc);
}

// Whole blocks of n lines, as rows, into one block, which is then folded itself.
void ReduceMaxPlan::State::FoldBlocks(const std::byte* at, std::int64_t n, const Part& part,
                                      std::byte* acc) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  alignas(64) std::array<std::byte, kTileBytes> wide;
  const std::size_t elements = static_cast<std::size_t>(n * route.run.extent);
  const std::size_t last = route.reduced.extents.rank() - 1;  // these rows are folded at once
  Shape extents = route.reduced.extents, steps = route.reduced.source_steps;
  extents[0] = part.end - part.begin;
  const std::byte* const first = at + part.begin * steps[0] * step;
  const kernels::Block rows{
      nullptr, step, steps[last] * step, elements, static_cast<std::size_t>(extents[last]), false};
  bool fresh = true;
  Walk<1>(DimsView(extents).first(last), {DimsView(steps).first(last)}, [&](const auto& distance) {
    kernels::Block block = rows;
    block.data = first + distance[0] * step;
    block.fresh = std::exchange(fresh, false);
    row.fold_rows(block, wide.data());
  });
  const std::size_t lines = static_cast<std::size_t>(n), run = static_cast<std::size_t>(route.run.extent);
  if (route.order == ReduceRoute::Order::kRuns) {
    row.reduce_runs({wide.data(), route.run.extent * step, step, lines, run, true}, acc);
  } else {
    row.fold_rows({wide.data(), step, n * step, lines, run, true}, acc);
  }
}

// Folds what belongs to n accumulators, or a part of it.
void ReduceMaxPlan::State::Fold(const std::byte* at, std::int64_t n, const Part& part, std::byte* acc) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  if (route.blocks_first) return FoldBlocks(at, n, part, acc);
  if (route.reduced.extents.empty()) {
    return FoldBlock(true, at + part.begin * route.run.source_step * step, n, part.end - part.begin, acc);
  }
  Shape extents = route.reduced.extents;
  extents[0] = part.end - part.begin;
  const std::byte* const first = at + part.begin * route.reduced.source_steps[0] * step;
  bool fresh = true;
  Walk<1>(extents, {route.reduced.source_steps}, [&](const auto& distance) {
    FoldBlock(std::exchange(fresh, false), first + distance[0] * step, n, route.run.extent, acc);
  });
}

// The accumulators of one unit, the reduced dimensions shared by threads.
void ReduceMaxPlan::State::RunUnitInParts(const std::byte* at, std::int64_t n, std::byte* acc) const {
  alignas(64) std::array<std::byte, kPartsBytes> partial;
  const std::size_t bytes = static_cast<std::size_t>(n) * width;
  const std::int64_t extent = PartsExtent(), count = static_cast<std::int64_t>(parts);
  ParallelFor(parts, parts, [&](std::size_t begin, std::size_t end) noexcept {
    for (std::size_t k = begin; k < end; ++k) {
      const std::int64_t i = static_cast<std::int64_t>(k);
      Fold(at, n, Part{extent * i / count, extent * (i + 1) / count}, partial.data() + k * bytes);
    }
  });
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  row.clear(acc, static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < parts; ++k) {
    row.join({acc, dense}, {partial.data() + k * bytes, dense}, {acc, dense}, static_cast<std::size_t>(n));
  }
}

// The units `begin` to `end`, counted along the lines and the other kept dimensions.
void ReduceMaxPlan::State::RunUnits(std::int64_t begin, std::int64_t end) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  alignas(64) std::array<std::byte, kTileBytes> acc;
  for (std::int64_t unit = begin; unit < end; ++unit) {
    const std::int64_t first = unit % tiles * tile;
    const std::int64_t n = std::min(tile, route.line.extent - first);
    std::int64_t from = first * route.line.source_step, to = first * route.line.output_step;
    std::int64_t rest = unit / tiles;
    for (std::size_t d = route.kept.extents.rank(); d-- > 0; rest /= route.kept.extents[d]) {
      from += rest % route.kept.extents[d] * route.kept.source_steps[d];
      to += rest % route.kept.extents[d] * route.kept.output_steps[d];
    }
    const kernels::MutableRow y{output + to * step, route.line.output_step * step};
    const std::size_t count = static_cast<std::size_t>(n);
    if (identity) {
      row.copy({source + from * step, route.line.source_step * step}, y, count);
    } else if (parts > 1) {
      RunUnitInParts(source + from * step, n, acc.data());
      row.copy({acc.data(), step}, y, count);
    } else if (route.line.output_step == 1 || n == 1) {
      Fold(source + from * step, n, Part{0, PartsExtent()}, y.data);
    } else {
      Fold(source + from * step, n, Part{0, PartsExtent()}, acc.data());
      row.copy({acc.data(), step}, y, count);
    }
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
