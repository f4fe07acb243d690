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
    std::size_t index = 0;  // among the inputs as they were given
    bool in_place = true;   // read where it lies; otherwise expanded
    bool has_slot = false;  // what is expanded stays until it is another part of the operand
    std::size_t times = 1;  // in place: how often each element is shown along a line
    std::size_t slot = 0;   // expanded: where
  };

  static constexpr std::size_t kBytesOfAnInput = sizeof(Input) + sizeof(const std::byte*) + sizeof(bool);

  // Where expanded operands lie while a tile is joined, and what is joined of them; on the stack of Run, so
  // that threads share no plan's.
  struct Scratch {
    static constexpr std::size_t kSlots = 3;
    struct Slot {
      const std::byte* shows = nullptr;  // what has been expanded here, if it may be used again
      std::int64_t lines = 0, parts = 0;
      alignas(64) std::array<std::byte, MaxRoute::kTileBytes + kExpandSlack> bytes;
    };
    alignas(64) std::array<std::byte, MaxRoute::kTileBytes> joined;
    std::array<Slot, kSlots> slots;
  };

  // A tile of the output: where it begins, as an index of the loops up to the outermost of a line, and how
  // much of the last two it takes.
  struct Tile {
    DimsView begin;
    std::int64_t lines, parts;
  };

  std::size_t width = 0;
  bool has_elements = false;
  bool past_caches = false;  // the output is written to memory directly
  std::size_t threads = 1;   // that share the tiles
  kernels::RowKernels row = {};
  LoopNest nest;
  MaxRoute route;
  std::size_t input_count = 0;
  // Those that step as the output does come first: their tiles lie at the same distance from their origins.
  std::unique_ptr<Input[]> inputs;
  std::unique_ptr<const std::byte*[]> data;   // of `inputs`, at the nest's origin
  std::unique_ptr<bool[]> has_output_layout;  // by index: such an input may be the output itself (MEM-2)
  std::size_t together = 0;                   // how many step as the output does
  std::byte* output = nullptr;                // at the nest's origin

  void Arrange(std::size_t threads_wanted);
  template <class DataOf>
  Result<void> Bind(DataOf data_of, void* output_data, const OperandNames& names);

  std::ptrdiff_t Bytes(std::int64_t elements) const {
    return static_cast<std::ptrdiff_t>(elements) * static_cast<std::ptrdiff_t>(width);
  }
  std::ptrdiff_t Distance(DimsView steps, const Tile& tile) const;
  std::ptrdiff_t LineStride(DimsView steps) const { return route.has_lines ? Bytes(steps[route.outer]) : 0; }
  kernels::Lines LinesOf(std::size_t m, const Tile& tile, Scratch* scratch) const;
  kernels::Lines Expanded(std::size_t m, const Tile& tile, const std::byte* first, Scratch& scratch) const;
  void RunTile(const Tile& tile, Scratch* scratch) const;
  void RunTiles(std::int64_t begin, std::int64_t end, Scratch* scratch) const;
  void RunTiles(std::int64_t begin, std::int64_t end) const;
};

// Decides how each operand is read, where the output goes, and who does it.
void MaxPlan::State::Arrange(std::size_t threads_wanted) {
  route = MaxRoute::Make(nest, input_count, width);
  const std::size_t line = route.LineLoop();
  const auto times_of = [&](std::size_t m) {
    return TimesShown(nest.Steps(m).subspan(line), nest.extents().subspan(line));
  };
  // In double: views of strides that repeat elements may show more of them than there is memory.
  const auto bytes_of = [&](DimsView steps) {
    double bytes = static_cast<double>(width);
    for (std::size_t d = 0; d < steps.size(); ++d) {
      if (steps[d] != 0) bytes *= static_cast<double>(nest.extents()[d]);
    }
    return bytes;
  };

  // First those that step as the output does, then those that are dense along a line, then the others.
  const auto rank_of = [&](std::size_t m) {
    if (route.dense && SameDims(nest.Steps(m), nest.LeaderSteps())) return 0;
    return times_of(m) == 1 ? 1 : 2;
  };
  std::size_t place = 0;
  for (int rank = 0; rank <= 2; ++rank) {
    for (std::size_t m = 0; m < input_count; ++m) {
      if (rank_of(m) == rank) inputs[place++].index = m;
    }
    if (rank == 0) together = place;
  }

  double bytes = bytes_of(nest.LeaderSteps());
  std::size_t slots = 0;
  for (std::size_t k = 0; k < input_count; ++k) {
    Input& input = inputs[k];
    const std::optional<std::size_t> times = times_of(input.index);
    // Kernels ask for one dense operand of two: the first must be.
    input.in_place = times && (*times == 1 || k > 0);
    if (input.in_place) {
      input.times = *times;
    } else {
      input.has_slot = slots + 1 < Scratch::kSlots;
      input.slot = input.has_slot ? slots++ : Scratch::kSlots - 1;
    }
    bytes += bytes_of(nest.Steps(input.index));
  }
  past_caches = route.dense && bytes > static_cast<double>(SecondLevelCacheBytes());
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
    if (has_output_layout[m] && data_of(m) == output_data) continue;
    const Overlap overlap = Overlaps(y, {x_origin(m), width, nest.extents(), nest.Steps(m)});
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(m), overlap);
  }
  for (std::size_t k = 0; k < input_count; ++k) data[k] = x_origin(inputs[k].index);
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
  state->data.reset(new (std::nothrow) const std::byte*[inputs.size()]);
  state->has_output_layout.reset(new (std::nothrow) bool[inputs.size()]);
  if (state->inputs == nullptr || state->data == nullptr || state->has_output_layout == nullptr) {
    return OutOfMemory(inputs.size() * State::kBytesOfAnInput, inputs.size());
  }
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    state->has_output_layout[m] = SameLayout(inputs[m], output);
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
  for (std::size_t d = 0; d < tile.begin.size(); ++d) distance += tile.begin[d] * steps[d];
  return Bytes(distance);
}

