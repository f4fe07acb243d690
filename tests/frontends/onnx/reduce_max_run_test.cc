// Running graphs with ReduceMax.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

using testing::ElementsAre;

NamedTensor X() { return Named<float>("x", {2, 3}, {1, 5, 2, 4, 3, 6}); }

// Axes as the opset has them, perhaps left out, of an x of two dimensions.
ModelBuilder Pool(std::int64_t opset, const std::optional<Axes>& axes,
                  std::optional<std::int64_t> keepdims = {}, std::optional<std::int64_t> noop = {}) {
  return ReduceMaxModel({.opset = opset, .axes = axes, .keepdims = keepdims, .noop = noop, .x = {"A", "B"}});
}

// The one output, as "[2,1] 5 6".
std::string OutputOf(const ModelBuilder& builder, const std::vector<NamedTensor>& inputs = List(X())) {
  const auto model = Parsed(builder);
  if (!model) return model.error().message;
  const auto outputs = model->Run(inputs);
  if (!outputs) return outputs.error().message;
  std::string text = ToString(outputs->front().tensor.shape());
  for (float value : Values<float>(outputs->front())) text += " " + std::to_string(std::lround(value));
  return text;
}

// Rules: RED-1, RED-3, RED-5
TEST(RunReduceMax, EveryVersionReducesTheAxesThatItIsGiven) {
  for (std::int64_t opset : {1, 10, 11, 12, 13, 17, 18, 19, 20, 24}) {
    EXPECT_EQ(OutputOf(Pool(opset, Axes{1}, 0)), "[2] 5 6") << opset;
    EXPECT_EQ(OutputOf(Pool(opset, Axes{0})), "[1,3] 4 5 6") << opset;
    EXPECT_EQ(OutputOf(Pool(opset, Axes{1, 0}, 0)), "[] 6") << opset;
    const ModelBuilder negative = Pool(opset, Axes{-1}, 0);
    if (opset >= 11) {
      EXPECT_EQ(OutputOf(negative), "[2] 5 6") << opset;
    } else {
      ExpectError(Parsed(negative)->Run(List(X())), ErrorCode::kAxis,
                  {"node 'pool' (ReduceMax): axis -1", "input 'x'",
                   "ReduceMax-1 does not count from the end (RED-5)"});
    }
  }
}

// Rules: RED-5
TEST(RunReduceMax, AbsentAndEmptyAxesMeanAllOrNoneAsNoopWithEmptyAxesSays) {
  for (std::int64_t opset : {1, 13, 18, 20}) {
    for (const auto& axes : {std::optional<Axes>(), std::optional(Axes())}) {
      EXPECT_EQ(OutputOf(Pool(opset, axes)), "[1,1] 6") << opset;
      EXPECT_EQ(OutputOf(Pool(opset, axes, 0)), "[] 6") << opset;
      if (opset < 18) continue;
      EXPECT_EQ(OutputOf(Pool(opset, axes, 1, 0)), "[1,1] 6") << opset;
      EXPECT_EQ(OutputOf(Pool(opset, axes, 1, 1)), "[2,3] 1 5 2 4 3 6") << opset;
      EXPECT_EQ(OutputOf(Pool(opset, axes, 0, 1)), "[2,3] 1 5 2 4 3 6") << opset;
    }
  }
  ModelBuilder nameless = Pool(18, std::nullopt);
  nameless.graph()->mutable_node(0)->add_input("");
  EXPECT_EQ(OutputOf(nameless), "[1,1] 6");
  EXPECT_EQ(OutputOf(Pool(18, Axes{0}, 0, 1)), "[3] 4 5 6")
      << "noop_with_empty_axes concerns empty axes alone";
}

TEST(RunReduceMax, AxesMayComeFromAnywhere) {
  const auto with_axes = [](const std::string& inputs, const std::string& nodes = "") {
    return TextModel("(float[2,3] x" + inputs + ") => (float[] y) { " + nodes +
                         " y = ReduceMax <keepdims = 0> (x, axes) }",
                     18);
  };
  const auto axes = [](const Axes& values) {
    return Named<std::int64_t>("axes", {static_cast<std::int64_t>(values.size())}, values);
  };
  EXPECT_EQ(OutputOf(with_axes("", "axes = Constant <value = int64[1] {1}> ()")), "[2] 5 6");
  EXPECT_EQ(OutputOf(with_axes("", "axes = Constant <value_ints = [0]> ()")), "[3] 4 5 6");
  const ModelBuilder input = with_axes(", int64[K] axes");
  EXPECT_EQ(OutputOf(input, List(X(), axes({-2}))), "[3] 4 5 6");
  EXPECT_EQ(OutputOf(input, List(X(), axes({1, 0}))), "[] 6");
  EXPECT_EQ(OutputOf(input, List(X(), axes({}))), "[] 6");
  const ModelBuilder overridable = with_axes(", int64[1] axes = {1}");
  EXPECT_EQ(OutputOf(overridable), "[2] 5 6");
  EXPECT_EQ(OutputOf(overridable, List(X(), axes({0}))), "[3] 4 5 6");
}

