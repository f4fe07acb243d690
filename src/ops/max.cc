#include "supremum/max.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "core/align.h"
#include "core/out_of_memory.h"
#include "core/overlap.h"
#include "core/walk.h"
#include "kernels/cache_size.h"
#include "kernels/kernels.h"
#include "ops/expand.h"
#include "ops/loop_nest.h"
#include "ops/max_schedule.h"
#include "ops/parallel.h"
#include "ops/prepare.h"
#include "rules/views.h"

namespace supremum {
namespace {

Error OutOfMemory(std::size_t bytes, std::size_t inputs) {
  return AllocationError(bytes, "a plan of " + std::to_string(inputs) + " inputs");
}

OperandNames NamesOf(const MaxOptions& options) { return {options.input_names, options.output_name}; }

// The output leads; each input follows it, with stride 0 where it is broadcast.
Result<LoopNest> NestOf(std::span<const TensorView> inputs, const TensorView& output) {
  Result<LoopNest> nest = LoopNest::Make(output.shape, StridesOf(output), inputs.size());
  if (!nest) return nest;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    nest->SetStrides(m, AlignedStrides(inputs[m], output.shape.size()));
  }
  nest->Merge();
  return nest;
}

template <class Visit>
void ForEachLine(std::size_t blocks, std::size_t lines, Visit visit) {
  for (std::size_t k = 0; k < blocks; ++k) {
    for (std::size_t j = 0; j < lines; ++j)
      visit(static_cast<std::ptrdiff_t>(k), static_cast<std::ptrdiff_t>(j));
  }
}

}  // namespace

struct MaxPlan::State {
  struct Input {
    std::size_t index = 0;           // among the inputs as they were given
    std::optional<Reading> reading;  // where it lies; otherwise it is expanded
    bool has_slot = false;           // what is expanded stays until it is another part of the operand
    std::uint8_t slot = 0;           // where it is expanded
  };

  static constexpr std::size_t kBytesOfAnInput = sizeof(Input) + sizeof(const std::byte*) + sizeof(bool);

  // Where expanded operands lie while a tile is joined, and what is joined of them; on the stack of Run, so
  // that threads share no plan's.
  struct Buffers {
    static constexpr std::uint8_t kSlots = 3;
    struct Slot {
      const std::byte* shows = nullptr;  // what has been expanded here, if it may be used again
      std::int64_t blocks = 0, lines = 0, parts = 0;
      alignas(64) std::array<std::byte, MaxSchedule::kMaxTileBytes + kExpandSlack> bytes;
    };
    alignas(64) std::array<std::byte, MaxSchedule::kMaxTileBytes> joined;
    std::array<Slot, kSlots> slots;
  };

  // A tile of the output: where it begins, as an index of the loops up to the first of a line, and how much
  // it takes of the last three.
  struct Tile {
    DimsView begin;
    std::int64_t blocks, lines, parts;
  };

  std::size_t width = 0;
  bool has_elements = false;
  bool non_temporal = false;  // the output is written to memory directly
  std::size_t threads = 1;    // that share the tiles
  kernels::RowKernels row = {};
  LoopNest nest;
  MaxSchedule schedule;
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
  // Of an operand with these steps.
  std::ptrdiff_t LineStride(DimsView steps) const { return StrideOfLoopBefore(1, steps); }
  std::ptrdiff_t BlockStride(DimsView steps) const { return StrideOfLoopBefore(2, steps); }
  std::ptrdiff_t StrideOfLoopBefore(std::size_t loops, DimsView steps) const {
    return schedule.line >= loops ? Bytes(steps[schedule.line - loops]) : 0;
  }
  kernels::Lines LinesOf(std::size_t m, const Tile& tile, Buffers* buffers) const;
  kernels::Lines Expanded(std::size_t m, const Tile& tile, const std::byte* first, Buffers& buffers) const;
  void RunTile(const Tile& tile, Buffers* buffers) const;
  void CopyLines(const kernels::Lines& x, const kernels::LinesTo& y) const;
  void JoinTogether(std::ptrdiff_t distance, const kernels::LinesTo& like, const kernels::LinesTo& between,
                    const kernels::LinesTo& y) const;
  void RunTiles(std::int64_t begin, std::int64_t end, Buffers* buffers) const;
  void RunTiles(std::int64_t begin, std::int64_t end) const;
};

