// The loops of an operator against their definition, for all small ranks, extents and strides.
#include "ops/loop_nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/walk.h"
#include "support/allocations.h"

namespace supremum {
namespace {

// Offsets of the elements at one index, relative to `data`: in the driving operand and in two others.
using Point = std::array<std::int64_t, 3>;

// One dimension of the driving operand, with the strides of all three.
struct Dimension {
  std::int64_t extent;
  Point strides;
};

// layout.mlw: at index i, the sum of i[d] * strides[d].
std::vector<Point> PointsByDefinition(const std::vector<Dimension>& dimensions) {
  std::vector<Point> points{Point{}};
  for (const Dimension& d : dimensions) {
    std::vector<Point> more;
    for (const Point& p : points) {
      for (std::int64_t i = 0; i < d.extent; ++i) {
        more.push_back({p[0] + i * d.strides[0], p[1] + i * d.strides[1], p[2] + i * d.strides[2]});
      }
    }
    points = more;
  }
  std::ranges::sort(points);
  return points;
}

std::vector<Point> PointsOf(const LoopNest& nest) {
  std::vector<Point> points;
  Walk<3> walk(nest.extents(), {nest.DrivingSteps(), nest.Steps(0), nest.Steps(1)});
  do {
    points.push_back({nest.DrivingOrigin() + walk.offset(0), nest.Origin(0) + walk.offset(1),
                      nest.Origin(1) + walk.offset(2)});
  } while (walk.Next());
  std::ranges::sort(points);
  return points;
}

LoopNest NestOf(const std::vector<Dimension>& dimensions) {
  Shape extents, strides[3];
  for (const Dimension& d : dimensions) {
    extents.PushBack(d.extent);
    for (std::size_t k = 0; k < 3; ++k) strides[k].PushBack(d.strides[k]);
  }
  LoopNest nest;
  EXPECT_TRUE(nest.Init(extents, strides[0], 2));
  nest.SetStrides(0, strides[1]);
  nest.SetStrides(1, strides[2]);
  nest.Merge();
  return nest;
}

void Check(const std::vector<Dimension>& dimensions) {
  const LoopNest nest = NestOf(dimensions);
  const std::vector<Point> points = PointsByDefinition(dimensions);
  ASSERT_EQ(PointsOf(nest), points);
  for (std::size_t d = 0; d < nest.rank(); ++d) {
    ASSERT_GT(nest.extents()[d], 1);
    ASSERT_GE(nest.DrivingSteps()[d], 0);
    ASSERT_TRUE(d == 0 || nest.DrivingSteps()[d - 1] >= nest.DrivingSteps()[d]);
    // Two adjacent loops that can be merged are merged.
    ASSERT_FALSE(d > 0 && nest.DrivingSteps()[d - 1] == nest.DrivingSteps()[d] * nest.extents()[d] &&
                 nest.Steps(0)[d - 1] == nest.Steps(0)[d] * nest.extents()[d] &&
                 nest.Steps(1)[d - 1] == nest.Steps(1)[d] * nest.extents()[d]);
    for (std::size_t to = d; to < nest.rank(); ++to) {
      LoopNest moved = NestOf(dimensions);
      moved.MoveLoop(d, to);
      ASSERT_EQ(PointsOf(moved), points) << d << " to " << to;
    }
    for (std::int64_t inner = 1; inner <= nest.extents()[d]; ++inner) {
      if (nest.extents()[d] % inner != 0) continue;
      LoopNest split = NestOf(dimensions);
      split.SplitLoop(d, inner);
      ASSERT_EQ(PointsOf(split), points) << d << " by " << inner;
    }
  }
}

// All lists of at most `rank` dimensions.
void CheckAll(std::size_t rank, const std::vector<Dimension>& each, std::vector<Dimension>& dimensions) {
  ASSERT_NO_FATAL_FAILURE(Check(dimensions));
  if (dimensions.size() == rank) return;
  for (const Dimension& d : each) {
    dimensions.push_back(d);
    ASSERT_NO_FATAL_FAILURE(CheckAll(rank, each, dimensions));
    dimensions.pop_back();
  }
}

std::vector<Dimension> AllDimensions(std::span<const std::int64_t> extents,
                                     std::span<const std::int64_t> driving,
                                     std::span<const std::int64_t> first,
                                     std::span<const std::int64_t> second) {
  std::vector<Dimension> all;
  for (std::int64_t extent : extents) {
    for (std::int64_t a : driving) {
      for (std::int64_t b : first) {
        for (std::int64_t c : second) all.push_back({extent, {a, b, c}});
      }
    }
  }
  return all;
}

// Rules: BRO-5, MEM-1, RED-1
TEST(LoopNest, VisitsEveryIndexOnceWhateverTheStrides) {
  std::vector<Dimension> dimensions;
  const std::int64_t extents[] = {1, 2, 3}, driving[] = {-3, -1, 1, 2, 4}, any[] = {-2, 0, 1, 3},
                     few[] = {0, 1};
  CheckAll(2, AllDimensions(extents, driving, any, any), dimensions);
  const std::int64_t two[] = {2, 3}, dense[] = {-2, 1, 2, 6}, steps[] = {0, 1, 2};
  CheckAll(3, AllDimensions(two, dense, steps, few), dimensions);
}

// The largest strides that the check of the address space lets through (overlap.h): their products with
// extents, and the sums of these, do not overflow, which the sanitizers see.
TEST(LoopNest, VisitsEveryIndexOnceWithTheLargestStrides) {
  std::vector<Dimension> dimensions;
  const std::int64_t limit = std::int64_t{1} << 60;
  const std::int64_t extents[] = {1, 2}, driving[] = {-limit, limit - 1, 1},
                     others[] = {0, -limit, limit / 2};
  CheckAll(2, AllDimensions(extents, driving, others, others), dimensions);
  // The stride of a dimension of extent 1 may be any number.
  const std::int64_t one[] = {1}, any[] = {INT64_MIN, INT64_MAX, 0};
  CheckAll(2, AllDimensions(one, any, any, any), dimensions);
}

// Rules: MEM-3
TEST(LoopNest, OfMoreOperandsThanHaveRoomInPlaceIsAllocatedOrAnError) {
  const Shape extents{2, 3}, strides{3, 1};
  EXPECT_EQ(
      [&] {
        LoopNest nest;
        EXPECT_TRUE(nest.Init(extents, strides, kFewOperands));
        return nest.MemoryBytes();
      }(),
      0u);
  const std::size_t many = 25;  // more steps than there is room for
  {
    LoopNest nest;
    ASSERT_TRUE(nest.Init(extents, strides, many));
    for (std::size_t m = 0; m < many; ++m) nest.SetStrides(m, Shape{static_cast<std::int64_t>(m) * 3, 7});
    EXPECT_EQ(nest.MemoryBytes(), many * 4 * sizeof(std::int64_t));
    for (std::size_t m = 0; m < many; ++m) {
      EXPECT_TRUE(SameDims(nest.Steps(m), Shape{static_cast<std::int64_t>(m) * 3, 7})) << m;
    }
  }
  LoopNest nest;
  const test::FailingAllocations failing(0, /*once=*/true);
  const Result<void> made = nest.Init(extents, strides, many);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kOutOfMemory);
  EXPECT_TRUE(made.error().message.ends_with("could not allocate 800 bytes for the strides of 25 inputs"))
      << made.error().message;
}

}  // namespace
}  // namespace supremum
