#include "supremum/reduce_max.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "core/axes.h"
#include "core/out_of_memory.h"
#include "core/overlap.h"
#include "core/walk.h"
#include "kernels/kernels.h"
#include "ops/parallel.h"
#include "ops/prepare.h"
#include "ops/reduce_schedule.h"
#include "rules/views.h"

namespace supremum {
namespace {

// Accumulators stay on the stack, in the first-level cache, until all that belongs to them has been folded.
constexpr std::int64_t kTileBytes = ReduceSchedule::kMaxFoldedBlockBytes;

// What a unit of several blocks reads of each, at most.
constexpr std::int64_t kUnitBytes = 32 * 1024;

// And so do those of all parts together, where threads share one tile.
constexpr std::int64_t kPartsBytes = 32 * 1024;

}  // namespace

//   for each index of the other kept dimensions, for each tile of the line:       (units, shared by threads)
//     accumulators = bottom
//     for each index of the other reduced dimensions: fold a block into the accumulators
//     output = accumulators
//
// Where lines are short and the output is dense, a unit takes several indices of the innermost of the other
// kept dimensions, a block for each.
// Where there are fewer units than threads, the reduced dimensions are shared instead: each thread folds a
// part, and the parts are joined.
struct ReduceMaxPlan::State {
  // Some of the outermost reduced loop, or of the run where there is none.
  struct Part {
    std::int64_t begin, end;
  };
  // n elements of the line, and as many blocks of them, from `at` on.
  struct Unit {
    const std::byte* at;
    std::int64_t n, blocks;

    std::size_t Elements() const { return static_cast<std::size_t>(n * blocks); }
  };

  std::size_t width = 0;
  kernels::RowKernels row = {};
  bool has_output = false;   // elements
  bool same_layout = false;  // the output may be the source itself (MEM-2)
  bool identity = false;     // nothing is reduced
  ReduceSchedule schedule;
  std::int64_t tile = 1;      // elements of the line in a unit
  std::int64_t together = 1;  // indices of the innermost of the other kept dimensions in a unit
  // Units: the other kept dimensions, the last one in steps of `together`, and the line in steps of a tile.
  ReduceSchedule::Loops around;
  std::int64_t units = 1;
  std::size_t threads = 1;
  std::size_t parts = 1;

  const std::byte* source = nullptr;  // at the schedule's origin
  std::byte* output = nullptr;

