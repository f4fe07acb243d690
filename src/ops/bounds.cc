#include "supremum/bounds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/operand_errors.h"
#include "core/out_of_memory.h"
#include "core/overlap.h"
#include "ops/enclose.h"
#include "rules/views.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

// The codes of errors are in the order in which errors are reported (docs/semantics.md, section 7): of two
// independent checks, returns the failure that is earlier in that order.
Result<void> Earlier(Result<void> a, Result<void> b) {
  if (!a && (b || a.error().code <= b.error().code)) return a;
  return b;
}

template <class T>
Result<void> Outcome(const Result<T>& result) {
  if (!result) return result.error();
  return {};
}

// The operands of one call, and their names in error texts.
struct Call {
  std::span<const TensorView> values, bounds;
  const BoundedOutput& output;
  OperandNames names;
  std::size_t threads;

  const std::optional<MutableTensorView>& Output(Known known) const {
    return known == Known::kBound ? output.bound : known == Known::kLower ? output.lower : output.upper;
  }
  OperandNames NamesOf(Known known) const {
    OperandNames part = names;
    part.part = PartName(known);
    return part;
  }
};

Result<void> CheckCount(const Call& call) {
  if (call.values.size() == call.bounds.size()) return {};
  return MakeError(ErrorCode::kInputCount, "ACC-2",
                   std::to_string(call.values.size()) + " inputs were given " +
                       std::to_string(call.bounds.size()) +
                       " bounds of their errors; give each input one, a scalar 0 if it is exact");
}

// Checks one output other than the value, by itself. Requires: there is a value.
Result<void> CheckOutput(const Call& call, Known known) {
  const MutableTensorView& output = *call.Output(known);
  const OperandNames names = call.NamesOf(known);
  const Views views({}, &output, names);
  if (Result<void> ok = views.CheckData(); !ok) return ok;
  if (output.dtype != call.values[0].dtype) {
    return TypeMismatchError(names.Output(), Name(output.dtype), call.names.Input(0),
                             Name(call.values[0].dtype));
  }
  if (Result<void> ok = views.CheckRanks(); !ok) return ok;
  if (Result<void> ok = views.CheckExtents(); !ok) return ok;
  if (Result<void> ok = views.CheckReach(); !ok) return ok;
  if (Result<void> ok = CheckOutputShape(names, output.shape, call.output.value.shape); !ok) return ok;
  return CheckVisitsOnce(names, output);
}

Result<void> CheckApart(const TensorView& output, const std::string& output_name, const TensorView& other,
                        const std::string& other_name) {
  const Overlap overlap = OverlapOf(output, other);
  if (overlap == Overlap::kNone) return {};
  return SharedMemoryError(output_name, other_name, overlap,
                           "the result alone may lie where one of the inputs does");
}

// MEM-2, except between the value and the inputs, which the plan of the value has checked. Requires: all
// views have passed their own checks.
Result<void> CheckAllApart(const Call& call) {
  const auto from_inputs = [&](const TensorView& output, const std::string& name, bool is_value) {
    for (std::size_t m = 0; m < call.values.size(); ++m) {
      Result<void> ok = CheckApart(output, name, call.bounds[m], call.NamesOf(Known::kBound).Input(m));
      if (ok && !is_value) ok = CheckApart(output, name, call.values[m], call.names.Input(m));
      if (!ok) return ok;
    }
    return Result<void>();
  };
  if (Result<void> ok = from_inputs(call.output.value, call.names.Output(), true); !ok) return ok;
  for (Known known : kAllKnown) {
    if (!call.Output(known)) continue;
    const TensorView output = *call.Output(known);
    const std::string name = call.NamesOf(known).Output();
    if (Result<void> ok = from_inputs(output, name, false); !ok) return ok;
    if (Result<void> ok = CheckApart(output, name, call.output.value, call.names.Output()); !ok) return ok;
    for (Known other : kAllKnown) {
      if (other <= known || !call.Output(other)) continue;
      Result<void> ok = CheckApart(output, name, *call.Output(other), call.NamesOf(other).Output());
      if (!ok) return ok;
    }
  }
  return {};
}

// All checks but those of the operator itself, whose result is `of_operator`.
Result<void> CheckAll(const Call& call, Result<void> of_operator) {
  Result<void> first = Earlier(std::move(of_operator), CheckCount(call));
  if (call.values.size() == call.bounds.size()) {
    first = Earlier(std::move(first), CheckBounds(call.values, call.bounds, call.names));
  }
  for (Known known : kAllKnown) {
    if (call.Output(known) && !call.values.empty()) {
      first = Earlier(std::move(first), CheckOutput(call, known));
    }
  }
  if (!first) return first;
  if (Result<void> ok = CheckAllApart(call); !ok) return ok;
  return CheckNotNegative(call.bounds, call.names);
}

