// Plans: checked once, run often, without allocating.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "support/allocations.h"
#include "support/errors.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"
#include "supremum/target.h"

namespace supremum {
namespace {

using test::ExpectError;
using testing::ElementsAre;

// Rules: MEM-3
TEST(MaxPlan, RunsAnyNumberOfTimesOnWhatTheInputsHoldThen) {
  std::vector<float> a{1, 5}, b{3, 4}, y(2);
  const Shape shape{2};
  Result<MaxPlan> plan = MaxPlan::Prepare({TensorView::Of(a.data(), shape), TensorView::Of(b.data(), shape)},
                                          MutableTensorView::Of(y.data(), shape));
  ASSERT_TRUE(plan);
  plan->Run();
  EXPECT_THAT(y, ElementsAre(3, 5));
  a = {9, -9};
  plan->Run();
  EXPECT_THAT(y, ElementsAre(9, 4));
  MaxPlan moved = *std::move(plan);
  b = {0, 0};
  moved.Run();
  EXPECT_THAT(y, ElementsAre(9, 0));
}

// Rules: MEM-3
TEST(MaxPlan, RunningAllocatesNothing) {
  for (DType dtype : kNumberDTypes) {
    test::Rng rng(1);
    const Shape shape{3, 50, 7}, row{7}, column{50, 1};
    using test::StridedTensor;
    StridedTensor a(rng, dtype, shape, StridedTensor::Layout::kAny, StridedTensor::Use::kInput);
    StridedTensor b(rng, dtype, row, StridedTensor::Layout::kDense, StridedTensor::Use::kInput);
    StridedTensor c(rng, dtype, column, StridedTensor::Layout::kReversed, StridedTensor::Use::kInput);
    StridedTensor y(rng, dtype, shape, StridedTensor::Layout::kAny, StridedTensor::Use::kOutput);
    const std::size_t before_prepare = test::Allocations();
    Result<MaxPlan> plan = MaxPlan::Prepare({a.View(), b.View(), c.View()}, y.MutableView());
    ASSERT_TRUE(plan);
    EXPECT_GT(test::Allocations(), before_prepare) << "this test would not notice an allocation";
    EXPECT_GT(plan->MemoryBytes(), 0u);
    const std::size_t before = test::Allocations();
    for (int i = 0; i < 3; ++i) plan->Run();
    EXPECT_EQ(test::Allocations(), before);
  }
}

TEST(MaxOutputShape, AllocatesNothingWhereThereIsNoError) {
  const Shape a{4, 1}, b{3};
  std::vector<TensorView> inputs(20, TensorView::Of<float>(nullptr, a));
  inputs[1] = TensorView::Of<float>(nullptr, b);
  const std::size_t before = test::Allocations();
  const Result<Shape> shape = MaxOutputShape(inputs);
  EXPECT_EQ(test::Allocations(), before);
  EXPECT_TRUE(shape);
}

// Rules: MEM-3
TEST(MaxPlan, HoldsTheMemoryThatItReports) {
  std::vector<float> x(8), y(8);
  const Shape shape{8};
  const TensorView view = TensorView::Of(x.data(), shape);
  const MutableTensorView output = MutableTensorView::Of(y.data(), shape);
  const auto bytes_of = [&](std::size_t inputs) {
    return MaxPlan::Prepare(std::vector<TensorView>(inputs, view), output)->MemoryBytes();
  };
  EXPECT_EQ(bytes_of(8), bytes_of(1)) << "there is room for eight in the plan itself";
  const std::size_t more = bytes_of(2000) - bytes_of(1000);
  EXPECT_EQ(more % 1000, 0u);
  EXPECT_GE(more / 1000, 24u) << "a pointer, an origin and a step for each input";
  EXPECT_LE(more / 1000, 80u);
}

// Rules: MEM-3
TEST(Max, OfTwoInputsOfEightDimensionsAllocatesNothing) {
  const Shape output{2, 2, 2, 2, 2, 2, 2, 2}, other{2, 1, 2, 1, 2, 1, 2, 1}, row{2};
  std::vector<float> x(256), y(256);
  for (const Shape& shape : {output, other, row}) {
    const TensorView views[] = {TensorView::Of(x.data(), shape), TensorView::Of(x.data(), output)};
    ASSERT_TRUE(Max(views, MutableTensorView::Of(y.data(), output)));
    const std::size_t before = test::Allocations();
    const Result<void> done = Max(views, MutableTensorView::Of(y.data(), output));
    const std::size_t after = test::Allocations();
    EXPECT_EQ(after, before) << ToString(shape);
    EXPECT_TRUE(done);
  }
}

// Rules: MEM-2, MEM-3
TEST(MaxPlan, ARebindOfOneOperandOrOfNoneComputesWithWhatItWasGiven) {
  std::vector<float> a{1, 5}, b{3, 4}, c{2, 9}, d{8, 0}, y(2), z(2);
  const Shape shape{2};
  Result<MaxPlan> plan = MaxPlan::Prepare({TensorView::Of(a.data(), shape), TensorView::Of(b.data(), shape)},
                                          MutableTensorView::Of(y.data(), shape));
  ASSERT_TRUE(plan);
  const auto bind = [&](const std::vector<float>& first, const std::vector<float>& second,
                        std::vector<float>& output) {
    const void* inputs[] = {first.data(), second.data()};
    ASSERT_TRUE(plan->Rebind(inputs, output.data()));
    output = {0, 0};
    plan->Run();
  };
  const void* const prepared[] = {a.data(), b.data()};
  const std::size_t before = test::Allocations();
  ASSERT_TRUE(plan->Rebind(prepared, y.data()));
  EXPECT_EQ(test::Allocations(), before);
  bind(a, b, y);
  EXPECT_THAT(y, ElementsAre(3, 5)) << "as prepared";
  bind(c, b, y);
  EXPECT_THAT(y, ElementsAre(3, 9));
  bind(c, d, y);
  EXPECT_THAT(y, ElementsAre(8, 9));
  bind(c, d, z);
  EXPECT_THAT(z, ElementsAre(8, 9));
  EXPECT_THAT(y, ElementsAre(8, 9)) << "of the binding before";
  bind(d, d, z);
  EXPECT_THAT(z, ElementsAre(8, 0));
}

// Inputs of one shape, and broadcast ones that are read in place, and expanded.
// Rules: MEM-3
TEST(MaxPlan, ReadsAndWritesNothingBeyondItsMemoryOrThatOfItsOperands) {
  const test::GuardedAllocations guarded;
  for (const std::vector<Shape>& shapes : std::vector<std::vector<Shape>>{{{7}},
                                                                          {{7}, {7}},
                                                                          {{5, 7}, {5, 7}, {5, 7}, {7}},
                                                                          {{64, 1, 3}, {1, 32, 3}},
                                                                          {{9, 700}, {9, 1}, {700}, {}}}) {
    for (const std::string_view target : {"portable", ""}) {
      ASSERT_TRUE(UseTarget(target));
      std::vector<std::vector<float>> memory;
      std::vector<TensorView> views;
      std::vector<const void*> data;
      for (const Shape& shape : shapes) {
        memory.emplace_back(static_cast<std::size_t>(*ElementCount(shape)), 1.0f);
        views.push_back(TensorView::Of(memory.back().data(), shape));
        data.push_back(memory.back().data());
      }
      const Shape shape = MaxOutputShape(views).value();
      std::vector<float> y(static_cast<std::size_t>(*ElementCount(shape)));
      Result<MaxPlan> plan = MaxPlan::Prepare(views, MutableTensorView::Of(y.data(), shape));
      ASSERT_TRUE(plan);
      ASSERT_TRUE(plan->Rebind(data, y.data()));
      plan->Run();
      EXPECT_EQ(y, std::vector<float>(y.size(), 1.0f));
    }
  }
}

// Rules: MEM-2
TEST(MaxPlan, ARefusedRebindLeavesThePlanAsItWas) {
  std::vector<float> a{1, 5, 0}, b{3, 4}, y(2);
  const Shape shape{2};
  Result<MaxPlan> plan = MaxPlan::Prepare({TensorView::Of(a.data(), shape), TensorView::Of(b.data(), shape)},
                                          MutableTensorView::Of(y.data(), shape));
  ASSERT_TRUE(plan);
  const void* both[] = {a.data(), b.data()};
  ExpectError(plan->Rebind(both, a.data() + 1), ErrorCode::kOverlap, {"input 0"});
  ExpectError(plan->Rebind({both, 1}, y.data()), ErrorCode::kInputCount);
  const void* missing[] = {a.data(), nullptr};
  ExpectError(plan->Rebind(missing, y.data()), ErrorCode::kInvalidArgument, {"input 1"});
  ExpectError(plan->Rebind(both, a.data() + 1), ErrorCode::kOverlap, {"input 0"});
  plan->Run();
  EXPECT_THAT(y, ElementsAre(3, 5));
}

TEST(MaxPlan, ARebindToElementsThatLeaveTheAddressSpaceIsRefused) {
  const Shape shape{4}, backwards{-1};
  std::vector<float> a{1, 2, 3, 4}, y(4);
  for (const bool reversed : {false, true}) {
    const DimsView strides = reversed ? DimsView(backwards) : DimsView();
    void* const x_data = a.data() + (reversed ? 3 : 0);
    void* const y_data = y.data() + (reversed ? 3 : 0);
    void* const far =
        reversed ? reinterpret_cast<void*>(std::uintptr_t{8}) : reinterpret_cast<void*>(UINTPTR_MAX - 8);
    Result<MaxPlan> plan = MaxPlan::Prepare({{DType::kFloat32, shape, strides, x_data}},
                                            {DType::kFloat32, shape, strides, y_data});
    ASSERT_TRUE(plan);
    const auto refused = [&](const void* input, void* output, const char* who) {
      ExpectError(plan->Rebind({&input, 1}, output), ErrorCode::kInvalidShape, {who});
    };
    refused(far, y_data, "input 0 has elements that leave the address space");
    refused(x_data, far, "the output has elements that leave the address space");
    refused(far, far, "the output has elements that leave the address space");  // in place
    plan->Run();
    EXPECT_THAT(y, ElementsAre(1, 2, 3, 4));
  }
}

// Rules: ORD-5
TEST(MaxPlan, MayBeRunByThreadsAtOnceAfterEachHasItsOwnMemory) {
  const Shape shape{10'000};
  test::Rng rng(2);
  std::vector<std::vector<float>> results(4, std::vector<float>(10'000));
  std::vector<float> a(10'000), b(10'000);
  for (auto* list : {&a, &b}) {
    for (float& value : *list) value = static_cast<float>(rng() % 1000);
  }
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&, shape] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(Max({TensorView::Of(a.data(), shape), TensorView::Of(b.data(), shape)},
                        MutableTensorView::Of(result.data(), shape)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

// Rules: MEM-3
TEST(MaxPlan, TakesThePlaceOfAnother) {
  std::vector<float> a{1, 5}, b{3, 4}, y(2), z(2);
  const Shape shape{2};
  const auto prepared = [&](std::vector<float>& output) {
    return MaxPlan::Prepare({TensorView::Of(a.data(), shape), TensorView::Of(b.data(), shape)},
                            MutableTensorView::Of(output.data(), shape), {.identical_shapes_only = true});
  };
  Result<MaxPlan> first = prepared(y), second = prepared(z);
  ASSERT_TRUE(first && second);
  *first = *std::move(second);
  first->Run();
  EXPECT_THAT(y, ElementsAre(0, 0));
  EXPECT_THAT(z, ElementsAre(3, 5));
}

// Rules: MEM-3
TEST(MaxPlan, RebindRefusesAnOutputWithoutDataUnlessThereIsNothingToWrite) {
  std::vector<float> a{1, 5}, y(2);
  const Shape shape{2}, none{0};
  const void* const data = a.data();
  Result<MaxPlan> plan =
      MaxPlan::Prepare({TensorView::Of(a.data(), shape)}, MutableTensorView::Of(y.data(), shape));
  ASSERT_TRUE(plan);
  ExpectError(plan->Rebind({&data, 1}, nullptr), ErrorCode::kInvalidArgument,
              {"the output has elements and no data"});
  Result<MaxPlan> empty =
      MaxPlan::Prepare({TensorView::Of(a.data(), none)}, MutableTensorView::Of(y.data(), none));
  ASSERT_TRUE(empty);
  const void* const nothing = nullptr;
  EXPECT_TRUE(empty->Rebind({&nothing, 1}, nullptr));
  empty->Run();
}

}  // namespace
}  // namespace supremum
