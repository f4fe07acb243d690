// Type and shape inference for ReduceMax.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx/testing.h"
#include "supremum/model.h"

namespace supremum {
namespace {

using test::ErrorOf;
using test::kFloat;
using test::kUnknownDim;
using test::ModelBuilder;
using test::ModelShape;
using test::Parsed;
using testing::AllOf;
using testing::HasSubstr;

constexpr auto kInt64 = onnx::TensorProto::INT64;

// A ReduceMax of a float input 'x', before any of which the axes are known.
struct Reduction {
  ModelShape x = {2, "N", kUnknownDim};
  std::optional<std::vector<std::int64_t>> axes = std::nullopt;  // an attribute, or an initializer
  bool keepdims = true;
  bool noop = false;
  std::int64_t opset = 18;
  std::optional<ModelShape> run_time_axes = std::nullopt;
  int type = kFloat;
};

Result<std::vector<ValueInfo>> Inferred(const Reduction& r) {
  ModelBuilder builder(r.opset);
  builder.Input("x", r.type, r.x);
  std::vector<std::string> inputs = {"x"};
  if (r.run_time_axes || (r.axes && r.opset >= 18)) inputs.push_back("a");
  if (r.run_time_axes) {
    builder.Input("a", kInt64, *r.run_time_axes);
  } else if (inputs.size() > 1) {
    builder.Initializer<std::int64_t>("a", kInt64, {static_cast<std::int64_t>(r.axes->size())}, *r.axes);
  }
  onnx::NodeProto& node = builder.Node("ReduceMax", inputs, {"y"}, "pool");
  if (r.axes && r.opset < 18) ModelBuilder::SetInts(node, "axes", *r.axes);
  ModelBuilder::SetInt(node, "keepdims", r.keepdims);
  if (r.noop) ModelBuilder::SetInt(node, "noop_with_empty_axes", 1);
  builder.Output("y", r.type, std::nullopt);
  const auto model = Parsed(builder);
  if (!model) return model.error();
  return model->Infer();
}

std::string Shape(const Reduction& r) {
  const auto infos = Inferred(r);
  EXPECT_TRUE(infos) << infos.error().message;
  return infos ? ToString(infos->back()) : "";
}

// Rules: RED-3, RED-5
TEST(InferReduceMax, ReducedDimensionsAreOneOrVanishAndSymbolsStay) {
  for (std::int64_t opset : {11, 13, 18, 20}) {
    EXPECT_EQ(Shape({.axes = {{0}}, .opset = opset}), "float32[1,N,?]");
    EXPECT_EQ(Shape({.axes = {{0}}, .keepdims = false, .opset = opset}), "float32[N,?]");
    EXPECT_EQ(Shape({.axes = {{-1, 1}}, .keepdims = false, .opset = opset}), "float32[2]");
    EXPECT_EQ(Shape({.axes = {{-1, 1}}, .opset = opset}), "float32[2,1,1]");
    EXPECT_EQ(Shape({.opset = opset}), "float32[1,1,1]");
    EXPECT_EQ(Shape({.keepdims = false, .opset = opset}), "float32[]");
    EXPECT_EQ(Shape({.axes = {std::vector<std::int64_t>()}, .opset = opset}), "float32[1,1,1]");
  }
  EXPECT_EQ(Shape({.x = {0, 3}, .axes = {{1}}, .keepdims = false}), "float32[0]");
  EXPECT_EQ(Shape({.x = {}, .keepdims = false}), "float32[]");
}

// Rules: RED-5
TEST(InferReduceMax, NoAxesAreAllOrNoneAsTheNodeSays) {
  const std::vector<std::int64_t> empty;
  EXPECT_EQ(Shape({.noop = true}), "float32[2,N,?]");
  EXPECT_EQ(Shape({.axes = empty, .noop = true}), "float32[2,N,?]");
  EXPECT_EQ(Shape({.axes = empty, .noop = false}), "float32[1,1,1]");
  EXPECT_EQ(Shape({.noop = true, .run_time_axes = ModelShape{0}}), "float32[2,N,?]");
  EXPECT_EQ(Shape({.noop = false, .run_time_axes = ModelShape{0}}), "float32[1,1,1]");
}

// Rules: RED-3
TEST(InferReduceMax, AxesThatOnlyARunKnowsLeaveWhatEveryListOfAxesGives) {
  EXPECT_EQ(Shape({.run_time_axes = ModelShape{1}}), "float32[?,?,?]");
  EXPECT_EQ(Shape({.run_time_axes = ModelShape{"K"}}), "float32[?,?,?]");
  EXPECT_EQ(Shape({.run_time_axes = ModelShape{std::nullopt}}), "float32[?,?,?]");
  EXPECT_EQ(Shape({.x = {2, 1}, .run_time_axes = ModelShape{1}}), "float32[?,1]");
  EXPECT_EQ(Shape({.run_time_axes = ModelShape{3}}), "float32[1,1,1]") << "three axes of three dimensions";
  EXPECT_EQ(Shape({.keepdims = false, .run_time_axes = ModelShape{1}}), "float32[?,?]");
  EXPECT_EQ(Shape({.keepdims = false, .run_time_axes = ModelShape{3}}), "float32[]");
  EXPECT_EQ(Shape({.keepdims = false, .run_time_axes = ModelShape{"K"}}), "float32[?...]");
}

TEST(InferReduceMax, AnUnknownRankStaysUnknownUnlessEverythingIsReduced) {
  EXPECT_EQ(Shape({.x = std::nullopt, .axes = {{0}}}), "float32[?...]");
  EXPECT_EQ(Shape({.x = std::nullopt}), "float32[?...]");
  EXPECT_EQ(Shape({.x = std::nullopt, .keepdims = false}), "float32[]");
  EXPECT_EQ(Shape({.x = std::nullopt, .keepdims = false, .noop = true}), "float32[?...]");
  EXPECT_EQ(Shape({.x = std::nullopt, .run_time_axes = ModelShape{1}}), "float32[?...]");
}

TEST(InferReduceMax, ConstantsIdentitiesAndOverridableInitializersAreToldApart) {
  ModelBuilder builder(18);
  builder.Input("x", kFloat, {2, 3}).Input("over", kInt64, {1});
  builder.Initializer<std::int64_t>("over", kInt64, {1}, {1});
  builder.Constant("c", test::MakeTensorProto<std::int64_t>("", kInt64, {1}, {1}));
  builder.Node("Identity", {"c"}, {"same"});
  builder.Node("Max", {"c"}, {"computed"});
  for (const std::string axes : {"c", "same", "computed", "over"}) {
    ModelBuilder::SetInt(builder.Node("ReduceMax", {"x", axes}, {"y_" + axes}), "keepdims", 0);
    builder.Output("y_" + axes, kFloat, std::nullopt);
  }
  const auto infos = Parsed(builder)->Infer();
  ASSERT_TRUE(infos) << infos.error().message;
  std::map<std::string, std::string> known;
  for (const ValueInfo& info : *infos) known[info.name] = ToString(info);
  EXPECT_EQ(known["y_c"], "float32[2]");
  EXPECT_EQ(known["y_same"], "float32[2]");
  EXPECT_EQ(known["y_computed"], "float32[?]");
  EXPECT_EQ(known["y_over"], "float32[?]") << "a caller may replace it";
}

// Rules: RED-2, RED-5
TEST(InferReduceMax, WrongAxesAreReported) {
  const auto axis_error = [](const Reduction& r) {
    const Error error = ErrorOf(Inferred(r));
    EXPECT_EQ(error.code, ErrorCode::kAxis) << error.message;
    EXPECT_THAT(error.message, HasSubstr("'m.onnx': node 'pool' (ReduceMax)"));
    return error.message;
  };
  for (std::int64_t opset : {13, 18}) {
    EXPECT_THAT(axis_error({.axes = {{3}}, .opset = opset}),
                AllOf(HasSubstr("axis 3"), HasSubstr("input 'x' has rank 3"), HasSubstr("[-3, 2]")));
    EXPECT_THAT(axis_error({.axes = {{-4}}, .opset = opset}), HasSubstr("axis -4"));
    EXPECT_THAT(axis_error({.axes = {{2, -1}}, .opset = opset}), HasSubstr("RED-2"));
  }
  EXPECT_THAT(axis_error({.axes = {{-1}}, .opset = 10}),
              AllOf(HasSubstr("ReduceMax-1"), HasSubstr("RED-5"), HasSubstr("opset 11")));
  EXPECT_THAT(axis_error({.run_time_axes = ModelShape{4}}),
              HasSubstr("4 axes are given and input 'x' has rank 3; each of its dimensions is named at most "
                        "once (RED-2)"));
  EXPECT_THAT(axis_error({.run_time_axes = ModelShape{1, 1}}),
              HasSubstr("the axes 'a' have shape [1,1], of rank 2; ReduceMax-18 takes a list, of rank 1 "
                        "(RED-5)"));
  EXPECT_THAT(axis_error({.run_time_axes = ModelShape{}}), HasSubstr("have shape [], of rank 0"));
}

// Rules: TYP-2, BRO-4, E2
TEST(InferReduceMax, TypesRanksAndStatedShapesAreCompared) {
  ModelBuilder axes(18);
  axes.Input("x", kFloat, {2}).Input("a", onnx::TensorProto::INT32, {1});
  axes.Node("ReduceMax", {"x", "a"}, {"y"}, "pool");
  axes.Output("y", kFloat, std::nullopt);
  const Error type = ErrorOf(Parsed(axes)->Infer());
  EXPECT_EQ(type.code, ErrorCode::kTypeMismatch);
  EXPECT_THAT(type.message, HasSubstr("node 'pool' (ReduceMax): the axes 'a' have type int32 and "
                                      "ReduceMax-18 takes int64; nothing is converted (TYP-2)"));

  ModelBuilder output(13);
  output.Input("x", kFloat, {2, 3});
  output.Node("ReduceMax", {"x"}, {"y"}, "pool");
  output.Output("y", onnx::TensorProto::DOUBLE, std::nullopt);
  EXPECT_THAT(ErrorOf(Parsed(output)->Infer()).message,
              HasSubstr("output 'y' is stated as float64 and computed as float32"));

  ModelBuilder stated(13);
  stated.Input("x", kFloat, {2, 3});
  stated.Node("ReduceMax", {"x"}, {"y"}, "pool");
  stated.Output("y", kFloat, {1});
  const Error shape = ErrorOf(Parsed(stated)->Infer());
  EXPECT_EQ(shape.code, ErrorCode::kOutputShapeMismatch);
  EXPECT_THAT(shape.message, AllOf(HasSubstr("node 'pool' (ReduceMax): output 'y'"), HasSubstr("[1,1]")));

  EXPECT_EQ(ErrorOf(Inferred({.x = ModelShape(std::vector<test::ModelDim>(65, 1))})).code, ErrorCode::kRank);
}

// Rules: TYP-4, PRO-1
TEST(InferReduceMax, EveryVersionAdmitsItsOwnTypes) {
  using onnx::TensorProto;
  const std::vector<int> always = {TensorProto::UINT32, TensorProto::UINT64, TensorProto::INT32,
                                   TensorProto::INT64,  TensorProto::FLOAT,  TensorProto::DOUBLE,
                                   TensorProto::FLOAT16};
  const std::map<int, int> since = {{TensorProto::UINT8, 12},    {TensorProto::INT8, 12},
                                    {TensorProto::BFLOAT16, 13}, {TensorProto::BOOL, 20},
                                    {TensorProto::INT16, 99},    {TensorProto::UINT16, 99},
                                    {TensorProto::STRING, 99}};
  for (std::int64_t opset : {1, 10, 11, 12, 13, 17, 18, 19, 20, 24}) {
    for (int type : always) EXPECT_TRUE(Inferred({.opset = opset, .type = type})) << opset << " " << type;
    for (const auto& [type, first] : since) {
      const auto infos = Inferred({.opset = opset, .type = type});
      ASSERT_EQ(infos.has_value(), opset >= first) << "opset " << opset << ", type " << type;
      if (infos) continue;
      EXPECT_EQ(infos.error().code, ErrorCode::kTypeNotAdmitted);
      EXPECT_THAT(infos.error().message, AllOf(HasSubstr("node 'pool' (ReduceMax): input 'x' has type"),
                                               HasSubstr("does not have (TYP-4)")));
    }
  }
  ModelBuilder sparse(13);
  onnx::ValueInfoProto* info = sparse.graph()->add_input();
  info->set_name("x");
  info->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(kFloat);
  sparse.Node("ReduceMax", {"x"}, {"y"});
  sparse.Output("y", kFloat, std::nullopt);
  EXPECT_EQ(ErrorOf(Parsed(sparse)->Infer()).code, ErrorCode::kSparseTensor);
}

}  // namespace
}  // namespace supremum