// Operand m along a tile, as kernels read it.
kernels::Lines MaxPlan::State::LinesOf(std::size_t m, const Tile& tile, Scratch* scratch) const {
  const Input& input = inputs[m];
  const DimsView steps = nest.Steps(input.index);
  const std::byte* const first = data[m] + Distance(steps, tile);
  if (!input.in_place) return Expanded(m, tile, first, *scratch);
  return {first, LineStride(steps), input.times};
}

// Operand m expanded, its first element of the tile being `first`; one line for all where they are the same.
kernels::Lines MaxPlan::State::Expanded(std::size_t m, const Tile& tile, const std::byte* first,
                                        Scratch& scratch) const {
  const Input& input = inputs[m];
  const DimsView steps = nest.Steps(input.index);
  const bool one_line = !route.has_lines || steps[route.outer] == 0;
  const std::int64_t lines = one_line ? 1 : tile.lines;
  Scratch::Slot& slot = scratch.slots[input.slot];
  const kernels::Lines shown{slot.bytes.data(), one_line ? 0 : Bytes(tile.parts * route.part), 1};
  // Of one line, the beginning of a longer part is as good.
  const bool there =
      slot.lines == lines && (slot.parts == tile.parts || (one_line && slot.parts > tile.parts));
  if (slot.shows == first && there) return shown;

  const std::size_t line = route.LineLoop(), from = one_line ? line : route.outer;
  std::array<std::int64_t, kMaxRank> extents;
  const DimsView whole = nest.extents().subspan(from);
  std::copy(whole.begin(), whole.end(), extents.begin());
  if (!one_line) extents[0] = lines;
  if (!whole.empty()) extents[line - from] = tile.parts;
  Expand(row, width, first, DimsView(extents.data(), whole.size()), steps.subspan(from), slot.bytes.data());
  slot.shows = input.has_slot ? first : nullptr;
  slot.lines = lines;
  slot.parts = tile.parts;
  return shown;
}

// Joins all operands along a tile. Any order of them gives the same bits (ORD-5). The output is written when
// all has been read, so that it may be one of them (MEM-2).
void MaxPlan::State::RunTile(const Tile& tile, Scratch* scratch) const {
  const std::ptrdiff_t distance = Distance(nest.LeaderSteps(), tile);
  const kernels::LinesTo to{output + distance, LineStride(nest.LeaderSteps()),
                            static_cast<std::size_t>(tile.lines),
                            static_cast<std::size_t>(tile.parts * route.part), past_caches};
  if (input_count == 1 && route.dense && !past_caches) {
    const kernels::Lines only = LinesOf(0, tile, scratch);
    for (std::ptrdiff_t j = 0; j < static_cast<std::ptrdiff_t>(to.lines); ++j) {
      row.copy({only.data + j * only.line_stride, Bytes(1)}, {to.data + j * to.line_stride, Bytes(1)}, to.n);
    }
    return;
  }
  if (input_count <= 2 && route.dense) {
    const kernels::Lines first = LinesOf(0, tile, scratch);
    return row.join_lines(first, input_count == 2 ? LinesOf(1, tile, scratch) : first, to);
  }

  const kernels::LinesTo between{scratch->joined.data(), Bytes(tile.parts * route.part), to.lines, to.n,
                                 false};
  const auto target = [&](bool last) { return last && route.dense ? to : between; };
  kernels::Lines joined;
  std::size_t m = 1;
  if (together > 2) {
    const kernels::LinesTo lines = target(together == input_count);
    for (std::size_t j = 0; j < lines.lines; ++j) {
      const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(j);
      row.join_many({data.get(), together, distance + line * to.line_stride},
                    between.data + line * between.line_stride, lines.data + line * lines.line_stride, lines.n,
                    lines.past_caches);
    }
    joined = {between.data, between.line_stride, 1};
    m = together;
  } else {
    joined = LinesOf(0, tile, scratch);
  }
  for (; m < input_count; ++m) {
    row.join_lines(joined, LinesOf(m, tile, scratch), target(m + 1 == input_count));
    joined = {between.data, between.line_stride, 1};
  }
  if (!route.dense) row.copy({joined.data, Bytes(1)}, {to.data, Bytes(nest.LeaderSteps().back())}, to.n);
}