// r, the largest, is a list of one.
TEST(RunReduceMax, AxesMayBeComputedByNodesBefore) {
  const auto model = Parsed(TextModel(R"((float[2,3] x, int64[2] p, int64[2] q) => (float[] z, int64[2] m) {
    m = Max(p, q)
    r = ReduceMax(m)
    axes = Identity(r)
    y = ReduceMax <keepdims = 0> (x, axes)
    z = Max(y, y) })",
                                      18));
  std::vector<std::size_t> done;
  RunOptions options;
  options.progress = [&](std::size_t n, std::size_t total) {
    EXPECT_EQ(total, 5u);
    done.push_back(n);
  };
  const auto run = [&](const Axes& p, const Axes& q) {
    return model->Run(List(X(), Named<std::int64_t>("p", {2}, p), Named<std::int64_t>("q", {2}, q)), options);
  };
  auto outputs = run({-5, -2}, {-7, -3});
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(4, 5, 6));
  EXPECT_THAT(Values<std::int64_t>((*outputs)[1]), ElementsAre(-5, -2));
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4, 5)) << "each node runs once";
  outputs = run({0, 0}, {1, 0});
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(5, 6));
  ExpectError(run({0, 2}, {0, 0}), ErrorCode::kAxis,
              {"'m.onnx': node #3 (ReduceMax, output 'y'): axis 2", "input 'x' has rank 2", "RED-2"});
}

// Rules: RED-2
TEST(RunReduceMax, WrongAxesNameTheNodeTheAxisAndTheTensor) {
  for (std::int64_t opset : {13, 18}) {
    const auto refused = [&](const Axes& axes, std::vector<std::string> parts) {
      parts.insert(parts.end(), {"'m.onnx': node 'pool' (ReduceMax)", "input 'x'"});
      ExpectError(Parsed(Pool(opset, axes))->Run(List(X())), ErrorCode::kAxis, parts);
    };
    refused({2}, {"axis 2", "[-2, 1]"});
    refused({-3}, {"axis -3"});
    refused({1, 1}, {"axis 1 is named twice"});
    refused({1, -1}, {"axis -1 is the dimension that 1 names already"});
  }
}

// Rules: TYP-2, RED-5
TEST(RunReduceMax, AnAxesInputIsAListOfInt64) {
  const auto refused = [](NamedTensor axes, int type, ErrorCode code, const std::vector<std::string>& parts) {
    const ModelBuilder model =
        ReduceMaxModel({.x = {2, 3}, .axes_input = ModelShape(std::nullopt), .axes_type = type});
    ExpectError(Parsed(model)->Run(List(X(), std::move(axes))), code, parts);
  };
  refused(Named<std::int32_t>("a", {1}, {0}), onnx::TensorProto::INT32, ErrorCode::kTypeMismatch,
          {"node 'pool' (ReduceMax): the axes 'a' have type int32 and ReduceMax-18 takes int64; nothing is "
           "converted (TYP-2)"});
  refused(Named<std::int64_t>("a", {}, {0}), kInt64, ErrorCode::kAxis,
          {"node 'pool' (ReduceMax): the axes 'a' have shape [], of rank 0; ReduceMax-18 takes a list, of "
           "rank 1 (RED-5)"});
  refused(Named<std::int64_t>("a", {1, 1}, {0}), kInt64, ErrorCode::kAxis, {});
}

// Rules: E2, TYP-2
TEST(RunReduceMax, TheStatedTypeAndShapeOfTheOutputAreCompared) {
  const ModelBuilder shape = ReduceMaxModel({.opset = 13, .x = {2, "N"}, .y = {1, "N"}});
  EXPECT_TRUE(Parsed(shape)->Run(List(Named<float>("x", {2, 1}, {1, 2}))));
  ExpectError(Parsed(shape)->Run(List(X())), ErrorCode::kOutputShapeMismatch,
              {"node 'pool' (ReduceMax): output 'y' has shape [1,1]", "[1,N]"});
  const ModelBuilder type =
      ReduceMaxModel({.opset = 13, .x = {2, 3}, .output_type = onnx::TensorProto::DOUBLE});
  ExpectError(Parsed(type)->Run(List(X())), ErrorCode::kTypeMismatch,
              {"output 'y' is stated as float64 and computed as float32"});
}

// Rules: PRO-2, PRO-4
TEST(RunReduceMax, TheProfileRefusesDefaultsAndAxesThatARunDecides) {
  RunOptions sonnx;
  sonnx.profile = Profile::kSonnx;
  ModelBuilder defaulted = ReduceMaxModel({.opset = 13, .axes = Axes{1}, .x = {2, 3}, .y = {2, 1}});
  EXPECT_EQ(ErrorOf(Parsed(defaulted)->Run(List(X()), sonnx)).message,
            "attribute left to its default: 'm.onnx': node 'pool' (ReduceMax): attribute 'keepdims' is not "
            "written (PRO-4); write keepdims = 1");
  ExpectError(Parsed(defaulted)->Run(List(X()), sonnx), ErrorCode::kDefaultedAttribute);
  ModelBuilder::SetInt(*defaulted.graph()->mutable_node(0), "keepdims", 1);
  EXPECT_TRUE(Parsed(defaulted)->Run(List(X()), sonnx));

  const ModelBuilder run_time =
      ReduceMaxModel({.keepdims = 1, .noop = 0, .x = {2, 3}, .y = {2, 1}, .axes_input = ModelShape{1}});
  const auto inputs = [] { return List(X(), Named<std::int64_t>("a", {1}, {1})); };
  EXPECT_TRUE(Parsed(run_time)->Run(inputs()));
  ExpectError(Parsed(run_time)->Run(inputs(), sonnx), ErrorCode::kShapeNotExplicit,
              {"node 'pool' (ReduceMax): the axes 'a' are a graph input, known only when the model runs "
               "(PRO-2)"});

  // The elements of the axes reach the profile's checker.
  const ModelBuilder constant =
      ReduceMaxModel({.axes = Axes{1}, .keepdims = 0, .noop = 0, .x = {2, 3}, .y = {2}});
  const auto outputs = Parsed(constant)->Run(List(X()), sonnx);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(5, 6));
}

}  // namespace
}  // namespace supremum::test
