// MaxWithBounds and ReduceMaxWithBounds against numbers computed by hand.
#include "supremum/bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace supremum {
namespace {

using testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

// All outputs of one call, dense.
template <class T>
struct Outputs {
  explicit Outputs(const Shape& shape_of_all)
      : shape(shape_of_all), value(Count()), bound(Count()), lower(Count()), upper(Count()) {}

  BoundedOutput Views() {
    return {MutableTensorView::Of(value.data(), shape), MutableTensorView::Of(bound.data(), shape),
            MutableTensorView::Of(lower.data(), shape), MutableTensorView::Of(upper.data(), shape)};
  }
  std::size_t Count() const { return static_cast<std::size_t>(*ElementCount(shape)); }

  Shape shape;
  std::vector<T> value, bound, lower, upper;
};

template <class T>
TensorView ViewOf(const std::vector<T>& elements, const Shape& shape) {
  return TensorView::Of(elements.data(), shape);
}

const Shape kScalar{};

// Rules: ACC-1, ACC-2, ACC-3
TEST(MaxWithBounds, AnInputThatCannotWinWidensTheBoundAndNotTheEnclosure) {
  const Shape shape{3};
  const std::vector<float> a{10, 10, 10}, b{1, 9, 10}, ea{1, 1, 1}, eb{4, 4, 4};
  Outputs<float> y(shape);
  ASSERT_TRUE(
      MaxWithBounds({ViewOf(a, shape), ViewOf(b, shape)}, {ViewOf(ea, shape), ViewOf(eb, shape)}, y.Views()));
  EXPECT_THAT(y.value, ElementsAre(10, 10, 10));
  EXPECT_THAT(y.bound, ElementsAre(4, 4, 4));
  EXPECT_THAT(y.lower, ElementsAre(9, 9, 9));
  EXPECT_THAT(y.upper, ElementsAre(11, 13, 14));
}

// Lines that are longer than what is enclosed at once, each element with a bound of its own.
// Rules: ACC-2, ACC-3
TEST(MaxWithBounds, EachElementOfALongLineHasItsOwnBound) {
  const Shape shape{2, 10'000}, row{10'000};
  std::vector<double> x(20'000), e(20'000), of_row(10'000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(7 * i);
    e[i] = static_cast<double>(i % 9'973);
  }
  for (std::size_t i = 0; i < of_row.size(); ++i) of_row[i] = static_cast<double>(3 * i + 1);
  for (const bool whole : {true, false}) {
    Outputs<double> y(shape);
    ASSERT_TRUE(
        MaxWithBounds({ViewOf(x, shape)}, {whole ? ViewOf(e, shape) : ViewOf(of_row, row)}, y.Views()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double bound = whole ? e[i] : of_row[i % of_row.size()];
      ASSERT_EQ(y.bound[i], bound) << i;
      ASSERT_EQ(y.lower[i], x[i] - bound) << i;
      ASSERT_EQ(y.upper[i], x[i] + bound) << i;
    }
  }
}

// Rules: ACC-2, ACC-3, MEM-2
TEST(MaxWithBounds, WritesWhatIsAskedForAndTheResultMayLieWhereAnInputDoes) {
  const Shape shape{2};
  std::vector<float> x{1, 5};
  const std::vector<float> b{3, 3}, ex{1}, eb{0};
  std::vector<float> lower(2), upper(2);
  ASSERT_TRUE(MaxWithBounds({ViewOf(x, shape), ViewOf(b, shape)}, {ViewOf(ex, kScalar), ViewOf(eb, kScalar)},
                            {.value = MutableTensorView::Of(x.data(), shape),
                             .lower = MutableTensorView::Of(lower.data(), shape),
                             .upper = MutableTensorView::Of(upper.data(), shape)}));
  EXPECT_THAT(x, ElementsAre(3, 5));
  EXPECT_THAT(lower, ElementsAre(3, 4)) << "of what x held before";
  EXPECT_THAT(upper, ElementsAre(3, 6));
}

// Rules: ACC-2, BRO-3
TEST(MaxWithBounds, OfNoElementsWritesNothing) {
  const Shape none{0, 3};
  const std::vector<float> e{1, 2, 3}, untouched{7};
  std::vector<float> y{7};
  ASSERT_TRUE(MaxWithBounds({TensorView::Of<float>(nullptr, none)}, {ViewOf(e, Shape{3})},
                            {.value = MutableTensorView::Of<float>(nullptr, none),
                             .bound = MutableTensorView::Of(y.data(), none)}));
  EXPECT_EQ(y, untouched);
  ASSERT_TRUE(MaxWithBounds({TensorView::Of<float>(nullptr, none)}, {TensorView::Of<float>(nullptr, none)},
                            {.value = MutableTensorView::Of<float>(nullptr, none),
                             .bound = MutableTensorView::Of(y.data(), none)}));
  EXPECT_EQ(y, untouched);
}

// Rules: ACC-1, ACC-2, ACC-3, RED-1, RED-3
TEST(ReduceMaxWithBounds, BoundsTheMaximumAlongAnAxis) {
  const Shape shape{2, 3}, two{2, 1};
  const std::vector<float> x{1, 5, 2, 4, 3, 6}, e{0, 1, 8, 0, 0, 0.5};
  const std::int64_t axes[] = {-1};
  Outputs<float> y(two);
  ASSERT_TRUE(
      ReduceMaxWithBounds(ViewOf(x, shape), ViewOf(e, shape), y.Views(), {.axes = axes, .keepdims = true}));
  EXPECT_THAT(y.value, ElementsAre(5, 6));
  EXPECT_THAT(y.bound, ElementsAre(8, 0.5));
  EXPECT_THAT(y.lower, ElementsAre(4, 5.5));
  EXPECT_THAT(y.upper, ElementsAre(10, 6.5));
}

// Rules: ACC-2, ACC-3, RED-6
TEST(ReduceMaxWithBounds, TheMaximumOfNoElementsIsExact) {
  const Shape none{2, 0}, two{2};
  const std::int64_t axes[] = {1};
  const TensorView scalar_bound = TensorView::Of(&kInf, kScalar);
  Outputs<float> y(two);
  y.bound = {7, 7};
  ASSERT_TRUE(
      ReduceMaxWithBounds(TensorView::Of<float>(nullptr, none), scalar_bound, y.Views(), {.axes = axes}));
  EXPECT_THAT(y.value, ElementsAre(-kInf, -kInf));
  EXPECT_THAT(y.bound, ElementsAre(0, 0));
  EXPECT_THAT(y.lower, ElementsAre(-kInf, -kInf));
  EXPECT_THAT(y.upper, ElementsAre(-kInf, -kInf));
  const std::vector<std::int16_t> e{3};
  Outputs<std::int16_t> z(two);
  z.bound = {7, 7};
  ASSERT_TRUE(ReduceMaxWithBounds(TensorView::Of<std::int16_t>(nullptr, none), ViewOf(e, kScalar), z.Views(),
                                  {.axes = axes}));
  EXPECT_THAT(z.bound, ElementsAre(0, 0));
  EXPECT_THAT(z.lower, ElementsAre(INT16_MIN, INT16_MIN));
}

// Several units of work, and several threads.
// Rules: ACC-3, ORD-5
TEST(ReduceMaxWithBounds, LongTensorsAreEnclosedToTheLastElement) {
  const std::int64_t line = 100'003;
  const Shape shape{5, line};
  std::vector<float> x(static_cast<std::size_t>(5 * line)), along(static_cast<std::size_t>(line)),
      across{1, 2, 3, 4, 5};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (std::size_t j = 0; j < along.size(); ++j) along[j] = static_cast<float>(j % 9973);
  for (bool is_along : {false, true}) {
    const std::vector<float>& e = is_along ? along : across;
    Outputs<float> y(shape);
    ASSERT_TRUE(ReduceMaxWithBounds(ViewOf(x, shape), ViewOf(e, is_along ? Shape{line} : Shape{5, 1}),
                                    y.Views(), {.axes = std::span<const std::int64_t>(), .threads = 3}));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float bound = e[is_along ? i % along.size() : i / along.size()];
      ASSERT_EQ(y.value[i], x[i]);
      ASSERT_EQ(y.lower[i], x[i] - bound);
      ASSERT_EQ(y.upper[i], x[i] + bound);
      ASSERT_EQ(y.bound[i], bound);
    }
  }
}

}  // namespace
}  // namespace supremum
