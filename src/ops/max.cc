#include "supremum/max.h"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "core/overlap.h"
#include "kernels/kernels.h"
#include "ops/loop_nest.h"
#include "ops/max_check.h"
#include "ops/view_check.h"

namespace supremum {
namespace {

// A stretch of the output of this many bytes is finished before the next is begun: it stays in the
// first-level cache while any number of inputs passes.
constexpr std::size_t kTileBytes = 8 * 1024;

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
    const void* data = nullptr;
    bool has_output_layout = false;  // and may therefore be the output itself (MEM-2)
  };

  DType dtype = DType::kFloat32;
  std::size_t width = 0;
  bool has_elements = false;
  kernels::RowKernels row = {};
  LoopNest nest;
  std::size_t input_count = 0;
  std::unique_ptr<Input[]> inputs;
  void* output = nullptr;
  std::size_t first = 0;  // the input that is joined first: the one that is the output, where one is

  template <class DataOf>
  Result<void> Bind(DataOf data_of, void* output_data, const OperandNames& names);

  const std::byte* RowOf(const void* data, std::int64_t origin, DimsView steps, DimsView index) const;
  void RunRow(DimsView outer_index) const;
};

// Checks everything before anything changes, so that a plan that is refused new memory keeps its old one.
template <class DataOf>
Result<void> MaxPlan::State::Bind(DataOf data_of, void* output_data, const OperandNames& names) {
  std::size_t in_place = input_count;
  if (has_elements) {
    const StridedMemory y{
        static_cast<const std::byte*>(output_data) + nest.LeaderOrigin() * static_cast<std::int64_t>(width),
        width, nest.extents(), nest.LeaderSteps()};
    for (std::size_t m = 0; m < input_count; ++m) {
      const void* data = data_of(m);
      if (inputs[m].has_output_layout && data == output_data) {
        in_place = m;
        continue;
      }
      const StridedMemory x{
          static_cast<const std::byte*>(data) + nest.Origin(m) * static_cast<std::int64_t>(width), width,
          nest.extents(), nest.Steps(m)};
      const Overlap overlap = Overlaps(y, x);
      if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(m), overlap);
    }
  }
  for (std::size_t m = 0; m < input_count; ++m) inputs[m].data = data_of(m);
  output = output_data;
  first = in_place < input_count ? in_place : 0;
  return {};
}

Result<MaxPlan> MaxPlan::Prepare(std::span<const TensorView> inputs, MutableTensorView output,
                                 const MaxOptions& options) {
  if (Result<void> ok = CheckMax(inputs, output, options); !ok) return ok.error();

  std::unique_ptr<State> state(new (std::nothrow) State);
  if (state == nullptr) return OutOfMemory(sizeof(State), inputs.size());
  state->dtype = output.dtype;
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
  const LoopNest& nest = state_->nest;
  const std::size_t outer = nest.rank() > 0 ? nest.rank() - 1 : 0;
  std::array<std::int64_t, kMaxRank> index{};
  for (;;) {
    state_->RunRow(DimsView(index.data(), outer));
    std::size_t d = outer;
    while (d > 0 && ++index[d - 1] == nest.extents()[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

// Where an operand's row begins: its origin, moved along the outer dimensions.
const std::byte* MaxPlan::State::RowOf(const void* data, std::int64_t origin, DimsView steps,
                                       DimsView index) const {
  std::int64_t distance = origin;
  for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * steps[d];
  return static_cast<const std::byte*>(data) + distance * static_cast<std::int64_t>(width);
}

// The innermost dimension, a tile at a time. Any order of the inputs gives the same bits (ORD-5); the one
// that is the output goes first, before the output's old elements are gone (MEM-2).
void MaxPlan::State::RunRow(DimsView outer_index) const {
  const bool scalar = nest.rank() == 0;
  const std::size_t last = nest.rank() - 1;
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(width);
  const std::size_t length = scalar ? 1 : static_cast<std::size_t>(nest.extents()[last]);
  const std::size_t tile = kTileBytes / width;

  for (std::size_t begin = 0; begin < length; begin += tile) {
    const std::size_t n = std::min(tile, length - begin);
    const std::ptrdiff_t skip = static_cast<std::ptrdiff_t>(begin);
    const auto input_row = [&](std::size_t m) {
      const DimsView steps = nest.Steps(m);
      const std::ptrdiff_t stride = scalar ? 0 : steps[last] * step;
      return kernels::Row{RowOf(inputs[m].data, nest.Origin(m), steps, outer_index) + skip * stride, stride};
    };
    const std::ptrdiff_t y_stride = scalar ? step : nest.LeaderSteps()[last] * step;
    std::byte* y_data =
        const_cast<std::byte*>(RowOf(output, nest.LeaderOrigin(), nest.LeaderSteps(), outer_index)) +
        skip * y_stride;
    const kernels::MutableRow y{y_data, y_stride};

    kernels::Row joined = input_row(first);
    if (input_count == 1) row.copy(joined, y, n);  // MAX-6
    for (std::size_t m = 0; m < input_count; ++m) {
      if (m == first) continue;
      row.join(joined, input_row(m), y, n);
      joined = y;
    }
  }
}

std::size_t MaxPlan::MemoryBytes() const noexcept {
  return sizeof(State) + state_->input_count * sizeof(State::Input) + state_->nest.MemoryBytes();
}

Result<void> Max(std::span<const TensorView> inputs, MutableTensorView output, const MaxOptions& options) {
  Result<MaxPlan> plan = MaxPlan::Prepare(inputs, output, options);
  if (!plan) return std::move(plan).error();
  plan->Run();
  return {};
}

}  // namespace supremum
