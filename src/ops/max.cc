#include "supremum/max.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "core/overlap.h"
#include "kernels/cache_size.h"
#include "kernels/kernels.h"
#include "ops/expand.h"
#include "ops/loop_nest.h"
#include "ops/max_check.h"
#include "ops/max_route.h"
#include "ops/parallel.h"
#include "ops/view_check.h"

namespace supremum {
namespace {

Error OutOfMemory(std::size_t bytes, std::size_t inputs) {
  return MakeError(ErrorCode::kOutOfMemory, std::to_string(bytes) + " bytes for a plan of " +
                                                std::to_string(inputs) + " inputs are not to be had");
}

OperandNames NamesOf(const MaxOptions& options) { return {options.input_names, options.output_name}; }

// The output leads; each input follows it, standing still where it is broadcast.
Result<LoopNest> NestOf(std::span<const TensorView> inputs, const TensorView& output) {
  Result<LoopNest> nest = LoopNest::Make(output.shape, StridesOf(output), inputs.size());
  if (!nest) return nest;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const Shape strides = StridesOf(inputs[m]);
    const std::size_t missing = output.shape.size() - inputs[m].shape.size();  // BRO-1
    Shape steps = Shape::Filled(output.shape.size(), 0);
    for (std::size_t d = 0; d < strides.rank(); ++d) {
      // BRO-5: a coordinate whose extent is 1, or that is missing, is always 0.
      if (inputs[m].shape[d] != 1) steps[missing + d] = strides[d];
    }
    nest->Follow(m, steps);
  }
  nest->Merge();
  return nest;
}

}  // namespace

struct MaxPlan::State {
  struct Input {
    const std::byte* data = nullptr;  // at the nest's origin
    bool has_output_layout = false;   // and may therefore be the output itself (MEM-2)
    RowKind kind = RowKind::kDense;
    bool repeats = false;  // all tiles of a row show the same elements
  };

  // Where expanded operands lie while a tile is joined; on the stack of Run, so that threads share no plan's.
  struct Scratch {
    static constexpr std::size_t kSlots = 3;
    struct Slot {
      const std::byte* shows = nullptr;  // what has been expanded here, if it may be used again
      std::int64_t lines = 0;
      alignas(64) std::array<std::byte, MaxRoute::kTileBytes + kExpandSlack> bytes;
    };
    alignas(64) std::array<std::byte, MaxRoute::kTileBytes> joined;
    std::array<Slot, kSlots> slots;
  };

  // A tile of the output: its row, as an index of the outer loops, and its lines.
  struct Tile {
    DimsView row;
    std::int64_t first_line;
    std::int64_t lines;
  };

  std::size_t width = 0;
  bool has_elements = false;
  bool past_caches = false;  // the output is written to memory directly
  std::size_t threads = 1;   // that share the tiles
  kernels::RowKernels row = {};
  LoopNest nest;
  MaxRoute route;
  std::size_t input_count = 0;
  std::unique_ptr<Input[]> inputs;
  std::byte* output = nullptr;  // at the nest's origin

  void Arrange(std::size_t threads_wanted);
  template <class DataOf>
  Result<void> Bind(DataOf data_of, void* output_data, const OperandNames& names);

  std::ptrdiff_t Distance(DimsView steps, const Tile& tile) const;
  kernels::Row RowOf(std::size_t m, const Tile& tile, Scratch& scratch) const;
  void RunTile(const Tile& tile, Scratch& scratch) const;
  void RunTiles(std::int64_t begin, std::int64_t end) const;
};

// Decides how each operand is read, where the output goes, and who does it.
void MaxPlan::State::Arrange(std::size_t threads_wanted) {
  route = MaxRoute::Make(nest, width);
  const DimsView extents = nest.extents().subspan(route.outer);
  std::int64_t bytes = 0;
  for (std::size_t m = 0; m < input_count; ++m) {
    const DimsView steps = nest.Steps(m);
    inputs[m].kind = KindOf(steps.subspan(route.outer), extents);
    inputs[m].repeats = route.inner > 0 && steps[route.outer] == 0;
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < steps.size(); ++d) elements *= steps[d] == 0 ? 1 : nest.extents()[d];
    bytes += elements * static_cast<std::int64_t>(width);
  }
  std::int64_t elements = 1;
  for (std::int64_t extent : nest.extents()) elements *= extent;
  bytes += elements * static_cast<std::int64_t>(width);
  past_caches = route.dense && bytes > SecondLevelCacheBytes();
  threads = ThreadsWorthHaving(threads_wanted, bytes);
  WarmUpThreads(threads);
}