// Decides how each operand is read, where the output goes, and who does it.
void MaxPlan::State::Arrange(std::size_t threads_wanted) {
  // In double: views of strides that repeat elements may show more of them than there is memory.
  const auto bytes_of = [&](DimsView steps) {
    double bytes = static_cast<double>(width);
    for (std::size_t d = 0; d < steps.size(); ++d) {
      if (steps[d] != 0) bytes *= static_cast<double>(nest.extents()[d]);
    }
    return bytes;
  };
  double bytes = bytes_of(nest.DrivingSteps());
  for (std::size_t m = 0; m < input_count; ++m) bytes += bytes_of(nest.Steps(m));
  threads = ThreadsWorthHaving(threads_wanted, bytes);
  non_temporal = bytes > static_cast<double>(SecondLevelCacheBytes());
  schedule = MaxSchedule::Make(nest, input_count, width);
  non_temporal = non_temporal && schedule.dense;

  // First those that step as the output does, then those that are dense along a line, then those that will be
  // so expanded, then the others: kernels ask for one dense operand of two.
  const auto rank_of = [&](std::size_t m) {
    if (schedule.dense && SameDims(nest.Steps(m), nest.DrivingSteps())) return 0;
    const std::optional<Reading> reading = ReadingOf(nest, m, schedule.line);
    return IsDense(reading) ? 1 : reading ? 3 : 2;
  };
  std::size_t place = 0;
  for (int rank = 0; rank <= 3; ++rank) {
    for (std::size_t m = 0; m < input_count; ++m) {
      if (rank_of(m) == rank) inputs[place++].index = m;
    }
    if (rank == 0) together = place;
  }

  std::uint8_t slots = 0;
  for (std::size_t k = 0; k < input_count; ++k) {
    Input& input = inputs[k];
    input.reading = ReadingOf(nest, input.index, schedule.line);
    if (k == 0 && !IsDense(input.reading)) input.reading.reset();
    if (!input.reading) {
      input.has_slot = slots + 1 < Buffers::kSlots;
      input.slot = input.has_slot ? slots++ : Buffers::kSlots - 1;
    }
  }
  WarmUpThreads(threads);
}

// Checks everything before anything changes, so that a plan that is refused new memory keeps its old one.
template <class DataOf>
Result<void> MaxPlan::State::Bind(DataOf data_of, void* output_data, const OperandNames& names) {
  if (!has_elements) return {};
  const std::int64_t step = static_cast<std::int64_t>(width);
  std::byte* const y_origin = static_cast<std::byte*>(AddressAt(output_data, nest.DrivingOrigin() * step));
  const auto x_origin = [&](std::size_t m) {
    return static_cast<const std::byte*>(AddressAt(data_of(m), nest.Origin(m) * step));
  };
  const StridedMemory y{y_origin, width, nest.extents(), nest.DrivingSteps()};
  if (!RangeOf(y)) return AddressSpaceError(names.Output());
  for (std::size_t m = 0; m < input_count; ++m) {
    if (has_output_layout[m] && data_of(m) == output_data) continue;
    const StridedMemory x{x_origin(m), width, nest.extents(), nest.Steps(m)};
    const Overlap overlap = Overlaps(y, x);
    if (overlap == Overlap::kNone) continue;
    if (!RangeOf(x)) return AddressSpaceError(names.Input(m));
    return SharedMemoryError(names.Output(), names.Input(m), overlap);
  }
  for (std::size_t k = 0; k < input_count; ++k) data[k] = x_origin(inputs[k].index);
  output = y_origin;
  return {};
}

Result<MaxPlan> MaxPlan::Prepare(std::span<const TensorView> inputs, MutableTensorView output,
                                 const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<MaxPlan> {
    const Result<CheckedMax> checked = CheckMax(inputs, &output, options);
    if (!checked) return checked.error();
    return PrepareChecked(*checked, inputs, output, options);
  });
}

Result<MaxPlan> CheckedPlans::Prepare(const CheckedMax& checked, std::span<const TensorView> inputs,
                                      const MutableTensorView& output, const MaxOptions& options) {
  using State = MaxPlan::State;
  return OrOutOfMemory([&]() -> Result<MaxPlan> {
    std::unique_ptr<State> state(new (std::nothrow) State);
    if (state == nullptr) return OutOfMemory(sizeof(State), inputs.size());
    state->width = ByteWidth(checked.dtype);
    state->has_elements = ElementCount(checked.shape) != 0;
    state->row = kernels::ActiveKernels().For(checked.dtype);
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
  });
}

Result<Shape> MaxOutputShape(std::span<const TensorView> inputs, const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<Shape> {
    const Result<CheckedMax> checked = CheckMax(inputs, nullptr, options);
    if (!checked) return checked.error();
    return checked->shape;
  });
}

