// Graphs without a file format: values by number, plans by node, one limit.
#include "graph/execution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supremum::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Adds a Max whose output has been created.
Result<void> AddMax(Execution& execution, const std::vector<std::size_t>& inputs, std::size_t output) {
  std::vector<TensorView> views;
  for (const std::size_t input : inputs) views.push_back(execution.View(input));
  const Result<CheckedMax> checked = CheckMax(views, nullptr, {});
  if (!checked) return checked.error();
  return execution.AddMax(*checked, inputs, output, {});
}

Result<void> AddReduceMax(Execution& execution, std::size_t source, std::size_t output, bool keepdims,
                          std::optional<std::size_t> zero_layer = std::nullopt) {
  const ReduceMaxOptions options{.keepdims = keepdims};
  const Result<CheckedReduceMax> checked = CheckReduceMax(execution.View(source), nullptr, options);
  if (!checked) return checked.error();
  return execution.AddReduceMax(*checked, source, output, options, zero_layer);
}

Tensor Floats(const Shape& shape, const std::vector<float>& elements) {
  Tensor tensor = *Tensor::Create(DType::kFloat32, shape);
  std::copy(elements.begin(), elements.end(), tensor.Elements<float>().begin());
  return tensor;
}

std::vector<float> ElementsOf(const Tensor& tensor) {
  return {tensor.Elements<float>().begin(), tensor.Elements<float>().end()};
}

TEST(Execution, ANodeReadsWhatTheNodesBeforeItWrote) {
  const Tensor a = Floats({3}, {1, 5, 2}), b = Floats({3}, {4, 0, 3});
  std::vector<std::pair<std::size_t, std::size_t>> progress;
  Execution execution(
      4, {.max_bytes = 1000,
          .progress = [&](std::size_t done, std::size_t all) { progress.emplace_back(done, all); },
          .node_count = 2});
  execution.Give(0, a.View());
  execution.Give(1, b.View());
  ASSERT_TRUE(execution.Create(2, 0, DType::kFloat32, {3}));
  ASSERT_TRUE(AddMax(execution, {0, 1}, 2));
  ASSERT_TRUE(execution.Create(3, 0, DType::kFloat32, {1}));
  ASSERT_TRUE(AddReduceMax(execution, 2, 3, true));
  ASSERT_TRUE(execution.PrepareOutput(2));
  ASSERT_TRUE(execution.PrepareOutput(3));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(2)), ElementsAre(4, 5, 3));
  EXPECT_THAT(ElementsOf(execution.TakeOutput(3)), ElementsAre(5));
  EXPECT_THAT(progress, ElementsAre(std::pair(0, 2), std::pair(1, 2), std::pair(2, 2)));
}

TEST(Execution, NodesCanBeAddedAfterSomeHaveRun) {
  const Tensor a = Floats({2}, {1, 2});
  Execution execution(3, {.max_bytes = 1000, .node_count = 2});
  execution.Give(0, a.View());
  ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {2}));
  ASSERT_TRUE(execution.AddCopy(0, 1));
  execution.Execute();
  EXPECT_EQ(static_cast<const float*>(execution.View(1).data)[1], 2);
  ASSERT_TRUE(execution.Create(2, 0, DType::kFloat32, {2}));
  ASSERT_TRUE(execution.AddCopy(1, 2));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(2)), ElementsAre(1, 2));
}

TEST(Execution, ANodeDoesTheSameInEachLayer) {
  const Tensor a = Floats({2}, {1, 2});
  Execution execution(2, {.max_bytes = 1000, .node_count = 1});
  execution.Give(0, a.View());
  execution.SetLayers(2);
  ASSERT_TRUE(execution.Create(0, 1, DType::kFloat32, {2}));
  float* const second = static_cast<float*>(execution.MutableView(0, 1).data);
  second[0] = 7;
  second[1] = 6;
  for (std::size_t layer : {std::size_t{0}, std::size_t{1}})
    ASSERT_TRUE(execution.Create(1, layer, DType::kFloat32, {}));
  ASSERT_TRUE(AddReduceMax(execution, 0, 1, false));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(1)), ElementsAre(2));
  EXPECT_THAT(ElementsOf(execution.TakeOutput(1, 1)), ElementsAre(7));
}