// Checks everything before anything changes, so that a plan that is refused new memory keeps its old one.
template <class DataOf>
Result<void> MaxPlan::State::Bind(DataOf data_of, void* output_data, const OperandNames& names) {
  if (!has_elements) return {};
  const std::int64_t step = static_cast<std::int64_t>(width);
  std::byte* const y_origin = static_cast<std::byte*>(output_data) + nest.LeaderOrigin() * step;
  const auto x_origin = [&](std::size_t m) {
    return static_cast<const std::byte*>(data_of(m)) + nest.Origin(m) * step;
  };
  const StridedMemory y{y_origin, width, nest.extents(), nest.LeaderSteps()};
  for (std::size_t m = 0; m < input_count; ++m) {
    if (inputs[m].has_output_layout && data_of(m) == output_data) continue;
    const Overlap overlap = Overlaps(y, {x_origin(m), width, nest.extents(), nest.Steps(m)});
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(m), overlap);
  }
  for (std::size_t m = 0; m < input_count; ++m) inputs[m].data = x_origin(m);
  output = y_origin;
  return {};
}

Result<MaxPlan> MaxPlan::Prepare(std::span<const TensorView> inputs, MutableTensorView output,
                                 const MaxOptions& options) {
  if (Result<void> ok = CheckMax(inputs, output, options); !ok) return ok.error();

  std::unique_ptr<State> state(new (std::nothrow) State);
  if (state == nullptr) return OutOfMemory(sizeof(State), inputs.size());
  state->width = ByteWidth(output.dtype);
  state->has_elements = ElementCount(output.shape) != 0;
  state->row = kernels::ActiveKernels().For(output.dtype);
  state->input_count = inputs.size();
  state->inputs.reset(new (std::nothrow) State::Input[inputs.size()]);
  if (state->inputs == nullptr) return OutOfMemory(inputs.size() * sizeof(State::Input), inputs.size());
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    state->inputs[m].has_output_layout = SameLayout(inputs[m], output);
  }
  if (state->has_elements) {
    if (auto ok = CheckVisitsOnce(NamesOf(options).Output(), output); !ok) return std::move(ok).error();
    Result<LoopNest> nest = NestOf(inputs, output);
    if (!nest) return std::move(nest).error();
    state->nest = *std::move(nest);
    state->Arrange(options.threads);
  }
  Result<void> bound =
      state->Bind([&](std::size_t m) { return inputs[m].data; }, output.data, NamesOf(options));
  if (!bound) return std::move(bound).error();
  return MaxPlan(std::move(state));
}

MaxPlan::MaxPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
MaxPlan::MaxPlan(MaxPlan&&) noexcept = default;
MaxPlan& MaxPlan::operator=(MaxPlan&&) noexcept = default;
MaxPlan::~MaxPlan() = default;

Result<void> MaxPlan::Rebind(std::span<const void* const> inputs, void* output) {
  if (inputs.size() != state_->input_count) {
    return MakeError(ErrorCode::kInputCount, "the plan has " + std::to_string(state_->input_count) +
                                                 " inputs and was given memory for " +
                                                 std::to_string(inputs.size()));
  }
  if (state_->has_elements) {
    const auto null = std::find(inputs.begin(), inputs.end(), nullptr);
    if (null != inputs.end() || output == nullptr) {
      return MakeError(
          ErrorCode::kInvalidArgument,
          (output == nullptr ? std::string("the output")
                             : OperandNames{}.Input(static_cast<std::size_t>(null - inputs.begin()))) +
              " has elements and no data: its pointer is null");
    }
  }
  return state_->Bind([&](std::size_t m) { return inputs[m]; }, output, OperandNames{});
}

