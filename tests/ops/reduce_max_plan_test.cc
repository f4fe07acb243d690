// Plans of ReduceMax: checked once, run often, without allocating.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "support/allocations.h"
#include "support/errors.h"
#include "support/values.h"
#include "supremum/reduce_max.h"

namespace supremum {
namespace {

using test::ExpectError;
using testing::ElementsAre;
using Axes = std::vector<std::int64_t>;

class ReduceMaxPlanTest : public testing::Test {
 protected:
  std::vector<float> x_{1, 5, 2, 4, 3, 6}, y_ = std::vector<float>(2);
  Shape rows_{2, 3}, two_{2};
  Axes last_{-1};
  Result<ReduceMaxPlan> plan_ = ReduceMaxPlan::Prepare(
      TensorView::Of(x_.data(), rows_), MutableTensorView::Of(y_.data(), two_), {.axes = last_});
};

// Rules: MEM-3
TEST_F(ReduceMaxPlanTest, RunsAnyNumberOfTimesOnWhatTheSourceHoldsThen) {
  ASSERT_TRUE(plan_);
  plan_->Run();
  EXPECT_THAT(y_, ElementsAre(5, 6));
  x_ = {0, 0, 0, 9, 0, 0};
  plan_->Run();
  EXPECT_THAT(y_, ElementsAre(0, 9));
  const ReduceMaxPlan moved = *std::move(plan_);
  x_[1] = 7;
  moved.Run();
  EXPECT_THAT(y_, ElementsAre(7, 9));
}

// Rules: MEM-3
TEST_F(ReduceMaxPlanTest, CopiesShapesStridesAndAxes) {
  ASSERT_TRUE(plan_);
  rows_ = {1, 1};
  two_ = {0};
  last_ = {0};
  plan_->Run();
  EXPECT_THAT(y_, ElementsAre(5, 6));
}

// Rules: MEM-3
TEST(ReduceMaxPlan, RunningAllocatesNothing) {
  using test::StridedTensor;
  const Shape shape{3, 50, 7, 4};
  for (DType dtype : kAllDTypes) {
    test::Rng rng(1);
    for (const Axes& axes : {Axes{}, Axes{0}, Axes{3}, Axes{1, 3}, Axes{0, 1, 2, 3}}) {
      StridedTensor x(rng, dtype, shape, StridedTensor::Layout::kAny, StridedTensor::Use::kInput);
      x.Fill(rng);
      const Result<Shape> reduced = ReduceMaxOutputShape(x.View(), {.axes = axes});
      StridedTensor y(rng, dtype, *reduced, StridedTensor::Layout::kAny, StridedTensor::Use::kOutput);
      const std::size_t before_prepare = test::Allocations();
      Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(x.View(), y.MutableView(), {.axes = axes});
      ASSERT_TRUE(plan);
      EXPECT_GT(test::Allocations(), before_prepare) << "this test would not notice an allocation";
      EXPECT_GT(plan->MemoryBytes(), 0u);
      const std::size_t before = test::Allocations();
      for (int i = 0; i < 3; ++i) plan->Run();
      EXPECT_EQ(test::Allocations(), before);
    }
  }
}

TEST(ReduceMaxOutputShape, AllocatesNothingWhereThereIsNoError) {
  const Shape shape{4, 1, 3};
  const Axes axes{-1, 0};
  const TensorView source = TensorView::Of<float>(nullptr, shape);
  const std::size_t before = test::Allocations();
  const Result<Shape> reduced =
      ReduceMaxOutputShape(source, {.axes = axes, .source_name = "a name longer than most"});
  EXPECT_EQ(test::Allocations(), before);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(*reduced, Shape{1});
}

// Rules: MEM-2, MEM-3
TEST_F(ReduceMaxPlanTest, ARebindOfOneOperandOrOfNoneComputesWithWhatItWasGiven) {
  ASSERT_TRUE(plan_);
  const std::vector<float> other{7, 0, 0, 0, 0, 8};
  std::vector<float> z(2);
  const std::size_t before = test::Allocations();
  ASSERT_TRUE(plan_->Rebind(x_.data(), y_.data()));
  EXPECT_EQ(test::Allocations(), before);
  plan_->Run();
  EXPECT_THAT(y_, ElementsAre(5, 6)) << "as prepared";
  ASSERT_TRUE(plan_->Rebind(other.data(), y_.data()));
  plan_->Run();
  EXPECT_THAT(y_, ElementsAre(7, 8));
  ASSERT_TRUE(plan_->Rebind(other.data(), z.data()));
  plan_->Run();
  EXPECT_THAT(z, ElementsAre(7, 8));
}

// Rules: MEM-2
TEST_F(ReduceMaxPlanTest, ARefusedRebindLeavesThePlanAsItWas) {
  ASSERT_TRUE(plan_);
  ExpectError(plan_->Rebind(x_.data(), x_.data() + 4), ErrorCode::kOverlap,
              {"the output shares memory with the source"});
  ExpectError(plan_->Rebind(nullptr, y_.data()), ErrorCode::kInvalidArgument,
              {"the source has elements and no data"});
  ExpectError(plan_->Rebind(x_.data(), nullptr), ErrorCode::kInvalidArgument,
              {"the output has elements and no data"});
  ExpectError(plan_->Rebind(x_.data(), x_.data() + 4), ErrorCode::kOverlap,
              {"the output shares memory with the source"});
  plan_->Run();
  EXPECT_THAT(y_, ElementsAre(5, 6));
}

// Rules: MEM-1
TEST_F(ReduceMaxPlanTest, ARebindToElementsThatLeaveTheAddressSpaceIsRefused) {
  const Shape shape{2, 3}, kept{2};
  std::vector<float> x{1, 2, 3, 6, 5, 4}, y(2);
  const std::int64_t last[] = {1};
  ReduceMaxOptions options;
  options.axes = last;
  options.keepdims = false;
  Result<ReduceMaxPlan> plan =
      ReduceMaxPlan::Prepare(TensorView::Of(x.data(), shape), MutableTensorView::Of(y.data(), kept), options);
  ASSERT_TRUE(plan) << plan.error().message;
  void* const far = reinterpret_cast<void*>(UINTPTR_MAX - 3);
  ExpectError(plan->Rebind(far, y.data()), ErrorCode::kInvalidShape,
              {"the source has elements that leave the address space"});
  ExpectError(plan->Rebind(x.data(), far), ErrorCode::kInvalidShape,
              {"the output has elements that leave the address space"});
  plan->Run();
  EXPECT_THAT(y, testing::ElementsAre(3, 6));
}

TEST(ReduceMaxPlan, OfMoreElementsThanThereIsMemoryBecauseTheyRepeatIsPrepared) {
  const std::int64_t half = std::int64_t{1} << 31;
  const Shape huge{half, half}, strides{1, 1}, scalar;
  const double x = 0;
  double y = 0;
  const Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(
      TensorView::Of(&x, huge, strides), MutableTensorView::Of(&y, scalar), {.threads = 2});
  // The view of `x` spans 2^32 - 1 elements. If `y` happens to be inside this memory, it is an overlap.
  EXPECT_TRUE(plan || plan.error().code == ErrorCode::kOverlap);
}

// Products of extents are below 2^63, but not below 2^60, which their product with eight bytes would need.
TEST(ReduceMaxPlan, OfAnyNumberOfElementsThatOverlapIsPrepared) {
  if (sizeof(void*) < 8) GTEST_SKIP() << "the address space has no room for these views";
  const auto at = [](int bit) { return reinterpret_cast<double*>(std::uintptr_t{1} << bit); };
  const std::int64_t million = std::int64_t{1} << 20;
  struct Case {
    Shape source, strides, output;
    Axes axes;
  };
  const Case cases[] = {{{million << 12, million << 10}, {1, 1}, {million << 10}, {0}},
                        {{million << 10, million << 12}, {1, 1}, {million << 10}, {1}},
                        {{2, 1024, million << 31}, {1024, 1, 1}, {2, 1024}, {2}},
                        {{2, million << 31, 1024}, {1024, 1, 1}, {2, 1024}, {1}}};
  for (const Case& one : cases) {
    const Result<ReduceMaxPlan> plan =
        ReduceMaxPlan::Prepare(TensorView::Of(at(60), one.source, one.strides),
                               MutableTensorView::Of(at(40), one.output), {.axes = one.axes, .threads = 3});
    EXPECT_TRUE(plan) << ToString(one.source) << ": " << plan.error().message;
  }
}

// Rules: RED-6
TEST(ReduceMaxPlan, OfAnEmptySourceNeedsNoSourceData) {
  const Shape none{2, 0}, two{2};
  const Axes last{1};
  std::vector<std::int32_t> y{1, 1}, z{1, 1};
  Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(TensorView::Of<std::int32_t>(nullptr, none),
                                                      MutableTensorView::Of(y.data(), two), {.axes = last});
  ASSERT_TRUE(plan);
  ASSERT_TRUE(plan->Rebind(nullptr, z.data()));
  plan->Run();
  EXPECT_THAT(z, ElementsAre(INT32_MIN, INT32_MIN));
  EXPECT_THAT(y, ElementsAre(1, 1));
}

// Rules: ORD-5
TEST_F(ReduceMaxPlanTest, ThreadsMayReduceOneSourceAtOnce) {
  std::vector<std::vector<float>> results(4, std::vector<float>(2));
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        Result<ReduceMaxPlan> plan = ReduceMaxPlan::Prepare(
            TensorView::Of(x_.data(), rows_), MutableTensorView::Of(result.data(), two_), {.axes = last_});
        ASSERT_TRUE(plan);
        plan->Run();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_THAT(result, ElementsAre(5, 6));
}

// Rules: MEM-3
TEST_F(ReduceMaxPlanTest, TakesThePlaceOfAnother) {
  std::vector<float> z(2);
  Result<ReduceMaxPlan> other = ReduceMaxPlan::Prepare(
      TensorView::Of(x_.data(), rows_), MutableTensorView::Of(z.data(), two_), {.axes = last_});
  ASSERT_TRUE(plan_ && other);
  *plan_ = *std::move(other);
  plan_->Run();
  EXPECT_THAT(y_, ElementsAre(0, 0));
  EXPECT_THAT(z, ElementsAre(5, 6));
}

// Rules: MEM-3, RED-6
TEST_F(ReduceMaxPlanTest, RebindNamesWhatHasNoData) {
  // Nothing is read of a source without elements, and an output without elements needs no memory.
  const Shape none{2, 0}, empty{0, 3}, nothing{0};
  Result<ReduceMaxPlan> least = ReduceMaxPlan::Prepare(
      TensorView::Of(x_.data(), none), MutableTensorView::Of(y_.data(), two_), {.axes = last_});
  ASSERT_TRUE(least);
  ExpectError(least->Rebind(nullptr, nullptr), ErrorCode::kInvalidArgument,
              {"the output has elements and no data"});
  Result<ReduceMaxPlan> idle = ReduceMaxPlan::Prepare(
      TensorView::Of(x_.data(), empty), MutableTensorView::Of(y_.data(), nothing), {.axes = last_});
  ASSERT_TRUE(idle);
  EXPECT_TRUE(idle->Rebind(nullptr, nullptr));
  idle->Run();
}

}  // namespace
}  // namespace supremum
