// Which ReduceMax are computed without a plan. Those that are not give the same bits
// (reduce_max_property_test.cc).
#include "ops/reduce_direct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/axes.h"
#include "ops/tuning.h"
#include "support/allocations.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

// Whether bytes of this shape are reduced without a plan. If not, nothing is written.
bool IsDirect(const Shape& shape, const std::vector<std::int64_t>& axes) {
  const std::vector<std::uint8_t> x(static_cast<std::size_t>(*ElementCount(shape)), 7);
  AxisSet reduced;
  for (const std::int64_t axis : axes) reduced.Add(static_cast<std::size_t>(axis));
  const Shape kept = ReducedShape(shape, reduced, false);
  std::vector<std::uint8_t> y(static_cast<std::size_t>(*ElementCount(kept)), 0);
  const std::size_t before = test::Allocations();
  const bool is_direct = ComputeReduceMaxDirectly(TensorView::Of(x.data(), shape),
                                                  MutableTensorView::Of(y.data(), kept), {.axes = axes});
  EXPECT_EQ(test::Allocations(), before);
  EXPECT_EQ(y, std::vector<std::uint8_t>(y.size(), is_direct ? 7 : 0));
  return is_direct;
}

// Rules: RED-1, MEM-3
TEST(ReduceDirect, TakesSourcesThatOneThreadReads) {
  constexpr std::int64_t kBytes = 2 * kDefaultTuning.min_bytes_per_thread;
  EXPECT_TRUE(IsDirect({8, kBytes / 8 - 1}, {1}));
  EXPECT_FALSE(IsDirect({8, kBytes / 8}, {1}));
}

// Rules: RED-1, MEM-3
TEST(ReduceDirect, TakesOutputsOfAtMost32KiB) {
  EXPECT_TRUE(IsDirect({2, 32 * 1024}, {0}));
  EXPECT_FALSE(IsDirect({2, 32 * 1024 + 1}, {0}));
}

// Rules: RED-1, MEM-3
TEST(ReduceDirect, TakesWhatTheFirstOfTwoReductionsLeavesInAtMost16KiB) {
  EXPECT_TRUE(IsDirect({2, 64, 4, 64}, {0, 2}));
  EXPECT_FALSE(IsDirect({2, 65, 4, 64}, {0, 2}));
}

// A source whose dimensions are in memory in this order, outermost first; those of `down` run downwards.
struct InThisOrder {
  Shape shape;
  std::vector<std::size_t> order;
  std::vector<std::size_t> down;
};

// Whether such a source is reduced without a plan, all elements different; with the result of the
// specification then.
bool IsDirect(const InThisOrder& layout, const std::vector<std::int64_t>& axes) {
  const std::size_t rank = layout.shape.size();
  std::vector<std::int32_t> x(static_cast<std::size_t>(*ElementCount(layout.shape)));
  std::uint32_t bits = 1;
  for (std::int32_t& element : x)
    element = static_cast<std::int32_t>((bits = bits * 1664525 + 1013904223) >> 1);
  Shape strides = Shape::Filled(rank, 0);
  std::int64_t step = 1, first = 0;
  for (std::size_t k = rank; k-- > 0;) {
    const std::size_t d = layout.order[k];
    const bool down = std::find(layout.down.begin(), layout.down.end(), d) != layout.down.end();
    strides[d] = down ? -step : step;
    if (down) first += (layout.shape[d] - 1) * step;
    step *= layout.shape[d];
  }
  AxisSet reduced;
  for (const std::int64_t axis : axes) reduced.Add(static_cast<std::size_t>(axis));
  const Shape kept = ReducedShape(layout.shape, reduced, false);
  std::vector<std::int32_t> y(static_cast<std::size_t>(*ElementCount(kept)), -1), expected = y;
  const TensorView source{DType::kInt32, layout.shape, strides, x.data() + first};
  const std::size_t before = test::Allocations();
  const bool is_direct =
      ComputeReduceMaxDirectly(source, MutableTensorView::Of(y.data(), kept), {.axes = axes});
  EXPECT_EQ(test::Allocations(), before);
  if (is_direct) {
    EXPECT_TRUE(reference::ReduceMax(source, MutableTensorView::Of(expected.data(), kept), axes, false));
  }
  EXPECT_EQ(y, expected);
  return is_direct;
}