// The tiles `begin` to `end`, counted along the parts of lines, the lines and the outer loops.
void MaxPlan::State::RunTiles(std::int64_t begin, std::int64_t end, Scratch* scratch) const {
  // Of the outer loops, the lines and the parts; of the last two, only those that the nest has.
  std::array<std::int64_t, kMaxRank + 2> index;
  const std::size_t outer = route.outer, line = route.LineLoop();
  const DimsView begun(index.data(), nest.rank() > 0 ? line + 1 : 0);
  std::int64_t rest = begin;
  std::int64_t block_of_parts = rest % route.blocks_of_parts;
  rest /= route.blocks_of_parts;
  std::int64_t block_of_lines = rest % route.blocks_of_lines;
  rest /= route.blocks_of_lines;
  for (std::size_t d = outer; d-- > 0; rest /= nest.extents()[d]) index[d] = rest % nest.extents()[d];
  for (std::int64_t unit = begin; unit < end; ++unit) {
    const std::int64_t first_line = block_of_lines * route.tile_lines;
    const std::int64_t first_part = block_of_parts * route.tile_parts;
    index[outer] = first_line;  // where there are no lines, the next writes over it
    index[line] = first_part;
    RunTile({begun, std::min(route.tile_lines, route.lines - first_line),
             std::min(route.tile_parts, route.parts - first_part)},
            scratch);
    if (++block_of_parts < route.blocks_of_parts) continue;
    block_of_parts = 0;
    if (++block_of_lines < route.blocks_of_lines) continue;
    block_of_lines = 0;
    for (std::size_t d = outer; d-- > 0;) {
      if (++index[d] < nest.extents()[d]) break;
      index[d] = 0;
    }
  }
  if (past_caches) kernels::WaitForMemory();
}

void MaxPlan::State::RunTiles(std::int64_t begin, std::int64_t end) const {
  if (!route.needs_scratch) return RunTiles(begin, end, nullptr);
  Scratch scratch;
  RunTiles(begin, end, &scratch);
}

std::size_t MaxPlan::MemoryBytes() const noexcept {
  return sizeof(State) + state_->input_count * State::kBytesOfAnInput + state_->nest.MemoryBytes();
}

namespace {

// A small Max of dense tensors of one shape, done at once. False if it is anything else, or might be an
// error: then nothing has been done, and a plan finds out.
bool DoneAtOnce(std::span<const TensorView> inputs, const MutableTensorView& output,
                const MaxOptions& options) {
  constexpr std::size_t kMostInputs = 64;
  if (inputs.empty() || inputs.size() > kMostInputs) return false;
  if (!output.strides.empty() || output.data == nullptr) return false;
  if (output.shape.size() > kMaxRank || !Admits(options.version, output.dtype)) return false;
  const std::optional<std::int64_t> count = ElementCount(output.shape);
  if (!count || *count > SecondLevelCacheBytes()) return false;
  const std::size_t n = static_cast<std::size_t>(*count), width = ByteWidth(output.dtype);
  if (n * width * (inputs.size() + 1) > static_cast<std::size_t>(SecondLevelCacheBytes())) return false;
  const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(output.data);
  std::array<const std::byte*, kMostInputs> data;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const TensorView& input = inputs[m];
    if (input.dtype != output.dtype || !input.strides.empty() || input.data == nullptr) return false;
    if (!SameDims(input.shape, output.shape)) return false;
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(input.data);
    // MEM-2: the very tensor, or apart from it.
    if (from != to && from + n * width > to && to + n * width > from) return false;
    data[m] = static_cast<const std::byte*>(input.data);
  }

  const kernels::RowKernels& row = kernels::ActiveKernels().For(output.dtype);
  const std::ptrdiff_t dense = static_cast<std::ptrdiff_t>(width);
  std::byte* const y = static_cast<std::byte*>(output.data);
  if (inputs.size() == 1) {
    row.copy({data[0], dense}, {y, dense}, n);
  } else if (inputs.size() == 2) {
    row.join({data[0], dense}, {data[1], dense}, {y, dense}, n);
  } else {
    alignas(64) std::array<std::byte, MaxRoute::kTileBytes> between;
    const std::size_t tile = between.size() / width;
    for (std::size_t begin = 0; begin < n; begin += tile) {
      row.join_many({data.data(), inputs.size(), static_cast<std::ptrdiff_t>(begin * width)}, between.data(),
                    y + begin * width, std::min(tile, n - begin), false);
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