  void Arrange(std::size_t threads_wanted);
  Result<void> Bind(const void* source_data, void* output_data, const OperandNames& names);
  std::int64_t PartsExtent() const;
  std::int64_t BlocksTogether() const;
  kernels::Block BlockOf(const Unit& unit, std::int64_t run) const;
  template <class Visit>
  void ForEachReduced(const Unit& unit, const Part& part, std::size_t loops, Visit visit) const;
  void FoldWholeBlocks(const Unit& unit, const Part& part, std::byte* acc) const;
  void Fold(const Unit& unit, const Part& part, std::byte* acc) const;
  void RunUnits(std::int64_t begin, std::int64_t end) const;
  void RunUnit(const Unit& unit, const kernels::MutableRow& y) const;
  void RunUnitInParts(const Unit& unit, std::byte* acc) const;
};

// Sizes of tiles, and who does what.
void ReduceMaxPlan::State::Arrange(std::size_t threads_wanted) {
  const std::int64_t bytes = static_cast<std::int64_t>(width);
  tile = kTileBytes / bytes;
  if (schedule.fold_blocks_first && schedule.order == ReduceSchedule::Order::kRuns) {
    tile = std::max<std::int64_t>(1, tile / schedule.run.extent);
  }
  tile = std::min(tile, schedule.line.extent);
  threads = ThreadsWorthHaving(threads_wanted,
                               static_cast<double>(schedule.SourceElements()) * static_cast<double>(width));
  const std::int64_t lines = schedule.OutputElements() / schedule.line.extent;
  if (lines * ((schedule.line.extent + tile - 1) / tile) < static_cast<std::int64_t>(threads)) {
    const std::int64_t fit = kPartsBytes / (tile * bytes);
    parts = static_cast<std::size_t>(std::clamp<std::int64_t>(
        std::min(static_cast<std::int64_t>(threads), PartsExtent()), 1, std::max<std::int64_t>(fit, 1)));
  }
  together = BlocksTogether();
  around = schedule.kept;
  if (together > 1) {
    const std::size_t last = around.extents.rank() - 1;
    around.extents[last] = (around.extents[last] + together - 1) / together;
    around.source_steps[last] *= together;
    around.output_steps[last] *= together;
  } else {
    around.extents.PushBack((schedule.line.extent + tile - 1) / tile);
    around.source_steps.PushBack(tile * schedule.line.source_step);
    around.output_steps.PushBack(tile * schedule.line.output_step);
  }
  units = 1;
  for (std::int64_t extent : around.extents) units *= extent;
  WarmUpThreads(threads);
}

// How many indices of the innermost of the other kept dimensions a unit takes: as many as make it worth its
// beginning, where their accumulators lie side by side in the output.
std::int64_t ReduceMaxPlan::State::BlocksTogether() const {
  if (schedule.kept.extents.empty() || parts > 1 || identity || tile < schedule.line.extent) return 1;
  const std::size_t last = schedule.kept.extents.rank() - 1;
  const bool dense =
      schedule.kept.output_steps[last] == schedule.line.extent && schedule.line.output_step == 1;
  if (!dense) return 1;
  const std::int64_t block = schedule.line.extent * std::max<std::int64_t>(schedule.run.extent, 1) *
                             static_cast<std::int64_t>(width);
  return std::clamp<std::int64_t>((schedule.fold_blocks_first ? kTileBytes : kUnitBytes) / block, 1,
                                  schedule.kept.extents[last]);
}

// Checks everything before anything changes, so that a plan that is refused new memory keeps its old one.
Result<void> ReduceMaxPlan::State::Bind(const void* source_data, void* output_data,
                                        const OperandNames& names) {
  if (!has_output) return {};
  const std::int64_t step = static_cast<std::int64_t>(width);
  const auto* const x_origin =
      static_cast<const std::byte*>(AddressAt(source_data, schedule.source_origin * step));
  auto* const y_origin = static_cast<std::byte*>(AddressAt(output_data, schedule.output_origin * step));
  const ReduceSchedule::Loops x_loops = schedule.Source(), y_loops = schedule.Output();
  const StridedMemory x{x_origin, width, x_loops.extents, x_loops.source_steps};
  const StridedMemory y{y_origin, width, y_loops.extents, y_loops.output_steps};
  if (!RangeOf(y)) return AddressSpaceError(names.Output());
  if (!RangeOf(x)) return AddressSpaceError(names.Input(0));
  if (!same_layout || source_data != output_data) {
    const Overlap overlap = Overlaps(y, x);
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(0), overlap);
  }
  source = x_origin;
  output = y_origin;
  return {};
}

Result<ReduceMaxPlan> ReduceMaxPlan::Prepare(const TensorView& source, MutableTensorView output,
                                             const ReduceMaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<ReduceMaxPlan> {
    const Result<CheckedReduceMax> checked = CheckReduceMax(source, &output, options);
    if (!checked) return checked.error();
    return PrepareChecked(*checked, source, output, options);
  });
}

