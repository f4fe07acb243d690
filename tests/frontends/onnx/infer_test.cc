// Type and shape inference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "frontends/onnx/infer/infer_graph.h"
#include "frontends/onnx/testing.h"

namespace supremum::test {
namespace {

TEST(Infer, GoesThroughMaxConstantAndIdentity) {
  const ModelBuilder builder = TextModel(R"((float[N,1] x, bool[2] other) => (float[?,?] y, bool[] n) {
    c = Constant <value = float[4] {1, 2, 3, 4}> ()
    same = Identity(x)
    m = Max(same, c)
    n = Not(other)
    y = Max(m, m) })");
  const auto model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  const auto infos = model->Infer();
  ASSERT_TRUE(infos) << infos.error().message;
  std::map<std::string, std::string> known;
  for (const ValueInfo& info : *infos) known[info.name] = ToString(info);
  EXPECT_EQ(infos->front().name, "x") << "inputs come first";
  const std::map<std::string, std::string> expected = {
      {"x", "float32[N,1]"}, {"other", "bool[2]"}, {"c", "float32[4]"},  {"same", "float32[N,1]"},
      {"m", "float32[N,4]"}, {"n", "bool[?...]"},  {"y", "float32[N,4]"}};
  EXPECT_EQ(known, expected);
}

// Rules: TYP-2, TYP-3, E1, E2
TEST(Infer, ReportsWhatIsWrongWhateverTheInputsAre) {
  const auto refused = [](const ModelBuilder& builder, ErrorCode code,
                          const std::vector<std::string>& parts = {}) {
    const auto model = Parsed(builder);
    ExpectError(model ? ErrorOf(model->Infer()) : model.error(), code, parts);
  };
  refused(TypedMaxModel({{kFloat, {1}}, {onnx::TensorProto::DOUBLE, {1}}}, kFloat), ErrorCode::kTypeMismatch,
          {"node 'fuse' (Max)", "'x0'", "float64"});
  refused(MaxModel({{1}}, std::nullopt, 8, onnx::TensorProto::INT8), ErrorCode::kTypeNotAdmitted);
  refused(MaxModel({{1}}, std::nullopt, 13, onnx::TensorProto::BOOL), ErrorCode::kTypeNotAdmitted);
  refused(MaxModel({{"N", 2}, {3}}), ErrorCode::kNotBroadcastable);
  refused(MaxModel({{"N", 2}}, {"N", 3}), ErrorCode::kOutputShapeMismatch);
  refused(MaxModel({{"N", 2}}, {2}), ErrorCode::kOutputShapeMismatch);
}

}  // namespace
}  // namespace supremum::test
