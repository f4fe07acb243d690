// Call overhead, measured on small tensors: Max and ReduceMax in one call, preparing and rebinding a plan.
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "instructions/hot_cases.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum {
namespace {

constexpr DType kType = DType::kFloat32;

bool MeasureMax(Memory& memory, const char* name, const Shape& a, const Shape& b, const Shape& y) {
  const TensorView inputs[] = {{kType, a, {}, memory.x[0]}, {kType, b, {}, memory.x[1]}};
  const MutableTensorView output{kType, y, {}, memory.y};
  bool done = true;
  Measure(name, [&] { done = done && Max(inputs, output); });
  return done;
}

bool MeasureReduceMax(Memory& memory, const char* name, const Shape& source,
                      std::initializer_list<std::int64_t> axes, const Shape& y) {
  ReduceMaxOptions options;
  options.axes = std::span<const std::int64_t>(axes.begin(), axes.size());
  const TensorView x{kType, source, {}, memory.x[0]};
  const MutableTensorView output{kType, y, {}, memory.y};
  bool done = true;
  Measure(name, [&] { done = done && ReduceMax(x, output, options); });
  return done;
}

bool MeasurePreparing(Memory& memory) {
  const Shape all{2, 3, 4, 5}, some{3, 1, 5}, row{64}, kept{2, 4};
  const TensorView inputs[] = {{kType, all, {}, memory.x[0]}, {kType, some, {}, memory.x[1]}};
  const MutableTensorView output{kType, all, {}, memory.y};
  bool done = true;
  Measure("MaxPlan::Prepare, [2,3,4,5] [3,1,5]", [&] { done = done && MaxPlan::Prepare(inputs, output); });
  Result<MaxPlan> plan = MaxPlan::Prepare(inputs, output);
  if (!plan) return false;
  const void* const addresses[] = {memory.x[2], memory.x[3]};
  Measure("MaxPlan::Rebind, [2,3,4,5] [3,1,5]", [&] { done = done && plan->Rebind(addresses, memory.y); });

  const std::vector<TensorView> many(1000, TensorView{kType, row, {}, memory.x[0]});
  const MutableTensorView row_output{kType, row, {}, memory.y};
  Measure("MaxPlan::Prepare, [64] 1000 times", [&] { done = done && MaxPlan::Prepare(many, row_output); });

  const std::int64_t axes[] = {1, 3};
  ReduceMaxOptions options;
  options.axes = axes;
  const MutableTensorView kept_output{kType, kept, {}, memory.y};
  Measure("ReduceMaxPlan::Prepare, [2,3,4,5] over {1,3}",
          [&] { done = done && ReduceMaxPlan::Prepare(inputs[0], kept_output, options); });
  return done;
}

}  // namespace

bool MeasureSmallCalls(Memory& memory) {
  return MeasureMax(memory, "Max in one call, [64] [64]", {64}, {64}, {64}) &&
         MeasureMax(memory, "Max in one call, [32,10] [10]", {32, 10}, {10}, {32, 10}) &&
         MeasureMax(memory, "Max in one call, [32,10] [32,1]", {32, 10}, {32, 1}, {32, 10}) &&
         MeasureMax(memory, "Max in one call, [2,3,4,5] [3,1,5]", {2, 3, 4, 5}, {3, 1, 5}, {2, 3, 4, 5}) &&
         MeasureMax(memory, "Max in one call, [8,16,8,8] [16,1,1]", {8, 16, 8, 8}, {16, 1, 1},
                    {8, 16, 8, 8}) &&
         MeasureMax(memory, "Max in one call, [64,1,3] [1,32,3]", {64, 1, 3}, {1, 32, 3}, {64, 32, 3}) &&
         MeasureReduceMax(memory, "ReduceMax in one call, [64] over {0}", {64}, {0}, {}) &&
         MeasureReduceMax(memory, "ReduceMax in one call, [4,5,6,7] over {1,3}", {4, 5, 6, 7}, {1, 3},
                          {4, 6}) &&
         MeasureReduceMax(memory, "ReduceMax in one call, [4,5,6,7] over {0,2}", {4, 5, 6, 7}, {0, 2},
                          {5, 7}) &&
         MeasurePreparing(memory);
}

}  // namespace supremum
