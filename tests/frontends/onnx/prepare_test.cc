// Model::Prepare and ModelPlan: runs of a model on its caller's memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "frontends/onnx/testing.h"
#include "support/allocations.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

const Shape kFour{4};

TensorView Of(const std::array<float, 4>& x) { return TensorView::Of(x.data(), kFour); }
MutableTensorView Of(std::array<float, 4>& x) { return MutableTensorView::Of(x.data(), kFour); }

Result<Model> Chain() {
  return Parsed(TextModel(R"((float[4] a, float[4] b, float[4] c) => (float[4] a, float[] y, float[] z) {
    m = Max(a, b)
    y = Max(m, c)
    z = ReduceMax(y) })"));
}

TEST(ModelPlan, ReadsAndWritesTheCallersMemory) {
  const auto model = Chain();
  ASSERT_TRUE(model);
  std::array<float, 4> a{1, 0, 0, 0}, b{0, 2, 0, 0}, c{0, 0, 3, 0}, y{};
  const NamedView inputs[] = {{"c", Of(c)}, {"a", Of(a)}, {"b", Of(b)}};
  const NamedMutableView outputs[] = {{"y", Of(y)}};
  auto plan = model->Prepare(inputs, outputs);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->output_count(), 3u);
  EXPECT_EQ(plan->output(1).data, y.data());
  plan->Run();
  EXPECT_THAT(y, ElementsAre(1, 2, 3, 0));
  EXPECT_EQ(*static_cast<const float*>(plan->output(2).data), 3);
  a[3] = 7;
  EXPECT_EQ(y[3], 0);
  plan->Run();
  EXPECT_THAT(y, ElementsAre(1, 2, 3, 7)) << "the elements that the inputs have now";
  EXPECT_EQ(static_cast<const float*>(plan->output(0).data)[3], 7) << "an output that is an input is copied";
}

TEST(ModelPlan, IsBoundToOtherMemory) {
  const auto model = Chain();
  ASSERT_TRUE(model);
  std::array<float, 4> a{1, 0, 0, 0}, b{0, 2, 0, 0}, c{0, 0, 3, 0}, other{9, 9, 9, 9}, y{}, copy{};
  const NamedView inputs[] = {{"a", Of(a)}, {"b", Of(b)}, {"c", Of(c)}};
  auto plan = model->Prepare(inputs);
  ASSERT_TRUE(plan);
  float z = 0;
  const void* const from[] = {a.data(), other.data(), a.data()};
  void* const to[] = {copy.data(), y.data(), &z};
  ASSERT_TRUE(plan->Rebind(from, to));
  plan->Run();
  EXPECT_THAT(y, Each(9));
  EXPECT_THAT(copy, ElementsAre(1, 0, 0, 0));
  EXPECT_EQ(z, 9);
  y = {};
  void* const own[] = {nullptr, nullptr, &z};
  ASSERT_TRUE(plan->Rebind(from, own));
  plan->Run();
  EXPECT_THAT(y, Each(0));
  EXPECT_EQ(*static_cast<const float*>(plan->output(1).data), 9);
}

// Rules: MEM-3
TEST(ModelPlan, ARunAllocatesNothing) {
  const auto model = Chain();
  ASSERT_TRUE(model);
  std::array<float, 4> a{1, 0, 0, 0}, b{0, 2, 0, 0}, c{0, 0, 3, 0}, y{}, copy{};
  float z = 0;
  const NamedView inputs[] = {{"a", Of(a)}, {"b", Of(b)}, {"c", Of(c)}};
  auto plan = model->Prepare(inputs);
  ASSERT_TRUE(plan);
  const void* const from[] = {c.data(), b.data(), a.data()};
  void* const to[] = {copy.data(), y.data(), &z};
  const std::size_t before = Allocations();
  ASSERT_TRUE(plan->Rebind(from, to));
  plan->Run();
  EXPECT_EQ(Allocations(), before);
  EXPECT_THAT(y, ElementsAre(1, 2, 3, 0));
}