// Memory for one of the bound, the lower end and the upper end of each input at a time.
struct Workspace {
  std::unique_ptr<Tensor[]> tensors;
  std::unique_ptr<TensorView[]> views;
  std::size_t count = 0;

  std::span<const TensorView> Views() const { return {views.get(), count}; }

  static Result<Workspace> Make(std::span<const TensorView> values) {
    Workspace workspace;
    workspace.count = values.size();
    workspace.tensors.reset(new (std::nothrow) Tensor[values.size()]);
    workspace.views.reset(new (std::nothrow) TensorView[values.size()]);
    if (workspace.tensors == nullptr || workspace.views == nullptr) {
      return AllocationError(values.size() * (sizeof(Tensor) + sizeof(TensorView)),
                             "the intervals of " + std::to_string(values.size()) + " inputs");
    }
    for (std::size_t m = 0; m < values.size(); ++m) {
      Result<Tensor> tensor = Tensor::Create(values[m].dtype, values[m].shape, INT64_MAX);
      if (!tensor) return std::move(tensor).error();
      workspace.tensors[m] = *std::move(tensor);
      workspace.views[m] = workspace.tensors[m].View();
    }
    return workspace;
  }
};

// prepare(inputs, output) returns the operator's plan; prepare_known(known, inputs, output) returns the plan
// for the bounds, lower ends or upper ends of the inputs.
//
// ACC-1: the value is the operator's own result. It is written last, since it may alias an input.
template <class Prepare, class PrepareKnown>
Result<void> Compute(const Call& call, Prepare prepare, PrepareKnown prepare_known) {
  auto value = prepare(call.values, call.output.value);
  if (Result<void> ok = CheckAll(call, Outcome(value)); !ok) return ok;
  Result<Workspace> workspace = Workspace::Make(call.values);
  if (!workspace) return std::move(workspace).error();

  using Plan = typename decltype(value)::value_type;
  std::array<std::optional<Plan>, kAllKnown.size()> plans;
  for (Known known : kAllKnown) {
    if (!call.Output(known)) continue;
    Result<Plan> plan = prepare_known(known, workspace->Views(), *call.Output(known));
    if (!plan) return std::move(plan).error();
    plans[static_cast<std::size_t>(known)] = *std::move(plan);
  }
  for (Known known : kAllKnown) {
    const std::optional<Plan>& plan = plans[static_cast<std::size_t>(known)];
    if (!plan) continue;
    for (std::size_t m = 0; m < call.values.size(); ++m) {
      Enclose(known, call.values[m], call.bounds[m], call.threads, workspace->tensors[m].data());
    }
    plan->Run();
  }
  value->Run();
  return {};
}

}  // namespace

Result<void> MaxWithBounds(std::span<const TensorView> values, std::span<const TensorView> bounds,
                           const BoundedOutput& output, const MaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<void> {
    const Call call{values, bounds, output, {options.input_names, options.output_name}, options.threads};
    const auto prepare = [&](std::span<const TensorView> inputs, const MutableTensorView& to) {
      return MaxPlan::Prepare(inputs, to, options);
    };
    return Compute(call, prepare,
                   [&](Known, std::span<const TensorView> inputs, const MutableTensorView& to) {
                     return prepare(inputs, to);
                   });
  });
}

Result<void> ReduceMaxWithBounds(const TensorView& source, const TensorView& bound,
                                 const BoundedOutput& output, const ReduceMaxOptions& options) {
  return OrOutOfMemory([&]() -> Result<void> {
    const std::string_view source_name = options.source_name;
    OperandNames names;
    if (!source_name.empty()) names.inputs = {&source_name, 1};
    names.output = options.output_name;
    names.one_source = true;
    const Call call{{&source, 1}, {&bound, 1}, output, names, options.threads};
    const auto prepare = [&](std::span<const TensorView> inputs, const MutableTensorView& to) {
      return ReduceMaxPlan::Prepare(inputs[0], to, options);
    };
    // RED-6: the maximum of no elements is exact, and Bottom is not a bound. Zeros are copied instead.
    const std::uint64_t zero = 0;
    const Shape zero_strides = Shape::Filled(std::min(output.value.shape.size(), kMaxRank), 0);
    return Compute(call, prepare,
                   [&](Known known, std::span<const TensorView> inputs, const MutableTensorView& to) {
                     if (known != Known::kBound || ElementCount(source.shape) != 0)
                       return prepare(inputs, to);
                     const TensorView zeros{to.dtype, to.shape, zero_strides, &zero};
                     return ReduceMaxPlan::Prepare(zeros, to, {.axes = std::span<const std::int64_t>()});
                   });
  });
}

}  // namespace supremum