Result<ReduceMaxPlan> CheckedPlans::Prepare(const CheckedReduceMax& checked, const TensorView& source,
                                            const MutableTensorView& output,
                                            const ReduceMaxOptions& options) {
  using State = ReduceMaxPlan::State;
  return OrOutOfMemory([&]() -> Result<ReduceMaxPlan> {
    const OperandNames names = NamesOfReduction(options.source_name, options.output_name);
    std::unique_ptr<State> state(new (std::nothrow) State);
    if (state == nullptr) {
      return AllocationError(sizeof(State), "a plan");
    }
    state->width = ByteWidth(checked.dtype);
    state->row = kernels::ActiveKernels().For(checked.dtype);
    state->has_output = ElementCount(checked.shape) != 0;
    state->same_layout = SameLayout(source, output);
    if (state->has_output) {
      if (auto ok = CheckVisitsOnce(names.Output(), output); !ok) return std::move(ok).error();
      Result<ReduceSchedule> schedule =
          ReduceSchedule::Make(source, output, checked.reduced, checked.keepdims);
      if (!schedule) return std::move(schedule).error();
      state->schedule = *std::move(schedule);
      state->identity = state->schedule.SourceElements() == state->schedule.OutputElements();
      state->Arrange(options.threads);
    }
    if (auto ok = state->Bind(source.data, output.data, names); !ok) return std::move(ok).error();
    return ReduceMaxPlan(std::move(state));
  });
}

ReduceMaxPlan::ReduceMaxPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReduceMaxPlan::ReduceMaxPlan(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan& ReduceMaxPlan::operator=(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan::~ReduceMaxPlan() = default;

Result<void> ReduceMaxPlan::Rebind(const void* source, void* output) {
  return OrOutOfMemory([&]() -> Result<void> {
    const bool reads = state_->has_output && state_->schedule.run.extent != 0;
    const bool lacks_source = reads && source == nullptr;
    if (lacks_source || (state_->has_output && output == nullptr)) {
      return MakeError(ErrorCode::kInvalidArgument, std::string(lacks_source ? "the source" : "the output") +
                                                        " has elements and no data: its pointer is null");
    }
    return state_->Bind(source, output, NamesOfReduction({}, {}));
  });
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
  return schedule.reduced.extents.empty() ? schedule.run.extent : schedule.reduced.extents[0];
}

// The blocks of a unit with runs of `run` elements.
kernels::Block ReduceMaxPlan::State::BlockOf(const Unit& unit, std::int64_t run) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  kernels::Block block{unit.at,
                       static_cast<std::ptrdiff_t>(schedule.line.source_step) * step,
                       static_cast<std::ptrdiff_t>(schedule.run.source_step) * step,
                       static_cast<std::size_t>(unit.n),
                       static_cast<std::size_t>(run),
                       true};
  if (together > 1) {
    block.blocks = static_cast<std::size_t>(unit.blocks);
    block.block_stride =
        static_cast<std::ptrdiff_t>(schedule.kept.source_steps[schedule.kept.extents.rank() - 1]) * step;
  }
  return block;
}

// visit(place) at each index of the outermost `loops` of the other reduced dimensions, or a part of them.
template <class Visit>
void ReduceMaxPlan::State::ForEachReduced(const Unit& unit, const Part& part, std::size_t loops,
                                          Visit visit) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  if (loops == 0) return visit(unit.at);
  std::array<std::int64_t, kMaxRank> extents;
  std::copy_n(schedule.reduced.extents.begin(), loops, extents.begin());
  extents[0] = part.end - part.begin;
  const DimsView around_blocks(extents.data(), loops),
      steps = DimsView(schedule.reduced.source_steps).first(loops);
  const std::byte* const first = unit.at + part.begin * steps[0] * step;
  Walk<1> walk(around_blocks, {steps});
  do visit(first + walk.offset(0) * step);
  while (walk.Next());
}

