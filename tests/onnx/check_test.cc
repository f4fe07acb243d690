// The checker: every rule, holding and failing, on models of Max alone and among other operators.
#include "supremum/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "onnx/check_model.h"
#include "onnx/check_proto.h"
#include "onnx/testing.h"
#include "support/temp_dir.h"

namespace supremum {
namespace {

using test::ErrorOf;
using test::kFloat;
using test::kUnknownDim;
using test::ModelBuilder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CheckReport Checked(ModelBuilder& builder, const CheckOptions& options = {}) {
  const std::string bytes = test::Serialized(builder);
  Result<CheckReport> report = CheckModel(std::as_bytes(std::span(bytes)), "m.onnx", options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : CheckReport{};
}

const CheckOptions kSonnx{.profile = Profile::kSonnx};

// The verdict of each rule on the node at `index`; a rule that has several findings keeps the last.
std::map<std::string, std::string> Verdicts(const CheckReport& report, std::size_t index = 0) {
  std::map<std::string, std::string> verdicts;
  for (const Finding& finding : report.nodes.at(index).findings) {
    verdicts[finding.rule] = ToString(finding.verdict);
    EXPECT_EQ(finding.change.empty(), finding.verdict == Verdict::kHolds) << finding.rule;
    EXPECT_THAT(finding.text, Not(IsEmpty()));
  }
  return verdicts;
}

const Finding& FindingOf(const CheckReport& report, const std::string& rule, std::size_t index = 0) {
  for (const Finding& finding : report.nodes.at(index).findings) {
    if (finding.rule == rule) return finding;
  }
  ADD_FAILURE() << "no finding for " << rule;
  static const Finding none;
  return none;
}

ModelBuilder MaxModel(const std::vector<test::ModelShape>& inputs, const test::ModelShape& output,
                      std::int64_t opset = 13, int type = kFloat) {
  ModelBuilder builder(opset);
  std::vector<std::string> names;
  for (const auto& shape : inputs) {
    names.push_back("x" + std::to_string(names.size()));
    builder.Input(names.back(), type, shape);
  }
  builder.Node("Max", names, {"y"}, "fuse");
  builder.Output("y", type, output);
  return builder;
}

// Rules: PRO-1, PRO-2, PRO-3, PRO-4, PRO-5
TEST(Check, AModelThatStatesEverythingHoldsUnderTheProfile) {
  ModelBuilder builder = MaxModel({{2, 3}, {3}}, {2, 3});
  const CheckReport report = Checked(builder, kSonnx);
  EXPECT_TRUE(report.Holds());
  const std::map<std::string, std::string> expected = {
      {"MAX-1", "holds"}, {"TYP-2", "holds"}, {"TYP-3", "holds"}, {"PRO-1", "holds"}, {"PRO-2", "holds"},
      {"PRO-3", "holds"}, {"PRO-4", "holds"}, {"BRO-4", "holds"}, {"BRO-2", "holds"}, {"PRO-5", "holds"}};
  EXPECT_EQ(Verdicts(report), expected);
  EXPECT_EQ(report.Total(), 10u);
  EXPECT_EQ(report.model, "m.onnx");
}

// Rules: PRO-2
TEST(Check, ASymbolAnUnknownExtentAndAMissingShapeAreNotExplicit) {
  struct Row {
    test::ModelShape shape;
    const char* text;
  };
  const Row rows[] = {{{2, "N"}, "input 'x0' has shape [2,N]: dimension 1 is the symbol 'N'"},
                      {{kUnknownDim, 3}, "input 'x0' has shape [?,3]: dimension 0 is not known"},
                      {std::nullopt, "input 'x0' has no stated shape"}};
  for (const Row& row : rows) {
    ModelBuilder builder = MaxModel({row.shape}, {2, 3});
    const CheckReport report = Checked(builder, kSonnx);
    EXPECT_FALSE(report.Holds());
    EXPECT_EQ(FindingOf(report, "PRO-2").verdict, Verdict::kFails);
    EXPECT_EQ(FindingOf(report, "PRO-2").text, row.text);
  }
  ModelBuilder output = MaxModel({{2, 3}}, std::nullopt);
  const CheckReport report = Checked(output, kSonnx);
  EXPECT_EQ(FindingOf(report, "PRO-2").text, "output 'y' has no stated shape");
  EXPECT_EQ(FindingOf(report, "PRO-2").change, "state the shape [2,3] for 'y'");
}

// Rules: PRO-3
TEST(Check, ATypeThatOnlyInferenceKnowsIsNotStated) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2});
  builder.Node("Max", {"a"}, {"m"}, "first");
  builder.Node("Max", {"m"}, {"y"}, "second");
  builder.Output("y", kFloat, {2});
  const CheckReport report = Checked(builder, kSonnx);
  EXPECT_EQ(FindingOf(report, "PRO-3", 0).text, "output 'm' has no stated type");
  EXPECT_EQ(FindingOf(report, "PRO-3", 1).change, "state the type float32 for 'm'");
  EXPECT_EQ(FindingOf(report, "PRO-2", 1).change, "state the shape [2] for 'm'");
  EXPECT_EQ(FindingOf(report, "TYP-2", 1).verdict, Verdict::kHolds) << "inference is enough to decide this";