// The first plan has plans of nodes and memory of values; the next call of the same shapes only binds it.
TEST(ModelPlan, OfTheSameShapesIsKept) {
  const auto model = Chain();
  ASSERT_TRUE(model);
  std::array<float, 4> a{1, 0, 0, 0}, b{0, 2, 0, 0}, c{0, 0, 3, 0};
  const NamedView inputs[] = {{"a", Of(a)}, {"b", Of(b)}, {"c", Of(c)}};
  const auto allocations = [&](const RunOptions& options) {
    const std::size_t before = Allocations();
    auto plan = model->Prepare(inputs, {}, options);
    EXPECT_TRUE(plan);
    if (plan) plan->Run();
    return Allocations() - before;
  };
  const std::size_t first = allocations({}), second = allocations({});
  EXPECT_GT(first, 20u);
  EXPECT_LE(second, 5u);
  RunOptions others;
  others.threads = 2;
  EXPECT_GT(allocations(others), 20u) << "another number of threads is another plan";
  others.progress = [](std::size_t, std::size_t) {};
  EXPECT_GT(allocations(others), 20u) << "a function may refer to what is gone";
  EXPECT_GT(allocations(others), 20u);
}

TEST(ModelPlan, ItsModelMayBeGone) {
  std::array<float, 4> a{1, 0, 0, 0}, b{0, 2, 0, 0}, c{0, 0, 3, 0};
  const NamedView inputs[] = {{"a", Of(a)}, {"b", Of(b)}, {"c", Of(c)}};
  auto plan = [&] { return Chain()->Prepare(inputs); }();
  ASSERT_TRUE(plan);
  plan->Run();
  EXPECT_EQ(*static_cast<const float*>(plan->output(2).data), 3);
}

TEST(ModelPlan, ThreadsRunOneModelAtOnce) {
  const auto model = Chain();
  ASSERT_TRUE(model);
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 300; ++k) {
        const float top = static_cast<float>(1000 * t + static_cast<std::size_t>(k));
        const std::array<float, 4> a{top, 0, 0, 0}, b{}, c{};
        const NamedView inputs[] = {{"a", Of(a)}, {"b", Of(b)}, {"c", Of(c)}};
        auto plan = model->Prepare(inputs);
        if (plan) plan->Run();
        wrong[t] += !plan || *static_cast<const float*>(plan->output(2).data) != top;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, Each(0));
}

TEST(ModelPlan, MemoryOfOneHundredNodesIsThatOfTwoValues) {
  ModelBuilder builder(13);
  builder.Input("t0", kFloat, {1 << 18});
  for (int k = 0; k < 100; ++k) {
    builder.Node("Max", {"t" + std::to_string(k), "t0"}, {"t" + std::to_string(k + 1)});
  }
  builder.Output("t100", kFloat, std::nullopt);
  const auto model = Parsed(builder);
  ASSERT_TRUE(model);
  const std::vector<float> x(1 << 18, 1);
  const Shape shape{1 << 18};
  const NamedView input{"t0", TensorView::Of(x.data(), shape)};
  const auto plan = model->Prepare({&input, 1});
  ASSERT_TRUE(plan);
  EXPECT_LT(plan->MemoryBytes(), 4 * x.size() * sizeof(float)) << "two values, the output, and 100 plans";
}

class ModelPlanErrors : public testing::Test {
 protected:
  void Expect(std::span<const NamedMutableView> outputs, ErrorCode code,
              const std::vector<std::string>& parts) {
    const NamedView inputs[] = {{"a", Of(a_)}, {"b", Of(b_)}, {"c", Of(b_)}};
    ExpectError(model_->Prepare(inputs, outputs), code, parts);
  }
  const Result<Model> model_ = Chain();
  std::array<float, 4> a_{}, b_{}, y_{};
};

TEST_F(ModelPlanErrors, OutputsAreThoseOfTheModelAndGivenOnce) {
  const NamedMutableView unknown[] = {{"m", Of(y_)}}, twice[] = {{"y", Of(y_)}, {"y", Of(y_)}};
  Expect(unknown, ErrorCode::kInvalidArgument, {"it has no output 'm'; its outputs are 'a', 'y', 'z'"});
  Expect(twice, ErrorCode::kInvalidArgument, {"output 'y' is given twice"});
}

TEST_F(ModelPlanErrors, ViewsThatDescribeNoTensorAreRefused) {
  const NamedMutableView no_type[] = {{"y", {static_cast<DType>(99), kFour, {}, y_.data()}}};
  Expect(no_type, ErrorCode::kTypeNotAdmitted, {"no element type has the number 99"});
  const Shape negative{-4}, far{std::int64_t{1} << 61};
  const NamedMutableView extent[] = {{"y", {DType::kFloat32, negative, {}, y_.data()}}};
  Expect(extent, ErrorCode::kInvalidShape, {"output 'y'"});
  const NamedMutableView stride[] = {{"y", {DType::kFloat32, kFour, far, y_.data()}}};
  Expect(stride, ErrorCode::kInvalidShape, {"output 'y'"});
  const std::vector<std::int64_t> many(kMaxRank + 1, 1);
  const NamedMutableView rank[] = {{"y", {DType::kFloat32, many, {}, y_.data()}}};
  Expect(rank, ErrorCode::kRank, {"output 'y'"});
}

