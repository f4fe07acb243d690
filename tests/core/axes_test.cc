#include "core/axes.h"

#include <gtest/gtest.h>

#include <vector>

namespace supremum {
namespace {

using Axes = std::vector<std::int64_t>;

std::vector<std::size_t> Members(AxisSet set) {
  std::vector<std::size_t> members;
  for (std::size_t d = 0; d < kMaxRank; ++d) {
    if (set.Has(d)) members.push_back(d);
  }
  return members;
}

// Rules: RED-2
TEST(Axes, AreCountedFromEitherEnd) {
  const auto resolve = [](const Axes& axes, std::size_t rank) {
    const Result<AxisSet> set = ResolveAxes(axes, rank, ReduceMaxVersion::kSupremum, "x");
    return set ? Members(*set) : std::vector<std::size_t>{99};
  };
  EXPECT_EQ(resolve({0, -1}, 3), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(resolve({-64, 63}, 64), (std::vector<std::size_t>{0, 63}));
  EXPECT_EQ(resolve({}, 3), std::vector<std::size_t>());
  EXPECT_EQ(resolve({}, 0), std::vector<std::size_t>());
  EXPECT_EQ(resolve({3}, 3), std::vector<std::size_t>{99});
}

// Rules: RED-2
TEST(Axes, OneNamesADimensionFromEitherEndOrNone) {
  EXPECT_EQ(DimensionOf(0, 3), 0u);
  EXPECT_EQ(DimensionOf(-1, 3), 2u);
  EXPECT_EQ(DimensionOf(-3, 3), 0u);
  EXPECT_FALSE(DimensionOf(-4, 3));
  EXPECT_FALSE(DimensionOf(3, 3));
  EXPECT_FALSE(DimensionOf(0, 0));
  EXPECT_FALSE(DimensionOf(INT64_MIN, 64));
  EXPECT_FALSE(DimensionOf(INT64_MAX, 64));
}

// Rules: RED-5
TEST(Axes, AbsentOnesAreAll) {
  for (std::size_t rank : {0u, 1u, 5u, 64u}) {
    const Result<AxisSet> set = ResolveAxes(std::nullopt, rank, ReduceMaxVersion::k13, "x");
    ASSERT_TRUE(set);
    EXPECT_EQ(Members(*set).size(), rank);
  }
}

// Rules: RED-3
TEST(Axes, AreKeptAsOneOrTakenAway) {
  AxisSet set;
  set.Add(0);
  set.Add(2);
  EXPECT_EQ(ReducedShape(Shape{4, 0, 6, 7}, set, true), (Shape{1, 0, 1, 7}));
  EXPECT_EQ(ReducedShape(Shape{4, 0, 6, 7}, set, false), (Shape{0, 7}));
  EXPECT_EQ(ReducedShape(Shape{}, AxisSet::All(0), false), Shape{});
}

}  // namespace
}  // namespace supremum