  builder.ValueInfo("m", kFloat, {2});
  EXPECT_TRUE(Checked(builder, kSonnx).Holds());
}

// Rules: PRO-2, PRO-3
TEST(Check, AConstantStatesItsTypeAndShapeItself) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2});
  builder.Constant("c", test::MakeTensorProto<float>("", kFloat, {1}, {3}));
  builder.Initializer<float>("w", kFloat, {2}, {1, 2});
  builder.Node("Max", {"a", "c", "w"}, {"y"});
  builder.Output("y", kFloat, {2});
  EXPECT_TRUE(Checked(builder, kSonnx).Holds());
}

// Rules: PRO-1
TEST(Check, SparseTensorsFailWhereverTheyStand) {
  ModelBuilder input(13);
  onnx::ValueInfoProto* info = input.graph()->add_input();
  info->set_name("a");
  info->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(kFloat);
  input.Node("Max", {"a"}, {"y"});
  input.Output("y", kFloat, {2});
  EXPECT_EQ(Verdicts(Checked(input, kSonnx))["PRO-1"], "fails");
  EXPECT_EQ(Verdicts(Checked(input))["PRO-1"], "fails") << "outside the profile too";

  ModelBuilder initializer(13);
  onnx::SparseTensorProto* sparse = initializer.graph()->add_sparse_initializer();
  sparse->mutable_values()->set_name("s");
  sparse->mutable_values()->set_data_type(kFloat);
  initializer.Node("Max", {"s"}, {"y"});
  initializer.Output("y", kFloat, {2});
  EXPECT_THAT(FindingOf(Checked(initializer, kSonnx), "PRO-1").text, HasSubstr("'s' is a sparse tensor"));

  ModelBuilder constant(13);
  auto& attribute = ModelBuilder::Attribute(constant.Node("Constant", {}, {"c"}), "sparse_value",
                                            onnx::AttributeProto::SPARSE_TENSOR);
  attribute.mutable_sparse_tensor()->mutable_values()->set_data_type(kFloat);
  constant.Node("Max", {"c"}, {"y"});
  constant.Output("y", kFloat, {2});
  EXPECT_EQ(Verdicts(Checked(constant, kSonnx))["PRO-1"], "fails");
}

