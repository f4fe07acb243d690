// Which ReduceMax are computed without a plan. Those that are not give the same bits
// (reduce_max_property_test.cc).
#include "ops/reduce_direct.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/axes.h"
#include "ops/parallel.h"
#include "support/allocations.h"

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
  constexpr std::int64_t kBytes = 2 * kMinBytesPerThread;
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
