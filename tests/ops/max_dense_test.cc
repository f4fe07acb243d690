// Max of dense tensors of one shape, called without a plan: small and large, apart and in place.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/cache_size.h"
#include "support/errors.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

class MaxDense : public testing::TestWithParam<DType> {
 protected:
  // Elements between guards, at an odd address.
  std::vector<std::byte> Random(test::Rng& rng, std::size_t n) {
    const std::size_t width = ByteWidth(GetParam());
    std::vector<std::byte> bytes(kBefore + n * width + 64, std::byte{0xA5});
    const std::vector<std::uint64_t> special = test::SpecialBits(GetParam());
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t bits = test::RandomBits(rng, GetParam(), special);
      std::memcpy(bytes.data() + kBefore + i * width, &bits, width);
    }
    return bytes;
  }
  static constexpr std::size_t kBefore = 33;
};

INSTANTIATE_TEST_SUITE_P(AllTypes, MaxDense, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: MAX-2, MAX-6, MEM-2, ORD-5
TEST_P(MaxDense, EqualsTheOracleForAnyNumberOfInputsApartAndInPlace) {
  test::Rng rng(21);
  for (std::size_t n : {1u, 2u, 15u, 64u, 1000u, 9000u, 700'000u}) {
    for (std::size_t inputs : {1u, 2u, 3u, 5u}) {
      if (n > 10'000 && inputs > 2) continue;
      const Shape shape{static_cast<std::int64_t>(n)};
      std::vector<std::vector<std::byte>> memory;
      std::vector<TensorView> views;
      for (std::size_t m = 0; m < inputs; ++m) memory.push_back(Random(rng, n));
      for (auto& bytes : memory) views.push_back({GetParam(), shape, {}, bytes.data() + kBefore});
      std::vector<std::byte> output = Random(rng, n), expected = output;
      ASSERT_TRUE(reference::Max(views, {GetParam(), shape, {}, expected.data() + kBefore}));
      ASSERT_TRUE(Max(views, {GetParam(), shape, {}, output.data() + kBefore}));
      ASSERT_EQ(output, expected) << inputs << " inputs of " << n;
      for (std::size_t m = 0; m < inputs; ++m) {
        const std::vector<std::byte> before = memory[m];
        ASSERT_TRUE(Max(views, {GetParam(), shape, {}, memory[m].data() + kBefore}));
        ASSERT_TRUE(std::equal(memory[m].begin() + kBefore, memory[m].end() - 64, expected.begin() + kBefore))
            << "in place of input " << m;
        memory[m] = before;
        views[m].data = memory[m].data() + kBefore;
      }
    }
  }
}

// Rules: MEM-2
TEST_P(MaxDense, AnInputThatIsPartlyTheOutputIsRefused) {
  test::Rng rng(22);
  std::vector<std::byte> memory = Random(rng, 40);
  const std::vector<std::byte> before = memory;
  const std::size_t width = ByteWidth(GetParam());
  const Shape shape{20};
  const TensorView input{GetParam(), shape, {}, memory.data() + kBefore};
  for (std::size_t distance : {std::size_t{1}, width, 19 * width, 20 * width - 1}) {
    test::ExpectError(Max({input}, {GetParam(), shape, {}, memory.data() + kBefore + distance}),
                      ErrorCode::kOverlap);
    EXPECT_EQ(memory, before);
  }
  EXPECT_TRUE(Max({input}, {GetParam(), shape, {}, memory.data() + kBefore + 20 * width}));
}

// Rules: MAX-1, MAX-2
TEST_P(MaxDense, EqualsTheOracleForMoreInputsThanAreJoinedAtOnce) {
  test::Rng rng(23);
  const Shape shape{70};
  for (std::size_t inputs : {64u, 65u, 200u}) {
    std::vector<std::vector<std::byte>> memory;
    std::vector<TensorView> views;
    for (std::size_t m = 0; m < inputs; ++m) memory.push_back(Random(rng, 70));
    for (auto& bytes : memory) views.push_back({GetParam(), shape, {}, bytes.data() + kBefore});
    std::vector<std::byte> output = Random(rng, 70), expected = output;
    ASSERT_TRUE(reference::Max(views, {GetParam(), shape, {}, expected.data() + kBefore}));
    ASSERT_TRUE(Max(views, {GetParam(), shape, {}, output.data() + kBefore}));
    ASSERT_EQ(output, expected) << inputs;
  }
}

// Rules: MAX-2
TEST(MaxLarge, MoreElementsThanTheCacheHasBytes) {
  const std::int64_t n = SecondLevelCacheBytes() + 1;
  const Shape shape{n};
  std::vector<std::uint8_t> x(static_cast<std::size_t>(n), 3), y(static_cast<std::size_t>(n));
  x.back() = 200;
  x[5] = 4;
  ASSERT_TRUE(Max({TensorView::Of(x.data(), shape), TensorView::Of(x.data(), shape)},
                  MutableTensorView::Of(y.data(), shape)));
  EXPECT_EQ(y, x);
}

}  // namespace
}  // namespace supremum
