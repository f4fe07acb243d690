// Which Max are computed without a plan. Those that are not give the same bits (max_dense_test.cc).
#include "ops/max_direct.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "support/direct.h"
#include "supremum/target.h"

namespace supremum {
namespace {

class MaxDirect : public testing::Test {
 protected:
  void SetUp() override { AssumeCaches(CacheSizes{std::int64_t{1} << 30, std::int64_t{1} << 30}); }
  void TearDown() override {
    AssumeCaches(std::nullopt);
    EXPECT_TRUE(UseTarget(""));
  }

  static bool IsDirect(const std::vector<Shape>& shapes, const Shape& output) {
    const auto compute = [](std::span<const TensorView> inputs, const MutableTensorView& y) {
      return ComputeMaxDirectly(inputs, y, {});
    };
    return test::Computes(compute, shapes, output);
  }
};

// Rules: MAX-2, MEM-3
TEST_F(MaxDirect, TakesUpTo64InputsOfOneShape) {
  EXPECT_FALSE(IsDirect({}, {3}));
  for (const std::size_t inputs : {1u, 2u, 3u, 64u}) {
    EXPECT_TRUE(IsDirect(std::vector<Shape>(inputs, Shape{20, 5}), {20, 5})) << inputs;
  }
  EXPECT_FALSE(IsDirect(std::vector<Shape>(65, Shape{20, 5}), {20, 5}));
}

// Rules: MAX-2, BRO-5, MEM-3
TEST_F(MaxDirect, TakesUpToEightInputsOfWhichSomeAreBroadcast) {
  std::vector<Shape> shapes(8, Shape{5});
  shapes[3] = {20, 5};
  EXPECT_TRUE(IsDirect(shapes, {20, 5}));
  shapes.push_back({5});
  EXPECT_FALSE(IsDirect(shapes, {20, 5}));
}

// Rules: MAX-2, BRO-5, MEM-3
TEST_F(MaxDirect, BroadcastsToUpTo64KiBWithoutKernelsForPatterns) {
  ASSERT_TRUE(UseTarget("portable"));
  EXPECT_TRUE(IsDirect({{128, 128}, {128}}, {128, 128}));
  EXPECT_FALSE(IsDirect({{129, 128}, {128}}, {129, 128}));
}

// Rules: MAX-2, BRO-5, MEM-3
TEST_F(MaxDirect, TakesManyShortLinesWhereThereAreKernelsForPatterns) {
  const bool has_kernels = kernels::ActiveKernels().For(DType::kFloat32).join_patterns != nullptr;
  EXPECT_EQ(IsDirect({{64, 1, 3}, {1, 32, 3}}, {64, 32, 3}), has_kernels);
  EXPECT_EQ(IsDirect({{64, 1, 3}, {1, 32, 3}, {1, 32, 1}}, {64, 32, 3}), has_kernels);
}

// Short lines that are read as one line, since the dense input is contiguous in two loops.
// Rules: MAX-2, BRO-5, MEM-3
TEST_F(MaxDirect, TakesManyShortLinesWithoutKernelsForPatternsWhereEachElementOrTheRowRepeats) {
  ASSERT_TRUE(UseTarget("portable"));
  EXPECT_TRUE(IsDirect({{500, 3}, {500, 1}}, {500, 3}));
  EXPECT_TRUE(IsDirect({{500, 3}, {3}}, {500, 3}));
  EXPECT_TRUE(IsDirect({{500, 3}, {}}, {500, 3}));
  EXPECT_TRUE(IsDirect({{64, 4, 3}, {1, 4, 3}}, {64, 4, 3}));
  EXPECT_FALSE(IsDirect({{100, 5, 3}, {100, 1, 3}}, {100, 5, 3}));
  EXPECT_FALSE(IsDirect({{500, 1}, {1, 3}}, {500, 3}));
}

// Rules: MAX-2, MEM-1, MEM-3
TEST_F(MaxDirect, TakesTwoInputsOfOneShapeWithStrides) {
  const Shape shape{8, 16}, strides{-16, 1}, empty{0, 3}, of_empty{3, 1};
  const std::vector<float> x(128, 1);
  std::vector<float> y(128);
  const TensorView view{DType::kFloat32, shape, strides, x.data() + 112};
  const TensorView dense{DType::kFloat32, shape, {}, x.data()};
  const MutableTensorView output = MutableTensorView::Of(y.data(), shape);
  const auto is_direct = [](const std::vector<TensorView>& inputs, const MutableTensorView& to) {
    return ComputeMaxDirectly(inputs, to, {});
  };
  EXPECT_TRUE(is_direct({view, dense}, output));
  EXPECT_TRUE(is_direct({dense, view}, output));
  EXPECT_FALSE(is_direct({view}, output));
  EXPECT_FALSE(is_direct({view, dense, dense}, output));
  EXPECT_FALSE(is_direct({view, {DType::kInt32, shape, {}, x.data()}}, output));  // TYP-2
  EXPECT_FALSE(is_direct({{DType::kInt32, shape, strides, x.data() + 112}, dense}, output));
  EXPECT_FALSE(is_direct({view, {DType::kFloat32, shape, {}, nullptr}}, output));
  EXPECT_FALSE(is_direct({{DType::kFloat32, shape, strides, nullptr}, dense}, output));
  const TensorView beyond{DType::kFloat32, shape, {}, reinterpret_cast<const void*>(UINTPTR_MAX - 3)};
  EXPECT_FALSE(is_direct({view, beyond}, output));
  const TensorView nothing{DType::kFloat32, empty, of_empty, x.data()};
  EXPECT_FALSE(is_direct({nothing, nothing}, MutableTensorView::Of(y.data(), empty)));
}

// Rules: MAX-2, MEM-3
TEST_F(MaxDirect, TakesWhatFitsIntoTheCacheOfTheCore) {
  AssumeCaches(CacheSizes{3 * 400, 1 << 20});
  EXPECT_TRUE(IsDirect({{100}, {100}}, {100}));
  EXPECT_FALSE(IsDirect({{101}, {101}}, {101}));
}

}  // namespace
}  // namespace supremum
