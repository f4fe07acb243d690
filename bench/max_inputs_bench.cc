// The time of Max of 1,000 to 1,000,000 inputs of 256 floats each, which is linear in their number (MAX-1).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "supremum/max.h"

namespace {

void MaxOfManyInputs(benchmark::State& state) {
  const std::size_t count = static_cast<std::size_t>(state.range(0));
  const supremum::Shape shape{256};
  std::vector<float> elements(256 * std::size_t{1000});
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i % 1013);
  std::vector<supremum::TensorView> inputs;
  for (std::size_t m = 0; m < count; ++m) {
    inputs.push_back(supremum::TensorView::Of(elements.data() + 256 * (m % 1000), shape));
  }
  std::vector<float> y(256);
  for (auto _ : state) {
    const auto done = supremum::Max(inputs, supremum::MutableTensorView::Of(y.data(), shape));
    if (!done) state.SkipWithError(done.error().message.c_str());
  }
  if (*std::max_element(y.begin(), y.end()) != 1012) state.SkipWithError("the result is wrong");
  state.SetComplexityN(state.range(0));
}
BENCHMARK(MaxOfManyInputs)->RangeMultiplier(10)->Range(1000, 1'000'000)->Complexity(benchmark::oN);

}  // namespace

BENCHMARK_MAIN();