// Whole blocks, as rows, into one of each unit's blocks, which are then folded themselves.
void ReduceMaxPlan::State::FoldWholeBlocks(const Unit& unit, const Part& part, std::byte* acc) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  alignas(64) std::array<std::byte, kTileBytes> wide;
  const std::size_t last = schedule.reduced.extents.rank() - 1;  // these rows are folded at once
  kernels::Block block = BlockOf(unit, schedule.run.extent), rows = block;
  rows.kept_stride = step;
  rows.kept = block.kept * block.reduced;
  rows.reduced_stride = static_cast<std::ptrdiff_t>(schedule.reduced.source_steps[last]) * step;
  rows.reduced = static_cast<std::size_t>(last == 0 ? part.end - part.begin : schedule.reduced.extents[last]);
  ForEachReduced(unit, part, last, [&](const std::byte* at) {
    rows.data = at;
    row.fold_rows(rows, wide.data());
    rows.fresh = false;
  });
  block.data = wide.data();
  block.block_stride = static_cast<std::ptrdiff_t>(rows.kept) * step;
  (schedule.order == ReduceSchedule::Order::kRuns ? row.reduce_runs : row.fold_rows)(block, acc);
}

// Folds what belongs to a unit's accumulators, or a part of it.
void ReduceMaxPlan::State::Fold(const Unit& unit, const Part& part, std::byte* acc) const {
  if (schedule.fold_blocks_first) return FoldWholeBlocks(unit, part, acc);
  const bool run_in_parts = schedule.reduced.extents.empty();
  kernels::Block block = BlockOf(unit, run_in_parts ? part.end - part.begin : schedule.run.extent);
  const auto fold = schedule.order == ReduceSchedule::Order::kRuns ? row.reduce_runs : row.fold_rows;
  const std::ptrdiff_t skipped =
      run_in_parts ? static_cast<std::ptrdiff_t>(part.begin) * block.reduced_stride : 0;
  ForEachReduced(unit, part, schedule.reduced.extents.rank(), [&](const std::byte* at) {
    block.data = at + skipped;
    fold(block, acc);
    block.fresh = false;
  });
}

// The accumulators of one unit, the reduced dimensions shared by threads.
void ReduceMaxPlan::State::RunUnitInParts(const Unit& unit, std::byte* acc) const {
  alignas(64) std::array<std::byte, kPartsBytes> partial;
  const std::size_t elements = unit.Elements(), bytes = elements * width;
  const std::int64_t extent = PartsExtent(), count = static_cast<std::int64_t>(parts);
  ParallelFor(parts, parts, [&](std::size_t begin, std::size_t end) noexcept {
    for (std::size_t k = begin; k < end; ++k) {
      const std::int64_t i = static_cast<std::int64_t>(k);
      Fold(unit, Part{extent * i / count, extent * (i + 1) / count}, partial.data() + k * bytes);
    }
  });
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  row.clear(acc, elements);
  for (std::size_t k = 0; k < parts; ++k) {
    row.join({acc, dense}, {partial.data() + k * bytes, dense}, {acc, dense}, elements);
  }
}

// One unit, to its elements of the output.
void ReduceMaxPlan::State::RunUnit(const Unit& unit, const kernels::MutableRow& y) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  if (identity) {
    return row.copy({unit.at, static_cast<std::ptrdiff_t>(schedule.line.source_step) * step}, y,
                    unit.Elements());
  }
  if (parts == 1 && (y.stride == step || unit.Elements() == 1)) {
    return Fold(unit, Part{0, PartsExtent()}, y.data);
  }
  alignas(64) std::array<std::byte, kTileBytes> acc;
  if (parts > 1) {
    RunUnitInParts(unit, acc.data());
  } else {
    Fold(unit, Part{0, PartsExtent()}, acc.data());
  }
  row.copy({acc.data(), step}, y, unit.Elements());
}

// The units `begin` to `end`, counted along the loops around them, the last one fastest.
void ReduceMaxPlan::State::RunUnits(std::int64_t begin, std::int64_t end) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  Walk<2> walk(around.extents, {around.source_steps, around.output_steps}, begin);
  const DimsView index = walk.index();
  for (std::int64_t at = begin; at < end; ++at, walk.Next()) {
    Unit unit{source + walk.offset(0) * step, schedule.line.extent, 1};
    if (together > 1) {
      unit.blocks = std::min(together, schedule.kept.extents[index.size() - 1] - index.back() * together);
    } else {
      unit.n = std::min(tile, schedule.line.extent - index.back() * tile);
    }
    RunUnit(unit,
            {output + walk.offset(1) * step, static_cast<std::ptrdiff_t>(schedule.line.output_step) * step});
  }
}

