// Which nodes of a model are checked, where they are said to be, and what a visitor is shown of them.
#include "frontends/onnx/check/check_model.h"

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "frontends/onnx/check/check_proto.h"
#include "frontends/onnx/check_testing.h"
#include "frontends/onnx/read/operators.h"
#include "supremum/annotate.h"
#include "supremum/extract.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A function of the domain "local" with one Max, of opset 13.
void AddMaxFunction(ModelBuilder& builder, const std::string& name, const std::string& prefix = "") {
  onnx::FunctionProto* function = builder.model().add_functions();
  function->set_name(name);
  function->set_domain("local");
  function->add_input(prefix + "p");
  function->add_output(prefix + "r");
  function->add_opset_import()->set_version(13);
  ModelBuilder::AddNode(function, "Max", {prefix + "p", prefix + "p"}, {prefix + "r"});
}

TEST(CheckModel, AFunctionThatIsNotCalledIsJudgedBesideOneThatIs) {
  ModelBuilder builder(13);
  builder.Opset("local", 1).Input("a", kFloat, {2}).Output("y", kFloat, {2});
  AddMaxFunction(builder, "called");
  AddMaxFunction(builder, "idle");
  builder.Node("called", {"a"}, {"b"}, "call").set_domain("local");
  builder.Node("Max", {"b"}, {"y"});
  std::vector<std::string> shown;
  const auto report =
      onnx_front::CheckProto(builder.model(), "m.onnx", {}, [&](const onnx_front::JudgedNode& node) {
        shown.push_back(node.report.scope + (node.in_function ? " (in a function)" : ""));
      });
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(shown, ElementsAre("function 'called', called by node 'call' (called) (in a function)", "",
                                 "function 'idle' (in a function)"));
}

TEST(CheckModel, ACallInASubgraphIsSaidToBeThere) {
  ModelBuilder builder(13);
  builder.Opset("local", 1).Input("a", kFloat, {2}).Output("y", kFloat, {2});
  AddMaxFunction(builder, "f");
  onnx::NodeProto& outer = builder.Node("Outer", {"a"}, {"y"}, "outer");
  outer.set_domain("other");
  builder.Opset("other", 1);
  onnx::GraphProto* const body =
      ModelBuilder::Attribute(outer, "body", onnx::AttributeProto::GRAPH).mutable_g();
  body->set_name("body");
  ModelBuilder::AddNode(body, "f", {"a"}, {"b"}, "call").set_domain("local");
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 1u);
  EXPECT_THAT(report.nodes[0].scope,
              AllOf(HasSubstr("'body'"), HasSubstr(", function 'f', called by node 'call' (f)")));
}

// Without ONNX's opset nothing can be judged, which matters only if there is something to judge.
TEST(CheckModel, WithoutAnOpsetOnlyAModelWithoutNodesToCheckIsAccepted) {
  const auto accepts = [](ModelBuilder builder) {
    builder.model().clear_opset_import();
    builder.Opset("other", 1);
    const Result<CheckReport> report = TryCheck(builder);
    if (!report) {
      EXPECT_THAT(report.error().message, HasSubstr("opset"));
    } else {
      EXPECT_THAT(report->nodes, IsEmpty());
      EXPECT_THAT(report->notes.at(0), HasSubstr("has no node to check"));
    }
    return report.has_value();
  };
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2});
  builder.Node("Identity", {"a"}, {"b"});
  onnx::NodeProto& outer = builder.Node("Outer", {"a"}, {"c"});
  onnx::AttributeProto& bodies = ModelBuilder::Attribute(outer, "bodies", onnx::AttributeProto::GRAPHS);
  ModelBuilder::AddNode(bodies.add_graphs(), "Relu", {"a"}, {"d"});
  onnx::FunctionProto* const function = builder.model().add_functions();
  function->set_name("f");
  function->add_input("p");
  ModelBuilder::AddNode(function, "Relu", {"p"}, {"r"});
  EXPECT_TRUE(accepts(builder));

  ModelBuilder in_graph = builder;
  in_graph.Node("Max", {"a"}, {"y"});
  EXPECT_FALSE(accepts(in_graph));
  ModelBuilder in_attribute = builder;
  onnx::AttributeProto& body =
      ModelBuilder::Attribute(*in_attribute.graph()->mutable_node(0), "body", onnx::AttributeProto::GRAPH);
  ModelBuilder::AddNode(body.mutable_g(), "Max", {"a"}, {"y"});
  EXPECT_FALSE(accepts(in_attribute));
  ModelBuilder in_list = builder;
  ModelBuilder::AddNode(in_list.graph()->mutable_node(1)->mutable_attribute(0)->add_graphs(), "ReduceMax",
                        {"a"}, {"y"});
  EXPECT_FALSE(accepts(in_list));
  ModelBuilder in_function = builder;
  ModelBuilder::AddNode(in_function.model().mutable_functions(0), "Max", {"p"}, {"y"});
  EXPECT_FALSE(accepts(in_function));
}

