// The checker on ReduceMax nodes: every rule, holding and failing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx/check_proto.h"
#include "onnx/checked_rule.h"
#include "onnx/testing.h"
#include "supremum/check.h"

namespace supremum {
namespace {

using test::kFloat;
using test::ModelBuilder;
using test::ModelShape;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kInt64 = onnx::TensorProto::INT64;
const CheckOptions kSonnx{.profile = Profile::kSonnx};
using Axes = std::vector<std::int64_t>;
using Verdicts = std::map<std::string, std::string>;

CheckReport Checked(const ModelBuilder& builder, const CheckOptions& options = {}) {
  const std::string bytes = builder.Serialize();
  Result<CheckReport> report = CheckModel(std::as_bytes(std::span(bytes)), "m.onnx", options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : CheckReport{};
}

Verdicts VerdictsOf(const CheckReport& report, std::size_t index = 0) {
  Verdicts verdicts;
  for (const Finding& finding : report.nodes.at(index).findings) {
    verdicts[finding.rule] = ToString(finding.verdict);
    EXPECT_EQ(finding.change.empty(), finding.verdict == Verdict::kHolds) << finding.rule;
  }
  return verdicts;
}

// "fails: text; change", of the first finding of the rule.
std::string Found(const CheckReport& report, const std::string& rule, std::size_t index = 0) {
  for (const Finding& finding : report.nodes.at(index).findings) {
    if (finding.rule != rule) continue;
    std::string text = std::string(ToString(finding.verdict)) + ": " + finding.text;
    return finding.change.empty() ? text : text + "; " + finding.change;
  }
  return "no finding for " + rule;
}

// A node 'pool' with everything stated and written, but for what a test takes away.
struct Pool {
  explicit Pool(std::int64_t opset = 18, const std::optional<Axes>& axes = Axes{1}) : builder(opset) {
    builder.Input("x", kFloat, {2, 3});
    std::vector<std::string> inputs = {"x"};
    if (opset >= 18 && axes) inputs.push_back("a");
    node = &builder.Node("ReduceMax", inputs, {"y"}, "pool");
    ModelBuilder::SetInt(*node, "keepdims", 1);
    if (opset >= 18) ModelBuilder::SetInt(*node, "noop_with_empty_axes", 0);
    if (opset < 18 && axes) ModelBuilder::SetInts(*node, "axes", *axes);
    if (opset >= 18 && axes) {
      builder.Initializer<std::int64_t>("a", kInt64, {static_cast<std::int64_t>(axes->size())}, *axes);
    }
    builder.Output("y", kFloat, {2, 1});
  }
  // Takes an attribute away.
  Pool&& Without(const std::string& name) && {
    for (int i = 0; i < node->attribute_size(); ++i) {
      if (node->attribute(i).name() == name) node->mutable_attribute()->DeleteSubrange(i, 1);
    }
    return std::move(*this);
  }
  ModelBuilder builder;
  onnx::NodeProto* node;
};

// Rules: TYP-4, RED-2, RED-5, PRO-1, PRO-2, PRO-3, PRO-4, PRO-5
TEST(CheckReduceMax, ANodeThatStatesAndWritesEverythingHoldsUnderTheProfile) {
  const Verdicts expected = {{"TYP-2", "holds"}, {"TYP-4", "holds"}, {"PRO-1", "holds"}, {"PRO-2", "holds"},
                             {"PRO-3", "holds"}, {"PRO-4", "holds"}, {"BRO-4", "holds"}, {"RED-5", "holds"},
                             {"RED-2", "holds"}, {"PRO-5", "holds"}};
  for (std::int64_t opset : {1, 11, 12, 13, 18, 20}) {
    const Pool pool(opset);
    const CheckReport report = Checked(pool.builder, kSonnx);
    EXPECT_TRUE(report.Holds()) << opset;
    EXPECT_EQ(VerdictsOf(report), expected) << opset;
    EXPECT_EQ(Found(report, "TYP-4"), "holds: ReduceMax-" + std::to_string(opset) + " has float32");
    EXPECT_EQ(Found(report, "RED-5"), "holds: the axes are [1]");
    EXPECT_EQ(Found(report, "RED-2"), "holds: each axis names a dimension of its own; there are 2");
    EXPECT_EQ(report.nodes[0].node.version, opset);
    EXPECT_TRUE(Checked(pool.builder).Holds());
  }
}

// Rules: PRO-4
TEST(CheckReduceMax, AnAttributeThatIsLeftOutIsLeftToItsDefault) {
  EXPECT_EQ(Found(Checked(Pool(13).Without("keepdims").builder, kSonnx), "PRO-4"),
            "fails: attribute 'keepdims' is not written; write keepdims = 1");
  EXPECT_EQ(Found(Checked(Pool(18).Without("keepdims").builder, kSonnx), "PRO-4"),
            "fails: attribute 'keepdims' is not written; write keepdims = 1");
  EXPECT_EQ(Found(Checked(Pool(18).Without("noop_with_empty_axes").builder, kSonnx), "PRO-4"),
            "fails: attribute 'noop_with_empty_axes' is not written; write noop_with_empty_axes = 0");
  EXPECT_EQ(Found(Checked(Pool(13).Without("axes").builder, kSonnx), "PRO-4"),
            "fails: attribute 'axes' is not written; write axes = [0,1]");
  ModelBuilder unknown(13);
  unknown.Input("x", kFloat, std::nullopt);
  ModelBuilder::SetInt(unknown.Node("ReduceMax", {"x"}, {"y"}), "keepdims", 1);
  unknown.Output("y", kFloat, {1});
  EXPECT_EQ(Found(Checked(unknown, kSonnx), "PRO-4"),
            "fails: attribute 'axes' is not written; write axes = the list of all axes");
  EXPECT_EQ(Found(Checked(Pool(13).Without("keepdims").builder), "PRO-4"), "no finding for PRO-4")
      << "only the profile asks";
}

// Rules: PRO-4, RED-5
TEST(CheckReduceMax, AnAxesInputThatIsLeftOutIsNoDefault) {
  Pool pool(18, std::nullopt);
  pool.builder.graph()->clear_output();
  pool.builder.Output("y", kFloat, {1, 1});
  const CheckReport report = Checked(pool.builder, kSonnx);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(Found(report, "RED-5"), "holds: no axes are given: all dimensions are reduced");
  EXPECT_EQ(Found(report, "RED-2"), "holds: no axis is named");
  Pool none(18, Axes{});
  none.node->mutable_attribute(1)->set_i(1);
  none.builder.graph()->clear_output();
  none.builder.Output("y", kFloat, {2, 3});
  EXPECT_TRUE(Checked(none.builder, kSonnx).Holds());
  EXPECT_EQ(Found(Checked(none.builder), "RED-5"),
            "holds: no axes are given and noop_with_empty_axes is 1: nothing is reduced");
}

// Rules: PRO-2, RED-2
TEST(CheckReduceMax, AxesThatARunDecidesAreNotConstant) {
  const std::string change = "; give them as an initializer that is no graph input, or as a Constant node";
  Pool input(18);
  input.builder.graph()->clear_initializer();
  input.builder.Input("a", kInt64, {1});
  EXPECT_EQ(Found(Checked(input.builder, kSonnx), "PRO-2"),
            "fails: the axes 'a' are a graph input, known only when the model runs" + change);
  EXPECT_EQ(Found(Checked(input.builder), "RED-2"),
            "undecided: the axes 'a' are a graph input, known only when the model runs" + change);
  EXPECT_EQ(Found(Checked(input.builder), "RED-5"), "holds: the axes are the input 'a'");

  Pool overridable(18);
  overridable.builder.Input("a", kInt64, {1});
  EXPECT_EQ(Found(Checked(overridable.builder, kSonnx), "PRO-2"),
            "fails: the axes 'a' are an initializer that a run may replace: it is a graph input" + change);

  Pool computed(18);
  computed.builder.graph()->mutable_initializer(0)->set_name("b");
  computed.builder.graph()->mutable_node()->Clear();
  computed.builder.Node("Max", {"b"}, {"a"});
  onnx::NodeProto& node = computed.builder.Node("ReduceMax", {"x", "a"}, {"y"});
  ModelBuilder::SetInt(node, "keepdims", 1);
  computed.builder.ValueInfo("a", kInt64, {1});
  EXPECT_EQ(Found(Checked(computed.builder, kSonnx), "PRO-2", 1),
            "fails: the axes 'a' are computed by other nodes" + change);
  EXPECT_EQ(VerdictsOf(Checked(computed.builder), 1)["E2"], "undecided");

  Pool copied(18);
  copied.builder.Input("a", kInt64, {1});
  copied.builder.Node("Identity", {"a"}, {"same"});
  copied.builder.Node("ReduceMax", {"x", "same"}, {"z"});
  EXPECT_EQ(Found(Checked(copied.builder, kSonnx), "PRO-2", 1),
            "fails: input 'same' has no stated shape; "
            "state the shape [1] for 'same'");
  EXPECT_EQ(Found(Checked(copied.builder), "RED-2", 1),
            "undecided: the axes 'same' are computed by other nodes" + change);

  Pool external(18);
  onnx::TensorProto* axes = external.builder.graph()->mutable_initializer(0);
  axes->clear_raw_data();
  axes->set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(Found(Checked(external.builder, kSonnx), "PRO-2"),
            "fails: the axes 'a' do not stand in the model as a list of int64" + change);
}

// Rules: PRO-2, PRO-3
TEST(CheckReduceMax, AConstantNodeAndAnIdentityOfOneAreConstant) {
  Pool pool(18);
  pool.builder.graph()->clear_initializer();
  pool.builder.graph()->mutable_node()->Clear();
  ModelBuilder::SetInts(pool.builder.Node("Constant", {}, {"c"}), "value_ints", {1});
  pool.builder.Node("Identity", {"c"}, {"a"});
  onnx::NodeProto& node = pool.builder.Node("ReduceMax", {"x", "a"}, {"y"}, "pool");
  ModelBuilder::SetInt(node, "keepdims", 1);
  ModelBuilder::SetInt(node, "noop_with_empty_axes", 0);
  EXPECT_EQ(Found(Checked(pool.builder), "RED-5"), "holds: the axes are [1]");
  EXPECT_EQ(Found(Checked(pool.builder, kSonnx), "PRO-2"),
            "fails: input 'a' has no stated shape; state the "
            "shape [1] for 'a'");
  pool.builder.ValueInfo("a", kInt64, {1});
  EXPECT_TRUE(Checked(pool.builder, kSonnx).Holds());
}

// Rules: PRO-2, PRO-3
TEST(CheckReduceMax, ShapesAndTypesMustBeStated) {
  Pool pool(18);
  pool.builder.graph()->clear_input();
  pool.builder.graph()->clear_output();
  pool.builder.Input("x", onnx::TensorProto::UNDEFINED, {2, "N"}).Output("y", kFloat, std::nullopt);
  const CheckReport report = Checked(pool.builder, kSonnx);
  EXPECT_EQ(Found(report, "PRO-2"),
            "fails: input 'x' has shape [2,N]: dimension 1 is the symbol 'N'; state "
            "the shape as numbers for 'x'");
  EXPECT_THAT(Found(report, "PRO-3"), HasSubstr("fails: input 'x' has no stated type"));
  EXPECT_EQ(VerdictsOf(report)["TYP-2"], "undecided");
  EXPECT_EQ(VerdictsOf(report)["TYP-4"], "undecided");
  EXPECT_EQ(VerdictsOf(report)["PRO-5"], "undecided");
}

// Rules: TYP-2, TYP-4
TEST(CheckReduceMax, TypesAreExamined) {
  Pool early(11);
  early.builder.graph()->clear_input();
  early.builder.Input("x", onnx::TensorProto::INT8, {2, 3});
  EXPECT_THAT(Found(Checked(early.builder), "TYP-4"),
              AllOf(HasSubstr("fails: input 'x' has type int8, which ReduceMax-11 does not have"),
                    HasSubstr("import an opset that has the type")));
  Pool output(18);
  output.builder.graph()->clear_output();
  output.builder.Output("y", onnx::TensorProto::DOUBLE, {2, 1});
  EXPECT_EQ(
      Found(Checked(output.builder), "TYP-2"),
      "fails: the computed type is float32 and the output is stated as float64; state the computed type "
      "for 'y'");
  Pool axes(18);
  *axes.builder.graph()->mutable_initializer(0) =
      test::MakeTensorProto<std::int32_t>("a", onnx::TensorProto::INT32, {1}, {1});
  EXPECT_EQ(Found(Checked(axes.builder), "TYP-2"),
            "fails: the axes 'a' have type int32 and ReduceMax-18 takes int64; nothing is converted (TYP-2); "
            "convert that input before this node");
}

// Rules: PRO-1
TEST(CheckReduceMax, SparseTensorsFail) {
  Pool pool(18);
  pool.builder.graph()->clear_input();
  onnx::ValueInfoProto* info = pool.builder.graph()->add_input();
  info->set_name("x");
  info->mutable_type()->mutable_sparse_tensor_type()->set_elem_type(kFloat);
  EXPECT_EQ(VerdictsOf(Checked(pool.builder, kSonnx))["PRO-1"], "fails");
  EXPECT_EQ(VerdictsOf(Checked(pool.builder))["PRO-1"], "fails");
}

// Rules: RED-2, RED-5, BRO-4
TEST(CheckReduceMax, AxesAndRanksAreExamined) {
  for (std::int64_t opset : {13, 18}) {
    EXPECT_THAT(Found(Checked(Pool(opset, Axes{2}).builder), "RED-2"),
                AllOf(HasSubstr("fails: axis 2 is out of range"), HasSubstr("; correct the axes")));
    EXPECT_THAT(Found(Checked(Pool(opset, Axes{1, -1}).builder), "RED-2"), HasSubstr("fails: axis -1"));
    EXPECT_EQ(VerdictsOf(Checked(Pool(opset, Axes{2}).builder)).count("E2"), 0u) << "nothing is computed";
  }
  EXPECT_EQ(Found(Checked(Pool(10, Axes{-1}).builder), "RED-5"),
            "fails: the axes [-1] count from the end, which ReduceMax-1 does not; count from the first "
            "dimension, or import opset 11 or later");
  Pool scalar(18);
  scalar.builder.graph()->mutable_initializer(0)->clear_dims();
  EXPECT_THAT(Found(Checked(scalar.builder), "RED-5"),
              AllOf(HasSubstr("fails: the axes 'a' have shape [], of rank 0"),
                    HasSubstr("; give the axes as a list")));
  Pool many(18, Axes(65, 0));
  EXPECT_THAT(Found(Checked(many.builder), "RED-2"), HasSubstr("fails: 65 axes are given"));
  Pool unknown(18);
  unknown.builder.graph()->clear_input();
  unknown.builder.Input("x", kFloat, std::nullopt);
  EXPECT_THAT(Found(Checked(unknown.builder), "RED-2"), HasSubstr("undecided: the rank of input 'x'"));
  EXPECT_EQ(VerdictsOf(Checked(unknown.builder))["BRO-4"], "undecided");
  Pool high(18);
  high.builder.graph()->clear_input();
  high.builder.Input("x", kFloat, ModelShape(std::vector<test::ModelDim>(65, 1)));
  EXPECT_THAT(Found(Checked(high.builder), "BRO-4"), HasSubstr("fails: input 'x' has rank 65"));
}

// Rules: PRO-5, E2
TEST(CheckReduceMax, ADeclaredShapeIsComparedWithTheComputedOne) {
  Pool pool(18);
  pool.builder.graph()->clear_output();
  pool.builder.Output("y", kFloat, {2, 3});
  EXPECT_EQ(Found(Checked(pool.builder), "E2"),
            "fails: E2: output 'y' is declared as [2,3] and computed as [2,1]; declare the computed shape");
  EXPECT_EQ(VerdictsOf(Checked(pool.builder, kSonnx))["PRO-5"], "fails");
}

// Rules: RED-5
TEST(CheckReduceMax, AttributesAndInputsThatTheVersionDoesNotHaveFail) {
  Pool early(13);
  ModelBuilder::SetInt(*early.node, "noop_with_empty_axes", 1);
  ModelBuilder::SetInt(*early.node, "axis", 1);
  const CheckReport report = Checked(early.builder);
  EXPECT_THAT(Found(report, "ONNX"),
              HasSubstr("fails: ReduceMax-13 has no attribute 'noop_with_empty_axes'"));
  EXPECT_EQ(VerdictsOf(report)["RED-2"], "holds") << "the rest is judged all the same";
  Pool late(18);
  ModelBuilder::SetInts(*late.node, "axes", {1});
  EXPECT_THAT(Found(Checked(late.builder), "ONNX"),
              HasSubstr("from opset 18 on the axes are the second input (RED-5); store them as"));
  Pool inputs(13);
  inputs.node->add_input("x");
  EXPECT_THAT(Found(Checked(inputs.builder), "ONNX"), HasSubstr("takes one input, this node has 2 (RED-5)"));
  Pool outputs(13);
  outputs.node->add_output("z");
  EXPECT_THAT(Found(Checked(outputs.builder), "ONNX"), HasSubstr("2 named outputs"));
}

// Rules: PRO-6
TEST(CheckReduceMax, TheStricterSwitchDoesNotConcernIt) {
  EXPECT_TRUE(Checked(Pool(18).builder, {.identical_shapes_only = true}).Holds());
}

TEST(CheckReduceMax, ConstantsOfTheGraphAroundCountAndFunctionsHaveTheirOwnOpset) {
  ModelBuilder builder(18);
  builder.Input("cond", onnx::TensorProto::BOOL, {}).Input("x", kFloat, {2, 3});
  builder.Initializer<std::int64_t>("a", kInt64, {1}, {1});
  onnx::NodeProto& branch = builder.Node("If", {"cond"}, {"y"}, "choose");
  onnx::GraphProto* graph =
      ModelBuilder::Attribute(branch, "then_branch", onnx::AttributeProto::GRAPH).mutable_g();
  onnx::NodeProto* inner = graph->add_node();
  inner->set_op_type("ReduceMax");
  inner->add_input("x");
  inner->add_input("a");
  inner->add_output("inner");
  graph->add_output()->set_name("inner");
  builder.Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = builder.model().add_functions();
  function->set_name("f");
  function->add_input("p");
  function->add_output("q");
  function->add_opset_import()->set_version(13);
  onnx::NodeProto* node = function->add_node();
  node->set_op_type("ReduceMax");
  node->add_input("p");
  node->add_output("q");
  ModelBuilder::Attribute(*node, "axes", onnx::AttributeProto::INTS).set_ref_attr_name("which");
  const CheckReport report = Checked(builder, kSonnx);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_EQ(Found(report, "RED-5", 0), "holds: the axes are [1]");
  EXPECT_EQ(report.nodes[1].node.version, 13);
  EXPECT_EQ(Found(report, "RED-5", 1),
            "undecided: the attribute 'axes' takes its value from the function's caller; write the value in "
            "the node");
  EXPECT_EQ(VerdictsOf(report, 1)["PRO-2"], "fails");
  EXPECT_EQ(Found(report, "PRO-4", 1), "fails: attribute 'keepdims' is not written; write keepdims = 1")
      << "axes are written";
}

TEST(CheckReduceMax, ShapesBehindItAreInferredWhateverTheOpset) {
  ModelBuilder builder(20);
  builder.Input("x", kFloat, {2, 3});
  builder.Initializer<std::int64_t>("a", kInt64, {1}, {0});
  builder.Node("ReduceMax", {"x", "a"}, {"m"});
  builder.Node("Max", {"m", "x"}, {"y"});
  builder.Output("y", kFloat, {2, 3});
  const CheckReport report = Checked(builder);
  EXPECT_TRUE(report.Holds());
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_EQ(Found(Checked(builder, kSonnx), "PRO-2", 1),
            "fails: input 'm' has no stated shape; state the shape [1,3] for 'm'");
}

CheckReport ReportOf(const std::string& rule) {
  CheckReport report;
  report.nodes.push_back({{}, "", {{rule, Verdict::kFails, "text", "change"}}});
  return report;
}

TEST(CheckReduceMax, EveryFindingBecomesAnErrorWithItsCode) {
  for (const auto& [rule, code] : onnx_front::kCheckedRules) {
    const std::optional<Error> error = onnx_front::FirstError(ReportOf(std::string(rule.text())));
    EXPECT_EQ(error->code, code) << rule.text();
    EXPECT_EQ(error->rule, rule) << rule.text();
  }
  EXPECT_EQ(onnx_front::CheckedRule("E2").name(), "E2");
}

// No finding of the library can name one, since CheckedRule has none: a report that was made elsewhere can.
TEST(CheckReduceMax, AFindingOfAnotherRuleBecomesAnErrorToo) {
  for (const char* rule : {"", "RED-99", "ONN", "onnx"}) {
    const std::optional<Error> error = onnx_front::FirstError(ReportOf(rule));
    ASSERT_TRUE(error) << rule;
    EXPECT_EQ(error->code, ErrorCode::kMalformedFile) << rule;
  }
}

// Rules: PRO-4, BRO-4
TEST(ReduceMaxCheck, AxesThatAreNotWrittenAreNamedUnlessTheRankIsTooHigh) {
  Pool pool(13, std::nullopt);
  EXPECT_THAT(Found(Checked(pool.builder, kSonnx), "PRO-4"), HasSubstr("write axes = [0,1]"));
  onnx::TensorShapeProto* shape =
      pool.builder.graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  while (shape->dim_size() < 65) shape->add_dim()->set_dim_value(1);
  EXPECT_THAT(Found(Checked(pool.builder, kSonnx), "PRO-4"), HasSubstr("write axes = the list of all axes"));
}

// Rules: RED-5
TEST(ReduceMaxCheck, TheFirstVersionWithoutAxesReducesAll) {
  Pool pool(1, std::nullopt);
  EXPECT_THAT(Found(Checked(pool.builder), "RED-5"), HasSubstr("holds"));
  EXPECT_THAT(Found(Checked(pool.builder), "E2"), HasSubstr("computed as [1,1]"));
}

}  // namespace
}  // namespace supremum
