#include "core/align.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace supremum {
namespace {

// Rules: BRO-1, BRO-5
TEST(Align, OnlyDimensionsThatAreNotBroadcastAreVisited) {
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  const auto pairs = [](const Shape& shape, std::size_t rank) {
    Pairs found;
    ForEachAligned(shape, rank, [&](std::size_t d, std::size_t j) { found.emplace_back(d, j); });
    return found;
  };
  EXPECT_EQ(pairs({}, 3), Pairs());
  EXPECT_EQ(pairs({4, 5}, 2), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(pairs({4, 5}, 4), (Pairs{{0, 2}, {1, 3}}));
  EXPECT_EQ(pairs({3, 1, 0}, 4), (Pairs{{0, 1}, {2, 3}}));
}

// Rules: BRO-1, BRO-5
TEST(Align, StridesAreZeroWhereAnOperandIsBroadcast) {
  const auto aligned = [](const Shape& shape, const Shape& strides, std::size_t rank) {
    return AlignedStrides({DType::kFloat32, shape, strides, nullptr}, rank);
  };
  EXPECT_EQ(aligned({3, 1}, {5, 1}, 3), (Shape{0, 5, 0}));
  EXPECT_EQ(aligned({2, 3}, {-3, 7}, 2), (Shape{-3, 7}));
  EXPECT_EQ(aligned({2, 3}, {}, 4), (Shape{0, 0, 3, 1}));
  EXPECT_EQ(aligned({}, {}, 2), (Shape{0, 0}));
  EXPECT_EQ(aligned({}, {}, 0), Shape{});
  EXPECT_EQ(aligned({2}, {9}, kMaxRank)[kMaxRank - 1], 9);
}

TEST(Align, OneBlockIsFilledByRowMajorStridesOfAnyOrderOfDimensions) {
  EXPECT_TRUE(FillsOneBlock(Shape{}, Shape{}));
  EXPECT_TRUE(FillsOneBlock(Shape{2, 3}, Shape{3, 1}));
  EXPECT_TRUE(FillsOneBlock(Shape{2, 3}, Shape{1, 2}));
  EXPECT_TRUE(FillsOneBlock(Shape{2, 1, 3}, Shape{3, 99, 1})) << "the stride of an extent of 1 says nothing";
  EXPECT_TRUE(FillsOneBlock(Shape{2, 3, 4}, Shape{4, 8, 1}));
  EXPECT_FALSE(FillsOneBlock(Shape{2, 3}, Shape{4, 1})) << "a gap";
  EXPECT_FALSE(FillsOneBlock(Shape{2, 3}, Shape{1, 1})) << "elements that share addresses";
  EXPECT_FALSE(FillsOneBlock(Shape{2, 2, 2}, Shape{1, 1, 5})) << "as many addresses as elements, but not all";
  EXPECT_FALSE(FillsOneBlock(Shape{3}, Shape{-1}));
  EXPECT_FALSE(FillsOneBlock(Shape{3}, Shape{0}));
  EXPECT_FALSE(FillsOneBlock(Shape{3}, Shape{2}));
}

// Rules: BRO-1, BRO-2, BRO-3
TEST(Align, AShapeBroadcastsToAnotherInOneDirection) {
  EXPECT_TRUE(BroadcastsTo(Shape{}, Shape{2, 3}));
  EXPECT_TRUE(BroadcastsTo(Shape{1, 3}, Shape{2, 3}));
  EXPECT_TRUE(BroadcastsTo(Shape{3}, Shape{2, 3}));
  EXPECT_TRUE(BroadcastsTo(Shape{1}, Shape{0}));
  EXPECT_FALSE(BroadcastsTo(Shape{2}, Shape{2, 3}));
  EXPECT_FALSE(BroadcastsTo(Shape{2, 3}, Shape{1, 3}));
  EXPECT_FALSE(BroadcastsTo(Shape{1, 1}, Shape{1}));
  EXPECT_FALSE(BroadcastsTo(Shape{0}, Shape{3}));
}

// Rules: BRO-2
TEST(Align, TheCommonExtentIsTheOneThatIsNotOneAndItsFirstOwnerIsKnown) {
  CommonExtents common(2);
  EXPECT_EQ(common.shape(), (Shape{1, 1}));
  EXPECT_TRUE(common.Add(0, 1, 3));
  EXPECT_TRUE(common.Add(0, 0, 4));
  EXPECT_TRUE(common.Add(0, 0, 5));
  EXPECT_TRUE(common.Add(0, 1, 6));
  EXPECT_FALSE(common.Add(0, 2, 7));
  EXPECT_EQ(common.shape(), (Shape{0, 1}));
  EXPECT_EQ(common.owner(0), 4u);
}

}  // namespace
}  // namespace supremum