// Rules: PRO-5, E2
TEST(Check, ADeclaredShapeIsComparedWithTheComputedOne) {
  ModelBuilder wrong = MaxModel({{2, 1}, {3}}, {2, 1});
  for (const auto& [options, rule] : {std::pair(kSonnx, "PRO-5"), std::pair(CheckOptions{}, "E2")}) {
    const CheckReport report = Checked(wrong, options);
    EXPECT_EQ(FindingOf(report, rule).verdict, Verdict::kFails);
    EXPECT_EQ(FindingOf(report, rule).text, "E2: output 'y' is declared as [2,1] and computed as [2,3]");
  }
  ModelBuilder none = MaxModel({{2, 1}, {3}}, std::nullopt);
  EXPECT_TRUE(Checked(none).Holds()) << "ONNX does not ask for a declared shape";
  EXPECT_EQ(Verdicts(Checked(none, kSonnx))["PRO-5"], "undecided");
  ModelBuilder fresh = MaxModel({{2, 1}, {3}}, {"any", "thing"});
  EXPECT_TRUE(Checked(fresh).Holds()) << "a symbol of its own claims nothing";
  ModelBuilder bound = MaxModel({{"N"}, {"M"}}, {"N"});
  EXPECT_EQ(Verdicts(Checked(bound))["E2"], "undecided");
}

// Rules: PRO-6
TEST(Check, TheStricterSwitchRefusesBroadcasting) {
  const CheckOptions strict{.identical_shapes_only = true};
  ModelBuilder same = MaxModel({{2, 3}, {2, 3}}, {2, 3});
  EXPECT_TRUE(Checked(same, strict).Holds());
  ModelBuilder different = MaxModel({{2, 3}, {3}}, {2, 3});
  EXPECT_TRUE(Checked(different).Holds());
  EXPECT_THAT(FindingOf(Checked(different, strict), "PRO-6").text,
              AllOf(HasSubstr("'x0' has shape [2,3]"), HasSubstr("'x1' has shape [3]")));
  ModelBuilder symbols = MaxModel({{"N"}, {"N"}}, {"N"});
  EXPECT_TRUE(Checked(symbols, strict).Holds());
  ModelBuilder open = MaxModel({{"N"}, {"M"}}, {"N"});
  EXPECT_EQ(Verdicts(Checked(open, strict))["PRO-6"], "undecided");
}

// Rules: E1, BRO-2, MAX-3
TEST(Check, E1IsFoundByTheRuleOfTheVersion) {
  ModelBuilder never = MaxModel({{2, 3}, {4}}, std::nullopt);
  EXPECT_THAT(FindingOf(Checked(never), "BRO-2").text,
              AllOf(HasSubstr("E1: input 'x0' has shape [2,3]"), HasSubstr("'x1' has shape [4]"),
                    HasSubstr("dimension 1")));
  ModelBuilder old = MaxModel({{2, 3}, {3}}, std::nullopt, 7);
  EXPECT_EQ(Verdicts(Checked(old))["MAX-3"], "fails");
  ModelBuilder open = MaxModel({{"N"}, {4}}, std::nullopt);
  const CheckReport report = Checked(open);
  EXPECT_EQ(Verdicts(report)["BRO-2"], "undecided");
  EXPECT_FALSE(report.Holds()) << "what is not decided does not hold";
}

// Rules: MAX-1, TYP-2, TYP-3, BRO-4
TEST(Check, CountsTypesAndRanksAreExamined) {
  ModelBuilder none(13);
  none.Node("Max", {}, {"y"});
  none.Output("y", kFloat, {1});
  EXPECT_EQ(Verdicts(Checked(none))["MAX-1"], "fails");
  ModelBuilder nameless(13);
  nameless.Input("a", kFloat, {1});
  nameless.Node("Max", {"a", ""}, {"y"});
  EXPECT_THAT(FindingOf(Checked(nameless), "MAX-1").text, HasSubstr("1 input of 2 has no name"));
  ModelBuilder mixed(13);
  mixed.Input("a", kFloat, {1}).Input("b", onnx::TensorProto::INT8, {1});
  mixed.Node("Max", {"a", "b"}, {"y"});
  mixed.Output("y", kFloat, {1});
  EXPECT_THAT(FindingOf(Checked(mixed), "TYP-2").text,
              AllOf(HasSubstr("'a' has type float32"), HasSubstr("'b' has type int8")));
  ModelBuilder output(13);
  output.Input("a", kFloat, {1});
  output.Node("Max", {"a"}, {"y"});
  output.Output("y", onnx::TensorProto::DOUBLE, {1});
  EXPECT_THAT(FindingOf(Checked(output), "TYP-2").text, HasSubstr("the output is stated as float64"));
  ModelBuilder early = MaxModel({{1}}, {1}, 11, onnx::TensorProto::INT64);
  EXPECT_EQ(Verdicts(Checked(early))["TYP-3"], "fails");
  ModelBuilder high = MaxModel({test::ModelShape(std::vector<test::ModelDim>(65, 1))}, std::nullopt);
  EXPECT_EQ(Verdicts(Checked(high))["BRO-4"], "fails");
  ModelBuilder attribute = MaxModel({{1}}, {1});
  ModelBuilder::Attribute(*attribute.graph()->mutable_node(0), "axis", onnx::AttributeProto::INT);
  EXPECT_THAT(FindingOf(Checked(attribute), "ONNX").text, HasSubstr("no attribute 'axis'"));
}

