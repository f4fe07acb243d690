// Results of running oneDNN graphs.
#include <limits>

#include "frontends/onednn/testing.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<float> OneOutput(const Result<std::vector<NamedTensor>>& outputs, const Shape& shape) {
  if (!outputs || outputs->size() != 1) {
    ADD_FAILURE() << (outputs ? "not one output" : outputs.error().message);
    return {};
  }
  EXPECT_EQ(outputs->front().tensor.shape(), shape);
  return Values<float>(outputs->front());
}

// Rules: RED-1, RED-3, RED-4
TEST(OneDnnRun, ReducesAlongTheAttributeAndDropsDimensionsUnlessTold) {
  const std::string x = F32(0, {2, 3});
  EXPECT_THAT(OneOutput(RunText(Reduce(Axes({1}), {x}, F32(1, {2})), Rows()), {2}), ElementsAre(5, 6));
  EXPECT_THAT(OneOutput(RunText(Reduce(Axes({-1}, true), {x}, F32(1, {2, 1})), Rows()), {2, 1}),
              ElementsAre(5, 6));
  EXPECT_THAT(OneOutput(RunText(Reduce(Axes({0, -1}, false), {x}, F32(1, {})), Rows()), {}), ElementsAre(6));
  const std::string json_truth = R"("keep_dims":{"type":"bool","value":true},)";
  EXPECT_THAT(OneOutput(RunText(Reduce(json_truth + Axes({0}), {x}, F32(1, {1, 3})), Rows()), {1, 3}),
              ElementsAre(4, 5, 6));
}

// Rules: RED-4
TEST(OneDnnRun, AnEmptyListOfAxesIsTheIdentity) {
  const std::string x = F32(0, {2, 3}), y = F32(1, {2, 3});
  EXPECT_EQ(OneOutput(RunText(Reduce(Axes({}), {x}, y), Rows()), {2, 3}), kRows);
  std::vector<NamedTensor> inputs = Rows();
  inputs.push_back(AxesTensor("7", {}));
  EXPECT_EQ(OneOutput(RunText(Reduce("", {x, TensorText(7, "s32", {0})}, y), inputs), {2, 3}), kRows);
}

// Rules: RED-4, TYP-5
TEST(OneDnnRun, AxesMayComeAsAnInput) {
  std::vector<NamedTensor> inputs = Rows();
  inputs.push_back(AxesTensor("7", {-2}));
  const std::string text = Reduce("", {F32(0, {2, 3}), TensorText(7, "s32", {1})}, F32(1, {3}));
  EXPECT_THAT(OneOutput(RunText(text, inputs), {3}), ElementsAre(4, 5, 6));
  EXPECT_TRUE(Parsed(text)->IsAxes(7));
  EXPECT_FALSE(Parsed(text)->IsAxes(0));
}

// Rules: BRO-2, E1
TEST(OneDnnRun, MaximumBroadcastsUnlessItMustNot) {
  const std::string a = F32(0, {2, 3}), b = F32(2, {3}), y = F32(1, {2, 3});
  const auto with = [](const std::string& rule) {
    return R"("auto_broadcast":{"type":"string","value":")" + rule + R"("})";
  };
  std::vector<NamedTensor> inputs = Rows();
  inputs.push_back(Named<float>("2", {3}, {3, 3, 3}));
  for (const std::string& attrs : {std::string(), with("numpy")}) {
    EXPECT_THAT(OneOutput(RunText(MaximumText(a, b, y, attrs), inputs), {2, 3}),
                ElementsAre(3, 5, 3, 4, 3, 6));
  }
  EXPECT_EQ(OneOutput(RunText(MaximumText(a, a, y, with("none")), Rows()), {2, 3}), kRows);
  ExpectMessage(
      RunText(MaximumText(a, b, y, with("none")), inputs), ErrorCode::kNotBroadcastable,
      "E1 not broadcastable: 'g.json': op 0 'n0' (Maximum): input '0' has shape [2,3] and input '2' "
      "has shape "
      "[3], and the attribute 'auto_broadcast' is 'none'; give both one shape, or write 'numpy'");
  OneDnnRunOptions strict;
  strict.identical_shapes_only = true;
  ExpectError(RunText(MaximumText(a, b, y), inputs, strict), ErrorCode::kBroadcastRefused);
  ExpectError(RunText(MaximumText(a, b, y, with("none")), inputs, strict), ErrorCode::kBroadcastRefused);
  inputs[1] = Named<float>("2", {2}, {3, 3});
  ExpectError(RunText(MaximumText(a, F32(2, {2}), y), inputs), ErrorCode::kNotBroadcastable,
              {"op 0 'n0' (Maximum): input '0' has shape [2,3] and input '2' has shape"});
}

