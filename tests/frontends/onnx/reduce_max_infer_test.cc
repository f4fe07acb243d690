// Type and shape inference for ReduceMax.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

Result<std::vector<ValueInfo>> Inferred(Reduction reduction) {
  if (!reduction.keepdims) reduction.keepdims = 1;
  const auto model = Parsed(ReduceMaxModel(reduction));
  if (!model) return model.error();
  return model->Infer();
}

std::string InferredShape(const Reduction& r) {
  const auto infos = Inferred(r);
  EXPECT_TRUE(infos) << infos.error().message;
  return infos ? ToString(infos->back()) : "";
}

// Rules: RED-3, RED-5
TEST(InferReduceMax, ReducedDimensionsAreOneOrVanishAndSymbolsStay) {
  for (std::int64_t opset : {11, 13, 18, 20}) {
    EXPECT_EQ(InferredShape({.opset = opset, .axes = {{0}}}), "float32[1,N,?]");
    EXPECT_EQ(InferredShape({.opset = opset, .axes = {{0}}, .keepdims = 0}), "float32[N,?]");
    EXPECT_EQ(InferredShape({.opset = opset, .axes = {{-1, 1}}, .keepdims = 0}), "float32[2]");
    EXPECT_EQ(InferredShape({.opset = opset, .axes = {{-1, 1}}}), "float32[2,1,1]");
    EXPECT_EQ(InferredShape({.opset = opset}), "float32[1,1,1]");
    EXPECT_EQ(InferredShape({.opset = opset, .keepdims = 0}), "float32[]");
    EXPECT_EQ(InferredShape({.opset = opset, .axes = Axes{}}), "float32[1,1,1]");
  }
  EXPECT_EQ(InferredShape({.axes = {{1}}, .keepdims = 0, .x = {0, 3}}), "float32[0]");
  EXPECT_EQ(InferredShape({.keepdims = 0, .x = {}}), "float32[]");
}

// Rules: RED-5
TEST(InferReduceMax, NoAxesAreAllOrNoneAsTheNodeSays) {
  const Axes empty;
  EXPECT_EQ(InferredShape({.noop = 1}), "float32[2,N,?]");
  EXPECT_EQ(InferredShape({.axes = empty, .noop = 1}), "float32[2,N,?]");
  EXPECT_EQ(InferredShape({.axes = empty, .noop = 0}), "float32[1,1,1]");
  EXPECT_EQ(InferredShape({.noop = 1, .axes_input = ModelShape{0}}), "float32[2,N,?]");
  EXPECT_EQ(InferredShape({.noop = 0, .axes_input = ModelShape{0}}), "float32[1,1,1]");
}

// Rules: RED-3
TEST(InferReduceMax, AxesThatOnlyARunKnowsLeaveWhatEveryListOfAxesGives) {
  EXPECT_EQ(InferredShape({.axes_input = ModelShape{1}}), "float32[?,?,?]");
  EXPECT_EQ(InferredShape({.axes_input = ModelShape{"K"}}), "float32[?,?,?]");
  EXPECT_EQ(InferredShape({.axes_input = ModelShape{std::nullopt}}), "float32[?,?,?]");
  EXPECT_EQ(InferredShape({.x = {2, 1}, .axes_input = ModelShape{1}}), "float32[?,1]");
  EXPECT_EQ(InferredShape({.axes_input = ModelShape{3}}), "float32[1,1,1]")
      << "three axes of three dimensions";
  EXPECT_EQ(InferredShape({.keepdims = 0, .axes_input = ModelShape{1}}), "float32[?,?]");
  EXPECT_EQ(InferredShape({.keepdims = 0, .axes_input = ModelShape{3}}), "float32[]");
  EXPECT_EQ(InferredShape({.keepdims = 0, .axes_input = ModelShape{"K"}}), "float32[?...]");
}

TEST(InferReduceMax, AnUnknownRankStaysUnknownUnlessEverythingIsReduced) {
  EXPECT_EQ(InferredShape({.axes = {{0}}, .x = std::nullopt}), "float32[?...]");
  EXPECT_EQ(InferredShape({.x = std::nullopt}), "float32[?...]");
  EXPECT_EQ(InferredShape({.keepdims = 0, .x = std::nullopt}), "float32[]");
  EXPECT_EQ(InferredShape({.keepdims = 0, .noop = 1, .x = std::nullopt}), "float32[?...]");
  EXPECT_EQ(InferredShape({.x = std::nullopt, .axes_input = ModelShape{1}}), "float32[?...]");
}

