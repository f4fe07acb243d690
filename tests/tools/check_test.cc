// supremum check.
#include "supremum/check.h"

#include <set>
#include <tuple>

#include "tools/command.h"
#include "tools/json.h"

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

// Rules: PRO-2, PRO-6, E1
TEST_F(Check, WhatFailsIsNamedWithWhatToChange) {
  const std::vector<std::tuple<ModelBuilder, std::vector<std::string>, std::string>> failing = {
      {FuseModel({"N", 3}, {2, 3}, {2, 3}), {"--profile", "sonnx"}, "  PRO-2   fails"},
      {FuseModel({2, 3}, {3}), {"--no-broadcast"}, "  PRO-6   fails"},
      {FuseModel({2, 3}, {4}, {2, 3}), {}, "  BRO-2   fails"}};
  for (const auto& [model, options, part] : failing) {
    model.Save(File("m.onnx"));
    const ProcessResult result = Supremum(With({"check", "m.onnx"}, options));
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, AllOf(HasSubstr(part), HasSubstr("change: ")));
  }
}

// In subgraphs and functions too.
TEST_F(Check, NodesThatAreNotJudgedAreCounted) {
  ModelBuilder model;
  model.Opset("ai.example", 1).Input("x", kFloat, {1}).Output("y", kFloat, {1});
  model.Node("MaxPool", {"x"}, {"p"});
  onnx::NodeProto& branch = model.Node("If", {"x"}, {"c"});
  onnx::GraphProto* graph =
      ModelBuilder::Attribute(branch, "then_branch", onnx::AttributeProto::GRAPH).mutable_g();
  ModelBuilder::AddNode(graph, "Relu", {"p"}, {"inner"});
  model.Node("Relu", {"p"}, {"r"});
  model.Node("Fancy", {"r"}, {"y"}).set_domain("ai.example");
  model.Save(File("m.onnx"));
  ProcessResult result = Supremum({"check", "m.onnx", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(
      result.out,
      HasSubstr("there is nothing to check\n2 Relu, 1 If, 1 MaxPool, 1 ai.example.Fancy: not judged\n"));
  auto json = ParseJson(ReadText(File("r.json")));
  EXPECT_EQ(json.at("not_judged").at(0), nlohmann::json({{"op", "Relu"}, {"nodes", 2}}));
  EXPECT_EQ(json.at("not_judged").size(), 4u);
  EXPECT_EQ(json.at("holds"), true);

  model.Node("Max", {"r"}, {"z"});
  model.Save(File("m.onnx"));
  EXPECT_THAT(Supremum({"check", "m.onnx"}).out,
              HasSubstr("2 Relu, 1 If, 1 MaxPool, 1 ai.example.Fancy: not judged\n"));
  FuseModel({2, 3}, {2, 3}).Save(File("m.onnx"));
  EXPECT_THAT(Supremum({"check", "m.onnx"}).out, Not(HasSubstr("not judged")));
}

TEST_F(Check, RequireNodesGivesStatusOneToAModelWithoutThem) {
  ModelBuilder model;
  model.Input("x", kFloat, {1}).Output("y", kFloat, {1});
  model.Node("Relu", {"x"}, {"y"});
  model.Save(File("m.onnx"));
  const ProcessResult without = Supremum({"check", "m.onnx"});
  EXPECT_EQ(without.status, 0);
  EXPECT_THAT(without.out,
              AllOf(HasSubstr("neither a Max nor a ReduceMax node"), HasSubstr("1 Relu: not judged")));
  const ProcessResult result = Supremum({"check", "m.onnx", "--require-nodes", "--json", "-"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(ParseJson(result.out).at("holds"), false);
  model.Node("Max", {"x"}, {"z"});
  model.Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--require-nodes"}).status, 0);
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

TEST_F(Check, JsonNamesItsSubjectAndCounts) {
  FuseModel({"N", 3}, {2, 3}, {2, 3}).Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx", "--json", "r.json"}).status, 1);
  const auto json = ParseJson(ReadText(File("r.json")));
  const ProcessResult digest = Shell("sha256sum m.onnx");
  EXPECT_EQ(json.at("sha256").get<std::string>(), digest.out.substr(0, 64));
  EXPECT_EQ(json.at("holds"), false);
  EXPECT_EQ(json.at("profile"), "sonnx");
  EXPECT_EQ(json.at("opset"), 13);
  EXPECT_EQ(json.at("nodes").at(0).at("name"), "fuse");
  EXPECT_TRUE(json.at("inference").is_null()) << "nothing is left to infer but a symbol of an input";
  EXPECT_EQ(json.at("totals").at("nodes"), 1);
  EXPECT_GT(json.at("totals").at("fails"), 0);
  const auto& findings = json.at("nodes").at(0).at("findings");
  EXPECT_EQ(json.at("totals").at("holds").get<std::size_t>() +
                json.at("totals").at("fails").get<std::size_t>() +
                json.at("totals").at("undecided").get<std::size_t>(),
            findings.size());
}

TEST_F(Check, DimsAreNumbersForSymbols) {
  FuseModel({"N", 3}, {"N", 3}, {"N", 3}).Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx"}).status, 1);
  const ProcessResult result =
      Supremum({"check", "m.onnx", "--profile", "sonnx", "--dim", "N=4", "--json", "-"});
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_EQ(ParseJson(result.out).at("dims").at("N"), 4);
  EXPECT_THAT(Supremum({"check", "m.onnx", "--dim", "M=4"}).err,
              HasSubstr("no symbolic dimension 'M'; it has 'N'"));
  EXPECT_THAT(Supremum({"inspect", "m.onnx", "--dim", "N=4"}).out,
              AllOf(HasSubstr("[4,3]"), Not(HasSubstr("[N,3]"))));
}

TEST_F(Check, AnnotateStatesWhatTheProfileWants) {
  ModelBuilder model(13);
  model.Input("a", kFloat, {"N", 3}).Output("y", kFloat, std::nullopt);
  model.Node("Relu", {"a"}, {"r"});
  model.Node("ReduceMax", {"r"}, {"y"}, "pool");
  model.Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx", "--dim", "N=2"}).status, 1);
  const ProcessResult result =
      Supremum({"annotate", "m.onnx", "--dim", "N=2", "-o", "s.onnx", "--json", "r.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out,
            "symbol 'N' is 2\n"
            "value 'r' is stated as float32[2,3]\n"
            "value 'y' is stated as float32[1,1]\n"
            "node 'pool' (ReduceMax) has axes=[0,1]\n"
            "node 'pool' (ReduceMax) has keepdims=1\n"
            "5 annotations in s.onnx\n");
  EXPECT_EQ(Supremum({"check", "s.onnx", "--profile", "sonnx"}).status, 0);
  const auto json = ParseJson(ReadText(File("r.json")));
  EXPECT_EQ(json.at("annotations").size(), 5u);
  EXPECT_EQ(json.at("annotations").at(1).at("subject"), "value 'r'");
  EXPECT_EQ(json.at("output_sha256").get<std::string>(), Shell("sha256sum s.onnx").out.substr(0, 64));
}

TEST_F(Check, OnlyFailingLeavesOutWhatHolds) {
  ModelBuilder model(13);
  model.Input("a", kFloat, {2, 3}).Input("b", kFloat, {4}).Output("y", kFloat, std::nullopt);
  model.Node("Max", {"a", "a"}, {"m"}, "right");
  model.Node("Max", {"a", "b"}, {"y"}, "wrong");
  model.Save(File("m.onnx"));
  const ProcessResult all = Supremum({"check", "m.onnx"});
  const ProcessResult failing = Supremum({"check", "m.onnx", "--only", "failing"});
  EXPECT_EQ(failing.status, 1);
  EXPECT_THAT(all.out, AllOf(HasSubstr("'right'"), HasSubstr("  holds")));
  EXPECT_THAT(failing.out, AllOf(Not(HasSubstr("'right'")), Not(HasSubstr("  holds")), HasSubstr("'wrong'"),
                                 HasSubstr("  BRO-2   fails"), HasSubstr("2 Max nodes: ")));
}

TEST_F(Check, SarifHasWhatDoesNotHold) {
  ModelBuilder model(13);
  model.Input("a", kFloat, {"N", 3}).Input("b", kFloat, {"M", 4}).Output("y", kFloat, std::nullopt);
  model.Node("Max", {"a", "b"}, {"y"}, "wrong");
  model.Node("Max", {"a", "a"}, {"m"}, "open");
  model.Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx", "--sarif", "r.sarif"}).status, 1);
  const auto sarif = ParseJson(ReadText(File("r.sarif")));
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  const auto& run = sarif.at("runs").at(0);
  EXPECT_EQ(run.at("tool").at("driver").at("name"), "supremum");
  EXPECT_EQ(run.at("artifacts").at(0).at("hashes").at("sha-256").get<std::string>(),
            Shell("sha256sum m.onnx").out.substr(0, 64));
  std::set<std::string> kinds, rules;
  for (const auto& result : run.at("results")) {
    kinds.insert(result.at("kind"));
    rules.insert(result.at("ruleId"));
    EXPECT_EQ(result.at("level"), result.at("kind") == "fail" ? "error" : "none");
    EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
    EXPECT_EQ(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri"), "m.onnx");
    EXPECT_EQ(result.at("locations").at(0).at("logicalLocations").at(0).at("kind"), "node");
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"fail", "open"}));
  EXPECT_TRUE(rules.contains("BRO-2") && rules.contains("PRO-2"));
  EXPECT_EQ(run.at("tool").at("driver").at("rules").size(), rules.size());
  EXPECT_EQ(Supremum({"check", "m.onnx", "--sarif", "m.onnx"}).status, 2);
  model.Save(File("a b%#\xC3\xA4.onnx"));
  EXPECT_EQ(Supremum({"check", "a b%#\xC3\xA4.onnx", "--sarif", "r.sarif"}).status, 1);
  EXPECT_EQ(
      ParseJson(ReadText(File("r.sarif"))).at("runs").at(0).at("artifacts").at(0).at("location").at("uri"),
      "a%20b%25%23%C3%A4.onnx");
}

TEST_F(Check, JsonSaysWhatConfinedTheInference) {
  ModelBuilder model;
  model.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  model.Node("Relu", {"a"}, {"r"});
  model.Node("Max", {"r", "a"}, {"y"});
  model.Save(File("m.onnx"));
  const ProcessResult result = Supremum({"check", "m.onnx", "--json", "-"});
  EXPECT_EQ(ParseJson(result.out).at("inference"), ToString(InferenceSandboxHere()));
  EXPECT_EQ(Supremum({"check", "m.onnx"}).out.find("resource limits only") == std::string::npos,
            InferenceSandboxHere() == InferenceSandbox::kFiltered);
}

TEST_F(Check, AFileThatIsNoModelIsAnErrorThatNamesTheVerbThatTakesIt) {
  WriteText(File("m.onnx"), "\xff\xff");
  WriteText(File("a.npy"), "anything");
  WriteText(File("graph.json"), "{}");
  ExpectFailure(Supremum({"check", "m.onnx"}), 3, {"m.onnx"});
  ExpectFailure(Supremum({"check", "missing.onnx"}), 4, {"missing.onnx"});
  ExpectFailure(Supremum({"check", "a.npy"}), 2, {"a.npy is a tensor file", "`supremum inspect a.npy`"});
  for (const char* const verb : {"check", "inspect"})
    ExpectFailure(Supremum({verb, "graph.json"}), 2, {"graph.json is a oneDNN graph", "`supremum run`"});
}

}  // namespace
}  // namespace supremum::test