TEST(Check, ShapesBehindOtherOperatorsComeFromOnnxsOwnInference) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2, 3}).Input("b", kFloat, {3, 4}).Input("c", kFloat, {5});
  builder.Node("MatMul", {"a", "b"}, {"ab"});
  builder.Node("Max", {"ab", "c"}, {"y"}, "fuse");
  builder.Output("y", kFloat, std::nullopt);
  const CheckReport report = Checked(builder);
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_THAT(FindingOf(report, "BRO-2").text,
              AllOf(HasSubstr("'ab' has shape [2,4]"), HasSubstr("'c' has shape [5]")));
  const CheckReport strict = Checked(builder, kSonnx);
  EXPECT_EQ(FindingOf(strict, "PRO-2").change, "state the shape [2,4] for 'ab'");
}

TEST(Check, AnOpsetBeyondTheOnnxLibraryIsNotedAndTheRestIsJudged) {
  ModelBuilder builder(1000);
  builder.Input("a", kFloat, {2});
  builder.Node("Relu", {"a"}, {"r"});
  builder.Node("Max", {"r", "a"}, {"y"});
  builder.Output("y", kFloat, {2});
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("the model imports 1000"));
  EXPECT_EQ(Verdicts(report)["MAX-1"], "holds");
  EXPECT_EQ(Verdicts(report)["BRO-2"], "undecided");
}

TEST(Check, NodesInSubgraphsAndFunctionsAreExaminedToo) {
  ModelBuilder builder(15);
  builder.Input("cond", onnx::TensorProto::BOOL, {}).Input("a", kFloat, {2, 3}).Input("b", kFloat, {4});
  onnx::NodeProto& branch = builder.Node("If", {"cond"}, {"y"}, "choose");
  for (const char* name : {"then_branch", "else_branch"}) {
    onnx::GraphProto* graph = ModelBuilder::Attribute(branch, name, onnx::AttributeProto::GRAPH).mutable_g();
    graph->set_name(name);
    onnx::NodeProto* node = graph->add_node();
    node->set_op_type("Max");
    node->add_input("a");
    node->add_input("b");
    node->add_output("inner");
    graph->add_output()->set_name("inner");
  }
  builder.Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = builder.model().add_functions();
  function->set_name("f");
  function->set_domain("local");
  function->add_input("p");
  function->add_output("q");
  function->add_opset_import()->set_version(7);
  onnx::NodeProto* inner = function->add_node();
  inner->set_op_type("Max");
  inner->add_input("p");
  inner->add_output("q");
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 3u);
  EXPECT_EQ(report.nodes[0].scope, "node 'choose' (If), attribute 'then_branch'");
  EXPECT_EQ(Verdicts(report, 0)["BRO-2"], "fails") << "the names of the outer graph are seen from within";
  EXPECT_EQ(report.nodes[2].scope, "function 'f'");
  EXPECT_EQ(report.nodes[2].node.version, 6) << "a function has an opset of its own";
}

TEST(Check, AModelWithoutMaxHoldsAndOneOfAnotherDomainIsNotExamined) {
  ModelBuilder builder(13);
  builder.Opset("com.example", 1).Input("a", kFloat, {1});
  builder.Node("Max", {"a"}, {"y"}).set_domain("com.example");
  builder.Output("y", kFloat, {1});
  const CheckReport report = Checked(builder, kSonnx);
  EXPECT_TRUE(report.Holds());
  EXPECT_TRUE(report.nodes.empty());
}

