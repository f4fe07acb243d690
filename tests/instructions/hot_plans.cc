// Prepared plans, run once; one thread.
#include <array>
#include <initializer_list>
#include <span>

#include "instructions/hot_cases.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/target.h"

namespace supremum {
namespace {

struct Input {
  Shape shape;
  Shape strides = {};
};

bool RunMax(Memory& memory, const char* name, DType dtype, std::initializer_list<Input> operands,
            const Shape& output) {
  std::array<TensorView, kInputs> inputs;
  std::size_t count = 0;
  for (const Input& operand : operands) {
    inputs[count] = {dtype, operand.shape, operand.strides, memory.x[count]};
    ++count;
  }
  const Result<MaxPlan> plan =
      MaxPlan::Prepare(std::span(inputs).first(count), {dtype, output, {}, memory.y});
  if (plan) Measure(name, [&] { plan->Run(); });
  return static_cast<bool>(plan);
}

bool RunReduceMax(Memory& memory, const char* name, DType dtype, const Shape& source,
                  std::initializer_list<std::int64_t> axes, const Shape& output) {
  ReduceMaxOptions options;
  options.axes = std::span<const std::int64_t>(axes.begin(), axes.size());
  const Result<ReduceMaxPlan> plan =
      ReduceMaxPlan::Prepare({dtype, source, {}, memory.x[0]}, {dtype, output, {}, memory.y}, options);
  if (plan) Measure(name, [&] { plan->Run(); });
  return static_cast<bool>(plan);
}

// The operands exceed all caches that are assumed.
bool RunBeyondTheCaches(Memory& memory) {
  const CacheSizes before = AssumedCaches();
  AssumeCaches(CacheSizes{0, 0});
  const bool done = RunMax(memory, "Max, f32, [64,128] [128], beyond the caches", DType::kFloat32,
                           {{{64, 128}}, {{128}}}, {64, 128});
  AssumeCaches(before);
  return done;
}

}  // namespace

bool MeasurePlans(Memory& memory) {
  constexpr DType f32 = DType::kFloat32, f16 = DType::kFloat16, u8 = DType::kUInt8;
  return RunMax(memory, "Max, f32, [64] twice", f32, {{{64}}, {{64}}}, {64}) &&
         RunMax(memory, "Max, f32, [32,10] [10]", f32, {{{32, 10}}, {{10}}}, {32, 10}) &&
         RunMax(memory, "Max, f16, [4096] 4 times", f16, {{{4096}}, {{4096}}, {{4096}}, {{4096}}}, {4096}) &&
         RunMax(memory, "Max, f32, [64,1] [128]", f32, {{{64, 1}}, {{128}}}, {64, 128}) &&
         RunMax(memory, "Max, f32, [64,1,4] [1,32,4]", f32, {{{64, 1, 4}}, {{1, 32, 4}}}, {64, 32, 4}) &&
         RunMax(memory, "Max, f32, [64,32,3] [64,1,3] [32,1]", f32, {{{64, 32, 3}}, {{64, 1, 3}}, {{32, 1}}},
                {64, 32, 3}) &&
         RunMax(memory, "Max, u8, [8,8,8,8] [8,1,8,1]", u8, {{{8, 8, 8, 8}}, {{8, 1, 8, 1}}}, {8, 8, 8, 8}) &&
         RunMax(memory, "Max, f32, [64,64] transposed, [64,64]", f32, {{{64, 64}, {1, 64}}, {{64, 64}}},
                {64, 64}) &&
         RunBeyondTheCaches(memory) &&
         RunReduceMax(memory, "ReduceMax, f32, [4096] over {0}", f32, {4096}, {0}, {}) &&
         RunReduceMax(memory, "ReduceMax, f32, [2048,2] over {1}", f32, {2048, 2}, {1}, {2048}) &&
         RunReduceMax(memory, "ReduceMax, f16, [8,16,16,4] over {1,2}", f16, {8, 16, 16, 4}, {1, 2},
                      {8, 4}) &&
         RunReduceMax(memory, "ReduceMax, u8, [8,64,32] over {1}", u8, {8, 64, 32}, {1}, {8, 32});
}

}  // namespace supremum
