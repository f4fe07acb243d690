#include "supremum/reduce_max.h"

#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "core/axes.h"
#include "core/out_of_memory.h"
#include "core/overlap.h"
#include "ops/parallel.h"
#include "ops/prepare.h"
#include "ops/reduce_direct.h"
#include "ops/reduce_execute.h"
#include "ops/reduce_schedule.h"
#include "rules/views.h"

namespace supremum {
struct ReduceMaxPlan::State {
  ReduceSchedule schedule;
  ReduceBindings bindings;

  Result<void> Bind(const void* source_data, void* output_data, const OperandNames& names);
};

// On an error the bindings are unchanged.
Result<void> ReduceMaxPlan::State::Bind(const void* source_data, void* output_data,
                                        const OperandNames& names) {
  if (!schedule.has_elements) return {};
  const std::int64_t step = static_cast<std::int64_t>(schedule.width);
  const auto* const x_origin =
      static_cast<const std::byte*>(AddressAt(source_data, schedule.source_origin * step));
  auto* const y_origin = static_cast<std::byte*>(AddressAt(output_data, schedule.output_origin * step));
  const bool was_bound = bindings.output != nullptr;  // and checked
  if (was_bound && bindings.source == x_origin && bindings.output == y_origin) return {};
  const ReduceSchedule::Loops x_loops = schedule.Source(), y_loops = schedule.Output();
  const StridedMemory x{x_origin, schedule.width, x_loops.extents, x_loops.source_steps};
  const StridedMemory y{y_origin, schedule.width, y_loops.extents, y_loops.output_steps};
  if (!RangeOf(y)) return AddressSpaceError(names.Output());
  if (!RangeOf(x)) return AddressSpaceError(names.Input(0));
  if (!schedule.has_output_layout || source_data != output_data) {
    const Overlap overlap = Overlaps(y, x);
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(0), overlap);
  }
  bindings = {x_origin, y_origin};
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

Result<ReduceMaxPlan> PrepareChecked(const CheckedReduceMax& checked, const TensorView& source,
                                     const MutableTensorView& output, const ReduceMaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<ReduceMaxPlan> {
    const OperandNames names = NamesOfReduction(options.source_name, options.output_name);
    if (ElementCount(checked.shape) != 0) {
      if (auto ok = CheckVisitsOnce(names.Output(), output); !ok) return std::move(ok).error();
    }
    std::unique_ptr<ReduceMaxPlan::State> state(new (std::nothrow) ReduceMaxPlan::State);
    if (state == nullptr) return AllocationError(sizeof(ReduceMaxPlan::State), "a plan");
    ReduceSchedule& schedule = state->schedule;
    if (auto ok = schedule.Init(source, output, checked.reduced, checked.keepdims, options.threads); !ok) {
      return std::move(ok).error();
    }
    if (auto ok = state->Bind(source.data, output.data, names); !ok) return std::move(ok).error();
    WarmUpThreads(schedule.threads);
    return ReduceMaxPlan(std::move(state));
  });
}

ReduceMaxPlan::ReduceMaxPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReduceMaxPlan::ReduceMaxPlan(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan& ReduceMaxPlan::operator=(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan::~ReduceMaxPlan() = default;

Result<void> ReduceMaxPlan::Rebind(const void* source, void* output) {
  return OrOutOfMemory([&]() -> Result<void> {
    const ReduceSchedule& schedule = state_->schedule;
    const bool lacks_source = schedule.has_elements && schedule.run.extent != 0 && source == nullptr;
    if (lacks_source || (schedule.has_elements && output == nullptr)) {
      return MakeError(ErrorCode::kInvalidArgument, std::string(lacks_source ? "the source" : "the output") +
                                                        " has elements and no data: its pointer is null");
    }
    return state_->Bind(source, output, NamesOfReduction({}, {}));
  });
}

void ReduceMaxPlan::Run() const noexcept { Execute(state_->schedule, state_->bindings); }

std::size_t ReduceMaxPlan::MemoryBytes() const noexcept { return sizeof(State); }

Result<Shape> ReduceMaxOutputShape(const TensorView& source, const ReduceMaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<Shape> {
    const Result<CheckedReduceMax> checked = CheckReduceMax(source, nullptr, options);
    if (!checked) return checked.error();
    return checked->shape;
  });
}

Result<void> ReduceMax(const TensorView& source, MutableTensorView output, const ReduceMaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<void> {
    if (ComputeReduceMaxDirectly(source, output, options)) return {};
    Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(source, output, options);
    if (!plan) return std::move(plan).error();
    plan->Run();
    return {};
  });
}

}  // namespace supremum
