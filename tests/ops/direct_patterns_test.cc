// Which inputs are joined by their patterns without a plan. Others give the same bits (max_dense_test.cc).
#include "ops/direct_patterns.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/kernels.h"
#include "support/direct.h"

namespace supremum {
namespace {

class DirectPatterns : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::ActiveKernels().For(DType::kFloat32).join_patterns == nullptr) {
      GTEST_SKIP() << "this processor has no kernels for patterns";
    }
  }

  static bool AreJoined(const std::vector<Shape>& shapes, const Shape& output) {
    return test::Computes(JoinByPatterns, shapes, output);
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
