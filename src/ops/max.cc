#include "supremum/max.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "core/align.h"
#include "core/out_of_memory.h"
#include "core/overlap.h"
#include "ops/max_dense.h"
#include "ops/max_execute.h"
#include "ops/max_schedule.h"
#include "ops/parallel.h"
#include "ops/prepare.h"
#include "rules/views.h"

namespace supremum {
namespace {

// The schedule of a Max and the memory that it is bound to: on the stack of a call, or in a plan.
class BoundMax {
 public:
  // Requires: CheckMax holds; range_at(m) is RangeOfView of input m, or of the output; *this is as
  // constructed. On an error *this must not be used.
  template <class RangeAt>
  Result<void> Init(std::span<const TensorView> inputs, const MutableTensorView& output,
                    const MaxOptions& options, RangeAt range_at);

  // Binds the schedule to data_of(m) for input m and to `output_data`. On an error the bindings are
  // unchanged.
  template <class DataOf>
  Result<void> Bind(DataOf data_of, void* output_data, const OperandNames& names);

  // True if these are the addresses that Bind has been given last, which then need no check.
  bool IsBound(std::span<const void* const> inputs, const void* output_data) const;

  void Run() const noexcept { Execute(schedule_, bindings_); }

  const MaxSchedule& schedule() const { return schedule_; }
  std::size_t MemoryBytes() const {
    return schedule_.MemoryBytes() + bindings_.inputs.MemoryBytes() + ranges_.MemoryBytes();
  }

 private:
  MaxSchedule schedule_;
  MaxBindings bindings_;
  Few<ByteRange, kFewOperands + 1> ranges_;  // of the inputs by index, then of the output
};

template <class RangeAt>
Result<void> BoundMax::Init(std::span<const TensorView> inputs, const MutableTensorView& output,
                            const MaxOptions& options, RangeAt range_at) {
  const OperandNames names{options.input_names, options.output_name};
  if (auto ok = CheckVisitsOnce(names, output); !ok) return ok;
  if (auto ok = schedule_.Init(inputs, output, options.threads); !ok) return ok;
  if (!schedule_.has_elements) return {};
  if (!bindings_.inputs.Resize(inputs.size()) || !ranges_.Resize(inputs.size() + 1)) {
    return AllocationError((inputs.size() + 1) * sizeof(ByteRange),
                           "a plan of " + std::to_string(inputs.size()) + " inputs");
  }
  for (std::size_t m = 0; m <= inputs.size(); ++m) ranges_[m] = range_at(m);
  return Bind([&](std::size_t m) { return inputs[m].data; }, output.data, names);
}

bool BoundMax::IsBound(std::span<const void* const> inputs, const void* output_data) const {
  const LoopNest& nest = schedule_.nest;
  const std::int64_t step = static_cast<std::int64_t>(schedule_.width);
  if (bindings_.output != AddressAt(output_data, nest.DrivingOrigin() * step)) return false;
  for (std::size_t k = 0; k < schedule_.input_count; ++k) {
    const std::size_t m = schedule_.inputs[k].index;
    if (bindings_.inputs[k] != AddressAt(inputs[m], nest.Origin(m) * step)) return false;
  }
  return true;
}

template <class DataOf>
Result<void> BoundMax::Bind(DataOf data_of, void* output_data, const OperandNames& names) {
  if (!schedule_.has_elements) return {};
  const LoopNest& nest = schedule_.nest;
  const std::int64_t step = static_cast<std::int64_t>(schedule_.width);
  std::byte* const y_origin = static_cast<std::byte*>(AddressAt(output_data, nest.DrivingOrigin() * step));
  const auto x_origin = [&](std::size_t m) {
    return static_cast<const std::byte*>(AddressAt(data_of(m), nest.Origin(m) * step));
  };
  const ByteRange& y_range = ranges_[schedule_.input_count];
  if (!FitsAddressSpace(output_data, y_range)) return AddressSpaceError(names.Output());
  bool in_place = false;
  for (std::size_t m = 0; m < schedule_.input_count; ++m) {
    if (schedule_.has_output_layout[m] && data_of(m) == output_data) {
      in_place = true;
      continue;
    }
    if (!FitsAddressSpace(data_of(m), ranges_[m])) return AddressSpaceError(names.Input(m));
    if (Apart(output_data, y_range, data_of(m), ranges_[m])) continue;
    const Overlap overlap = Overlaps({y_origin, schedule_.width, nest.extents(), nest.DrivingSteps()},
                                     {x_origin(m), schedule_.width, nest.extents(), nest.Steps(m)});
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(m), overlap);
  }
  for (std::size_t k = 0; k < schedule_.input_count; ++k) {
    bindings_.inputs[k] = x_origin(schedule_.inputs[k].index);
  }
  bindings_.output = y_origin;
  bindings_.non_temporal = schedule_.non_temporal && !in_place;
  return {};
}

}  // namespace

struct MaxPlan::State : BoundMax {};

Result<MaxPlan> MaxPlan::Prepare(std::span<const TensorView> inputs, MutableTensorView output,
                                 const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<MaxPlan> {
    const Result<CheckedMax> checked = CheckMax(inputs, &output, options);
    if (!checked) return checked.error();
    return PrepareChecked(*checked, inputs, output, options);
  });
}

Result<MaxPlan> PrepareChecked(const CheckedMax&, std::span<const TensorView> inputs,
                               const MutableTensorView& output, const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<MaxPlan> {
    std::unique_ptr<MaxPlan::State> state(new (std::nothrow) MaxPlan::State);
    if (state == nullptr) {
      return AllocationError(sizeof(MaxPlan::State),
                             "a plan of " + std::to_string(inputs.size()) + " inputs");
    }
    const auto range_at = [&](std::size_t m) {
      return *RangeOfView(m < inputs.size() ? inputs[m] : TensorView(output));
    };
    if (auto ok = state->Init(inputs, output, options, range_at); !ok) return std::move(ok).error();
    WarmUpThreads(state->schedule().threads);
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
    const MaxSchedule& schedule = state_->schedule();
    if (inputs.size() != schedule.input_count) {
      return MakeError(ErrorCode::kInputCount, "the plan has " + std::to_string(schedule.input_count) +
                                                   " inputs and was given memory for " +
                                                   std::to_string(inputs.size()));
    }
    if (schedule.has_elements) {
      const auto null = std::find(inputs.begin(), inputs.end(), nullptr);
      if (null != inputs.end() || output == nullptr) {
        return NullDataError(output == nullptr
                                 ? "the output"
                                 : OperandNames{}.Input(static_cast<std::size_t>(null - inputs.begin())));
      }
      if (state_->IsBound(inputs, output)) return {};
    }
    return state_->Bind([&](std::size_t m) { return inputs[m]; }, output, OperandNames{});
  });
}

void MaxPlan::Run() const noexcept { state_->Run(); }

std::size_t MaxPlan::MemoryBytes() const noexcept { return sizeof(State) + state_->MemoryBytes(); }

Result<void> Max(std::span<const TensorView> inputs, MutableTensorView output, const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<void> {
    const Result<CheckedMax> checked = CheckMax(inputs, &output, options);
    if (!checked) return checked.error();
    if (checked->is_dense && ComputeSmallDense(inputs, output)) return {};
    BoundMax max;
    const auto range_at = [&](std::size_t m) { return checked->ranges[m]; };
    if (auto ok = max.Init(inputs, output, options, range_at); !ok) return ok;
    max.Run();
    return {};
  });
}

}  // namespace supremum
