// The checker on ReduceMax nodes: every rule, holding and failing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "frontends/onnx/check_testing.h"

namespace supremum::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// A node 'pool' with everything stated and written, but for what a test takes away.
struct Pool {
  explicit Pool(std::int64_t opset = 18, const std::optional<Axes>& axes = Axes{1})
      : builder(ReduceMaxModel({.opset = opset,
                                .axes = axes,
                                .keepdims = 1,
                                .noop = opset < 18 ? std::nullopt : std::optional<std::int64_t>(0),
                                .x = {2, 3},
                                .y = {2, 1}})),
        node(builder.graph()->mutable_node(0)) {}
  // States another input or output.
  Pool& Input(int type, const ModelShape& shape) {
    builder.graph()->clear_input();
    builder.Input("x", type, shape);
    return *this;
  }
  Pool& Output(int type, const ModelShape& shape) {
    builder.graph()->clear_output();
    builder.Output("y", type, shape);
    return *this;
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

// Rules: PRO-4, BRO-4
TEST(CheckReduceMax, AnAttributeThatIsLeftOutIsLeftToItsDefault) {
  struct Row {
    std::int64_t opset;
    const char* attribute;
    const char* written;
  };
  for (const Row& row :
       {Row{13, "keepdims", "keepdims = 1"}, Row{18, "keepdims", "keepdims = 1"},
        Row{18, "noop_with_empty_axes", "noop_with_empty_axes = 0"}, Row{13, "axes", "axes = [0,1]"}}) {
    const std::string name = row.attribute;
    EXPECT_EQ(Found(Checked(Pool(row.opset).Without(name).builder, kSonnx), "PRO-4"),
              "fails: attribute '" + name + "' is not written; write " + row.written);
  }
  Pool unknown(13, std::nullopt);
  for (const ModelShape& shape : {ModelShape(std::nullopt), ModelShape(std::vector<ModelDim>(65, 1))}) {
    unknown.Input(kFloat, shape);
    EXPECT_EQ(Found(Checked(unknown.builder, kSonnx), "PRO-4"),
              "fails: attribute 'axes' is not written; write axes = the list of all axes");
  }
  EXPECT_EQ(Found(Checked(Pool(13).Without("keepdims").builder), "PRO-4"), "no finding for PRO-4")
      << "only the profile asks";
}

// Rules: PRO-4, RED-5
TEST(CheckReduceMax, AnAxesInputThatIsLeftOutIsNoDefault) {
  Pool pool(18, std::nullopt);
  pool.Output(kFloat, {1, 1});
  const CheckReport report = Checked(pool.builder, kSonnx);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(Found(report, "RED-5"), "holds: no axes are given: all dimensions are reduced");
  EXPECT_EQ(Found(report, "RED-2"), "holds: no axis is named");
  Pool none(18, Axes{});
  none.node->mutable_attribute(1)->set_i(1);
  none.Output(kFloat, {2, 3});
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
            "fails: input 'same' has no stated shape; state the shape [1] for 'same'");
  EXPECT_EQ(Found(Checked(copied.builder), "RED-2", 1),
            "undecided: the axes 'same' are computed by other nodes" + change);

  Pool external(18);
  onnx::TensorProto* axes = external.builder.graph()->mutable_initializer(0);
  axes->clear_raw_data();
  axes->set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(Found(Checked(external.builder, kSonnx), "PRO-2"),
            "fails: the axes 'a' are not stored in the model as a list of int64" + change);
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
  pool.Input(onnx::TensorProto::UNDEFINED, {2, "N"}).Output(kFloat, std::nullopt);
  const CheckReport report = Checked(pool.builder, kSonnx);
  EXPECT_EQ(Found(report, "PRO-2"),
            "fails: input 'x' has shape [2,N]: dimension 1 is the symbol 'N'; state "
            "the shape as numbers for 'x'");
  ExpectFails(report, "PRO-3", {"fails: input 'x' has no stated type"});
  for (const char* rule : {"TYP-2", "TYP-4", "PRO-5"}) EXPECT_EQ(VerdictsOf(report)[rule], "undecided");
}

// Rules: TYP-2, TYP-4
TEST(CheckReduceMax, TypesAreExamined) {
  ExpectFails(Checked(Pool(11).Input(onnx::TensorProto::INT8, {2, 3}).builder), "TYP-4",
              {"fails: input 'x' has type int8, which ReduceMax-11 does not have",
               "import opset 12 or later, or convert before this node"});
  ExpectFails(Checked(Pool(11).Input(onnx::TensorProto::INT16, {2, 3}).builder), "TYP-4",
              {"convert before this node; no opset admits the type"});
  ExpectFails(Checked(Pool(13).Input(onnx::TensorProto::BOOL, {2, 3}).builder), "TYP-4",
              {"import opset 20 or later, or convert before this node"});
  EXPECT_EQ(
      Found(Checked(Pool(18).Output(onnx::TensorProto::DOUBLE, {2, 1}).builder), "TYP-2"),
      "fails: the computed type is float32 and the output is stated as float64; state the computed type "
      "for 'y'");
  Pool axes(18);
  *axes.builder.graph()->mutable_initializer(0) =
      MakeTensorProto<std::int32_t>("a", onnx::TensorProto::INT32, {1}, {1});
  EXPECT_EQ(Found(Checked(axes.builder), "TYP-2"),
            "fails: the axes 'a' have type int32 and ReduceMax-18 takes int64; nothing is converted (TYP-2); "
            "convert that input before this node");
}

// Rules: PRO-1
TEST(CheckReduceMax, SparseTensorsFail) {
  Pool pool(18);
  pool.builder.graph()->clear_input();
  pool.builder.SparseInput("x", kFloat);
  EXPECT_EQ(VerdictsOf(Checked(pool.builder, kSonnx))["PRO-1"], "fails");
  EXPECT_EQ(VerdictsOf(Checked(pool.builder))["PRO-1"], "fails");
}

// Rules: RED-2, RED-5, BRO-4
TEST(CheckReduceMax, AxesAndRanksAreExamined) {
  for (std::int64_t opset : {13, 18}) {
    const CheckReport far = Checked(Pool(opset, Axes{2}).builder);
    ExpectFails(far, "RED-2", {"fails: axis 2 is out of range", "; correct the axes"});
    EXPECT_EQ(VerdictsOf(far).count("E2"), 0u) << "nothing is computed";
    ExpectFails(Checked(Pool(opset, Axes{1, -1}).builder), "RED-2", {"fails: axis -1"});
  }
  EXPECT_EQ(Found(Checked(Pool(10, Axes{-1}).builder), "RED-5"),
            "fails: the axes [-1] count from the end, which ReduceMax-1 does not; count from the first "
            "dimension, or import opset 11 or later");
  Pool scalar(18);
  scalar.builder.graph()->mutable_initializer(0)->clear_dims();
  ExpectFails(Checked(scalar.builder), "RED-5",
              {"fails: the axes 'a' have shape [], of rank 0", "; give the axes as a list"});
  ExpectFails(Checked(Pool(18, Axes(65, 0)).builder), "RED-2", {"fails: 65 axes are given"});
  const CheckReport unknown = Checked(Pool(18).Input(kFloat, std::nullopt).builder);
  EXPECT_THAT(Found(unknown, "RED-2"), HasSubstr("undecided: the rank of input 'x'"));
  EXPECT_EQ(VerdictsOf(unknown)["BRO-4"], "undecided");
  ExpectFails(Checked(Pool(18).Input(kFloat, ModelShape(std::vector<ModelDim>(65, 1))).builder), "BRO-4",
              {"fails: input 'x' has rank 65"});
}

// Rules: PRO-5, E2
TEST(CheckReduceMax, ADeclaredShapeIsComparedWithTheComputedOne) {
  Pool pool(18);
  pool.Output(kFloat, {2, 3});
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
  ExpectFails(report, "ONNX", {"fails: ReduceMax-13 has no attribute 'noop_with_empty_axes'"});
  EXPECT_EQ(VerdictsOf(report)["RED-2"], "holds") << "the rest is judged all the same";
  Pool late(18);
  ModelBuilder::SetInts(*late.node, "axes", {1});
  ExpectFails(Checked(late.builder), "ONNX",
              {"from opset 18 on the axes are the second input (RED-5); store them as"});
  // With a wrong attribute, the shape that is meant is not known, and cannot be wrong too.
  const auto expect_no_shape = [](const ModelBuilder& builder, const std::string& fault) {
    for (const CheckOptions& options : {CheckOptions(), kSonnx}) {
      const CheckReport wrong = Checked(builder, options);
      ExpectFails(wrong, "ONNX", {fault});
      EXPECT_EQ(VerdictsOf(wrong)[options.profile == Profile::kSonnx ? "PRO-5" : "E2"], "undecided") << fault;
    }
  };
  Pool moved(18, std::nullopt);
  ModelBuilder::SetInts(*moved.node, "axes", {1});
  expect_no_shape(moved.builder, "from opset 18 on the axes are the second input");
  EXPECT_EQ(VerdictsOf(Checked(moved.builder))["RED-5"], "undecided");
  Pool single(13, std::nullopt);
  ModelBuilder::SetInt(*single.node, "axes", 1);
  expect_no_shape(single.builder, "'axes' is stored as another kind than INTS");
  for (const char* flag : {"keepdims", "noop_with_empty_axes"}) {
    Pool two(18, std::string(flag) == "keepdims" ? std::optional(Axes{1}) : std::nullopt);
    for (onnx::AttributeProto& attribute : *two.node->mutable_attribute()) {
      if (attribute.name() == flag) attribute.set_i(2);
    }
    two.Output(kFloat, {2});
    expect_no_shape(two.builder, "'" + std::string(flag) + "' is 2");
  }
  Pool inputs(13);
  inputs.node->add_input("x");
  ExpectFails(Checked(inputs.builder), "ONNX", {"takes one input, this node has 2 (RED-5)"});
  Pool outputs(13);
  outputs.node->add_output("z");
  ExpectFails(Checked(outputs.builder), "ONNX", {"2 named outputs"});
}

// Rules: PRO-6
TEST(CheckReduceMax, TheStricterSwitchDoesNotConcernIt) {
  EXPECT_TRUE(Checked(Pool(18).builder, {.identical_shapes_only = true}).Holds());
}

TEST(CheckReduceMax, ConstantsOfTheGraphAroundCountAndFunctionsHaveTheirOwnOpset) {
  const CheckReport report = Checked(TextModel(R"((bool c, float[2,3] x) => (float[] y) {
    a = Constant <value_ints = [1]> ()
    y = If <then_branch = g () => (float[] s) { s = ReduceMax(x, a) }> (c) }
    <domain: "local", opset_import: ["" : 13]> f (p) => (q) { q = ReduceMax <axes : ints = @which> (p) })",
                                               18),
                                     kSonnx);
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
  const ModelBuilder builder = TextModel(
      "(float[2,3] x) => (float[2,3] y) { a = Constant <value_ints = [0]> () m = ReduceMax(x, a) y = Max(m, "
      "x) }",
      20);
  const CheckReport report = Checked(builder);
  EXPECT_TRUE(report.Holds());
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_EQ(Found(Checked(builder, kSonnx), "PRO-2", 1),
            "fails: input 'm' has no stated shape; state the shape [1,3] for 'm'");
}

// Rules: RED-5
TEST(ReduceMaxCheck, TheFirstVersionWithoutAxesReducesAll) {
  Pool pool(1, std::nullopt);
  EXPECT_THAT(Found(Checked(pool.builder), "RED-5"), HasSubstr("holds"));
  EXPECT_THAT(Found(Checked(pool.builder), "E2"), HasSubstr("computed as [1,1]"));
}

}  // namespace
}  // namespace supremum::test
