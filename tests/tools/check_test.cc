// supremum check.
#include "supremum/check.h"

#include <nlohmann/json.hpp>

#include "tools/command.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Check = CommandTest;

TEST_F(Check, AModelThatKeepsEveryRuleHasStatusZero) {
  FuseModel({2, 3}, {2, 3}).Save(File("m.onnx"));
  const ProcessResult result = Supremum({"check", "m.onnx", "--profile", "sonnx", "--no-broadcast"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("'fuse'"), HasSubstr("PRO-1   holds"), HasSubstr("1 Max node: "),
                                HasSubstr(" 0 failed, 0 undecided\n"), Not(HasSubstr("change:"))));
}

// Rules: PRO-2
TEST_F(Check, WhatFailsIsNamedWithWhatToChange) {
  FuseModel({"N", 3}, {2, 3}, {2, 3}).Save(File("m.onnx"));
  const ProcessResult result = Supremum({"check", "m.onnx", "--profile", "sonnx"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, AllOf(HasSubstr("  PRO-2   fails"), HasSubstr("change: "), HasSubstr("'a'")));
}

// Rules: PRO-6
TEST_F(Check, TheStricterSwitchRefusesBroadcasting) {
  FuseModel({2, 3}, {3}).Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx"}).status, 0);
  const ProcessResult result = Supremum({"check", "m.onnx", "--no-broadcast"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("PRO-6   fails"));
}

// Rules: E1
TEST_F(Check, AnE1IsAFindingAndNotAnError) {
  FuseModel({2, 3}, {4}, {2, 3}).Save(File("m.onnx"));
  const ProcessResult result = Supremum({"check", "m.onnx"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("fails"));
}

TEST_F(Check, AModelWithoutMaxHasNothingToCheck) {
  ModelBuilder model;
  model.Input("x", kFloat, {1}).Output("y", kFloat, {1});
  model.Node("Relu", {"x"}, {"y"});
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"check", "m.onnx"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("neither a Max nor a ReduceMax node"));
}

TEST_F(Check, ReduceMaxNodesAreExaminedAndCountedBesideMaxNodes) {
  ModelBuilder model(18);
  model.Input("x", kFloat, {2, 3}).Output("y", kFloat, {2}).ValueInfo("m", kFloat, {2, 3});
  model.Initializer<std::int64_t>("a", onnx::TensorProto::INT64, {1}, {1});
  model.Node("Max", {"x", "x"}, {"m"}, "fuse");
  onnx::NodeProto& pool = model.Node("ReduceMax", {"m", "a"}, {"y"}, "pool");
  ModelBuilder::SetInt(pool, "keepdims", 0);
  model.Save(File("m.onnx"));
  ProcessResult result = Supremum({"check", "m.onnx"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("node 'pool' (ReduceMax)\n"), HasSubstr("RED-5   holds"),
                                HasSubstr("RED-2   holds"), HasSubstr("TYP-4   holds"),
                                HasSubstr("\n1 Max node and 1 ReduceMax node: ")));
  result = Supremum({"check", "m.onnx", "--profile", "sonnx"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("  PRO-4   fails      attribute 'noop_with_empty_axes' is not written\n"
                                    "                   change: write noop_with_empty_axes = 0\n"));
  ModelBuilder::SetInt(pool, "noop_with_empty_axes", 0);
  model.Node("ReduceMax", {"y"}, {"z"});
  model.Save(File("m.onnx"));
  EXPECT_THAT(Supremum({"check", "m.onnx"}).out, HasSubstr("\n1 Max node and 2 ReduceMax nodes: "));
}

TEST_F(Check, JsonHoldsEveryFinding) {
  FuseModel({"N", 3}, {2, 3}, {2, 3}).Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx", "--json", "r.json"}).status, 1);
  const auto json = nlohmann::json::parse(ReadText(File("r.json")));
  EXPECT_EQ(json.at("holds"), false);
  EXPECT_EQ(json.at("profile"), "sonnx");
  EXPECT_EQ(json.at("opset"), 13);
  EXPECT_EQ(json.at("nodes").at(0).at("name"), "fuse");
  EXPECT_GT(json.at("nodes").at(0).at("findings").size(), 3u);
  EXPECT_TRUE(json.at("inference").is_null()) << "nothing is left to infer but a symbol of an input";
}

TEST_F(Check, JsonSaysWhatConfinedTheInference) {
  ModelBuilder model;
  model.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  model.Node("Relu", {"a"}, {"r"});
  model.Node("Max", {"r", "a"}, {"y"});
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"check", "m.onnx", "--json", "-"});
  EXPECT_EQ(nlohmann::json::parse(result.out).at("inference"), ToString(InferenceSandboxHere()));
  EXPECT_EQ(Supremum({"check", "m.onnx"}).out.find("resource limits only") == std::string::npos,
            InferenceSandboxHere() == InferenceSandbox::kFiltered);
}

TEST_F(Check, AFileThatIsNoModelIsAnError) {
  WriteText(File("m.onnx"), "\xff\xff");
  ExpectFailure(Supremum({"check", "m.onnx"}), 3, {"m.onnx"});
  ExpectFailure(Supremum({"check", "missing.onnx"}), 4, {"missing.onnx"});
}

TEST_F(Check, AOneDnnGraphIsRefusedWithTheVerbsThatTakeIt) {
  WriteText(File("graph.json"), "{}");
  ExpectFailure(Supremum({"check", "graph.json"}), 2,
                {"graph.json is a oneDNN graph", "`supremum run`", "`supremum inspect`"});
}

}  // namespace
}  // namespace supremum::test
