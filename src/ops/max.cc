#include "supremum/max.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "core/align.h"
#include "core/out_of_memory.h"
#include "core/overlap.h"
#include "ops/max_direct.h"
#include "ops/max_execute.h"
#include "ops/max_schedule.h"
#include "ops/parallel.h"
#include "ops/prepare.h"
#include "rules/views.h"

namespace supremum {
namespace {

Error OutOfMemory(std::size_t bytes, std::size_t inputs) {
  return AllocationError(bytes, "a plan of " + std::to_string(inputs) + " inputs");
}

}  // namespace

struct MaxPlan::State {
  MaxSchedule schedule;
  MaxBindings bindings;

  template <class DataOf>
  Result<void> Bind(DataOf data_of, void* output_data, const OperandNames& names);

  // True if these are the addresses that Bind has been given last, which then need no check.
  bool IsBound(std::span<const void* const> inputs, const void* output_data) const;
};

bool MaxPlan::State::IsBound(std::span<const void* const> inputs, const void* output_data) const {
  const LoopNest& nest = schedule.nest;
  const std::int64_t step = static_cast<std::int64_t>(schedule.width);
  if (bindings.output != AddressAt(output_data, nest.DrivingOrigin() * step)) return false;
  for (std::size_t k = 0; k < schedule.input_count; ++k) {
    const std::size_t m = schedule.inputs[k].index;
    if (bindings.inputs[k] != AddressAt(inputs[m], nest.Origin(m) * step)) return false;
  }
  return true;
}

// Binds the schedule to data_of(m) for input m and to `output_data`. On an error the bindings are unchanged.
template <class DataOf>
Result<void> MaxPlan::State::Bind(DataOf data_of, void* output_data, const OperandNames& names) {
  if (!schedule.has_elements) return {};
  const LoopNest& nest = schedule.nest;
  const std::int64_t step = static_cast<std::int64_t>(schedule.width);
  std::byte* const y_origin = static_cast<std::byte*>(AddressAt(output_data, nest.DrivingOrigin() * step));
  const auto x_origin = [&](std::size_t m) {
    return static_cast<const std::byte*>(AddressAt(data_of(m), nest.Origin(m) * step));
  };
  const StridedMemory y{y_origin, schedule.width, nest.extents(), nest.DrivingSteps()};
  if (!RangeOf(y)) return AddressSpaceError(names.Output());
  bool in_place = false;
  for (std::size_t m = 0; m < schedule.input_count; ++m) {
    if (schedule.has_output_layout[m] && data_of(m) == output_data) {
      in_place = true;
      continue;
    }
    const StridedMemory x{x_origin(m), schedule.width, nest.extents(), nest.Steps(m)};
    const Overlap overlap = Overlaps(y, x);
    if (overlap == Overlap::kNone) continue;
    if (!RangeOf(x)) return AddressSpaceError(names.Input(m));
    return SharedMemoryError(names.Output(), names.Input(m), overlap);
  }
  for (std::size_t k = 0; k < schedule.input_count; ++k) {
    bindings.inputs[k] = x_origin(schedule.inputs[k].index);
  }
  bindings.output = y_origin;
  bindings.non_temporal = schedule.StreamsTo(y_origin) && !in_place;
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

Result<MaxPlan> PrepareChecked(const CheckedMax& checked, std::span<const TensorView> inputs,
                               const MutableTensorView& output, const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<MaxPlan> {
    const OperandNames names{options.input_names, options.output_name};
    if (ElementCount(checked.shape) != 0) {
      if (auto ok = CheckVisitsOnce(names.Output(), output); !ok) return std::move(ok).error();
    }
    std::unique_ptr<MaxPlan::State> state(new (std::nothrow) MaxPlan::State);
    if (state == nullptr) return OutOfMemory(sizeof(MaxPlan::State), inputs.size());
    if (auto ok = state->schedule.Init(inputs, output, options.threads); !ok) return std::move(ok).error();
    state->bindings.inputs.reset(new (std::nothrow) const std::byte*[inputs.size()]);
    if (state->bindings.inputs == nullptr) {
      return OutOfMemory(inputs.size() * sizeof(const std::byte*), inputs.size());
    }
    auto bound = state->Bind([&](std::size_t m) { return inputs[m].data; }, output.data, names);
    if (!bound) return std::move(bound).error();
    WarmUpThreads(state->schedule.threads);
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
    const MaxSchedule& schedule = state_->schedule;
    if (inputs.size() != schedule.input_count) {
      return MakeError(ErrorCode::kInputCount, "the plan has " + std::to_string(schedule.input_count) +
                                                   " inputs and was given memory for " +
                                                   std::to_string(inputs.size()));
    }
    if (schedule.has_elements) {
      const auto null = std::find(inputs.begin(), inputs.end(), nullptr);
      if (null != inputs.end() || output == nullptr) {
        return MakeError(
            ErrorCode::kInvalidArgument,
            (output == nullptr ? std::string("the output")
                               : OperandNames{}.Input(static_cast<std::size_t>(null - inputs.begin()))) +
                " has elements and no data: its pointer is null");
      }
      if (state_->IsBound(inputs, output)) return {};
    }
    return state_->Bind([&](std::size_t m) { return inputs[m]; }, output, OperandNames{});
  });
}

void MaxPlan::Run() const noexcept { Execute(state_->schedule, state_->bindings); }

std::size_t MaxPlan::MemoryBytes() const noexcept {
  return sizeof(State) + state_->schedule.MemoryBytes() +
         state_->schedule.input_count * sizeof(const std::byte*);
}

Result<void> Max(std::span<const TensorView> inputs, MutableTensorView output, const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<void> {
    if (ComputeMaxDirectly(inputs, output, options)) return {};
    Result<MaxPlan> plan = MaxPlan::Prepare(inputs, output, options);
    if (!plan) return std::move(plan).error();
    plan->Run();
    return {};
  });
}

}  // namespace supremum