TEST(Check, FilesThatCannotBeJudgedAreErrors) {
  const test::TempDir folder;
  EXPECT_EQ(ErrorOf(CheckModel(folder.File("none.onnx"))).code, ErrorCode::kIo);
  const std::string junk = "junk";
  EXPECT_EQ(ErrorOf(CheckModel(std::as_bytes(std::span(junk)), "junk.onnx")).code, ErrorCode::kMalformedFile);
  ModelBuilder builder = MaxModel({{2, 3}}, {2, 3});
  builder.Save(folder.File("good.onnx"));
  EXPECT_TRUE(CheckModel(folder.File("good.onnx"), kSonnx)->Holds());
}

TEST(Check, EveryFlippedByteEndsInAReportOrAnError) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2, 3}).Input("b", kFloat, {3, 4});
  builder.Node("MatMul", {"a", "b"}, {"ab"});
  builder.Node("Max", {"ab"}, {"y"}, "fuse");
  builder.Output("y", kFloat, {2, 4});
  const std::string bytes = test::Serialized(builder);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int flip : {0x01, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const Result<CheckReport> report =
          CheckModel(std::as_bytes(std::span(changed)), "changed.onnx", kSonnx);
      EXPECT_TRUE(!report || report->nodes.size() <= 2);
    }
  }
}

// Rules: MAX-1, MAX-3
TEST(Check, TheAttributeOfMax1IsKnownToMax1Alone) {
  for (std::int64_t opset : {1, 6}) {
    ModelBuilder builder = MaxModel({{2}, {2}}, {2}, opset);
    test::ModelBuilder::SetInts(*builder.graph()->mutable_node(0), "consumed_inputs", {0, 0});
    EXPECT_EQ(Checked(builder).Holds(), opset == 1) << opset;
    builder.graph()->mutable_node(0)->mutable_attribute(0)->set_name("axis");
    const CheckReport report = Checked(builder);
    EXPECT_THAT(FindingOf(report, "ONNX").text, HasSubstr("has no attribute 'axis'"));
  }
}

// Rules: MAX-1
TEST(Check, ANodeHasExactlyOneOutputAndItHasAName) {
  ModelBuilder two = MaxModel({{2}, {2}}, {2});
  two.graph()->mutable_node(0)->add_output("z");
  EXPECT_THAT(FindingOf(Checked(two), "MAX-1").text, HasSubstr("the node has 2 named outputs"));
  ModelBuilder unnamed = MaxModel({{2}, {2}}, {2});
  unnamed.graph()->mutable_node(0)->set_output(0, "");
  EXPECT_THAT(FindingOf(Checked(unnamed), "MAX-1").text, HasSubstr("the node has 0 named outputs"));
  ModelBuilder none = MaxModel({{2}, {2}}, {2});
  none.graph()->mutable_node(0)->clear_output();
  EXPECT_THAT(FindingOf(Checked(none), "MAX-1").text, HasSubstr("the node has 0 named outputs"));
}

// Rules: PRO-6
TEST(Check, OneShapeIsOneSymbolOrNumberInEachDimensionAndAnythingElseIsUndecided) {
  const CheckOptions options{.identical_shapes_only = true};
  const auto verdict = [&](const test::ModelShape& a, const test::ModelShape& b) {
    ModelBuilder builder = MaxModel({a, b}, std::nullopt);
    return Verdicts(Checked(builder, options)).at("PRO-6");
  };
  EXPECT_EQ(verdict({"N", 3}, {"N", 3}), "holds");
  EXPECT_EQ(verdict({"N", 3}, {"M", 3}), "undecided");
  EXPECT_EQ(verdict({2, 3}, {"N", 3}), "undecided");
  EXPECT_EQ(verdict({"N", 3}, {2, 3}), "undecided");
  EXPECT_EQ(verdict({"N", 3}, {"M", 4}), "fails");
  EXPECT_EQ(verdict({kUnknownDim, 3}, {kUnknownDim, 3}), "undecided");
  EXPECT_EQ(verdict({2}, std::nullopt), "undecided");
  EXPECT_EQ(verdict(std::nullopt, {2}), "undecided");
  EXPECT_EQ(verdict({2}, {2, 2}), "fails");
}