std::size_t ReduceMaxPlan::MemoryBytes() const noexcept { return sizeof(State); }

Result<Shape> ReduceMaxOutputShape(const TensorView& source, const ReduceMaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<Shape> {
    const Result<CheckedReduceMax> checked = CheckReduceMax(source, nullptr, options);
    if (!checked) return checked.error();
    return checked->shape;
  });
}

namespace {

// A small ReduceMax of a dense tensor whose reduced dimensions are its last or its first ones, done at once.
// False if it is anything else, or might be an error: then nothing has been done, and a plan finds out.
bool DoneAtOnce(const TensorView& source, const MutableTensorView& output, const ReduceMaxOptions& options) {
  constexpr std::size_t kMostBytes = 64 * 1024;
  if (!source.strides.empty() || !output.strides.empty()) return false;
  if (source.data == nullptr || output.data == nullptr || source.dtype != output.dtype) return false;
  if (source.shape.size() > kMaxRank || !Admits(options.version, source.dtype)) return false;
  const std::size_t width = ByteWidth(source.dtype), rank = source.shape.size();
  AxisSet reduced = AxisSet::All(rank);
  if (options.axes) {
    const Result<AxisSet> named = ResolveAxes(options.axes, rank, options.version, options.source_name);
    if (!named) return false;
    reduced = *named;
  }
  // The extents of the reduced dimensions, and of those that are kept before and behind them.
  std::size_t before = 1, run = 1, behind = 1, at = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t extent = source.shape[d];
    if (extent <= 0 || extent > static_cast<std::int64_t>(kMostBytes)) return false;
    const bool reduces = reduced.Has(d);
    if (!reduces || options.keepdims) {
      if (at == output.shape.size() || output.shape[at++] != (reduces ? 1 : extent)) return false;
    }
    if (reduces && behind > 1) return false;
    std::size_t& part = reduces ? run : run > 1 ? behind : before;
    part *= static_cast<std::size_t>(extent);
    // Up to 2^32, which a size_t of 32 bits cannot hold.
    if (std::uint64_t{before} * run * behind * width > kMostBytes) return false;
  }
  if (at != output.shape.size() || (before > 1 && behind > 1)) return false;
  const std::size_t kept = before * behind, bytes = kept * run * width;
  if (kept * width > static_cast<std::size_t>(kTileBytes)) return false;
  if (reinterpret_cast<std::uintptr_t>(output.data) % width != 0) return false;
  if (!FitsAddressSpace(source.data, bytes) || !FitsAddressSpace(output.data, kept * width)) return false;
  if (!Apart(source.data, bytes, output.data, kept * width)) return false;

  const kernels::RowKernels& row = kernels::ActiveKernels().For(source.dtype);
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  kernels::Block block{static_cast<const std::byte*>(source.data), step, step, kept, run, true};
  std::byte* const y = static_cast<std::byte*>(output.data);
  if (run == 1) {
    row.copy({block.data, step}, {y, step}, kept);
  } else if (behind > 1) {
    block.reduced_stride = static_cast<std::ptrdiff_t>(behind) * step;
    row.fold_rows(block, y);
  } else {
    block.kept_stride = static_cast<std::ptrdiff_t>(run) * step;
    row.reduce_runs(block, y);
  }
  return true;
}

}  // namespace

Result<void> ReduceMax(const TensorView& source, MutableTensorView output, const ReduceMaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<void> {
    if (DoneAtOnce(source, output, options)) return {};
    Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(source, output, options);
    if (!plan) return std::move(plan).error();
    plan->Run();
    return {};
  });
}

}  // namespace supremum