TEST(CheckModel, NamesInAFunctionThatIsNotCalledCountToo) {
  ModelBuilder builder = MaxModel({{2}}, {2});
  AddMaxFunction(builder, "idle", std::string(100'000, 'n'));
  EXPECT_TRUE(TryCheck(builder));
  ExpectError(TryCheck(builder, {.max_bytes = 1'000'000}), ErrorCode::kLimitExceeded,
              {"what follows from the types and shapes"});
}

// The onnx library takes such an attribute for an empty list, by which Squeeze removes no dimension.
TEST(CheckModel, NothingIsInferredFromAnAttributeThatNoCallGives) {
  for (const bool in_subgraph : {false, true}) {
    SCOPED_TRACE(in_subgraph);
    ModelBuilder builder(11);
    builder.Opset("local", 1).Input("a", kFloat, {2, 1, 3}).Output("y", kFloat, std::nullopt);
    onnx::FunctionProto* const function = builder.model().add_functions();
    function->set_name("f");
    function->set_domain("local");
    function->add_input("p");
    function->add_output("r");
    function->add_opset_import()->set_version(11);
    const auto add_nodes = [](auto* owner, const std::string& result) {
      onnx::NodeProto& squeeze = ModelBuilder::AddNode(owner, "Squeeze", {"p"}, {"limit"});
      ModelBuilder::Attribute(squeeze, "axes", onnx::AttributeProto::INTS).set_ref_attr_name("dims");
      ModelBuilder::AddNode(owner, "Max", {"p", "limit"}, {result});
    };
    if (in_subgraph) {
      onnx::NodeProto& choice = ModelBuilder::AddNode(function, "If", {"p"}, {"r"});
      for (const char* const branch : {"then_branch", "else_branch"}) {
        onnx::GraphProto* const graph =
            ModelBuilder::Attribute(choice, branch, onnx::AttributeProto::GRAPH).mutable_g();
        graph->set_name(branch);
        add_nodes(graph, "chosen");
        graph->add_output()->set_name("chosen");
        graph->mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(kFloat);
      }
    } else {
      add_nodes(function, "r");
    }
    builder.Node("f", {"a"}, {"y"}).set_domain("local");
    const CheckReport report = Checked(builder);
    EXPECT_EQ(VerdictsOf(report)["BRO-2"], "undecided") << Found(report, "BRO-2");
    for (const std::string& note : report.notes) ADD_FAILURE() << note;
  }
}

// A long shape, which supremum reads into less memory than the onnx library's answer takes.
TEST(CheckModel, AnAnswerOfTheOnnxLibraryThatTakesTooMuchMemoryIsNotUsed) {
  const std::vector<ModelDim> extents(2'000, ModelDim(1'000'000'007));
  ModelBuilder builder(13);
  builder.Input("a", kFloat, ModelShape(extents)).Output("y", kFloat, std::nullopt);
  builder.Node("Relu", {"a"}, {"b"});
  builder.Node("Max", {"b"}, {"y"});
  const CheckReport report = Checked(builder, {.max_bytes = 800'000});
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("shapes behind other operators are not inferred"));
}

// The first pass does not know the shape of 'b'.
TEST(CheckModel, WhatTheOnnxLibraryInfersCountsForEachNodeThatUsesIt) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, ModelShape(std::vector<ModelDim>(64, ModelDim(3))));
  builder.Output("y", kFloat, std::nullopt);
  builder.Node("Relu", {"a"}, {"b"});
  builder.Node("Max", std::vector<std::string>(2'000, "b"), {"y"});
  EXPECT_EQ(VerdictsOf(Checked(builder))["BRO-2"], "holds");
  ExpectError(TryCheck(builder, {.max_bytes = 3'000'000}), ErrorCode::kLimitExceeded,
              {"what follows from the types and shapes"});
}

// "axes=2 numbers keepdims=1", of all nodes.
std::string Unwritten(ModelBuilder builder) {
  std::string text;
  const auto report =
      onnx_front::CheckProto(builder.model(), "m.onnx", {}, [&](const onnx_front::JudgedNode& node) {
        for (const AttributeInfo& attribute : onnx_front::UnwrittenOfReduceMax(node.operands, node.version)) {
          text += (text.empty() ? "" : " ") + attribute.name + "=" +
                  (attribute.integer ? std::to_string(*attribute.integer)
                                     : std::to_string(attribute.integers.value().size()) + " numbers");
        }
      });
  EXPECT_TRUE(report) << report.error().message;
  return text;
}

// Rules: PRO-4
TEST(CheckModel, AVisitorCanAskForTheAttributesThatANodeLeavesToTheirDefault) {
  const Reduction reduction{.opset = 13, .x = {2, 3}};
  EXPECT_EQ(Unwritten(ReduceMaxModel(reduction)), "axes=2 numbers keepdims=1");
  Reduction of_any_rank = reduction;
  of_any_rank.x = std::nullopt;
  EXPECT_EQ(Unwritten(ReduceMaxModel(of_any_rank)), "keepdims=1") << "which axes are all is not known";
  Reduction written = reduction;
  written.keepdims = 0;
  EXPECT_EQ(Unwritten(ReduceMaxModel(written)), "axes=2 numbers");

  ModelBuilder wrong = ReduceMaxModel(reduction);
  ModelBuilder::SetInt(*wrong.graph()->mutable_node(0), "unknown", 1);
  EXPECT_EQ(Unwritten(wrong), "");
  ModelBuilder of_two_inputs = ReduceMaxModel(reduction);
  of_two_inputs.graph()->mutable_node(0)->add_input("x");
  EXPECT_EQ(Unwritten(of_two_inputs), "");
  ModelBuilder of_caller = ReduceMaxModel(reduction);
  onnx::FunctionProto* const function = of_caller.model().add_functions();
  function->set_name("idle");
  function->set_domain("local");
  function->add_attribute("dims");
  function->add_input("p");
  function->add_output("r");
  function->add_opset_import()->set_version(13);
  ModelBuilder::Attribute(ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"r"}), "axes",
                          onnx::AttributeProto::INTS)
      .set_ref_attr_name("dims");
  EXPECT_EQ(Unwritten(of_caller), "axes=2 numbers keepdims=1") << "those of the main graph alone";
}

