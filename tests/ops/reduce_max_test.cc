// ReduceMax on numbers computed by hand.
#include "supremum/reduce_max.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace supremum {
namespace {

using testing::Each;
using testing::ElementsAre;
using Axes = std::vector<std::int64_t>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The output's elements, row-major; its shape in `shape`.
template <class T>
std::vector<T> Reduced(const std::vector<T>& values, const Shape& source, const ReduceMaxOptions& options,
                       Shape* shape = nullptr) {
  const TensorView view = TensorView::Of(values.data(), source);
  const Result<Shape> reduced = ReduceMaxOutputShape(view, options);
  EXPECT_TRUE(reduced) << reduced.error().message;
  if (shape != nullptr) *shape = *reduced;
  std::vector<T> output(static_cast<std::size_t>(*ElementCount(*reduced)));
  const Result<void> done = ReduceMax(view, MutableTensorView::Of(output.data(), *reduced), options);
  EXPECT_TRUE(done) << done.error().message;
  return output;
}

// Rules: RED-1, RED-3
TEST(ReduceMax, ReducesAnyOfTheAxesOfACube) {
  const std::vector<int> cube{1, 9,  3,  //
                              7, 5,  6,  //

                              8, 2,  4,  //
                              0, 11, -1};
  const Shape shape{2, 2, 3};
  Shape reduced;
  EXPECT_THAT(Reduced(cube, shape, {.axes = Axes{0}}, &reduced), ElementsAre(8, 9, 4, 7, 11, 6));
  EXPECT_EQ(reduced, (Shape{2, 3}));
  EXPECT_THAT(Reduced(cube, shape, {.axes = Axes{1}}, &reduced), ElementsAre(7, 9, 6, 8, 11, 4));
  EXPECT_EQ(reduced, (Shape{2, 3}));
  EXPECT_THAT(Reduced(cube, shape, {.axes = Axes{2}}, &reduced), ElementsAre(9, 7, 8, 11));
  EXPECT_EQ(reduced, (Shape{2, 2}));
  EXPECT_THAT(Reduced(cube, shape, {.axes = Axes{2, 0}}, &reduced), ElementsAre(9, 11));
  EXPECT_EQ(reduced, (Shape{2}));
  EXPECT_THAT(Reduced(cube, shape, {.axes = Axes{-3, 2}, .keepdims = true}, &reduced), ElementsAre(9, 11));
  EXPECT_EQ(reduced, (Shape{1, 2, 1}));
  EXPECT_THAT(Reduced(cube, shape, {}, &reduced), ElementsAre(11)) << "no list: all axes";
  EXPECT_EQ(reduced, Shape{});
  EXPECT_THAT(Reduced(cube, shape, {.keepdims = true}, &reduced), ElementsAre(11));
  EXPECT_EQ(reduced, (Shape{1, 1, 1}));
}

// Rules: RED-4, ORD-4
TEST(ReduceMax, AnEmptyListOfAxesIsTheIdentityUpToNaNs) {
  const std::vector<std::uint32_t> bits{0x80000000, 0x7F800001, 0xFFC00123, 0x00000001};
  std::vector<float> values;
  for (std::uint32_t b : bits) values.push_back(std::bit_cast<float>(b));
  const std::vector<float> same = Reduced(values, {2, 2}, {.axes = Axes{}});
  std::vector<std::uint32_t> result;
  for (float value : same) result.push_back(std::bit_cast<std::uint32_t>(value));
  EXPECT_THAT(result, ElementsAre(0x80000000, 0x7FC00000, 0x7FC00000, 0x00000001));
}

// Rules: RED-6, MEM-1
TEST(ReduceMax, StridesOfASourceWithoutElementsMayBeAnyNumbers) {
  const std::int64_t limit = std::int64_t{1} << 62;
  const Shape none{5, 0, 2}, five_by_two{5, 2}, with_one{5, 1, 2};
  for (const Shape& strides : {Shape{-limit, 1, limit}, Shape{INT64_MIN, INT64_MIN, INT64_MIN},
                               Shape{INT64_MAX, INT64_MAX, INT64_MAX}, Shape{limit, -limit, INT64_MIN}}) {
    for (bool keepdims : {false, true}) {
      std::vector<float> y(10, 1);
      const Result<void> done = ReduceMax({DType::kFloat32, none, strides, nullptr},
                                          MutableTensorView::Of(y.data(), keepdims ? with_one : five_by_two),
                                          {.axes = Axes{1}, .keepdims = keepdims});
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_THAT(y, Each(-kInfinity)) << ToString(strides);
    }
  }
}

// Rules: RED-6
TEST(ReduceMax, TheMaximumOverNoElementsIsTheLeastValueOfTheType) {
  EXPECT_THAT(Reduced(std::vector<float>{}, {3, 0}, {.axes = Axes{1}}),
              ElementsAre(-kInfinity, -kInfinity, -kInfinity));
  EXPECT_THAT(Reduced(std::vector<std::int8_t>{}, {2, 0}, {.axes = Axes{1}}), ElementsAre(-128, -128));
  EXPECT_THAT(Reduced(std::vector<std::int64_t>{}, {0}, {}), ElementsAre(INT64_MIN));
  EXPECT_THAT(Reduced(std::vector<std::uint16_t>{}, {0, 2}, {.axes = Axes{0}}), ElementsAre(0, 0));
  std::array<bool, 2> truth{true, true};
  const Shape none{2, 0}, two{2};
  const Axes last{-1};
  ASSERT_TRUE(ReduceMax(TensorView::Of<bool>(nullptr, none), MutableTensorView::Of(truth.data(), two),
                        {.axes = last}));
  EXPECT_THAT(truth, ElementsAre(false, false));
}

// Rules: RED-6, RED-3
TEST(ReduceMax, OnlySomeOfTheReducedExtentsAreZero) {
  EXPECT_THAT(Reduced(std::vector<float>{}, {2, 0, 3}, {.axes = Axes{1, 2}}),
              ElementsAre(-kInfinity, -kInfinity));
  EXPECT_THAT(Reduced(std::vector<float>{}, {2, 0, 3}, {.axes = Axes{1}, .keepdims = true}),
              Each(-kInfinity));
}

// Rules: ORD-5, TYP-4
TEST(ReduceMax, ABooleanIsTrueWhateverItsByteIsAndLeavesAsOne) {
  const std::array<std::uint8_t, 4> bytes{0, 255, 0, 0};
  std::array<std::uint8_t, 2> result{7, 7};
  const Shape rows{2, 2}, two{2};
  const Axes last{-1};
  ASSERT_TRUE(ReduceMax(TensorView{DType::kBool, rows, {}, bytes.data()},
                        MutableTensorView{DType::kBool, two, {}, result.data()}, {.axes = last}));
  EXPECT_THAT(result, ElementsAre(1, 0));
}

// Rules: MEM-2
TEST(ReduceMax, OverExtentsOfOneItMayBeDoneInPlace) {
  std::vector<std::uint32_t> bits{0x3F800000, 0xFFFFFFFF, 0x80000000};
  const Shape shape{3, 1}, strides{1, 1};
  const Axes last{1};
  const MutableTensorView y{DType::kFloat32, shape, strides, bits.data()};
  ASSERT_TRUE(ReduceMax(y, y, {.axes = last, .keepdims = true}));
  EXPECT_THAT(bits, ElementsAre(0x3F800000, 0x7FC00000, 0x80000000));
  ASSERT_TRUE(ReduceMax(y, y, {.axes = Axes{}}));
}

// Rules: RED-5
TEST(AxesOfOnnx, AbsentAndEmptyListsMeanAllAxesOrNone) {
  const Axes some{1}, none;
  EXPECT_EQ(AxesOfOnnx(std::nullopt, false), std::nullopt);
  EXPECT_EQ(AxesOfOnnx(none, false), std::nullopt);
  ASSERT_TRUE(AxesOfOnnx(std::nullopt, true));
  EXPECT_TRUE(AxesOfOnnx(std::nullopt, true)->empty());
  ASSERT_TRUE(AxesOfOnnx(none, true));
  EXPECT_TRUE(AxesOfOnnx(none, true)->empty());
  for (bool noop : {false, true}) {
    const auto axes = AxesOfOnnx(some, noop);
    ASSERT_TRUE(axes);
    EXPECT_THAT(*axes, ElementsAre(1));
  }
}

// Rules: MEM-1
TEST(ReduceMax, DimensionsThatRepeatOneElementCountOnce) {
  const std::vector<float> values{3, std::bit_cast<float>(0x7FA00000u), -1};
  const Shape shape{3, 1'000'000'000, 1'000'000'000}, strides{1, 0, 0}, three{3};
  std::vector<float> result(3);
  const Axes last{1, 2};
  ASSERT_TRUE(ReduceMax(TensorView::Of(values.data(), shape, strides),
                        MutableTensorView::Of(result.data(), three), {.axes = last}));
  EXPECT_EQ(result[0], 3);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(result[1]), 0x7FC00000u);
  EXPECT_EQ(result[2], -1);
}

}  // namespace
}  // namespace supremum
