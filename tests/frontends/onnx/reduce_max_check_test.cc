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

const CheckOptions kPlain;
const char* const kMakeConstant =
    "; give them as an initializer that is no graph input, or as a Constant node";

// A node 'pool' with everything stated and written.
Reduction Full(std::int64_t opset = 18) {
  return {.opset = opset,
          .axes = Axes{1},
          .keepdims = 1,
          .noop = opset < 18 ? std::nullopt : std::optional<std::int64_t>(0),
          .x = {2, 3},
          .y = {2, 1}};
}

// The model of Full(opset) after `change` has modified it.
template <class Change>
ModelBuilder With(std::int64_t opset, Change change) {
  Reduction reduction = Full(opset);
  change(reduction);
  return ReduceMaxModel(reduction);
}

// A model, and a text that the finding of `rule` on its last node must contain.
struct Row {
  ModelBuilder model;
  CheckOptions options;
  const char* rule;
  std::string found;
};

void ExpectFound(const std::vector<Row>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CheckReport report = Checked(rows[i].model, rows[i].options);
    EXPECT_THAT(Found(report, rows[i].rule, report.nodes.size() - 1), HasSubstr(rows[i].found))
        << "row " << i;
  }
}

// Rules: TYP-4, RED-2, RED-5, PRO-1, PRO-2, PRO-3, PRO-4, PRO-5
TEST(CheckReduceMax, ANodeThatStatesAndWritesEverythingHoldsUnderTheProfile) {
  const Verdicts expected = {{"TYP-2", "holds"}, {"TYP-4", "holds"}, {"PRO-1", "holds"}, {"PRO-2", "holds"},
                             {"PRO-3", "holds"}, {"PRO-4", "holds"}, {"BRO-4", "holds"}, {"RED-5", "holds"},
                             {"RED-2", "holds"}, {"PRO-5", "holds"}};
  for (std::int64_t opset : {1, 11, 12, 13, 18, 20}) {
    const ModelBuilder builder = ReduceMaxModel(Full(opset));
    const CheckReport report = Checked(builder, kSonnx);
    EXPECT_TRUE(report.Holds()) << opset;
    EXPECT_EQ(VerdictsOf(report), expected) << opset;
    EXPECT_EQ(Found(report, "TYP-4"), "holds: ReduceMax-" + std::to_string(opset) + " has float32");
    EXPECT_EQ(Found(report, "RED-5"), "holds: the axes are [1]");
    EXPECT_EQ(Found(report, "RED-2"), "holds: each axis names a dimension of its own; there are 2");
    EXPECT_EQ(report.nodes[0].node.version, opset);
    EXPECT_TRUE(Checked(builder, {.identical_shapes_only = true}).Holds()) << "PRO-6 does not concern it";
  }
}

// Rules: PRO-4, BRO-4
TEST(CheckReduceMax, AnAttributeThatIsLeftOutIsLeftToItsDefault) {
  const auto no_keepdims = [](Reduction& r) { r.keepdims.reset(); };
  const auto no_axes_of = [](ModelShape x) {
    return [x](Reduction& r) {
      r.axes.reset();
      r.x = x;
    };
  };
  const std::string start = "fails: attribute '";
  ExpectFound({
      {With(13, no_keepdims), kSonnx, "PRO-4", start + "keepdims' is not written; write keepdims = 1"},
      {With(18, no_keepdims), kSonnx, "PRO-4", start + "keepdims' is not written; write keepdims = 1"},
      {With(18, [](Reduction& r) { r.noop.reset(); }), kSonnx, "PRO-4",
       start + "noop_with_empty_axes' is not written; write noop_with_empty_axes = 0"},
      {With(13, no_axes_of({2, 3})), kSonnx, "PRO-4", start + "axes' is not written; write axes = [0,1]"},
      {With(13, no_axes_of(std::nullopt)), kSonnx, "PRO-4", "write axes = the list of all axes"},
      {With(13, no_axes_of(ModelShape(std::vector<ModelDim>(65, 1)))), kSonnx, "PRO-4",
       "write axes = the list of all axes"},
      {With(13, no_keepdims), kPlain, "PRO-4", "no finding for PRO-4"},
  });
}

