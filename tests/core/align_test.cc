#include "core/align.h"

#include <gtest/gtest.h>

#include <cstddef>
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

}  // namespace
}  // namespace supremum
