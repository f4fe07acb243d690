// The nodes that CheckModel checks, the places that it reports, and the information that a visitor receives.
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

TEST(CheckModel, AFunctionThatIsNotCalledIsJudgedBesideOneThatIs) {
  ModelBuilder builder = TextModel(R"((float[2] a) => (float[2] y) { b = local.called(a) y = Max(b) }
    FN called (p) => (r) { r = Max(p, p) }
    FN idle (p) => (r) { r = Max(p, p) })");
  std::vector<std::string> shown;
  const auto report =
      onnx_front::CheckProto(builder.model(), "m.onnx", {}, [&](const onnx_front::JudgedNode& node) {
        shown.push_back(node.report.scope + (node.in_function ? " (in a function)" : ""));
      });
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(shown, ElementsAre("function 'called', called by node #0 (called, output 'b') (in a function)",
                                 "", "function 'idle' (in a function)"));
}

TEST(CheckModel, ACallInASubgraphIsSaidToBeThere) {
  const CheckReport report = Checked(TextModel(R"((float[2] a) => (float[2] y) {
    y = other.Outer <body = g () => (float[] b) { b = local.f(a) }> (a) }
    FN f (p) => (r) { r = Max(p, p) })"));
  ASSERT_EQ(report.nodes.size(), 1u);
  EXPECT_THAT(report.nodes[0].scope,
              AllOf(HasSubstr("'body'"), HasSubstr(", function 'f', called by node #0 (f, output 'b')")));
}

TEST(CheckModel, NamesInAFunctionThatIsNotCalledCountToo) {
  const std::string p(100'000, 'n'), r(100'000, 'r');
  const ModelBuilder builder = TextModel("(float[2] x) => (float[2] y) { y = Max(x) } FN f (" + p + ") => (" +
                                         r + ") { " + r + " = Max(" + p + ", " + p + ") }");
  EXPECT_TRUE(TryCheck(builder));
  ExpectError(TryCheck(builder, {.max_bytes = 1'000'000}), ErrorCode::kLimitExceeded,
              {"what follows from the types and shapes"});
}

// The onnx library takes such an attribute for an empty list, by which Squeeze removes no dimension.
TEST(CheckModel, NothingIsInferredFromAnAttributeThatNoCallGives) {
  const std::string nodes = "limit = Squeeze <axes : ints = @dims> (p) r = Max(p, limit)";
  const std::string branch = "g () => (float[] r) { " + nodes + " }";
  for (const std::string& body :
       {nodes, "r = If <then_branch = " + branch + ", else_branch = " + branch + "> (p)"}) {
    const CheckReport report = Checked(
        TextModel("(float[2,1,3] a) => (float[] y) { y = local.f(a) } FN f (p) => (r) { " + body + " }", 11));
    EXPECT_EQ(VerdictsOf(report)["BRO-2"], "undecided") << Found(report, "BRO-2");
    EXPECT_THAT(report.notes, IsEmpty());
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
  ModelBuilder of_caller = TextModel(R"((float[2,3] x) => (float[] y) { y = ReduceMax(x) }
    FN idle <dims> (p) => (r) { r = ReduceMax <axes : ints = @dims> (p) })");
  EXPECT_EQ(Unwritten(of_caller), "axes=2 numbers keepdims=1") << "those of the main graph alone";
}

// A network as PyTorch exports it with dynamic axes: it flattens by Shape, Slice, Concat and Reshape.
// Rules: BRO-2, RED-2, E2
TEST(CheckModel, ShapesThatNodesComputeAreInferred) {
  for (const std::string n :
       {"zero = Constant <value = int64[1] {0}> () n = Slice(shape, zero, one)",
        "zero = Constant <value = int64 {0}> () at = Constant <value = int64[1] {0}> () "
        "scalar = Gather(shape, zero) n = Unsqueeze(scalar, at)"}) {
    ModelBuilder builder = TextModel(R"((float[batch,3,8,8] x) => (float[batch,1] y) {
      r = Relu(x)
      shape = Shape(r)
      one = Constant <value = int64[1] {1}> ()
      rest = Constant <value = int64[1] {-1}> ()
      )" + n + R"(
      flat = Concat <axis = 0> (n, rest)
      f = Reshape(r, flat)
      m = Max(f, bias)
      y = ReduceMax <axes = [1]> (m) })",
                                     17);
    builder.Initializer<float>("bias", kFloat, {192}, std::vector<float>(192));
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