// A network as PyTorch exports it with dynamic axes: it flattens by Shape, Slice, Concat and Reshape.
// Rules: BRO-2, RED-2, E2
TEST(CheckModel, ShapesThatNodesComputeAreInferred) {
  for (const bool slice : {true, false}) {
    ModelBuilder builder(17);
    builder.Input("x", kFloat, {"batch", 3, 8, 8}).Output("y", kFloat, {"batch", 1});
    builder.Node("Relu", {"x"}, {"r"});
    builder.Node("Shape", {"r"}, {"shape"});
    builder.Constant("zero", MakeTensorProto<std::int64_t>("", kInt64, {slice ? 1 : 0}, {0}));
    if (!slice) builder.graph()->mutable_node(2)->mutable_attribute(0)->mutable_t()->clear_dims();
    builder.Constant("list_of_zero", MakeTensorProto<std::int64_t>("", kInt64, {1}, {0}));
    builder.Constant("one", MakeTensorProto<std::int64_t>("", kInt64, {1}, {1}));
    builder.Constant("rest", MakeTensorProto<std::int64_t>("", kInt64, {1}, {-1}));
    if (slice) {
      builder.Node("Slice", {"shape", "zero", "one"}, {"n"});
    } else {
      builder.Node("Gather", {"shape", "zero"}, {"scalar"});
      builder.Node("Unsqueeze", {"scalar", "list_of_zero"}, {"n"});
    }
    ModelBuilder::SetInt(builder.Node("Concat", {"n", "rest"}, {"flat"}), "axis", 0);
    builder.Node("Reshape", {"r", "flat"}, {"f"});
    builder.Initializer<float>("bias", kFloat, {192}, std::vector<float>(192));
    builder.Node("Max", {"f", "bias"}, {"m"}, "fuse");
    ModelBuilder::SetInts(builder.Node("ReduceMax", {"m"}, {"y"}, "pool"), "axes", {1});
    for (const std::map<std::string, std::int64_t>& dims :
         {std::map<std::string, std::int64_t>(), {{"batch", 2}}}) {
      CheckOptions options;
      options.dims = dims;
      const CheckReport report = Checked(builder, options);
      ASSERT_EQ(report.nodes.size(), 2u);
      const std::string bytes = builder.Serialize();
      const auto nodes = ExtractNodes(std::as_bytes(std::span(bytes)), "m.onnx", {.dims = dims});
      const auto annotated = AnnotateModel(std::as_bytes(std::span(bytes)), "m.onnx", {.dims = dims});
      ASSERT_TRUE(nodes && annotated);
      EXPECT_EQ(report.Count(Verdict::kFails), 0u);
      // The onnx library does not divide by a symbol, so without a number the rest is unknown.
      if (dims.empty()) {
        EXPECT_THAT(ToString(nodes->nodes[0].inputs[0]), HasSubstr("float32[batch,"));
        continue;
      }
      EXPECT_TRUE(report.Holds()) << Found(report, "BRO-2");
      EXPECT_EQ(ToString(nodes->nodes[0].inputs[0]), "float32[2,192]");
      EXPECT_EQ(nodes->nodes[0].obstacle + nodes->nodes[1].obstacle, "");
      EXPECT_EQ(CheckModel(annotated->bytes, "m.onnx", kSonnx)->Count(Verdict::kUndecided), 0u);
    }
  }
}

}  // namespace
}  // namespace supremum::test