MaxPlan::MaxPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
MaxPlan::MaxPlan(MaxPlan&&) noexcept = default;
MaxPlan& MaxPlan::operator=(MaxPlan&&) noexcept = default;
MaxPlan::~MaxPlan() = default;

Result<void> MaxPlan::Rebind(std::span<const void* const> inputs, void* output) {
  return OrOutOfMemory([&]() -> Result<void> {
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
  });
}

void MaxPlan::Run() const noexcept {
  if (!state_->has_elements) return;
  const std::size_t units = static_cast<std::size_t>(state_->schedule.units);
  ParallelFor(state_->threads, units, [this](std::size_t begin, std::size_t end) noexcept {
    state_->RunTiles(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  });
}

// From the nest's origin to the first element of a tile, in bytes.
std::ptrdiff_t MaxPlan::State::Distance(DimsView steps, const Tile& tile) const {
  return Bytes(DistanceTo(tile.begin, steps));
}

// Operand m along a tile, as kernels read it.
kernels::Lines MaxPlan::State::LinesOf(std::size_t m, const Tile& tile, Buffers* buffers) const {
  const Input& input = inputs[m];
  const DimsView steps = nest.Steps(input.index);
  const std::byte* const first = data[m] + Distance(steps, tile);
  if (!input.reading) return Expanded(m, tile, first, *buffers);
  return {first, BlockStride(steps), LineStride(steps), input.reading->repeat_count,
          input.reading->backwards};
}

// Operand m expanded, its first element of the tile being `first`; blocks and lines that show the same are
// one.
kernels::Lines MaxPlan::State::Expanded(std::size_t m, const Tile& tile, const std::byte* first,
                                        Buffers& buffers) const {
  const Input& input = inputs[m];
  const DimsView steps = nest.Steps(input.index);
  const std::int64_t blocks = BlockStride(steps) == 0 ? 1 : tile.blocks;
  const std::int64_t lines = LineStride(steps) == 0 ? 1 : tile.lines;
  const std::int64_t length = tile.parts * schedule.part;
  Buffers::Slot& slot = buffers.slots[input.slot];
  const kernels::Lines shown{slot.bytes.data(), blocks == 1 ? 0 : Bytes(lines * length),
                             lines == 1 ? 0 : Bytes(length), 1, false};
  // Of one line, the beginning of a longer part is as good.
  const bool as_many = slot.blocks == blocks && slot.lines == lines && slot.parts == tile.parts;
  const bool one_line = blocks == 1 && lines == 1 && slot.blocks == 1 && slot.lines == 1;
  if (slot.shows == first && (as_many || (one_line && slot.parts > tile.parts))) return shown;

  std::array<std::int64_t, kMaxRank> extents, strides;
  std::size_t rank = 0;
  const auto take = [&](std::int64_t extent, std::int64_t step) {
    extents[rank] = extent;
    strides[rank++] = step;
  };
  if (blocks > 1) take(blocks, steps[schedule.line - 2]);
  if (lines > 1) take(lines, steps[schedule.line - 1]);
  take(tile.parts, steps[schedule.line]);  // without loops an operand is one element, and lies dense
  for (std::size_t d = schedule.line + 1; d < nest.rank(); ++d) take(nest.extents()[d], steps[d]);
  Expand(row, width, first, {extents.data(), rank}, {strides.data(), rank}, slot.bytes.data());
  slot.shows = input.has_slot ? first : nullptr;
  slot.blocks = blocks;
  slot.lines = lines;
  slot.parts = tile.parts;
  return shown;
}

// Joins all operands along a tile. Any order of them gives the same bits (ORD-5). The output is written when
// all has been read, so that it may be one of them (MEM-2).
void MaxPlan::State::RunTile(const Tile& tile, Buffers* buffers) const {
  const std::ptrdiff_t distance = Distance(nest.DrivingSteps(), tile);
  const std::int64_t length = tile.parts * schedule.part;
  const kernels::LinesTo to{output + distance,
                            BlockStride(nest.DrivingSteps()),
                            LineStride(nest.DrivingSteps()),
                            static_cast<std::size_t>(tile.blocks),
                            static_cast<std::size_t>(tile.lines),
                            static_cast<std::size_t>(length),
                            non_temporal};
  if (schedule.dense && input_count == 1 && !non_temporal) return CopyLines(LinesOf(0, tile, buffers), to);
  if (schedule.dense && input_count <= 2) {
    const kernels::Lines first = LinesOf(0, tile, buffers);
    return row.join_lines(first, input_count == 2 ? LinesOf(1, tile, buffers) : first, to);
  }

  const kernels::LinesTo between{
      buffers->joined.data(), Bytes(tile.lines * length), Bytes(length), to.blocks, to.lines, to.n, false};
  const kernels::Lines kept{between.data, between.block_stride, between.line_stride, 1, false};
  const auto target = [&](bool last) -> const kernels::LinesTo& {
    if (last && schedule.dense) return to;
    return between;
  };
  std::size_t m = 1;
  kernels::Lines joined = kept;
  if (together > 2) {
    JoinTogether(distance, to, between, target(together == input_count));
    m = together;
  } else {
    joined = LinesOf(0, tile, buffers);
  }
  for (; m < input_count; ++m) {
    row.join_lines(joined, LinesOf(m, tile, buffers), target(m + 1 == input_count));
    joined = kept;
  }
  if (!schedule.dense) row.copy({joined.data, Bytes(1)}, {to.data, Bytes(nest.DrivingSteps().back())}, to.n);
}

// The first operand, which is dense or has been expanded.
void MaxPlan::State::CopyLines(const kernels::Lines& x, const kernels::LinesTo& y) const {
  ForEachLine(y.blocks, y.lines, [&](std::ptrdiff_t block, std::ptrdiff_t line) {
    row.copy({x.data + block * x.block_stride + line * x.line_stride, Bytes(1)},
             {y.data + block * y.block_stride + line * y.line_stride, Bytes(1)}, y.n);
  });
}

// The operands that step as the output does, at a distance from their origins, into lines of the output or
// of buffers; `between` keeps what is joined of them meanwhile.
void MaxPlan::State::JoinTogether(std::ptrdiff_t distance, const kernels::LinesTo& like,
                                  const kernels::LinesTo& between, const kernels::LinesTo& y) const {
  ForEachLine(y.blocks, y.lines, [&](std::ptrdiff_t block, std::ptrdiff_t line) {
    const auto place = [&](const kernels::LinesTo& of) {
      return block * of.block_stride + line * of.line_stride;
    };
    row.join_many({data.get(), together, distance + place(like)}, between.data + place(between),
                  y.data + place(y), y.n, y.non_temporal);
  });
}

// The tiles `begin` to `end`, counted along the loops up to the first of a line.
void MaxPlan::State::RunTiles(std::int64_t begin, std::int64_t end, Buffers* buffers) const {
  std::array<std::int64_t, kMaxRank> first;  // of a tile, along each loop
  const std::size_t loops = schedule.tile.rank();
  const auto taken = [&](std::size_t before) {
    if (loops < before) return std::int64_t{1};
    const std::size_t d = loops - before;
    return std::min(schedule.tile[d], nest.extents()[d] - first[d]);
  };
  Walk<0> walk(schedule.tiles, {}, begin);
  const DimsView index = walk.index();
  for (std::int64_t unit = begin; unit < end; ++unit, walk.Next()) {
    for (std::size_t d = 0; d < loops; ++d) first[d] = index[d] * schedule.tile[d];
    RunTile({DimsView(first.data(), loops), taken(3), taken(2), taken(1)}, buffers);
  }
  if (non_temporal) kernels::StoreFence();
}

void MaxPlan::State::RunTiles(std::int64_t begin, std::int64_t end) const {
  if (!schedule.needs_buffer) return RunTiles(begin, end, nullptr);
  Buffers buffers;
  RunTiles(begin, end, &buffers);
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
  if (std::uint64_t{n} * width * (inputs.size() + 1) > static_cast<std::uint64_t>(SecondLevelCacheBytes())) {
    return false;
  }
  const std::size_t bytes = n * width;
  if (!FitsAddressSpace(output.data, bytes)) return false;
  std::array<const std::byte*, kMostInputs> data;
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const TensorView& input = inputs[m];
    if (input.dtype != output.dtype || !input.strides.empty() || input.data == nullptr) return false;
    if (!SameDims(input.shape, output.shape)) return false;
    if (!FitsAddressSpace(input.data, bytes)) return false;
    // MEM-2: the very tensor, or apart from it.
    if (input.data != output.data && !Apart(input.data, bytes, output.data, bytes)) return false;
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
    alignas(64) std::array<std::byte, MaxSchedule::kMaxTileBytes> between;
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
  return OrOutOfMemory([&]() -> Result<void> {
    if (DoneAtOnce(inputs, output, options)) return {};
    Result<MaxPlan> plan = MaxPlan::Prepare(inputs, output, options);
    if (!plan) return std::move(plan).error();
    plan->Run();
    return {};
  });
}

}  // namespace supremum
