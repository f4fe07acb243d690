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
#include "ops/reduce_execute.h"
#include "ops/reduce_schedule.h"
#include "rules/views.h"

namespace supremum {
namespace {

// The schedule of a ReduceMax and the memory that it is bound to: on the stack of a call, or in a plan.
class BoundReduceMax {
 public:
  // Requires: CheckReduceMax holds; *this is as constructed. On an error *this must not be used.
  Result<void> Init(const CheckedReduceMax& checked, const TensorView& source,
                    const MutableTensorView& output, const ReduceMaxOptions& options);

  // On an error the bindings are unchanged.
  Result<void> Bind(const void* source_data, void* output_data, const OperandNames& names);

  void Run() const noexcept { Execute(schedule_, bindings_); }

  const ReduceSchedule& schedule() const { return schedule_; }

 private:
  ReduceSchedule schedule_;
  ReduceBindings bindings_;
  ByteRange source_range_, output_range_;
};

Result<void> BoundReduceMax::Init(const CheckedReduceMax& checked, const TensorView& source,
                                  const MutableTensorView& output, const ReduceMaxOptions& options) {
  const OperandNames names = NamesOfReduction(options.source_name, options.output_name);
  if (auto ok = CheckVisitsOnce(names, output); !ok) return ok;
  source_range_ = *RangeOfView(source);
  output_range_ = *RangeOfView(output);
  if (auto ok = schedule_.Init(source, output, checked.reduced, checked.keepdims, options.threads); !ok) {
    return ok;
  }
  return Bind(source.data, output.data, names);
}

Result<void> BoundReduceMax::Bind(const void* source_data, void* output_data, const OperandNames& names) {
  if (!schedule_.has_elements) return {};
  const std::int64_t step = static_cast<std::int64_t>(schedule_.width);
  const auto* const x_origin =
      static_cast<const std::byte*>(AddressAt(source_data, schedule_.source_origin * step));
  auto* const y_origin = static_cast<std::byte*>(AddressAt(output_data, schedule_.output_origin * step));
  const bool was_bound = bindings_.output != nullptr;  // and checked
  if (was_bound && bindings_.source == x_origin && bindings_.output == y_origin) return {};
  if (!FitsAddressSpace(output_data, output_range_)) return AddressSpaceError(names.Output());
  if (!FitsAddressSpace(source_data, source_range_)) return AddressSpaceError(names.Input(0));
  const bool in_place = schedule_.has_output_layout && source_data == output_data;
  if (!in_place && !Apart(output_data, output_range_, source_data, source_range_)) {
    const ReduceSchedule::Loops x_loops = schedule_.Source(), y_loops = schedule_.Output();
    const Overlap overlap = Overlaps({y_origin, schedule_.width, y_loops.extents, y_loops.output_steps},
                                     {x_origin, schedule_.width, x_loops.extents, x_loops.source_steps});
    if (overlap != Overlap::kNone) return SharedMemoryError(names.Output(), names.Input(0), overlap);
  }
  bindings_ = {x_origin, y_origin};
  return {};
}

}  // namespace

struct ReduceMaxPlan::State : BoundReduceMax {};

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
    std::unique_ptr<ReduceMaxPlan::State> state(new (std::nothrow) ReduceMaxPlan::State);
    if (state == nullptr) return AllocationError(sizeof(ReduceMaxPlan::State), "a plan");
    if (auto ok = state->Init(checked, source, output, options); !ok) return std::move(ok).error();
    WarmUpThreads(state->schedule().threads);
    return ReduceMaxPlan(std::move(state));
  });
}

ReduceMaxPlan::ReduceMaxPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReduceMaxPlan::ReduceMaxPlan(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan& ReduceMaxPlan::operator=(ReduceMaxPlan&&) noexcept = default;
ReduceMaxPlan::~ReduceMaxPlan() = default;

Result<void> ReduceMaxPlan::Rebind(const void* source, void* output) {
  return OrOutOfMemory([&]() -> Result<void> {
    const ReduceSchedule& schedule = state_->schedule();
    const bool lacks_source = schedule.has_elements && schedule.run.extent != 0 && source == nullptr;
    if (lacks_source || (schedule.has_elements && output == nullptr)) {
      return NullDataError(lacks_source ? "the source" : "the output");
    }
    return state_->Bind(source, output, NamesOfReduction({}, {}));
  });
}

void ReduceMaxPlan::Run() const noexcept { state_->Run(); }

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
    const Result<CheckedReduceMax> checked = CheckReduceMax(source, &output, options);
    if (!checked) return checked.error();
    BoundReduceMax reduction;
    if (auto ok = reduction.Init(*checked, source, output, options); !ok) return ok;
    reduction.Run();
    return {};
  });
}

}  // namespace supremum
