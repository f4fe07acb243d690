// Which inputs are joined by their patterns without a plan. Others give the same bits (max_dense_test.cc).
#include "ops/direct_patterns.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "kernels/kernels.h"
#include "support/allocations.h"

namespace supremum {
namespace {

class DirectPatterns : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::ActiveKernels().For(DType::kFloat32).join_patterns == nullptr) {
      GTEST_SKIP() << "this processor has no kernels for patterns";
    }
  }

  // Whether inputs of these shapes are joined to an output of that shape. If not, nothing is written.
  static bool AreJoined(const std::vector<Shape>& shapes, const Shape& output) {
    const std::size_t elements = static_cast<std::size_t>(*ElementCount(output));
    const std::vector<float> x(elements, 7);
    std::vector<float> y(elements, 0);
    std::vector<TensorView> views;
    for (const Shape& shape : shapes) views.push_back(TensorView::Of(x.data(), shape));
    const std::size_t before = test::Allocations();
    const bool are_joined = JoinByPatterns(views, MutableTensorView::Of(y.data(), output));
    EXPECT_EQ(test::Allocations(), before);
    EXPECT_EQ(y, std::vector<float>(elements, are_joined ? 7 : 0));
    return are_joined;
  }
};

// Rules: MAX-2, BRO-5, MEM-3
TEST_F(DirectPatterns, AreJoinedWithAtMostFourLoops) {
  EXPECT_TRUE(AreJoined({{64, 1, 3}, {1, 32, 3}}, {64, 32, 3}));
  EXPECT_TRUE(AreJoined({{4, 1, 5, 3}, {1, 6, 1, 3}}, {4, 6, 5, 3}));
  EXPECT_TRUE(AreJoined({{4, 1, 1, 5, 3}, {1, 6, 1, 1, 3}}, {4, 6, 1, 5, 3})) << "an extent of 1 is no loop";
  EXPECT_FALSE(AreJoined({{4, 1, 2, 1, 3}, {1, 6, 1, 5, 3}}, {4, 6, 2, 5, 3}));
}

// Rules: BRO-2, E2, MEM-3
TEST_F(DirectPatterns, AreNotJoinedToAnOutputOfAnotherShape) {
  EXPECT_FALSE(AreJoined({{64, 1, 3}, {1, 32, 3}}, {64, 31, 3}));
  EXPECT_FALSE(AreJoined({{64, 1, 3}, {1, 1, 3}}, {64, 32, 3}));
}

// Rules: BRO-5, MEM-3
TEST_F(DirectPatterns, AreNotJoinedWhereTheOutputIsLessThanAVector) {
  EXPECT_FALSE(AreJoined({{3}, {1}}, {3}));
}

}  // namespace
}  // namespace supremum
