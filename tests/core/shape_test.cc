#include "supremum/shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace supremum {
namespace {

TEST(Shape, HoldsExtentsOutermostFirst) {
  const Shape shape{2, 0, 5};
  EXPECT_EQ(shape.rank(), 3u);
  EXPECT_EQ(shape[2], 5);
  EXPECT_EQ(ToString(shape), "[2,0,5]");
  EXPECT_EQ(ToString(Shape{}), "[]");
  EXPECT_EQ(shape, (Shape{2, 0, 5}));
  EXPECT_NE(shape, (Shape{2, 0}));
  EXPECT_NE(shape, (Shape{2, 0, 6}));
}

// Rules: BRO-4
TEST(Shape, HoldsSixtyFourDimensionsAndRefusesMore) {
  EXPECT_EQ(Shape::FromSpan(std::vector<std::int64_t>(64, 2))->rank(), 64u);
  EXPECT_FALSE(Shape::FromSpan(std::vector<std::int64_t>(65, 2)));
}

TEST(Shape, CopiesHaveTheExtentsInUseWhateverTheyHadBefore) {
  static constexpr Shape kConstant{7, 8};
  Shape copied = kConstant;
  EXPECT_EQ(copied, (Shape{7, 8}));
  copied = Shape{1, 2, 3};
  EXPECT_EQ(copied, (Shape{1, 2, 3}));
  copied = Shape{};
  EXPECT_EQ(copied.rank(), 0u);
  copied.PushBack(5);
  const Shape& itself = copied;
  copied = itself;
  EXPECT_EQ(copied, Shape{5});
  copied = Shape::Filled(64, 9);
  EXPECT_EQ(Shape(copied), Shape::Filled(64, 9));
}

TEST(Shape, ElementCountIsTheProductUnlessItOverflows) {
  EXPECT_EQ(ElementCount(Shape{}), 1);
  EXPECT_EQ(ElementCount(Shape{3, 4}), 12);
  EXPECT_EQ(ElementCount(Shape{3, 0, 4}), 0);
  EXPECT_EQ(ElementCount(Shape{INT64_MAX}), INT64_MAX);
  EXPECT_EQ(ElementCount(Shape{INT64_MAX, 2}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{std::int64_t{1} << 32, std::int64_t{1} << 31}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{INT64_MAX, 2, 0}), 0) << "a zero extent empties any tensor";
  EXPECT_EQ(ElementCount(Shape{-1}), std::nullopt);
  EXPECT_EQ(ElementCount(Shape{0, -1}), std::nullopt);
}

TEST(Shape, RowMajorStridesGrowFromOneAtTheLastDimension) {
  EXPECT_EQ(RowMajorStrides(Shape{}), Shape{});
  EXPECT_EQ(RowMajorStrides(Shape{2, 3, 4}), (Shape{12, 4, 1}));
  EXPECT_EQ(RowMajorStrides(Shape{2, 0, 4}), (Shape{4, 4, 1}));
  EXPECT_EQ(RowMajorStrides(Shape{0, 3, INT64_MAX}), (Shape{INT64_MAX, INT64_MAX, 1}))
      << "without elements no stride is walked";
}

}  // namespace
}  // namespace supremum
