// Runs a call (calls.h) by the C++ interface, at once or by a plan.
#ifndef SUPREMUM_TESTS_SUPPORT_RUN_CALL_H_
#define SUPREMUM_TESTS_SUPPORT_RUN_CALL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/calls.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum::test {

/// Runs `call` for these operands. A plan that is bound again is prepared for operands `away` bytes further,
/// where there need be no memory.
inline Result<void> RunCall(const Call& call, const std::vector<TensorView>& sources,
                            const MutableTensorView& output, std::size_t away = std::size_t{1} << 24) {
  const auto run = [&](auto at_once, auto prepare, auto rebind) -> Result<void> {
    if (call.way == Way::kCall) return at_once();
    std::vector<TensorView> views = sources;
    MutableTensorView to = output;
    const auto moved = [&](const void* data) {
      return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) +
                                     (call.way == Way::kRebind ? away : 0));
    };
    for (TensorView& view : views) view.data = moved(view.data);
    to.data = moved(to.data);
    auto plan = prepare(views, to);
    if (!plan) return plan.error();
    if (call.way == Way::kRebind) {
      if (Result<void> bound = rebind(*plan); !bound) return bound;
    }
    plan->Run();
    return {};
  };
  if (call.axes) {
    ReduceMaxOptions options;
    options.axes = *call.axes;
    options.keepdims = call.keepdims;
    options.threads = call.threads;
    return run([&] { return ReduceMax(sources[0], output, options); },
               [&](const std::vector<TensorView>& views, const MutableTensorView& to) {
                 return ReduceMaxPlan::Prepare(views[0], to, options);
               },
               [&](ReduceMaxPlan& plan) { return plan.Rebind(sources[0].data, output.data); });
  }
  MaxOptions options;
  options.threads = call.threads;
  return run([&] { return Max(sources, output, options); },
             [&](const std::vector<TensorView>& views, const MutableTensorView& to) {
               return MaxPlan::Prepare(views, to, options);
             },
             [&](MaxPlan& plan) {
               std::vector<const void*> data;
               for (const TensorView& source : sources) data.push_back(source.data);
               return plan.Rebind(data, output.data);
             });
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_RUN_CALL_H_