void MaxPlan::Run() const noexcept {
  if (!state_->has_elements) return;
  const std::size_t units = static_cast<std::size_t>(state_->route.units);
  ParallelFor(state_->threads, units, [this](std::size_t begin, std::size_t end) noexcept {
    state_->RunTiles(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  });
}

// From the nest's origin to the first element of a tile, in bytes.
std::ptrdiff_t MaxPlan::State::Distance(DimsView steps, const Tile& tile) const {
  std::int64_t distance = 0;
  for (std::size_t d = 0; d < tile.row.size(); ++d) distance += tile.row[d] * steps[d];
  if (route.inner > 0) distance += tile.first_line * steps[route.outer];
  return distance * static_cast<std::int64_t>(width);
}

// Operand m along a tile: dense or a scalar.
kernels::Row MaxPlan::State::RowOf(std::size_t m, const Tile& tile, Scratch& scratch) const {
  const Input& input = inputs[m];
  const DimsView steps = nest.Steps(m);
  const std::byte* const first = input.data + Distance(steps, tile);
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  if (input.kind == RowKind::kDense) return {first, dense};
  if (input.kind == RowKind::kScalar) return {first, 0};

  // What repeats has a slot of its own, as long as there are some, and is expanded anew only when it moves.
  Scratch::Slot& slot = scratch.slots[std::min(m, Scratch::kSlots - 1)];
  const bool reusable = input.repeats && m + 1 < Scratch::kSlots;
  if (!reusable || slot.shows != first || slot.lines < tile.lines) {
    Shape extents = *Shape::FromSpan(nest.extents().subspan(route.outer));
    extents[0] = tile.lines;
    Expand(row, width, first, extents, steps.subspan(route.outer), slot.bytes.data());
    slot.shows = reusable ? first : nullptr;
    slot.lines = tile.lines;
  }
  return {slot.bytes.data(), dense};
}

// Joins all operands along a tile. Any order of them gives the same bits (ORD-5). The output is written when
// all has been read, so that it may be one of them (MEM-2).
void MaxPlan::State::RunTile(const Tile& tile, Scratch& scratch) const {
  const std::size_t n = static_cast<std::size_t>(tile.lines * route.line);
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  std::byte* const to = output + Distance(nest.LeaderSteps(), tile);

  kernels::Row joined = RowOf(0, tile, scratch);
  const kernels::MutableRow between{scratch.joined.data(), dense};
  const std::size_t last = input_count - 1;
  for (std::size_t m = 1; m < last; ++m) {
    row.join(joined, RowOf(m, tile, scratch), between, n);
    joined = between;
  }
  const kernels::Row final = last == 0 ? joined : RowOf(last, tile, scratch);
  if (past_caches) return row.join_past_caches(joined, final, to, n);
  if (route.dense)
    return last == 0 ? row.copy(joined, {to, dense}, n) : row.join(joined, final, {to, dense}, n);
  if (last > 0) {
    row.join(joined, final, between, n);
    joined = between;
  }
  row.copy(joined, {to, route.inner == 0 ? dense : nest.LeaderSteps()[route.outer] * dense}, n);
}

// The tiles `begin` to `end`, counted along the rows and the outer loops.
void MaxPlan::State::RunTiles(std::int64_t begin, std::int64_t end) const {
  Scratch scratch;
  const DimsView outer = nest.extents().first(route.outer);
  std::array<std::int64_t, kMaxRank> index;
  std::int64_t tile_of_row = begin % route.tiles, rest = begin / route.tiles;
  for (std::size_t d = outer.size(); d-- > 0; rest /= outer[d]) index[d] = rest % outer[d];
  for (std::int64_t unit = begin; unit < end; ++unit) {
    const std::int64_t first_line = tile_of_row * route.tile;
    RunTile(
        {DimsView(index.data(), outer.size()), first_line, std::min(route.tile, route.lines - first_line)},
        scratch);
    if (++tile_of_row < route.tiles) continue;
    tile_of_row = 0;
    for (std::size_t d = outer.size(); d-- > 0;) {
      if (++index[d] < outer[d]) break;
      index[d] = 0;
    }
  }
  if (past_caches) kernels::WaitForMemory();
}

std::size_t MaxPlan::MemoryBytes() const noexcept {
  return sizeof(State) + state_->input_count * sizeof(State::Input) + state_->nest.MemoryBytes();
}

namespace {

// A small Max of dense tensors of one shape, done at once. False if it is anything else, or might be an
// error: then nothing has been done, and a plan finds out.
bool DoneAtOnce(std::span<const TensorView> inputs, const MutableTensorView& output,
                const MaxOptions& options) {
  if (inputs.empty() || !output.strides.empty() || output.data == nullptr) return false;
  if (output.shape.size() > kMaxRank || !Admits(options.version, output.dtype)) return false;
  const std::optional<std::int64_t> count = ElementCount(output.shape);
  if (!count || *count > SecondLevelCacheBytes()) return false;
  const std::size_t n = static_cast<std::size_t>(*count), width = ByteWidth(output.dtype);
  if (n * width * (inputs.size() + 1) > static_cast<std::size_t>(SecondLevelCacheBytes())) return false;
  const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(output.data);
  for (const TensorView& input : inputs) {
    if (input.dtype != output.dtype || !input.strides.empty() || input.data == nullptr) return false;
    if (!SameDims(input.shape, output.shape)) return false;
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(input.data);
    // MEM-2: the very tensor, or apart from it.
    if (from != to && from + n * width > to && to + n * width > from) return false;
  }

  const kernels::RowKernels& row = kernels::ActiveKernels().For(output.dtype);
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  alignas(64) std::array<std::byte, MaxRoute::kTileBytes> between;
  const std::size_t tile = between.size() / width;
  for (std::size_t begin = 0; begin < n; begin += tile) {
    const std::size_t length = std::min(tile, n - begin);
    const auto at = [&](const void* data) {
      return kernels::Row{static_cast<const std::byte*>(data) + begin * width, dense};
    };
    const kernels::MutableRow y{static_cast<std::byte*>(output.data) + begin * width, dense};
    kernels::Row joined = at(inputs[0].data);
    if (inputs.size() == 1) row.copy(joined, y, length);
    for (std::size_t m = 1; m < inputs.size(); ++m) {
      const kernels::MutableRow into =
          m + 1 == inputs.size() ? y : kernels::MutableRow{between.data(), dense};
      row.join(joined, at(inputs[m].data), into, length);
      joined = into;
    }
  }
  return true;
}

}  // namespace

Result<void> Max(std::span<const TensorView> inputs, MutableTensorView output, const MaxOptions& options) {
  if (DoneAtOnce(inputs, output, options)) return {};
  Result<MaxPlan> plan = MaxPlan::Prepare(inputs, output, options);
  if (!plan) return std::move(plan).error();
  plan->Run();
  return {};
}

}  // namespace supremum
