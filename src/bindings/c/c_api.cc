#include "supremum/c_api.h"

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bindings/c/dl_operands.h"
#include "bindings/c/options.h"
#include "bindings/c/status.h"
#include "ops/parallel.h"
#include "rules/broadcast.h"
#include "rules/max.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/target.h"

// The types that are opaque in C.
struct supremum_max_plan {
  supremum::MaxPlan plan;
};
struct supremum_reduce_max_plan {
  supremum::ReduceMaxPlan plan;
};

namespace supremum::capi {
namespace {

// Calls use(views of the inputs, view of the output, options) if all descriptions are valid.
template <class Use>
Result<void> WithMax(const DLTensor* const* inputs, std::size_t count, const DLTensor* output,
                     const supremum_options* options, Use use) {
  if (inputs == nullptr && count > 0) return NullError("the list of inputs");
  const Result<MaxOptions> read = MaxOptionsOf(options);
  if (!read) return read.error();
  if (Result<void> ok = CheckInputCount(count); !ok) return ok;
  const DlOperands operands({inputs, count}, output, OperandNames{});
  if (Result<void> ok = operands.Check(); !ok) return ok;
  return use(operands.Inputs(), MutableViewOf(*output), *read);
}

// The same for ReduceMax: use(view of the source, options). A call without an output passes nullopt.
template <class Use>
Result<void> WithReduceMax(const DLTensor* source, const std::int64_t* axes, std::size_t axis_count,
                           int keepdims, std::optional<const DLTensor*> output,
                           const supremum_options* options, Use use) {
  const Result<ReduceMaxOptions> read = ReduceMaxOptionsOf(options, axes, axis_count, keepdims);
  if (!read) return read.error();
  OperandNames names;
  names.one_source = true;
  if (Result<void> ok = DlOperands({&source, 1}, output, names).Check(); !ok) return ok;
  return use(ViewOf(*source), *read);
}

// Passes ownership of a plan to the caller.
template <class Handle, class Plan>
Result<void> HandOver(Result<Plan> prepared, Handle** to) {
  if (!prepared) return std::move(prepared).error();
  *to = new Handle{*std::move(prepared)};
  return {};
}

Result<void> WriteShape(const Result<Shape>& from, std::int64_t* shape, std::int32_t* rank) {
  if (!from) return from.error();
  std::ranges::copy(*from, shape);
  *rank = static_cast<std::int32_t>(from->rank());
  return {};
}

Result<void> CheckShapes(std::span<const std::int64_t* const> shapes, const std::int32_t* ranks) {
  for (std::size_t m = 0; m < shapes.size(); ++m) {
    if (ranks[m] > 0 && shapes[m] == nullptr) return NullError(("the shape of " + InputName({}, m)).c_str());
  }
  for (std::size_t m = 0; m < shapes.size(); ++m) {
    if (ranks[m] < 0 || ranks[m] > SUPREMUM_MAX_RANK) return WrongRankError(InputName({}, m), ranks[m]);
  }
  return {};
}

}  // namespace
}  // namespace supremum::capi

using namespace supremum;
using capi::NullError;
using capi::StatusOf;

supremum_status supremum_max(const DLTensor* const* inputs, size_t count, const DLTensor* output,
                             const supremum_options* options) {
  return StatusOf([&] {
    return capi::WithMax(inputs, count, output, options,
                         [](const auto& x, const auto& y, const auto& read) { return Max(x, y, read); });
  });
}

supremum_status supremum_max_prepare(const DLTensor* const* inputs, size_t count, const DLTensor* output,
                                     const supremum_options* options, supremum_max_plan** plan) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the address for the plan");
    return capi::WithMax(inputs, count, output, options, [&](const auto& x, const auto& y, const auto& read) {
      return capi::HandOver(MaxPlan::Prepare(x, y, read), plan);
    });
  });
}

supremum_status supremum_max_rebind(supremum_max_plan* plan, const void* const* inputs, size_t count,
                                    void* output) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the plan");
    if (inputs == nullptr && count > 0) return NullError("the list of inputs");
    return plan->plan.Rebind({inputs, count}, output);
  });
}