TEST(ModelPlan, AnExceptionOfTheCallersProgressPassesThroughARun) {
  const auto model = Parsed(MaxModel({ModelShape({1}), ModelShape({1})}));
  ASSERT_TRUE(model);
  RunOptions options;
  options.progress = [](std::size_t, std::size_t) { throw std::runtime_error("stop"); };
  const auto inputs = List(Named<float>("x0", {1}, {1}), Named<float>("x1", {1}, {2}));
  EXPECT_THROW(static_cast<void>(model->Run(inputs, options)), std::runtime_error);
}

// Rules: TYP-2, BRO-3
TEST_F(ModelPlanErrors, OutputsHaveTheComputedTypeAndShape) {
  std::array<std::int32_t, 4> numbers{};
  const Shape shape{4}, three{3};
  const NamedMutableView type[] = {{"y", MutableTensorView::Of(numbers.data(), shape)}};
  const NamedMutableView shorter[] = {{"y", MutableTensorView::Of(y_.data(), three)}};
  const NamedMutableView copy[] = {{"a", MutableTensorView::Of(y_.data(), three)}};
  Expect(type, ErrorCode::kTypeMismatch, {"node #1 (Max, output 'y')", "int32", "float32"});
  Expect(shorter, ErrorCode::kOutputShapeMismatch, {"node #1 (Max, output 'y')", "[3]", "[4]"});
  Expect(copy, ErrorCode::kOutputShapeMismatch, {"[3]", "[4]"});
}

// Rules: MEM-1, MEM-2
TEST_F(ModelPlanErrors, OutputsShareNoMemory) {
  const NamedMutableView input[] = {{"y", Of(a_)}}, both[] = {{"a", Of(y_)}, {"y", Of(y_)}};
  Expect(input, ErrorCode::kOverlap, {"output 'y'", "input 'a'", "memory of its own"});
  Expect(both, ErrorCode::kOverlap, {"output 'y'", "output 'a'"});
  const Shape shape{4}, still{0};
  const NamedMutableView itself[] = {{"y", MutableTensorView::Of(y_.data(), shape, still)}};
  Expect(itself, ErrorCode::kOverlap, {"output 'y'", "MEM-1"});
  const NamedView inputs[] = {{"a", Of(a_)}, {"b", Of(b_)}, {"c", Of(b_)}};
  auto plan = model_->Prepare(inputs);
  ASSERT_TRUE(plan);
  const void* const from[] = {a_.data(), b_.data(), b_.data()};
  void* const to[] = {nullptr, b_.data(), nullptr};
  ExpectError(plan->Rebind(from, to), ErrorCode::kOverlap, {"output 'y'", "input 'b'"});
}

TEST_F(ModelPlanErrors, MemoryIsGivenForAllOperands) {
  const NamedMutableView null[] = {{"y", {DType::kFloat32, kFour, {}, nullptr}}};
  Expect(null, ErrorCode::kInvalidArgument, {"output 'y' has shape [4] and no data"});
  const NamedView inputs[] = {{"a", Of(a_)}, {"b", Of(b_)}, {"c", Of(b_)}};
  auto plan = model_->Prepare(inputs);
  ASSERT_TRUE(plan);
  const void* const none[] = {a_.data(), nullptr, b_.data()};
  void* const own[] = {nullptr, nullptr, nullptr};
  ExpectError(plan->Rebind(none, own), ErrorCode::kInvalidArgument, {"input 'b' has elements and no data"});
  ExpectError(plan->Rebind({none, 2}, own), ErrorCode::kInputCount, {"3 inputs and 3 outputs", "2 and 3"});
}

