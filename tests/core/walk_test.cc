#include "core/walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "supremum/reference.h"

namespace supremum {
namespace {

using Index = std::vector<std::int64_t>;

Index Of(DimsView index) { return {index.begin(), index.end()}; }

// All indices below `extents` in row-major order, as the reference counts them.
std::vector<Index> AllIndices(DimsView extents) {
  const Index shape = Of(extents);
  Index index(shape.size(), 0);
  std::vector<Index> all;
  do all.push_back(index);
  while (reference::NextIndex(shape, index));
  return all;
}

const std::vector<Shape>& Spaces() {
  static const std::vector<Shape> spaces = {Shape{},        Shape{1},          Shape{5},
                                            Shape{2, 3},    Shape{3, 1, 2},    Shape{1, 1, 1},
                                            Shape{2, 1, 1}, Shape{2, 3, 2, 2}, Shape::Filled(kMaxRank, 1)};
  return spaces;
}

// Rules: BRO-5
TEST(Walk, VisitsEveryIndexInRowMajorOrderAndStartsAnew) {
  for (const Shape& extents : Spaces()) {
    const std::vector<Index> all = AllIndices(extents);
    Walk<0> walk(extents, {});
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(Of(walk.index()), all[i]) << ToString(extents) << " " << i;
        EXPECT_EQ(walk.Next(), i + 1 < all.size()) << ToString(extents) << " " << i;
      }
    }
  }
}

// Rules: BRO-5, MEM-1
TEST(Walk, OffsetsAreTheIndexTimesTheSteps) {
  for (const Shape& extents : Spaces()) {
    Shape turned = RowMajorStrides(extents), broadcast = turned;
    for (std::size_t d = 0; d < extents.rank(); ++d) {
      turned[d] = -3 * turned[d];
      if (d % 2 == 0) broadcast[d] = 0;
    }
    Walk<2> walk(extents, {turned, broadcast});
    do {
      EXPECT_EQ(walk.offset(0), DistanceTo(walk.index(), turned)) << ToString(extents);
      EXPECT_EQ(walk.offset(1), DistanceTo(walk.index(), broadcast)) << ToString(extents);
    } while (walk.Next());
    EXPECT_EQ(walk.offset(0), 0);
    EXPECT_EQ(walk.offset(1), 0);
  }
}

TEST(Walk, BeginsAtAnyNumber) {
  for (const Shape& extents : Spaces()) {
    const std::vector<Index> all = AllIndices(extents);
    const Shape strides = RowMajorStrides(extents);
    for (std::size_t begin = 0; begin < all.size(); ++begin) {
      Walk<1> walk(extents, {strides}, static_cast<std::int64_t>(begin));
      for (std::size_t i = begin; i < all.size(); ++i, walk.Next()) {
        EXPECT_EQ(Of(walk.index()), all[i]) << ToString(extents) << " " << begin;
        EXPECT_EQ(walk.offset(0), static_cast<std::int64_t>(i)) << ToString(extents) << " " << begin;
      }
    }
  }
}

// Rules: MEM-1
TEST(Walk, AStepAlongAnExtentOfOneIsNeverAdded) {
  const Shape extents{1, 2, 1}, steps{INT64_MIN, 7, INT64_MAX};
  Walk<1> walk(extents, {steps});
  EXPECT_TRUE(walk.Next());
  EXPECT_EQ(walk.offset(0), 7);
  EXPECT_FALSE(walk.Next());
  EXPECT_EQ(walk.offset(0), 0);
  EXPECT_EQ(Walk<1>(extents, {steps}, 1).offset(0), 7);
}

TEST(Walk, TellsWhichDimensionsAreCompletedInnermostFirst) {
  const Shape extents{2, 1, 2}, steps{10, 5, 1};
  Walk<1> walk(extents, {steps});
  using Event = std::pair<std::size_t, std::int64_t>;  // a dimension, and the offset when it was completed
  std::vector<std::vector<Event>> events;
  bool more = true;
  while (more) {
    std::vector<Event>& now = events.emplace_back();
    more = walk.Next([&](std::size_t d) { now.emplace_back(d, walk.offset(0)); });
  }
  EXPECT_EQ(events, (std::vector<std::vector<Event>>{{}, {{2, 0}, {1, 0}}, {}, {{2, 10}, {1, 10}, {0, 0}}}));
}

}  // namespace
}  // namespace supremum