TEST(Execution, TheZeroLayerOfAMaximumOfNoElementsIsZero) {
  const Tensor nothing = Floats({0}, {});
  Execution execution(2, {.max_bytes = 1000, .node_count = 1});
  execution.Give(0, nothing.View());
  execution.SetLayers(2);
  ASSERT_TRUE(execution.Create(0, 1, DType::kFloat32, {0}));
  for (std::size_t layer : {std::size_t{0}, std::size_t{1}})
    ASSERT_TRUE(execution.Create(1, layer, DType::kFloat32, {}));
  ASSERT_TRUE(AddReduceMax(execution, 0, 1, false, 1));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(1)), ElementsAre(-std::numeric_limits<float>::infinity()));
  EXPECT_THAT(ElementsOf(execution.TakeOutput(1, 1)), ElementsAre(0));
}

TEST(Execution, AZeroLayerWithoutElementsIsNotTouched) {
  const Tensor nothing = Floats({0, 2}, {});
  Execution execution(2, {.max_bytes = 1000, .node_count = 1});
  execution.Give(0, nothing.View());
  ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {0}));
  const std::vector<std::int64_t> last = {1};
  const ReduceMaxOptions options{.axes = last, .keepdims = false};
  const Result<CheckedReduceMax> checked = CheckReduceMax(execution.View(0), nullptr, options);
  ASSERT_TRUE(checked);
  ASSERT_TRUE(execution.AddReduceMax(*checked, 0, 1, options, 0));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(1)), ElementsAre());
}

TEST(Execution, AValueThatNothingReadsAnyMoreGivesItsMemoryToLaterOnes) {
  const Tensor a = Floats({64}, std::vector<float>(64, 1));
  Execution execution(6, {.max_bytes = 3 * 64 * 4, .node_count = 5});  // room for two values and the output
  execution.Give(0, a.View());
  for (std::size_t value = 1; value < 6; ++value) {
    ASSERT_TRUE(execution.Create(value, 0, DType::kFloat32, {64}, value == 5)) << value;
    ASSERT_TRUE(execution.AddCopy(value - 1, value));
    if (value > 1) execution.Release(value - 1);
  }
  ASSERT_TRUE(execution.PrepareOutput(5));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(5)), ::testing::Each(1));
  EXPECT_EQ(execution.MemoryBytes(), 3u * 64 * 4);
}

// The memory of a released value becomes neither the output of the node that was the last to read it, nor an
// output that is moved to the caller.
TEST(Execution, MemoryOfAReleasedValueIsNoOutput) {
  const Tensor a = Floats({8}, {1, 2, 3, 4, 5, 6, 7, 8});
  Execution execution(4, {.max_bytes = 1000, .node_count = 3});
  execution.Give(0, a.View());
  ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {8}));
  const void* const first = execution.View(1).data;
  ASSERT_TRUE(execution.AddCopy(0, 1));
  ASSERT_TRUE(execution.Create(2, 0, DType::kFloat32, {8}));
  EXPECT_NE(execution.View(2).data, first);
  ASSERT_TRUE(execution.AddCopy(1, 2));
  execution.Release(1);
  ASSERT_TRUE(execution.Create(3, 0, DType::kFloat32, {8}, true));
  EXPECT_NE(execution.View(3).data, first);
  ASSERT_TRUE(execution.AddCopy(2, 3));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(3)), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(Execution, OtherAddressesAreReadAndWritten) {
  const Tensor a = Floats({2}, {1, 2}), b = Floats({2}, {3, 0});
  Tensor y = Floats({2}, {9, 9});
  Execution execution(3, {.max_bytes = 1000, .node_count = 2});
  execution.Give(0, a.View());
  ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {2}));
  ASSERT_TRUE(AddMax(execution, {0}, 1));
  ASSERT_TRUE(execution.Create(2, 0, DType::kFloat32, {1}, true));
  ASSERT_TRUE(AddReduceMax(execution, 1, 2, true));
  for (std::size_t output : {std::size_t{0}, std::size_t{2}}) ASSERT_TRUE(execution.PrepareOutput(output));
  execution.Execute();
  EXPECT_THAT(ElementsOf(execution.TakeOutput(0)), ElementsAre(1, 2));
  EXPECT_THAT(ElementsOf(execution.TakeOutput(2)), ElementsAre(2));
  execution.Move(0, b.data());
  execution.MoveOutput(0, y.data());
  ASSERT_TRUE(execution.Rebind());
  execution.Execute();
  EXPECT_THAT(ElementsOf(y), ElementsAre(3, 0)) << "the copy of an input";
  EXPECT_THAT(ElementsOf(execution.TakeOutput(2)), ElementsAre(3)) << "a new tensor, the first was taken";
  execution.Move(0, a.data());
  execution.MoveOutput(0, nullptr);
  ASSERT_TRUE(execution.Rebind());
  execution.Execute();
  EXPECT_THAT(ElementsOf(y), ElementsAre(3, 0)) << "no longer the output";
  EXPECT_THAT(ElementsOf(execution.TakeOutput(0)), ElementsAre(1, 2));
}