TEST(InferReduceMax, ConstantsIdentitiesAndOverridableInitializersAreToldApart) {
  const auto infos = Parsed(TextModel(R"((float[2,3] x, int64[1] over = {1})
      => (float[] y_c, float[] y_same, float[] y_computed, float[] y_over) {
    c = Constant <value = int64[1] {1}> ()
    same = Identity(c)
    computed = Max(c)
    y_c = ReduceMax <keepdims = 0> (x, c)
    y_same = ReduceMax <keepdims = 0> (x, same)
    y_computed = ReduceMax <keepdims = 0> (x, computed)
    y_over = ReduceMax <keepdims = 0> (x, over) })",
                                      18))
                         ->Infer();
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
  const auto refused = [](const Reduction& reduction, std::vector<std::string> parts) {
    parts.push_back("'m.onnx': node 'pool' (ReduceMax)");
    ExpectError(Inferred(reduction), ErrorCode::kAxis, parts);
  };
  for (std::int64_t opset : {13, 18}) {
    refused({.opset = opset, .axes = {{3}}}, {"axis 3", "input 'x' has rank 3", "[-3, 2]"});
    refused({.opset = opset, .axes = {{-4}}}, {"axis -4"});
    refused({.opset = opset, .axes = {{2, -1}}}, {"RED-2"});
  }
  refused({.opset = 10, .axes = {{-1}}}, {"ReduceMax-1", "RED-5", "opset 11"});
  refused(
      {.axes_input = ModelShape{4}},
      {"4 axes are given and input 'x' has rank 3; each of its dimensions is named at most once (RED-2)"});
  refused({.axes_input = ModelShape{1, 1}},
          {"the axes 'a' have shape [1,1], of rank 2; ReduceMax-18 takes a list, of rank 1 (RED-5)"});
  refused({.axes_input = ModelShape{}}, {"have shape [], of rank 0"});
}

// Rules: TYP-2, BRO-4, E2
TEST(InferReduceMax, TypesRanksAndStatedShapesAreCompared) {
  ExpectError(
      Inferred({.x = {2}, .axes_input = ModelShape{1}, .axes_type = onnx::TensorProto::INT32}),
      ErrorCode::kTypeMismatch,
      {"node 'pool' (ReduceMax): the axes 'a' have type int32 and ReduceMax-18 takes int64; nothing is "
       "converted (TYP-2)"});
  ExpectError(Inferred({.opset = 13, .x = {2, 3}, .output_type = onnx::TensorProto::DOUBLE}),
              ErrorCode::kTypeMismatch, {"output 'y' is stated as float64 and computed as float32"});
  ExpectError(Inferred({.opset = 13, .x = {2, 3}, .y = {1}}), ErrorCode::kOutputShapeMismatch,
              {"node 'pool' (ReduceMax): output 'y'", "[1,1]"});
  ExpectError(Inferred({.x = ModelShape(std::vector<ModelDim>(65, 1))}), ErrorCode::kRank);
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
  const auto of_type = [](std::int64_t opset, int type) {
    return Inferred({.opset = opset, .type = type, .output_type = type});
  };
  for (std::int64_t opset : {1, 10, 11, 12, 13, 17, 18, 19, 20, 24}) {
    for (int type : always) EXPECT_TRUE(of_type(opset, type)) << opset << " " << type;
    for (const auto& [type, first] : since) {
      SCOPED_TRACE("opset " + std::to_string(opset) + ", type " + std::to_string(type));
      if (opset >= first) {
        EXPECT_TRUE(of_type(opset, type));
      } else {
        ExpectError(of_type(opset, type), ErrorCode::kTypeNotAdmitted,
                    {"node 'pool' (ReduceMax): input 'x' has type", "does not have (TYP-4)"});
      }
    }
  }
  ModelBuilder sparse(13);
  sparse.SparseInput("x", kFloat);
  sparse.Node("ReduceMax", {"x"}, {"y"});
  sparse.Output("y", kFloat, std::nullopt);
  ExpectError(Parsed(sparse)->Infer(), ErrorCode::kSparseTensor);
}

}  // namespace
}  // namespace supremum::test