TEST(OneDnnRun, StatedStridesHaveNoEffect) {
  for (const Integers& strides : {Integers{1, 2}, Integers{-7, 0}, Integers{INT64_MAX, INT64_MAX}}) {
    const std::string text = Reduce(Axes({1}), {F32(0, {2, 3}, strides)}, F32(1, {2}, Integers{-3}));
    EXPECT_THAT(OneOutput(RunText(text, Rows()), {2}), ElementsAre(5, 6));
  }
}

TEST(OneDnnRun, UnknownExtentsComeFromTheInputs) {
  const std::string text = GraphText({OpText(0, "ReduceMax", Axes({-1}), {F32(0, {-1, 3})}, {F32(1, {-1})}),
                                      OpText(1, "Maximum", "", {F32(1, {-1}), F32(1, {-1})},
                                             {TensorText(2, "f32", {INT64_MIN}, Integers{INT64_MIN})})});
  EXPECT_THAT(OneOutput(RunText(text, Rows()), {2}), ElementsAre(5, 6));
}

TEST(OneDnnRun, OpsRunInTheOrderOfTheirData) {
  const std::string text = GraphText({OpText(2, "Maximum", "", {F32(3, {2}), F32(5, {2})}, {F32(4, {2})}),
                                      OpText(1, "Maximum", "", {F32(1, {2}), F32(1, {2})}, {F32(3, {2})}),
                                      OpText(0, "ReduceMax", Axes({1}), {F32(0, {2, 3})}, {F32(1, {2})})},
                                     R"("input_ports":[0,5],"output_ports":[4,1],)");
  std::vector<NamedTensor> inputs = Rows();
  inputs.push_back(Named<float>("5", {2}, {5.5, 5.5}));
  std::vector<std::size_t> steps;
  OneDnnRunOptions options;
  options.progress = [&](std::size_t done, std::size_t total) { steps.insert(steps.end(), {done, total}); };
  const auto outputs = RunText(text, inputs, options);
  ASSERT_TRUE(outputs) << outputs.error().message;
  ASSERT_EQ(outputs->size(), 2u);
  EXPECT_EQ((*outputs)[0].name, "4");
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(5.5, 6));
  EXPECT_EQ((*outputs)[1].name, "1");
  EXPECT_THAT(Values<float>((*outputs)[1]), ElementsAre(5, 6));
  EXPECT_THAT(steps, ElementsAre(0, 3, 1, 3, 2, 3, 3, 3));
}

// Rules: RED-6
TEST(OneDnnRun, NoElementsReduceToMinusInfinity) {
  const std::string text = Reduce(Axes({1}), {F32(0, {2, 0}, Integers{7, 7})}, F32(1, {2}));
  const float lowest = -std::numeric_limits<float>::infinity();
  EXPECT_THAT(OneOutput(RunText(text, List(Named<float>("0", {2, 0}, {}))), {2}),
              ElementsAre(lowest, lowest));
  const std::string nothing = Reduce(Axes({1}), {F32(0, {0, 3})}, F32(1, {0}, Integers{0}));
  EXPECT_THAT(OneOutput(RunText(nothing, List(Named<float>("0", {0, 3}, {}))), {0}), ElementsAre());
}

}  // namespace
}  // namespace supremum::test