// Rules: E2
TEST(Check, WhatIsLeftOpenOnBothSidesIsNoContradiction) {
  ModelBuilder builder = MaxModel({{kUnknownDim, "N", 3}}, {kUnknownDim, "N", 3});
  EXPECT_EQ(Verdicts(Checked(builder)).at("E2"), "holds");
}

// Rules: PRO-1
TEST(Check, ATensorThatIsStatedSparseAnywhereIsSparse) {
  for (bool sparse_first : {false, true}) {
    ModelBuilder builder = MaxModel({{2}, {2}}, {2});
    onnx::ValueInfoProto* input = builder.graph()->mutable_input(1);
    builder.ValueInfo("x1", kFloat, {2});
    onnx::ValueInfoProto* more = builder.graph()->mutable_value_info(0);
    onnx::ValueInfoProto* sparse = sparse_first ? input : more;
    sparse->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(kFloat);
    EXPECT_EQ(Verdicts(Checked(builder, kSonnx)).at("PRO-1"), "fails") << sparse_first;
  }
}

// Rules: PRO-3
TEST(Check, ConstantAndIdentityWithOtherThanOneOutputStateNothing) {
  ModelBuilder builder(13);
  builder.Input("x0", kFloat, {2});
  builder.Constant("c", test::MakeTensorProto<float>("", kFloat, {2}, {1, 2})).add_output("more");
  builder.Node("Identity", {}, {"i"});
  builder.Node("Identity", {"x0"}, {"j", "k"});
  builder.Node("Identity", {"x0"}, {"same"});
  builder.Node("Max", {"x0", "c", "i", "j", "same"}, {"y"});
  builder.Output("y", kFloat, {2});
  const CheckReport report = Checked(builder, kSonnx);
  EXPECT_NE(Verdicts(report).at("PRO-3"), "holds");
  EXPECT_THAT(FindingOf(report, "PRO-3").text, HasSubstr("'c'"));
}

// Rules: PRO-2
TEST(Check, AGraphThatAnAttributeListsIsExaminedAndAFaultInItIsNamed) {
  ModelBuilder builder = MaxModel({{2}, {2}}, {2});
  onnx::NodeProto& outer = builder.Node("Cases", {}, {"z"}, "cases");
  outer.set_domain("test");
  builder.Opset("test", 1);
  onnx::AttributeProto& list = test::ModelBuilder::Attribute(outer, "branches", onnx::AttributeProto::GRAPHS);
  onnx::AttributeProto& one = test::ModelBuilder::Attribute(outer, "branch", onnx::AttributeProto::GRAPH);
  ModelBuilder inner = MaxModel({{2}, {2}}, {2});
  *list.add_graphs() = *inner.graph();
  *list.add_graphs() = *inner.graph();
  *one.mutable_g() = *inner.graph();
  EXPECT_EQ(Checked(builder).nodes.size(), 4u);

  inner.graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_value(-2);
  const auto refused = [&] {
    const std::string bytes = test::Serialized(builder);
    const Result<CheckReport> report = CheckModel(std::as_bytes(std::span(bytes)), "m.onnx");
    EXPECT_FALSE(report);
    return report ? "" : report.error().message;
  };
  *list.mutable_graphs(1) = *inner.graph();
  EXPECT_THAT(refused(), AllOf(HasSubstr("attribute 'branches'"), HasSubstr("the extent -2")));
  list.mutable_graphs()->RemoveLast();
  EXPECT_EQ(Checked(builder).nodes.size(), 3u);
  *one.mutable_g() = *inner.graph();
  EXPECT_THAT(refused(), AllOf(HasSubstr("attribute 'branch'"), HasSubstr("the extent -2")));
  builder.graph()->mutable_node()->RemoveLast();
  EXPECT_TRUE(Checked(builder).Holds());
  *builder.graph()->add_value_info() = inner.graph()->input(0);
  EXPECT_THAT(refused(), HasSubstr("the extent -2"));
}