// Rules: PRO-4, RED-5
TEST(CheckReduceMax, AnAxesInputThatIsLeftOutIsNoDefault) {
  const ModelBuilder all = With(18, [](Reduction& r) { r.axes.reset(), r.y = {1, 1}; });
  const ModelBuilder none = With(18, [](Reduction& r) { r.axes = Axes{}, r.noop = 1, r.y = {2, 3}; });
  const ModelBuilder first = With(1, [](Reduction& r) { r.axes.reset(); });
  EXPECT_TRUE(Checked(all, kSonnx).Holds());
  EXPECT_TRUE(Checked(none, kSonnx).Holds());
  ExpectFound({
      {all, kSonnx, "RED-5", "holds: no axes are given: all dimensions are reduced"},
      {all, kSonnx, "RED-2", "holds: no axis is named"},
      {none, kPlain, "RED-5", "holds: no axes are given and noop_with_empty_axes is 1: nothing is reduced"},
      {first, kPlain, "RED-5", "holds: no axes are given: all dimensions are reduced"},
      {first, kPlain, "E2", "computed as [1,1]"},
  });
}

// Rules: PRO-2, PRO-3, RED-2
TEST(CheckReduceMax, AxesThatARunDecidesAreNotConstant) {
  const auto text = [](const std::string& inputs, const std::string& nodes, const std::string& axes) {
    return TextModel("(float[2,3] x" + inputs + ") => (float[2,1] y) " + nodes +
                         " y = ReduceMax <keepdims = 1, noop_with_empty_axes = 0> (x, " + axes + ") }",
                     18);
  };
  const ModelBuilder input = text(", int64[1] a", "{", "a"), over = text(", int64[1] a = {1}", "{", "a");
  const ModelBuilder computed =
      text("", "<int64[1] a> { b = Constant <value = int64[1] {1}> () a = Max(b)", "a");
  const ModelBuilder copied = text(", int64[1] a", "{ same = Identity(a)", "same");
  const std::string identity = "c = Constant <value_ints = [1]> () a = Identity(c)";
  const ModelBuilder constant = text("", "{ " + identity, "a");
  ModelBuilder external = ReduceMaxModel(Full());
  external.graph()->mutable_initializer(0)->clear_raw_data();
  external.graph()->mutable_initializer(0)->set_data_location(onnx::TensorProto::EXTERNAL);
  const std::string run = "the axes 'a' are a graph input, known only when the model runs",
                    nodes = "the axes 'same' are computed by other nodes";
  ExpectFound({
      {input, kSonnx, "PRO-2", "fails: " + run + kMakeConstant},
      {input, kPlain, "RED-2", "undecided: " + run + kMakeConstant},
      {input, kPlain, "RED-5", "holds: the axes are the input 'a'"},
      {over, kSonnx, "PRO-2",
       std::string("fails: the axes 'a' are an initializer that a run may replace: it is a graph input") +
           kMakeConstant},
      {computed, kSonnx, "PRO-2",
       std::string("fails: the axes 'a' are computed by other nodes") + kMakeConstant},
      {computed, kPlain, "E2", "undecided"},
      {copied, kSonnx, "PRO-2", "fails: input 'same' has no stated shape; state the shape [1] for 'same'"},
      {copied, kPlain, "RED-2", "undecided: " + nodes + kMakeConstant},
      {external, kSonnx, "PRO-2",
       std::string("fails: the axes 'a' are not stored in the model as a list of int64") + kMakeConstant},
      {constant, kPlain, "RED-5", "holds: the axes are [1]"},
      {constant, kSonnx, "PRO-2", "fails: input 'a' has no stated shape; state the shape [1] for 'a'"},
  });
  EXPECT_TRUE(Checked(text("", "<int64[1] a> { " + identity, "a"), kSonnx).Holds());
}

