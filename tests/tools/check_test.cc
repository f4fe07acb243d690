// supremum check.
#include "supremum/check.h"

#include <set>

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
  const ProcessResult result = Supremum({"check", "m.onnx", "--require-nodes", "--json", "r.json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("1 Relu: not judged"));
  const auto json = ParseJson(ReadText(File("r.json")));
  EXPECT_EQ(json.at("require_nodes"), true);
  EXPECT_EQ(json.at("holds"), false);
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

TEST_F(Check, JsonHoldsEveryFinding) {
  FuseModel({"N", 3}, {2, 3}, {2, 3}).Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx", "--json", "r.json"}).status, 1);
  const auto json = ParseJson(ReadText(File("r.json")));
  EXPECT_EQ(json.at("holds"), false);
  EXPECT_EQ(json.at("profile"), "sonnx");
  EXPECT_EQ(json.at("opset"), 13);
  EXPECT_EQ(json.at("nodes").at(0).at("name"), "fuse");
  EXPECT_GT(json.at("nodes").at(0).at("findings").size(), 3u);
  EXPECT_TRUE(json.at("inference").is_null()) << "nothing is left to infer but a symbol of an input";
}

TEST_F(Check, JsonNamesItsSubjectAndCounts) {
  FuseModel({"N", 3}, {2, 3}, {2, 3}).Save(File("m.onnx"));
  EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx", "--json", "r.json"}).status, 1);
  const auto json = ParseJson(ReadText(File("r.json")));
  const ProcessResult digest = Shell("sha256sum m.onnx");
  EXPECT_EQ(json.at("sha256").get<std::string>(), digest.out.substr(0, 64));
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

TEST_F(Check, ATensorFileIsNoModel) {
  WriteText(File("a.npy"), "anything");
  const ProcessResult result = Supremum({"check", "a.npy"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("a.npy is a tensor file"), HasSubstr("`supremum inspect a.npy`")));
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

TEST_F(Check, ReportIsAPageAndItsData) {
  const auto build = [](const std::string& name) {
    ModelBuilder model(13);
    model.Input("a", kFloat, {"N", 3}).Output("y", kFloat, std::nullopt);
    model.Node("Max", {"a", "a"}, {"y"}, name);
    return model;
  };
  const auto scripts_in = [&](const std::string& name) {
    build(name).Save(File("m.onnx"));
    EXPECT_EQ(Supremum({"check", "m.onnx", "--profile", "sonnx", "--report", "page"}).status, 1);
    const std::string page = ReadText(File("page/index.html"));
    std::size_t count = 0;
    for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1))
      ++count;
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    return count;
  };
  EXPECT_EQ(scripts_in("fuse"), 2u);
  EXPECT_EQ(scripts_in("</script><script>alert(1)</script><b>"), 2u) << "texts of a model are data";
  const auto data = ParseJson(ReadText(File("page/report.json")));
  EXPECT_THAT(data.at("date").get<std::string>(), ::testing::MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}"));
  EXPECT_EQ(data.at("producer"), "supremum-tests");
  EXPECT_EQ(data.at("nodes").at(0).at("op"), "Max-13");
  EXPECT_EQ(data.at("nodes").at(0).at("inputs"), nlohmann::json({"a", "a"}));
  EXPECT_FALSE(ParseJson(Supremum({"check", "m.onnx", "--json", "-"}).out).contains("date"))
      << "the same model gives the same JSON on any day";
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
