// As many inputs as memory holds.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using test::Rng;

// Memory is counted here, and time measured by bench/max_inputs_bench.cc. With a cost that grows with the
// square of the number of inputs this test would not end.
// Rules: MAX-1
TEST(MaxMany, AMillionInputsGiveTheOraclesBitsInLinearMemory) {
  const std::size_t most = 1'000'000;
  const Shape shape{2, 3}, row{3};
  Rng rng(5);
  std::vector<std::uint16_t> elements(6 * most);
  // Negative numbers first, so that the last inputs matter, and a NaN in the very last.
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<std::uint16_t>((i < 3 * most ? 0x8000 : 0) | (rng() % 0x7C00));
  }
  elements[6 * (most - 1) + 1] = 0x7C01;
  std::vector<TensorView> views;
  for (std::size_t m = 0; m < most; ++m) {
    views.push_back(
        {DType::kFloat16, m % 2 == 0 ? DimsView(shape) : DimsView(row), {}, elements.data() + 6 * m});
  }
  const auto bytes_of = [&](std::size_t count) {
    std::uint16_t y[6] = {}, expected[6] = {};
    const Result<MaxPlan> plan = MaxPlan::Prepare({views.data(), count}, {DType::kFloat16, shape, {}, y});
    EXPECT_TRUE(plan);
    plan->Run();
    EXPECT_TRUE(reference::Max({views.data(), count}, {DType::kFloat16, shape, {}, expected}));
    EXPECT_EQ(std::memcmp(y, expected, sizeof(y)), 0) << count;
    return plan->MemoryBytes();
  };
  const std::size_t thousand = bytes_of(2000) - bytes_of(1000);
  EXPECT_EQ(bytes_of(most) - bytes_of(1000), thousand * (most / 1000 - 1));
}

}  // namespace
}  // namespace supremum