TEST(Execution, OneLimitHoldsForAllValues) {
  Execution execution(3, {.max_bytes = 24});
  ASSERT_TRUE(execution.Create(0, 0, DType::kFloat32, {3}));
  ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {2}));
  const auto third = execution.Create(2, 0, DType::kFloat32, {2});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kLimitExceeded);
  EXPECT_TRUE(execution.Create(2, 0, DType::kFloat32, {1}));
}

TEST(Execution, PlansAndWorkHaveLimitsForOpsToo) {
  const Tensor a = Floats({64}, std::vector<float>(64, 1));
  for (const bool work : {false, true}) {
    Execution execution(2, {.nodes = "ops", .max_bytes = work ? 512 : 1 << 20, .node_count = 1});
    execution.Give(0, a.View());
    ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {64}));
    Result<void> added;
    int ops = 0;
    for (; added && ops < 100'000; ++ops) added = AddMax(execution, {0}, 1);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::kLimitExceeded);
    EXPECT_THAT(added.error().message,
                HasSubstr(work ? "the ops up to this one read and write more than 128 times"
                               : "the plans of the ops up to this one take more than"));
    if (work) {
      EXPECT_EQ(ops, 129) << "512 bytes each";
    }
  }
}

TEST(Execution, PlansMayTakeOneMebibyteWhateverTheLimitOfTheValues) {
  const Tensor none = Floats({0}, {});
  const Shape shape{0};
  const Result<MaxPlan> plan = MaxPlan::Prepare({none.View()}, MutableTensorView::Of<float>(nullptr, shape));
  ASSERT_TRUE(plan);
  Execution execution(2, {.max_bytes = 1, .node_count = 1});
  execution.Give(0, none.View());
  ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {0}));
  std::size_t nodes = 0;
  while (nodes < 100'000 && AddMax(execution, {0}, 1)) ++nodes;
  EXPECT_EQ(nodes, (1 << 20) / plan->MemoryBytes());
}

// As many plans as the limit has room for, and further nodes that need no plan: one for each byte of a plan.
TEST(Execution, ClearingTakesNothingOfTheMemoryForPlans) {
  const Tensor none = Floats({0}, {});
  Execution execution(3, {.max_bytes = 4, .node_count = 1});
  execution.Give(0, none.View());
  ASSERT_TRUE(execution.Create(1, 0, DType::kFloat32, {}));
  ASSERT_TRUE(execution.Create(2, 0, DType::kFloat32, {0}));
  const Result<MaxPlan> plan = MaxPlan::Prepare({none.View()}, execution.MutableView(2));
  ASSERT_TRUE(plan);
  for (std::size_t k = 0; k < (1 << 20) / plan->MemoryBytes(); ++k)
    ASSERT_TRUE(AddMax(execution, {0}, 2)) << k;
  const ReduceMaxOptions options{.keepdims = false};
  const Result<CheckedReduceMax> checked = CheckReduceMax(none.View(), nullptr, options);
  ASSERT_TRUE(checked);
  for (std::size_t k = 0; k < plan->MemoryBytes(); ++k) {
    ASSERT_TRUE(execution.AddReduceMax(*checked, 0, 1, options, 0)) << k;
  }
  EXPECT_FALSE(AddMax(execution, {0}, 2)) << "nothing is left for another plan";
}

}  // namespace
}  // namespace supremum::graph