// Rules: MAX-5
TEST(Check, AFunctionHasItsOwnOpset) {
  ModelBuilder builder = MaxModel({{2}, {2}}, {2});
  onnx::FunctionProto* function = builder.model().add_functions();
  function->set_name("fuse");
  function->set_domain("test");
  onnx::NodeProto* node = function->add_node();
  node->set_op_type("Max");
  node->add_input("a");
  node->add_output("b");
  onnx::OperatorSetIdProto* other = function->add_opset_import();
  other->set_domain("test");
  other->set_version(1);
  onnx::OperatorSetIdProto* own = function->add_opset_import();
  own->set_version(6);
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_EQ(report.nodes[1].node.version, 6);
  own->set_version(0);
  const std::string bytes = test::Serialized(builder);
  const Result<CheckReport> refused = CheckModel(std::as_bytes(std::span(bytes)), "m.onnx");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMalformedFile);
  EXPECT_THAT(refused.error().message, HasSubstr("function 'fuse' imports opset 0; the first is 1"));
}

// Of what fails, that comes first whose code does; what is undecided comes after.
// Rules: E2, PRO-2
TEST(Check, TheErrorOfARunIsTheOneThatComesFirstInTheOrder) {
  ModelBuilder builder = MaxModel({{2}, {"N"}}, {3});
  builder.Input("u", kFloat, {2}).Input("v", onnx::TensorProto::INT32, {2});
  builder.Node("Max", {"u", "v"}, {"z"}, "mixed");
  builder.Output("z", kFloat, {2});
  const std::optional<Error> first = onnx_front::FirstError(Checked(builder, kSonnx));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->code, ErrorCode::kTypeMismatch);
  EXPECT_THAT(first->message, HasSubstr("mixed"));
}

// A model whose shapes only the onnx library infers, with graphs in attributes.
// Rules: PRO-2
TEST(Check, ShapesAreInferredBesideGraphsInAttributes) {
  ModelBuilder builder(13);
  builder.Input("x", kFloat, {2});
  builder.Node("Relu", {"x"}, {"r"});
  onnx::NodeProto& outer = builder.Node("Cases", {}, {"z"}, "cases");
  outer.set_domain("test");
  builder.Opset("test", 1);
  ModelBuilder inner = MaxModel({{2}, {2}}, {2});
  *ModelBuilder::Attribute(outer, "branch", onnx::AttributeProto::GRAPH).mutable_g() = *inner.graph();
  *ModelBuilder::Attribute(outer, "branches", onnx::AttributeProto::GRAPHS).add_graphs() = *inner.graph();
  builder.Node("Max", {"r", "x"}, {"y"}, "fuse");
  builder.Output("y", kFloat, {2});
  const CheckReport report = Checked(builder);
  EXPECT_EQ(report.nodes.size(), 3u);
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_EQ(Verdicts(report, 2).at("E2"), "holds");
}

// A stride of zero, by which the onnx library divides.
TEST(Check, WhatTheOnnxLibraryDoesNotMasterIsNotedAndTheRestIsJudged) {
  ModelBuilder builder(13);
  builder.Input("x", kFloat, {1, 1, 4, 4}).Input("w", kFloat, {1, 1, 1, 1});
  onnx::NodeProto& convolution = builder.Node("Conv", {"x", "w"}, {"p"});
  ModelBuilder::SetInts(convolution, "strides", {0, 0});
  ModelBuilder::SetInts(convolution, "kernel_shape", {1, 1});
  builder.Node("Max", {"p", "x"}, {"y"});
  builder.Output("y", kFloat, std::nullopt);
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("the onnx library did not master this model"));
  EXPECT_EQ(report.nodes.size(), 1u);
}

