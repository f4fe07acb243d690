// Tests each rule of Max on small tensors whose result can be verified by hand.
#include "supremum/max.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

namespace supremum {
namespace {

using testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

std::uint32_t Bits(float x) { return std::bit_cast<std::uint32_t>(x); }

template <Element T>
TensorView View(const std::vector<T>& values, const Shape& shape) {
  return TensorView::Of(values.data(), shape);
}

// Max of float tensors of one shape, as bits.
std::vector<std::uint32_t> MaxBits(const std::vector<std::vector<float>>& inputs) {
  const Shape shape{static_cast<std::int64_t>(inputs[0].size())};
  std::vector<TensorView> views;
  for (const auto& input : inputs) views.push_back(View(input, shape));
  std::vector<float> y(inputs[0].size());
  EXPECT_TRUE(Max(views, MutableTensorView::Of(y.data(), shape)));
  std::vector<std::uint32_t> bits;
  for (float value : y) bits.push_back(Bits(value));
  return bits;
}

// Rules: MAX-2
TEST(Max, OfThreeTensorsIsTheLargestOfEachPosition) {
  EXPECT_THAT(MaxBits({{3, 2, 1}, {1, 4, 4}, {2, 5, 3}}), ElementsAre(Bits(3), Bits(5), Bits(4)));
}

// Rules: ORD-2
TEST(Max, OfBothZerosIsPlusZeroInEveryPosition) {
  EXPECT_THAT(MaxBits({{-0.0f, +0.0f, -0.0f, +0.0f}, {+0.0f, -0.0f, -0.0f, +0.0f}}),
              ElementsAre(0u, 0u, 0x8000'0000u, 0u));
  for (std::size_t n = 1; n <= 70; ++n) {
    const std::vector<float> minus(n, -0.0f), plus(n, +0.0f);
    EXPECT_THAT(MaxBits({minus, plus}), testing::Each(0u)) << n;
    EXPECT_THAT(MaxBits({plus, minus}), testing::Each(0u)) << n;
    EXPECT_THAT(MaxBits({minus, minus, minus}), testing::Each(0x8000'0000u)) << n;
  }
}

// Rules: ORD-3, ORD-4
TEST(Max, NaNAtAnyPositionOfAnyInputWins) {
  for (std::size_t n = 1; n <= 40; ++n) {
    for (std::size_t at = 0; at < n; ++at) {
      for (std::size_t which = 0; which < 3; ++which) {
        std::vector<std::vector<float>> inputs(3, std::vector<float>(n, kInf));
        inputs[which][at] = std::bit_cast<float>(at % 2 == 0 ? 0xFFC0'1234u : 0x7F80'0001u);
        const auto y = MaxBits(inputs);
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(y[i], i == at ? 0x7FC0'0000u : Bits(kInf));
      }
    }
  }
}

// Rules: MAX-4, BRO-1, BRO-5
TEST(Max, BroadcastsARowAgainstAColumn) {
  const std::vector<std::int32_t> row{1, 5, 9}, column{4, 6};
  std::vector<std::int32_t> y(6);
  const Shape row_shape{3}, column_shape{2, 1}, shape{2, 3};
  ASSERT_TRUE(
      Max({View(row, row_shape), View(column, column_shape)}, MutableTensorView::Of(y.data(), shape)));
  EXPECT_THAT(y, ElementsAre(4, 5, 9, 6, 6, 9));
}

// Rules: BRO-3
TEST(Max, OfNoElementsWritesNothing) {
  const Shape empty{2, 0}, one{1};
  const std::vector<float> x{7};
  float untouched = 5;
  EXPECT_TRUE(
      Max({TensorView::Of<float>(nullptr, empty), View(x, one)}, MutableTensorView::Of(&untouched, empty)));
  EXPECT_EQ(untouched, 5);
  EXPECT_TRUE(Max({TensorView::Of<float>(nullptr, empty)}, MutableTensorView::Of<float>(nullptr, empty)));
}

// Rules: MEM-2
TEST(Max, TheOutputMayBeExactlyOneOfTheInputs) {
  const Shape shape{4};
  for (int which = 0; which < 3; ++which) {
    std::array<std::vector<std::int8_t>, 3> x{{{1, -5, 3, 7}, {0, -6, 9, 7}, {2, -4, -9, 6}}};
    auto& target = x[static_cast<std::size_t>(which)];
    ASSERT_TRUE(Max({View(x[0], shape), View(x[1], shape), View(x[2], shape)},
                    MutableTensorView::Of(target.data(), shape)));
    EXPECT_THAT(target, ElementsAre(2, -4, 9, 7));
  }
  std::vector<std::int8_t> only{3, 4, 5, 6};
  ASSERT_TRUE(Max({View(only, shape), View(only, shape)}, MutableTensorView::Of(only.data(), shape)));
  EXPECT_THAT(only, ElementsAre(3, 4, 5, 6));
}

// Rules: MEM-2
TEST(Max, InterleavedTensorsMayShareABuffer) {
  std::vector<std::int32_t> buffer{1, 100, 2, 100, 3, 100};
  const Shape shape{3}, every_other{2};
  const std::vector<std::int32_t> two{2, 2, 2};
  ASSERT_TRUE(Max({TensorView::Of(buffer.data(), shape, every_other), View(two, shape)},
                  MutableTensorView::Of(buffer.data() + 1, shape, every_other)));
  EXPECT_THAT(buffer, ElementsAre(1, 2, 2, 2, 3, 3));
}

// Rules: BRO-5, ORD-5
TEST(Max, ThreadsThatBeginAtTheEndOfALineShowAllOfWhatIsRepeatedInTheNext) {
  // Lines of several tiles, the last of them shorter; between the lines are bytes that belong to none.
  constexpr std::int64_t kLines = 101, kRows = 3001, kPadded = kRows + 1;
  const Shape shape{kLines, kRows, 3}, strides{kPadded * 3, 3, 1}, row{3};
  std::vector<float> x(kLines * kPadded * 3), y(kLines * kRows * 3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 251);
  for (std::size_t round = 0; round < 42; ++round) {
    // Others each time: what the time before has left on a thread's stack is wrong. A thread that comes late
    // finds nothing left to do, so that one round would show little.
    const std::size_t threads = 1 + round % 7;
    const float more = static_cast<float>(round);
    const float repeated[3] = {50 + more, 100 + more, 200 + more};
    std::fill(y.begin(), y.end(), -1.0f);
    MaxOptions options;
    options.threads = threads;
    ASSERT_TRUE(Max({TensorView::Of(x.data(), shape, strides), TensorView::Of(repeated, row)},
                    MutableTensorView::Of(y.data(), shape), options));
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t from = i + i / (kRows * 3) * 3;
      ASSERT_EQ(y[i], std::max(x[from], repeated[i % 3])) << "element " << i << ", " << threads << " threads";
    }
  }
}

// Rules: MAX-1
TEST(MaxOutputShape, IsTheCommonShapeAndAsksForNoData) {
  const Shape a{4, 1}, b{3};
  const TensorView inputs[] = {TensorView::Of<float>(nullptr, a), TensorView::Of<float>(nullptr, b)};
  EXPECT_EQ(*MaxOutputShape(inputs), (Shape{4, 3}));
  EXPECT_EQ(MaxOutputShape({}).error().code, ErrorCode::kInputCount);
  MaxOptions old;
  old.version = MaxVersion::k6;
  EXPECT_EQ(MaxOutputShape(inputs, old).error().code, ErrorCode::kNotBroadcastable);
}

}  // namespace
}  // namespace supremum