// Rules: RED-1, MEM-1, MEM-3, ORD-5
TEST(ReduceDirect, TakesSourcesWithoutGapsInAnyOrderOfTheirReducedDimensions) {
  EXPECT_TRUE(IsDirect(InThisOrder{{5, 7}, {0, 1}, {}}, {1})) << "stated strides";
  EXPECT_TRUE(IsDirect(InThisOrder{{5, 7}, {1, 0}, {}}, {0})) << "transposed";
  EXPECT_TRUE(IsDirect(InThisOrder{{5, 7}, {1, 0}, {}}, {1})) << "transposed";
  EXPECT_TRUE(IsDirect(InThisOrder{{5, 7}, {0, 1}, {1}}, {1})) << "reduced downwards";
  EXPECT_TRUE(IsDirect(InThisOrder{{5, 7}, {0, 1}, {0, 1}}, {1})) << "reversed";
  EXPECT_TRUE(IsDirect(InThisOrder{{5, 7}, {0, 1}, {0, 1}}, {0})) << "reversed";
  EXPECT_TRUE(IsDirect(InThisOrder{{5, 7}, {0, 1}, {0, 1}}, {0, 1})) << "nothing is kept";
  EXPECT_TRUE(IsDirect(InThisOrder{{3, 4, 5, 6}, {0, 2, 3, 1}, {}}, {1})) << "channels last";
  EXPECT_TRUE(IsDirect(InThisOrder{{3, 4, 5, 6}, {0, 2, 3, 1}, {}}, {2, 3})) << "channels last";
  EXPECT_TRUE(IsDirect(InThisOrder{{3, 4, 5, 6}, {0, 2, 3, 1}, {2}}, {0, 2, 3})) << "channels last";
  EXPECT_TRUE(IsDirect(InThisOrder{{3, 1, 5}, {2, 1, 0}, {1}}, {0})) << "an extent of 1 has any stride";
  EXPECT_TRUE(IsDirect(InThisOrder{{2, 3, 2, 3, 2}, {0, 1, 2, 3, 4}, {1}}, {1, 3}));
  EXPECT_TRUE(IsDirect(InThisOrder{{2, 3, 2, 3, 2}, {0, 1, 2, 3, 4}, {0, 2, 4}}, {1, 3})) << "reversed";
}

// Rules: RED-1, MEM-1, MEM-3, ORD-5
TEST(ReduceDirect, LeavesOtherOrdersToAPlan) {
  EXPECT_FALSE(IsDirect(InThisOrder{{3, 4, 5}, {2, 1, 0}, {}}, {1})) << "kept dimensions in another order";
  EXPECT_FALSE(IsDirect(InThisOrder{{3, 4, 5}, {0, 1, 2}, {0}}, {1})) << "one of two runs downwards";
  EXPECT_FALSE(IsDirect(InThisOrder{{3, 4, 5}, {0, 1, 2}, {2}}, {1})) << "the other one";
  EXPECT_FALSE(IsDirect(InThisOrder{{2, 2, 2, 2, 2, 2, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {}}, {0}));
  EXPECT_FALSE(IsDirect(InThisOrder{{2, 5000}, {0, 1}, {1}}, {0})) << "an output of 20 KB from its end";
  const std::vector<std::int32_t> x(64, 7);
  std::vector<std::int32_t> y(4, -1);
  const Shape square{4, 4}, four{4};
  for (const Shape& strides : {Shape{0, 1}, Shape{8, 2}, Shape{3, 1}, Shape{5, 1}, Shape{1, 1}, Shape{4}}) {
    const TensorView source{DType::kInt32, square, strides, x.data()};
    EXPECT_FALSE(ComputeReduceMaxDirectly(source, MutableTensorView::Of(y.data(), four),
                                          {.axes = std::vector<std::int64_t>{1}}))
        << ToString(strides);
    EXPECT_EQ(y, std::vector<std::int32_t>(4, -1));
  }
}

// Rules: RED-1, MEM-3
TEST(ReduceDirect, TakesAtMostTwoGroupsOfReducedDimensions) {
  EXPECT_TRUE(IsDirect({2, 3, 2, 3, 2}, {}));
  EXPECT_TRUE(IsDirect({2, 3, 2, 3, 2}, {1, 3}));
  EXPECT_TRUE(IsDirect({2, 3, 2, 3, 2}, {0, 1, 3, 4}));
  EXPECT_TRUE(IsDirect({2, 1, 2, 1, 2, 3, 2}, {0, 2, 4, 6})) << "extents of 1 are in no group";
  EXPECT_FALSE(IsDirect({2, 3, 2, 3, 2}, {0, 2, 4}));
  EXPECT_FALSE(IsDirect({3, 2, 3, 2, 3, 2}, {1, 3, 5}));
}

}  // namespace
}  // namespace supremum