// The subprocess may have been taken over by the model.
TEST(Check, AnAnswerOfTheSubprocessThatIsNoCompletionOfTheModelIsNotUsed) {
  ModelBuilder builder = MaxModel({{2}, {2}}, {2});
  const onnx::ModelProto& model = builder.model();
  const auto accepts = [&](const std::string& answer, std::int64_t max_bytes = 1 << 20) {
    return onnx_front::AcceptCompleted(model, answer, max_bytes).has_value();
  };
  EXPECT_TRUE(accepts("c" + model.SerializeAsString()));
  EXPECT_FALSE(accepts(""));
  EXPECT_FALSE(accepts("c"));
  EXPECT_FALSE(accepts("x" + model.SerializeAsString()));
  EXPECT_FALSE(accepts("c" + model.SerializeAsString() + "\xff"));
  onnx::ModelProto more = model;
  more.mutable_graph()->add_node()->set_op_type("Max");
  EXPECT_FALSE(accepts("c" + more.SerializeAsString()));
  onnx::ModelProto nested = model;
  ModelBuilder::Attribute(*nested.mutable_graph()->mutable_node(0), "g", onnx::AttributeProto::GRAPH)
      .mutable_g();
  EXPECT_FALSE(accepts("c" + nested.SerializeAsString()));
  // Two bytes each in the answer, and hundreds in memory.
  onnx::ModelProto large = model;
  for (int i = 0; i < 100'000; ++i) large.mutable_graph()->add_value_info();
  EXPECT_FALSE(accepts("c" + large.SerializeAsString()));
  EXPECT_TRUE(accepts("c" + large.SerializeAsString(), std::int64_t{1} << 30));
  std::string deep;
  for (int i = 0; i < 10'000; ++i)
    deep = "\x0a" + std::string(1, static_cast<char>(deep.size() % 100)) + deep;
  EXPECT_FALSE(accepts("c" + deep));
}

TEST(Check, WhatTheModelStatesIsNotTakenFromTheSubprocess) {
  ModelBuilder builder = MaxModel({{2}, {3}}, {3});
  onnx::ModelProto lie = builder.model();
  for (const char* const name : {"x0", "x1", "y", "elsewhere"}) {
    onnx::ValueInfoProto& info = *lie.mutable_graph()->add_value_info();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::DOUBLE);
    info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(3);
  }
  for (auto& input : *lie.mutable_graph()->mutable_input()) input = lie.graph().value_info(0);
  CheckReport report;
  report.opset = 13;
  ASSERT_TRUE(onnx_front::CheckNodes(builder.model(), lie, {}, report));
  EXPECT_EQ(Verdicts(report)["BRO-2"], "fails");
  EXPECT_EQ(Verdicts(report)["TYP-2"], "holds");
}

TEST(Check, TheReportSaysWhatConfinedTheInference) {
  ModelBuilder stated = MaxModel({{2}, {2}}, {2});
  EXPECT_EQ(Checked(stated).inference, std::nullopt) << "nothing was left to infer";
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  builder.Node("Relu", {"a"}, {"r"});
  builder.Node("Max", {"r", "a"}, {"y"});
  EXPECT_EQ(Checked(builder).inference, InferenceSandboxHere());
}

// A long name that a node has often takes more in findings than in the file.
TEST(Check, NamesAndFindingsThatTakeMoreThanTheLimitAreAnError) {
  const std::string name(1000, 'x');
  ModelBuilder builder(13);
  builder.Input(name, kFloat, {2}).Output("y", kFloat, {2});
  builder.Node("Max", std::vector<std::string>(100, name), {"y"});
  const std::string bytes = test::Serialized(builder);
  const auto checked = [&](std::int64_t limit) {
    return CheckModel(std::as_bytes(std::span(bytes)), "m.onnx", {.max_bytes = limit});
  };
  EXPECT_TRUE(checked(10'000'000));
  for (std::int64_t limit = 150'000; limit < 200'000; limit += 10'000) {
    const Result<CheckReport> report = checked(limit);
    ASSERT_FALSE(report) << limit;
    EXPECT_EQ(report.error().code, ErrorCode::kLimitExceeded);
    EXPECT_THAT(report.error().message, HasSubstr("what follows from the types and shapes"));
  }
}

}  // namespace
}  // namespace supremum