// Rules: PRO-2, PRO-3
TEST(CheckReduceMax, ShapesAndTypesMustBeStated) {
  const ModelBuilder open = With(18, [](Reduction& r) {
    r.type = onnx::TensorProto::UNDEFINED;
    r.x = {2, "N"};
    r.y = std::nullopt;
  });
  ExpectFound({
      {open, kSonnx, "PRO-2",
       "fails: input 'x' has shape [2,N]: dimension 1 is the symbol 'N'; state the shape as numbers for 'x'"},
      {open, kSonnx, "PRO-3", "fails: input 'x' has no stated type"},
      {open, kSonnx, "TYP-2", "undecided"},
      {open, kSonnx, "TYP-4", "undecided"},
      {open, kSonnx, "PRO-5", "undecided"},
  });
}

// Rules: TYP-2, TYP-4, PRO-1
TEST(CheckReduceMax, TypesAreExamined) {
  const auto of_type = [](int type) { return [type](Reduction& r) { r.type = type; }; };
  const ModelBuilder output = With(18, [](Reduction& r) { r.output_type = onnx::TensorProto::DOUBLE; });
  ModelBuilder axes = ReduceMaxModel(Full()), sparse = ReduceMaxModel(Full());
  *axes.graph()->mutable_initializer(0) =
      MakeTensorProto<std::int32_t>("a", onnx::TensorProto::INT32, {1}, {1});
  sparse.graph()->clear_input();
  sparse.SparseInput("x", kFloat);
  ExpectFound({
      {With(11, of_type(onnx::TensorProto::INT8)), kPlain, "TYP-4",
       "fails: input 'x' has type int8, which ReduceMax-11 does not have"},
      {With(11, of_type(onnx::TensorProto::INT8)), kPlain, "TYP-4",
       "import opset 12 or later, or convert before this node"},
      {With(11, of_type(onnx::TensorProto::INT16)), kPlain, "TYP-4",
       "convert before this node; no opset admits the type"},
      {With(13, of_type(onnx::TensorProto::BOOL)), kPlain, "TYP-4",
       "import opset 20 or later, or convert before this node"},
      {output, kPlain, "TYP-2",
       "fails: the computed type is float32 and the output is stated as float64; state the computed type for "
       "'y'"},
      {axes, kPlain, "TYP-2",
       "fails: the axes 'a' have type int32 and ReduceMax-18 takes int64; nothing is converted (TYP-2); "
       "convert that input before this node"},
      {sparse, kSonnx, "PRO-1", "fails"},
      {sparse, kPlain, "PRO-1", "fails"},
  });
}

// Rules: RED-2, RED-5, BRO-4, PRO-5, E2
TEST(CheckReduceMax, AxesRanksAndTheDeclaredShapeAreExamined) {
  const auto of_axes = [](Axes axes) { return [axes](Reduction& r) { r.axes = axes; }; };
  const auto of_x = [](ModelShape x) { return [x](Reduction& r) { r.x = x; }; };
  ModelBuilder scalar = ReduceMaxModel(Full());
  scalar.graph()->mutable_initializer(0)->clear_dims();
  const ModelBuilder declared = With(18, [](Reduction& r) { r.y = {2, 3}; });
  for (std::int64_t opset : {13, 18}) {
    ExpectFound({{With(opset, of_axes({2})), kPlain, "RED-2", "fails: axis 2 is out of range"},
                 {With(opset, of_axes({2})), kPlain, "RED-2", "; correct the axes"},
                 {With(opset, of_axes({2})), kPlain, "E2", "no finding for E2"},
                 {With(opset, of_axes({1, -1})), kPlain, "RED-2", "fails: axis -1"}});
  }
  ExpectFound({
      {With(10, of_axes({-1})), kPlain, "RED-5",
       "fails: the axes [-1] count from the end, which ReduceMax-1 does not; count from the first dimension, "
       "or "
       "import opset 11 or later"},
      {scalar, kPlain, "RED-5", "fails: the axes 'a' have shape [], of rank 0"},
      {scalar, kPlain, "RED-5", "; give the axes as a list"},
      {With(18, of_axes(Axes(65, 0))), kPlain, "RED-2", "fails: 65 axes are given"},
      {With(18, of_x(std::nullopt)), kPlain, "RED-2", "undecided: the rank of input 'x'"},
      {With(18, of_x(std::nullopt)), kPlain, "BRO-4", "undecided"},
      {With(18, of_x(ModelShape(std::vector<ModelDim>(65, 1)))), kPlain, "BRO-4",
       "fails: input 'x' has rank 65"},
      {declared, kPlain, "E2",
       "fails: E2: output 'y' is declared as [2,3] and computed as [2,1]; declare the computed shape"},
      {declared, kSonnx, "PRO-5", "fails"},
  });
}

