// Running graphs with ReduceMax.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "onnx/testing.h"
#include "supremum/model.h"

namespace supremum {
namespace {

using test::ErrorOf;
using test::kFloat;
using test::List;
using test::ModelBuilder;
using test::Named;
using test::Parsed;
using test::Values;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kInt64 = onnx::TensorProto::INT64;
using Axes = std::vector<std::int64_t>;

NamedTensor X() { return Named<float>("x", {2, 3}, {1, 5, 2, 4, 3, 6}); }

// y = ReduceMax(x) of a float x of two dimensions; axes as the opset has them, perhaps left out.
ModelBuilder Pool(std::int64_t opset, const std::optional<Axes>& axes, std::optional<int> keepdims = {},
                  std::optional<int> noop = {}) {
  ModelBuilder builder(opset);
  builder.Input("x", kFloat, {"A", "B"});
  std::vector<std::string> inputs = {"x"};
  if (axes && opset >= 18) {
    inputs.push_back("axes");
    builder.Initializer<std::int64_t>("axes", kInt64, {static_cast<std::int64_t>(axes->size())}, *axes);
  }
  onnx::NodeProto& node = builder.Node("ReduceMax", inputs, {"y"}, "pool");
  if (axes && opset < 18) ModelBuilder::SetInts(node, "axes", *axes);
  if (keepdims) ModelBuilder::SetInt(node, "keepdims", *keepdims);
  if (noop) ModelBuilder::SetInt(node, "noop_with_empty_axes", *noop);
  builder.Output("y", kFloat, std::nullopt);
  return builder;
}

// The one output, as "[2,1] 5 6".
std::string OutputOf(ModelBuilder& builder, const std::vector<NamedTensor>& inputs) {
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
    ModelBuilder rows = Pool(opset, Axes{1}, 0), columns = Pool(opset, Axes{0}),
                 both = Pool(opset, Axes{1, 0}, 0);
    EXPECT_EQ(OutputOf(rows, List(X())), "[2] 5 6") << opset;
    EXPECT_EQ(OutputOf(columns, List(X())), "[1,3] 4 5 6") << opset;
    EXPECT_EQ(OutputOf(both, List(X())), "[] 6") << opset;
    ModelBuilder negative = Pool(opset, Axes{-1}, 0);
    if (opset >= 11) {
      EXPECT_EQ(OutputOf(negative, List(X())), "[2] 5 6") << opset;
    } else {
      const Error error = ErrorOf(Parsed(negative)->Run(List(X())));
      EXPECT_EQ(error.code, ErrorCode::kAxis);
      EXPECT_THAT(error.message, AllOf(HasSubstr("node 'pool' (ReduceMax): axis -1"), HasSubstr("input 'x'"),
                                       HasSubstr("ReduceMax-1 does not count from the end (RED-5)")));
    }
  }
}

// Rules: RED-5
TEST(RunReduceMax, AbsentAndEmptyAxesMeanAllOrNoneAsNoopWithEmptyAxesSays) {
  for (std::int64_t opset : {1, 13, 18, 20}) {
    for (const auto& axes : {std::optional<Axes>(), std::optional(Axes())}) {
      ModelBuilder all = Pool(opset, axes), dropped = Pool(opset, axes, 0);
      EXPECT_EQ(OutputOf(all, List(X())), "[1,1] 6") << opset;
      EXPECT_EQ(OutputOf(dropped, List(X())), "[] 6") << opset;
      if (opset < 18) continue;
      ModelBuilder written = Pool(opset, axes, 1, 0), none = Pool(opset, axes, 1, 1),
                   same = Pool(opset, axes, 0, 1);
      EXPECT_EQ(OutputOf(written, List(X())), "[1,1] 6") << opset;
      EXPECT_EQ(OutputOf(none, List(X())), "[2,3] 1 5 2 4 3 6") << opset;
      EXPECT_EQ(OutputOf(same, List(X())), "[2,3] 1 5 2 4 3 6") << opset;
    }
  }
  ModelBuilder nameless = Pool(18, std::nullopt);
  nameless.graph()->mutable_node(0)->add_input("");
  EXPECT_EQ(OutputOf(nameless, List(X())), "[1,1] 6");
  ModelBuilder used = Pool(18, Axes{0}, 0, 1);
  EXPECT_EQ(OutputOf(used, List(X())), "[3] 4 5 6") << "noop_with_empty_axes concerns empty axes alone";
}

// Rules: ORD-3, ORD-4, RED-6, RED-7
TEST(RunReduceMax, NaNsInfinitiesAndEmptyRowsAreWhatTheRulesSay) {
  const float infinity = std::numeric_limits<float>::infinity();
  ModelBuilder rows = Pool(13, Axes{1}, 0);
  const auto model = Parsed(rows);
  const auto outputs = model->Run(List(
      Named<float>("x", {3, 2}, {-infinity, -infinity, 1, std::bit_cast<float>(0xFF81'2345u), -0.0f, 0.0f})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  const auto bits = (*outputs)[0].tensor.Elements<float>();
  EXPECT_EQ(std::bit_cast<std::uint32_t>(bits[0]), 0xFF80'0000u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(bits[1]), 0x7FC0'0000u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(bits[2]), 0x0000'0000u);
  const auto empty = model->Run(List(Named<float>("x", {3, 0}, {})));
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_THAT(Values<float>((*empty)[0]), ElementsAre(-infinity, -infinity, -infinity));
  const auto nothing = model->Run(List(Named<float>("x", {0, 3}, {})));
  ASSERT_TRUE(nothing) << nothing.error().message;
  EXPECT_THAT(Values<float>((*nothing)[0]), IsEmpty());

  // Nothing is reduced: NaNs become canonical nevertheless.
  ModelBuilder none = Pool(18, std::nullopt, 1, 1);
  const auto same = Parsed(none)->Run(List(Named<float>("x", {1, 1}, {std::bit_cast<float>(0xFF81'2345u)})));
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(std::bit_cast<std::uint32_t>((*same)[0].tensor.Elements<float>()[0]), 0x7FC0'0000u);
}

TEST(RunReduceMax, AxesMayComeFromAnywhere) {
  const auto with_axes = [](auto add) {
    ModelBuilder builder(18);
    builder.Input("x", kFloat, {2, 3});
    add(builder);
    ModelBuilder::SetInt(builder.Node("ReduceMax", {"x", "axes"}, {"y"}, "pool"), "keepdims", 0);
    builder.Output("y", kFloat, std::nullopt);
    return builder;
  };
  ModelBuilder constant = with_axes(
      [](ModelBuilder& b) { b.Constant("axes", test::MakeTensorProto<std::int64_t>("", kInt64, {1}, {1})); });
  EXPECT_EQ(OutputOf(constant, List(X())), "[2] 5 6");
  ModelBuilder list = with_axes(
      [](ModelBuilder& b) { ModelBuilder::SetInts(b.Node("Constant", {}, {"axes"}), "value_ints", {0}); });
  EXPECT_EQ(OutputOf(list, List(X())), "[3] 4 5 6");
  ModelBuilder input = with_axes([](ModelBuilder& b) { b.Input("axes", kInt64, {"K"}); });
  EXPECT_EQ(OutputOf(input, List(X(), Named<std::int64_t>("axes", {1}, {-2}))), "[3] 4 5 6");
  EXPECT_EQ(OutputOf(input, List(X(), Named<std::int64_t>("axes", {2}, {1, 0}))), "[] 6");
  EXPECT_EQ(OutputOf(input, List(X(), Named<std::int64_t>("axes", {0}, {}))), "[] 6");
  ModelBuilder overridable = with_axes([](ModelBuilder& b) {
    b.Input("axes", kInt64, {1}).Initializer<std::int64_t>("axes", kInt64, {1}, {1});
  });
  EXPECT_EQ(OutputOf(overridable, List(X())), "[2] 5 6");
  EXPECT_EQ(OutputOf(overridable, List(X(), Named<std::int64_t>("axes", {1}, {0}))), "[3] 4 5 6");
}

TEST(RunReduceMax, AxesMayBeComputedByNodesBefore) {
  ModelBuilder builder(18);
  builder.Input("x", kFloat, {2, 3}).Input("p", kInt64, {2}).Input("q", kInt64, {2});
  builder.Node("Max", {"p", "q"}, {"m"});
  builder.Node("ReduceMax", {"m"}, {"r"});  // the largest, a list of one
  builder.Node("Identity", {"r"}, {"axes"});
  ModelBuilder::SetInt(builder.Node("ReduceMax", {"x", "axes"}, {"y"}, "pool"), "keepdims", 0);
  builder.Node("Max", {"y", "y"}, {"z"});
  builder.Output("z", kFloat, std::nullopt).Output("m", kInt64, {2});
  const auto model = Parsed(builder);
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
  const Error error = ErrorOf(run({0, 2}, {0, 0}));
  EXPECT_EQ(error.code, ErrorCode::kAxis);
  EXPECT_THAT(error.message, AllOf(HasSubstr("'m.onnx': node 'pool' (ReduceMax): axis 2"),
                                   HasSubstr("input 'x' has rank 2"), HasSubstr("RED-2")));
}

TEST(RunReduceMax, AGraphMayMixTheFourOperators) {
  ModelBuilder builder(13);
  builder.Input("x", kFloat, {2, 3});
  builder.Constant("c", test::MakeTensorProto<float>("", kFloat, {}, {5}));
  builder.Node("Max", {"x", "c"}, {"m"});
  onnx::NodeProto& pool = builder.Node("ReduceMax", {"m"}, {"rows"});
  ModelBuilder::SetInts(pool, "axes", {1});
  builder.Node("Identity", {"rows"}, {"same"});
  builder.Node("Max", {"same", "x"}, {"y"});
  builder.Output("y", kFloat, {2, 3}).Output("rows", kFloat, {2, 1});
  EXPECT_EQ(OutputOf(builder, List(X())), "[2,3] 5 5 5 6 6 6");
}

// Rules: RED-2
TEST(RunReduceMax, WrongAxesNameTheNodeTheAxisAndTheTensor) {
  const auto error = [](const Axes& axes, std::int64_t opset) {
    ModelBuilder builder = Pool(opset, axes);
    const Error found = ErrorOf(Parsed(builder)->Run(List(X())));
    EXPECT_EQ(found.code, ErrorCode::kAxis);
    EXPECT_THAT(found.message, AllOf(HasSubstr("'m.onnx': node 'pool' (ReduceMax)"), HasSubstr("input 'x'")));
    return found.message;
  };
  for (std::int64_t opset : {13, 18}) {
    EXPECT_THAT(error({2}, opset), AllOf(HasSubstr("axis 2"), HasSubstr("[-2, 1]")));
    EXPECT_THAT(error({-3}, opset), HasSubstr("axis -3"));
    EXPECT_THAT(error({1, 1}, opset), HasSubstr("axis 1 is named twice"));
    EXPECT_THAT(error({1, -1}, opset), HasSubstr("axis -1 is the dimension that 1 names already"));
  }
}

// Rules: TYP-2, RED-5
TEST(RunReduceMax, AnAxesInputIsAListOfInt64) {
  const auto error = [](NamedTensor axes, int type) {
    ModelBuilder builder(18);
    builder.Input("x", kFloat, {2, 3}).Input("a", type, std::nullopt);
    builder.Node("ReduceMax", {"x", "a"}, {"y"}, "pool");
    builder.Output("y", kFloat, std::nullopt);
    return ErrorOf(Parsed(builder)->Run(List(X(), std::move(axes))));
  };
  const Error type = error(Named<std::int32_t>("a", {1}, {0}), onnx::TensorProto::INT32);
  EXPECT_EQ(type.code, ErrorCode::kTypeMismatch);
  EXPECT_THAT(type.message, HasSubstr("node 'pool' (ReduceMax): the axes 'a' have type int32 and "
                                      "ReduceMax-18 takes int64; nothing is converted (TYP-2)"));
  const Error scalar = error(Named<std::int64_t>("a", {}, {0}), kInt64);
  EXPECT_EQ(scalar.code, ErrorCode::kAxis);
  EXPECT_THAT(scalar.message, HasSubstr("node 'pool' (ReduceMax): the axes 'a' have shape [], of rank 0; "
                                        "ReduceMax-18 takes a list, of rank 1 (RED-5)"));
  EXPECT_EQ(error(Named<std::int64_t>("a", {1, 1}, {0}), kInt64).code, ErrorCode::kAxis);
}

// Rules: TYP-4
TEST(RunReduceMax, ATypeThatTheVersionDoesNotHaveIsRefusedBeforeTheAxes) {
  for (std::int64_t opset : {1, 11}) {
    ModelBuilder builder(opset);
    builder.Input("x", onnx::TensorProto::UINT8, {2});
    ModelBuilder::SetInts(builder.Node("ReduceMax", {"x"}, {"y"}, "pool"), "axes", {7});
    builder.Output("y", onnx::TensorProto::UINT8, std::nullopt);
    const Error error = ErrorOf(Parsed(builder)->Run(List(Named<std::uint8_t>("x", {2}, {1, 2}))));
    EXPECT_EQ(error.code, ErrorCode::kTypeNotAdmitted);
    EXPECT_THAT(error.message,
                AllOf(HasSubstr("node 'pool' (ReduceMax): input 'x' has type uint8"), HasSubstr("TYP-4")));
  }
  ModelBuilder shorts(18);
  shorts.Input("x", onnx::TensorProto::INT16, {2}).Input("a", kInt64, {1, 1});
  shorts.Node("ReduceMax", {"x", "a"}, {"y"}, "pool");
  shorts.Output("y", onnx::TensorProto::INT16, std::nullopt);
  EXPECT_EQ(ErrorOf(Parsed(shorts)->Run(
                        List(Named<std::int16_t>("x", {2}, {1, 2}), Named<std::int64_t>("a", {1, 1}, {0}))))
                .code,
            ErrorCode::kTypeNotAdmitted);
}

// Rules: E2, TYP-2
TEST(RunReduceMax, TheStatedTypeAndShapeOfTheOutputAreCompared) {
  ModelBuilder shape(13);
  shape.Input("x", kFloat, {2, "N"});
  shape.Node("ReduceMax", {"x"}, {"y"}, "pool");
  shape.Output("y", kFloat, {1, "N"});
  EXPECT_TRUE(Parsed(shape)->Run(List(Named<float>("x", {2, 1}, {1, 2}))));
  const Error wrong = ErrorOf(Parsed(shape)->Run(List(X())));
  EXPECT_EQ(wrong.code, ErrorCode::kOutputShapeMismatch);
  EXPECT_THAT(wrong.message,
              AllOf(HasSubstr("node 'pool' (ReduceMax): output 'y' has shape [1,1]"), HasSubstr("[1,N]")));
  ModelBuilder type(13);
  type.Input("x", kFloat, {2, 3});
  type.Node("ReduceMax", {"x"}, {"y"}, "pool");
  type.Output("y", onnx::TensorProto::DOUBLE, std::nullopt);
  const Error mismatch = ErrorOf(Parsed(type)->Run(List(X())));
  EXPECT_EQ(mismatch.code, ErrorCode::kTypeMismatch);
  EXPECT_THAT(mismatch.message, HasSubstr("output 'y' is stated as float64 and computed as float32"));
}

// Rules: PRO-2, PRO-4
TEST(RunReduceMax, TheProfileRefusesDefaultsAndAxesThatARunDecides) {
  RunOptions sonnx;
  sonnx.profile = Profile::kSonnx;
  ModelBuilder defaulted(13);
  defaulted.Input("x", kFloat, {2, 3});
  ModelBuilder::SetInts(defaulted.Node("ReduceMax", {"x"}, {"y"}, "pool"), "axes", {1});
  defaulted.Output("y", kFloat, {2, 1});
  const Error unwritten = ErrorOf(Parsed(defaulted)->Run(List(X()), sonnx));
  EXPECT_EQ(unwritten.code, ErrorCode::kDefaultedAttribute);
  EXPECT_EQ(unwritten.message,
            "attribute left to its default: 'm.onnx': node 'pool' (ReduceMax): attribute 'keepdims' is not "
            "written (PRO-4); write keepdims = 1");
  ModelBuilder::SetInt(*defaulted.graph()->mutable_node(0), "keepdims", 1);
  EXPECT_TRUE(Parsed(defaulted)->Run(List(X()), sonnx));

  ModelBuilder run_time(18);
  run_time.Input("x", kFloat, {2, 3}).Input("a", kInt64, {1});
  onnx::NodeProto& node = run_time.Node("ReduceMax", {"x", "a"}, {"y"}, "pool");
  ModelBuilder::SetInt(node, "keepdims", 1);
  ModelBuilder::SetInt(node, "noop_with_empty_axes", 0);
  run_time.Output("y", kFloat, {2, 1});
  const auto inputs = [] { return List(X(), Named<std::int64_t>("a", {1}, {1})); };
  EXPECT_TRUE(Parsed(run_time)->Run(inputs()));
  const Error open = ErrorOf(Parsed(run_time)->Run(inputs(), sonnx));
  EXPECT_EQ(open.code, ErrorCode::kShapeNotExplicit);
  EXPECT_THAT(open.message, HasSubstr("node 'pool' (ReduceMax): the axes 'a' are a graph input, known only "
                                      "when the model runs (PRO-2)"));

  // The elements of the axes reach the profile's checker.
  ModelBuilder constant = Pool(18, Axes{1}, 0, 0);
  constant.graph()->clear_input();
  constant.graph()->clear_output();
  constant.Input("x", kFloat, {2, 3}).Output("y", kFloat, {2});
  const auto outputs = Parsed(constant)->Run(List(X()), sonnx);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>((*outputs)[0]), ElementsAre(5, 6));
}

TEST(RunReduceMax, MemoryBeyondTheLimitIsRefused) {
  ModelBuilder none = Pool(18, std::nullopt, 1, 1);
  RunOptions options;
  options.max_bytes = 10;
  const Error error = ErrorOf(Parsed(none)->Run(List(X()), options));
  EXPECT_EQ(error.code, ErrorCode::kLimitExceeded);
  EXPECT_THAT(error.message, HasSubstr("node 'pool' (ReduceMax)"));
}

}  // namespace
}  // namespace supremum