// The axes are those that Prepare has read: other inputs may have others.
TEST(ModelPlan, OfAxesThatAreAnInputIsForOneRun) {
  const auto model =
      Parsed(ReduceMaxModel({.keepdims = 0, .x = ModelShape({2, 2}), .axes_input = ModelShape({1})}));
  ASSERT_TRUE(model) << model.error().message;
  const std::array<float, 4> x{1, 2, 3, 0};
  std::int64_t axis = 0;
  const Shape square{2, 2}, one{1};
  const NamedView inputs[] = {{"x", TensorView::Of(x.data(), square)}, {"a", TensorView::Of(&axis, one)}};
  const auto run = [&]() -> std::vector<float> {
    auto plan = model->Prepare(inputs);
    if (!plan) return {};
    plan->Run();
    const float* const y = static_cast<const float*>(plan->output(0).data);
    return {y, y + 2};
  };
  EXPECT_THAT(run(), ElementsAre(3, 2));
  axis = 1;
  EXPECT_THAT(run(), ElementsAre(2, 3));
  auto plan = model->Prepare(inputs);
  ASSERT_TRUE(plan);
  const std::int64_t other = 0;
  const void* const from[] = {x.data(), &other};
  void* const own[] = {nullptr};
  ExpectError(plan->Rebind(from, own), ErrorCode::kInvalidArgument,
              {"the axes of a ReduceMax are not constant"});
}

// a -> Identity -> y
Model CopyingModel(std::int64_t elements) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {elements}).Output("y", kFloat, {elements});
  builder.Node("Identity", {"a"}, {"y"});
  return *Parsed(builder);
}

std::vector<NamedTensor> InputOf(std::int64_t elements, float value) {
  std::vector<NamedTensor> inputs;
  inputs.push_back({"a", *Tensor::Create(DType::kFloat32, Shape{elements})});
  std::ranges::fill(inputs[0].tensor.Elements<float>(), value);
  return inputs;
}

bool AllAre(const Tensor& tensor, float value) {
  return std::ranges::all_of(tensor.Elements<float>(), [&](float element) { return element == value; });
}

TEST(Model, AnOutputGivesItsMemoryToTheNextRunOnlyWhenItIsDestroyed) {
  const Model model = CopyingModel(1000);
  auto first = *model.Run(InputOf(1000, 1));
  auto second = *model.Run(InputOf(1000, 2));
  const void* const kept[] = {first[0].tensor.data(), second[0].tensor.data()};
  EXPECT_NE(kept[0], kept[1]);
  EXPECT_TRUE(AllAre(first[0].tensor, 1));
  EXPECT_TRUE(AllAre(second[0].tensor, 2));
  first.clear();
  const auto third = *model.Run(InputOf(1000, 3));
  EXPECT_EQ(third[0].tensor.data(), kept[0]);
  EXPECT_TRUE(AllAre(second[0].tensor, 2));
  EXPECT_TRUE(AllAre(third[0].tensor, 3));
}

TEST(Model, OutputsCanBeDestroyedAfterTheirModelAndInAnyThread) {
  std::vector<NamedTensor> last;
  {
    const Model model = CopyingModel(1000);
    std::vector<std::thread> threads;
    for (float value = 1; value <= 20; ++value) {
      auto outputs = *model.Run(InputOf(1000, value));
      EXPECT_TRUE(AllAre(outputs[0].tensor, value));
      threads.emplace_back(
          [value, outputs = std::move(outputs)] { EXPECT_TRUE(AllAre(outputs[0].tensor, value)); });
    }
    for (std::thread& thread : threads) thread.join();
    last = *model.Run(InputOf(1000, 21));
  }
  EXPECT_TRUE(AllAre(last[0].tensor, 21));
}

#ifdef __linux__
// True if huge pages were requested at this address; nullopt if the system does not support or report them.
std::optional<bool> IsAskedForHugePages(const void* data) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) return std::nullopt;
  std::ifstream mappings("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  bool has_address = false;
  for (std::string line; std::getline(mappings, line);) {
    std::uintptr_t first = 0, end = 0;
    if (std::sscanf(line.c_str(), "%zx-%zx ", &first, &end) == 2)
      has_address = address >= first && address < end;
    if (has_address && line.starts_with("VmFlags:")) return (line + " ").find(" hg ") != std::string::npos;
  }
  return std::nullopt;
}

// The first output is kept, so that the second is in other memory.
TEST(Model, EachRunAsksForHugePagesForLargeOutputs) {
  constexpr std::int64_t kElements = std::int64_t{2} << 20;
  const Model model = CopyingModel(kElements);
  const auto inputs = InputOf(kElements, 0);
  const auto first = model.Run(inputs), second = model.Run(inputs);
  ASSERT_TRUE(first && second);
  for (const auto* run : {&first, &second}) {
    const Tensor& y = (**run)[0].tensor;
    const std::optional<bool> asked = IsAskedForHugePages(y.bytes().data() + y.byte_size() / 2);
    if (!asked) GTEST_SKIP() << "this system has no huge pages, or does not say what it was asked for";
    EXPECT_TRUE(*asked) << (run == &first ? "first" : "second");
  }
}
#endif

}  // namespace
}  // namespace supremum::test
