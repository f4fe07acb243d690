#include "supremum/broadcast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors.h"
#include "support/values.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using test::ExpectError;
using testing::AllOf;
using testing::HasSubstr;

// Rules: BRO-1, BRO-2
TEST(Broadcast, ShapesAreAlignedAtTheLastDimension) {
  EXPECT_EQ(*BroadcastShapes({Shape{2, 3}}), (Shape{2, 3}));
  EXPECT_EQ(*BroadcastShapes({Shape{2, 1, 4}, Shape{3, 1}}), (Shape{2, 3, 4}));
  EXPECT_EQ(*BroadcastShapes({Shape{4}, Shape{5, 1}, Shape{1, 1, 1}}), (Shape{1, 5, 4}));
  EXPECT_EQ(*BroadcastShapes({Shape{1}, Shape{1, 1}}), (Shape{1, 1}));
}

// Rules: BRO-3
TEST(Broadcast, AZeroExtentIsAnExtentLikeAnyOther) {
  EXPECT_EQ(*BroadcastShapes({Shape{0}, Shape{1}}), Shape{0});
  EXPECT_EQ(*BroadcastShapes({Shape{1}, Shape{0}}), Shape{0});
  EXPECT_EQ(*BroadcastShapes({Shape{0}, Shape{0}}), Shape{0});
  EXPECT_EQ(*BroadcastShapes({Shape{2, 0}, Shape{}}), (Shape{2, 0}));
  EXPECT_EQ(BroadcastShapes({Shape{0}, Shape{3}}).error().code, ErrorCode::kNotBroadcastable);
  EXPECT_EQ(BroadcastShapes({Shape{3}, Shape{0}}).error().code, ErrorCode::kNotBroadcastable);
}

// Rules: BRO-4
TEST(Broadcast, AScalarBroadcastsWithEverythingUpToRank64) {
  EXPECT_EQ(*BroadcastShapes({Shape{}, Shape{}}), Shape{});
  const Shape high = Shape::Filled(64, 1);
  EXPECT_EQ(*BroadcastShapes({Shape{}, high}), high);
  const std::vector<std::int64_t> higher(65, 1);
  ExpectError(BroadcastShapes({Shape{2}, DimsView(higher)}), ErrorCode::kRank,
              {"input 1", "rank 65", "at most 64"});
}

// Rules: E1, BRO-2
TEST(Broadcast, E1NamesTheTwoInputsTheirShapesAndTheDimension) {
  const Shape a{2, 3}, b{1}, c{7, 4, 1};
  const DimsView shapes[] = {a, b, c};
  const std::string_view names[] = {"left", "middle", "right"};
  const Result<Shape> named = BroadcastShapes(shapes, names);
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().code, ErrorCode::kNotBroadcastable);
  EXPECT_EQ(named.error().message,
            "E1 not broadcastable: input 'left' has shape [2,3] and input 'right' has shape [7,4,1]; in "
            "dimension 1 of the "
            "common rank 3 their extents are 2 and 4, which differ and neither is 1 (BRO-2). Make them "
            "equal, or one of "
            "them 1");
  EXPECT_THAT(BroadcastShapes(shapes).error().message,
              AllOf(HasSubstr("input 0 has"), HasSubstr("input 2 has")));
}

// Rules: MAX-1
TEST(Broadcast, NoShapeAtAllIsAnError) {
  EXPECT_EQ(BroadcastShapes(std::span<const DimsView>()).error().code, ErrorCode::kInputCount);
}

TEST(Broadcast, ANegativeExtentIsAnError) {
  ExpectError(BroadcastShapes({Shape{2}, Shape{3, -4}}), ErrorCode::kInvalidShape,
              {"input 1", "[3,-4]", "dimension 1"});
}

// Rules: BRO-1, BRO-2, BRO-3
TEST(Broadcast, RandomShapesGiveWhatTheOracleGivesInAnyOrder) {
  test::Rng rng(11);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::vector<std::int64_t>> shapes(1 + test::Below(rng, 4));
    const std::int64_t extents[] = {1, 1, 1, 0, 2, 2, 2, 3};
    for (auto& shape : shapes) {
      shape.resize(test::Below(rng, 4));
      for (auto& extent : shape) extent = extents[test::Below(rng, 8)];
    }
    std::vector<DimsView> views(shapes.begin(), shapes.end());
    const auto expected = reference::BroadcastShape(shapes);
    const Result<Shape> forward = BroadcastShapes(views);
    std::reverse(views.begin(), views.end());
    const Result<Shape> backward = BroadcastShapes(views);
    ASSERT_EQ(forward.has_value(), expected.has_value());
    ASSERT_EQ(backward.has_value(), expected.has_value());
    ++(expected ? accepted : refused);
    if (!expected) continue;
    ASSERT_TRUE(SameDims(*forward, *expected));
    ASSERT_TRUE(SameDims(*backward, *expected));
  }
  EXPECT_GT(accepted, 5000);
  EXPECT_GT(refused, 3000);
}

}  // namespace
}  // namespace supremum