// With a wrong attribute, the shape that is meant is not known, and cannot be wrong too.
// Rules: RED-5
TEST(CheckReduceMax, AttributesAndInputsThatTheVersionDoesNotHaveFail) {
  using Node = onnx::NodeProto;
  const auto spoiled = [](const Reduction& reduction, const auto& spoil) {
    ModelBuilder builder = ReduceMaxModel(reduction);
    spoil(*builder.graph()->mutable_node(0));
    return builder;
  };
  Reduction no_axes = Full(), old_without = Full(13), two = Full(), two_noop = Full();
  no_axes.axes.reset(), old_without.axes.reset(), two_noop.axes.reset();
  two.keepdims = 2, two_noop.noop = 2;
  const ModelBuilder early =
      spoiled(Full(13), [](Node& node) { ModelBuilder::SetInt(node, "noop_with_empty_axes", 1); });
  const ModelBuilder moved = spoiled(no_axes, [](Node& node) { ModelBuilder::SetInts(node, "axes", {1}); });
  const ModelBuilder single = spoiled(old_without, [](Node& node) { ModelBuilder::SetInt(node, "axes", 1); });
  ExpectFound({
      {early, kPlain, "ONNX", "fails: ReduceMax-13 has no attribute 'noop_with_empty_axes'"},
      {early, kPlain, "RED-2", "holds"},  // the rest is judged all the same
      {moved, kPlain, "ONNX", "from opset 18 on the axes are the second input (RED-5); store them as"},
      {moved, kPlain, "RED-5", "undecided"},
      {single, kPlain, "ONNX", "'axes' is stored as another kind than INTS"},
      {ReduceMaxModel(two), kPlain, "ONNX", "'keepdims' is 2"},
      {ReduceMaxModel(two_noop), kPlain, "ONNX", "'noop_with_empty_axes' is 2"},
      {spoiled(Full(13), [](Node& node) { node.add_input("x"); }), kPlain, "ONNX",
       "takes one input, this node has 2 (RED-5)"},
      {spoiled(Full(13), [](Node& node) { node.add_output("z"); }), kPlain, "ONNX", "2 named outputs"},
  });
  for (const ModelBuilder& model : {moved, single, ReduceMaxModel(two), ReduceMaxModel(two_noop)}) {
    ExpectFound({{model, kPlain, "E2", "undecided"}, {model, kSonnx, "PRO-5", "undecided"}});
  }
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
  const ModelBuilder builder = TextModel(R"((float[2,3] x) => (float[2,3] y) {
    a = Constant <value_ints = [0]> ()
    m = ReduceMax(x, a)
    y = Max(m, x) })",
                                         20);
  const CheckReport report = Checked(builder);
  EXPECT_TRUE(report.Holds());
  EXPECT_THAT(report.notes, IsEmpty());
  ExpectFound(
      {{builder, kSonnx, "PRO-2", "fails: input 'm' has no stated shape; state the shape [1,3] for 'm'"}});
}

}  // namespace
}  // namespace supremum::test