supremum_status supremum_max_run(const supremum_max_plan* plan) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the plan");
    plan->plan.Run();
    return {};
  });
}

size_t supremum_max_memory_bytes(const supremum_max_plan* plan) {
  return plan == nullptr ? 0 : sizeof(*plan) + plan->plan.MemoryBytes();
}

void supremum_max_destroy(supremum_max_plan* plan) { delete plan; }

supremum_status supremum_reduce_max(const DLTensor* source, const int64_t* axes, size_t axis_count,
                                    int keepdims, const DLTensor* output, const supremum_options* options) {
  return StatusOf([&] {
    return capi::WithReduceMax(
        source, axes, axis_count, keepdims, output, options,
        [&](const auto& x, const auto& read) { return ReduceMax(x, capi::MutableViewOf(*output), read); });
  });
}

supremum_status supremum_reduce_max_shape(const DLTensor* source, const int64_t* axes, size_t axis_count,
                                          int keepdims, const supremum_options* options, int64_t* shape,
                                          int32_t* rank) {
  return StatusOf([&]() -> Result<void> {
    if (shape == nullptr || rank == nullptr) return NullError("the address for the shape or for its rank");
    return capi::WithReduceMax(source, axes, axis_count, keepdims, std::nullopt, options,
                               [&](const auto& x, const auto& read) {
                                 return capi::WriteShape(ReduceMaxOutputShape(x, read), shape, rank);
                               });
  });
}

supremum_status supremum_reduce_max_prepare(const DLTensor* source, const int64_t* axes, size_t axis_count,
                                            int keepdims, const DLTensor* output,
                                            const supremum_options* options,
                                            supremum_reduce_max_plan** plan) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the address for the plan");
    return capi::WithReduceMax(
        source, axes, axis_count, keepdims, output, options, [&](const auto& x, const auto& read) {
          return capi::HandOver(ReduceMaxPlan::Prepare(x, capi::MutableViewOf(*output), read), plan);
        });
  });
}

supremum_status supremum_reduce_max_rebind(supremum_reduce_max_plan* plan, const void* source, void* output) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the plan");
    return plan->plan.Rebind(source, output);
  });
}

supremum_status supremum_reduce_max_run(const supremum_reduce_max_plan* plan) {
  return StatusOf([&]() -> Result<void> {
    if (plan == nullptr) return NullError("the plan");
    plan->plan.Run();
    return {};
  });
}

size_t supremum_reduce_max_memory_bytes(const supremum_reduce_max_plan* plan) {
  return plan == nullptr ? 0 : sizeof(*plan) + plan->plan.MemoryBytes();
}

void supremum_reduce_max_destroy(supremum_reduce_max_plan* plan) { delete plan; }

supremum_status supremum_broadcast_shapes(const int64_t* const* shapes, const int32_t* ranks, size_t count,
                                          int64_t* shape, int32_t* rank) {
  return StatusOf([&]() -> Result<void> {
    if (shape == nullptr || rank == nullptr) return NullError("the address for the shape or for its rank");
    if ((shapes == nullptr || ranks == nullptr) && count > 0)
      return NullError("the list of shapes or of ranks");
    if (Result<void> ok = CheckInputCount(count); !ok) return ok;
    if (Result<void> ok = capi::CheckShapes({shapes, count}, ranks); !ok) return ok;
    const auto shape_at = [&](std::size_t m) {
      return DimsView(shapes[m], static_cast<std::size_t>(ranks[m]));
    };
    return capi::WriteShape(BroadcastAll(count, shape_at, {}), shape, rank);
  });
}

const char* supremum_version(void) { return SUPREMUM_VERSION; }

// The names of targets are string literals, which end with a zero byte.
const char* supremum_target(void) { return ActiveTarget().data(); }

supremum_status supremum_use_target(const char* name) {
  return StatusOf([&]() -> Result<void> {
    if (name == nullptr) return NullError("the name of the target");
    return UseTarget(name);
  });
}

size_t supremum_threads(void) { return ThreadCount(0); }
