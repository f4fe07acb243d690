// AnnotateModel: states what the rules want stated, and changes no computed bit.
#include "supremum/annotate.h"

#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstring>

#include "frontends/onnx/check_testing.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> TextsOf(const AnnotatedModel& model) {
  std::vector<std::string> texts;
  for (const Annotation& annotation : model.annotations) {
    texts.push_back(annotation.subject + " " + annotation.text +
                    (annotation.place.empty() ? "" : " in " + annotation.place));
  }
  return texts;
}

AnnotatedModel Annotated(const ModelBuilder& builder, const AnnotateOptions& options = {}) {
  const std::string bytes = builder.Serialize();
  Result<AnnotatedModel> model = AnnotateModel(std::as_bytes(std::span(bytes)), "m.onnx", options);
  EXPECT_TRUE(model) << model.error().message;
  return model ? *std::move(model) : AnnotatedModel{};
}

CheckReport CheckedAgain(const AnnotatedModel& model, const CheckOptions& options = kSonnx) {
  const Result<CheckReport> report = CheckModel(model.bytes, "m.onnx", options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : CheckReport{};
}

ModelBuilder Pooled(std::int64_t opset = 13) {
  ModelBuilder builder(opset);
  builder.Input("a", kFloat, {"N", 3}).Input("b", kFloat, {3}).Output("y", kFloat, std::nullopt);
  builder.Node("Relu", {"a"}, {"r"});
  builder.Node("Max", {"r", "b"}, {"m"});
  builder.Node("ReduceMax", {"m"}, {"y"}, "pool");
  return builder;
}

// Rules: PRO-2, PRO-3, PRO-4, PRO-5
TEST(Annotate, AfterwardsTheProfileHolds) {
  EXPECT_FALSE(Checked(Pooled(), kSonnx).Holds());
  const AnnotatedModel model = Annotated(Pooled(), {.dims = {{"N", 2}}});
  EXPECT_THAT(
      TextsOf(model),
      ElementsAre("symbol 'N' is 2", "value 'r' is stated as float32[2,3]",
                  "value 'm' is stated as float32[2,3]", "value 'y' is stated as float32[1,1]",
                  "node 'pool' (ReduceMax) has axes=[0,1]", "node 'pool' (ReduceMax) has keepdims=1"));
  const CheckReport report = CheckedAgain(model);
  EXPECT_TRUE(report.Holds());
  EXPECT_FALSE(report.inference) << "nothing is left to infer";
  EXPECT_THAT(model.notes, IsEmpty());
}

TEST(Annotate, WhatDoesNotFollowRemains) {
  const AnnotatedModel model = Annotated(Pooled());
  EXPECT_THAT(TextsOf(model), Contains("value 'm' is stated as float32[N,3]"));
  EXPECT_EQ(VerdictsOf(CheckedAgain(model))["PRO-2"], "fails");
  EXPECT_TRUE(CheckedAgain(model, {}).Holds());
}

TEST(Annotate, AnAnnotatedModelIsNotChangedAgain) {
  const AnnotatedModel once = Annotated(Pooled(18), {.dims = {{"N", 2}}});
  const Result<AnnotatedModel> twice = AnnotateModel(once.bytes, "m.onnx");
  ASSERT_TRUE(twice);
  EXPECT_THAT(twice->annotations, IsEmpty());
  EXPECT_EQ(twice->bytes, once.bytes);
}

TEST(Annotate, WhatTheModelStatesIsKept) {
  ModelBuilder builder = Pooled();
  builder.ValueInfo("m", kFloat, {kUnknownDim, 4});  // E2: one of them is wrong
  EXPECT_THAT(TextsOf(Annotated(builder)), Contains("value 'r' is stated as float32[N,3]").Times(0))
      << "the node fails";
  ModelBuilder partly = Pooled();
  partly.ValueInfo("m", kFloat, {"rows", kUnknownDim});
  EXPECT_THAT(TextsOf(Annotated(partly)), Contains("value 'm' is stated as float32[rows,3]"));
}

TEST(Annotate, ValuesAreStatedInTheGraphThatHasThem) {
  ModelBuilder builder(13);
  builder.Input("c", onnx::TensorProto::BOOL, {})
      .Input("a", kFloat, {2, 3})
      .Output("y", kFloat, std::nullopt);
  builder.Node("Relu", {"a"}, {"outer"});
  onnx::NodeProto& branch = builder.Node("If", {"c"}, {"y"}, "choose");
  for (const char* name : {"then_branch", "else_branch"}) {
    onnx::GraphProto* graph = ModelBuilder::Attribute(branch, name, onnx::AttributeProto::GRAPH).mutable_g();
    graph->set_name(name);
    ModelBuilder::AddNode(graph, "Relu", {"outer"}, {"inner"});
    ModelBuilder::AddNode(graph, "Max", {"inner", "outer"}, {"s"}, "fuse");
    graph->add_output()->set_name("s");
  }
  const AnnotatedModel model = Annotated(builder);
  const std::string then = " in node 'choose' (If), attribute 'then_branch'";
  EXPECT_THAT(TextsOf(model), Contains("value 'outer' is stated as float32[2,3]").Times(1));
  EXPECT_THAT(TextsOf(model), Contains("value 'inner' is stated as float32[2,3]" + then));
  EXPECT_THAT(TextsOf(model), Contains("value 's' is stated as float32[2,3]" + then));
  EXPECT_TRUE(CheckedAgain(model).Holds());
}

TEST(Annotate, ANodeThatBreaksARuleIsLeft) {
  ModelBuilder builder(13);
  builder.Input("a", kFloat, {2, 3}).Input("b", kFloat, {4}).Output("y", kFloat, std::nullopt);
  builder.Node("Max", {"a", "b"}, {"y"});
  const AnnotatedModel model = Annotated(builder);
  EXPECT_THAT(model.annotations, IsEmpty());
  EXPECT_THAT(model.notes, Contains(AllOf(HasSubstr("node #0 (Max, output 'y') is left as it is: E1"),
                                          HasSubstr("[2,3]"), HasSubstr("[4]"))));
}

TEST(Annotate, NodesOfFunctionsAreNotChanged) {
  ModelBuilder builder(13);
  builder.Opset("local", 1).Input("a", kFloat, {2, 3}).Output("z", kFloat, std::nullopt);
  onnx::FunctionProto* function = builder.model().add_functions();
  function->set_name("f");
  function->set_domain("local");
  function->add_input("p");
  function->add_output("q");
  function->add_opset_import()->set_version(13);
  ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"t"});
  ModelBuilder::AddNode(function, "Max", {"t", "p"}, {"q"});
  builder.Node("f", {"a"}, {"y"}).set_domain("local");
  builder.Node("Max", {"y", "a"}, {"z"});
  const AnnotatedModel model = Annotated(builder);
  EXPECT_THAT(TextsOf(model),
              ElementsAre("value 'y' is stated as float32[2,3]", "value 'z' is stated as float32[2,3]"));
  onnx::ModelProto read;
  ASSERT_TRUE(read.ParseFromArray(model.bytes.data(), static_cast<int>(model.bytes.size())));
  EXPECT_EQ(read.functions(0).SerializeAsString(), builder.model().functions(0).SerializeAsString());
}

// The caller's values can be stated, wherever they are used.
TEST(Annotate, ValuesThatCallsOfFunctionsUseAreStated) {
  ModelBuilder builder(13);
  builder.Opset("local", 1).Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3});
  builder.Input("c", onnx::TensorProto::BOOL, {});
  for (const char* const name : {"f", "uncalled"}) {
    onnx::FunctionProto* function = builder.model().add_functions();
    function->set_name(name);
    function->set_domain("local");
    function->add_input("r");
    function->add_output("q");
    function->add_opset_import()->set_version(13);
    ModelBuilder::AddNode(function, "Max", {"r", "r"}, {"q"});
  }
  builder.Node("Relu", {"a"}, {"r"});
  builder.Node("Relu", {"a"}, {"s"});
  builder.Node("f", {"r"}, {"y"}).set_domain("local");
  onnx::NodeProto& branch = builder.Node("If", {"c"}, {"z"}, "choose");
  for (const char* name : {"then_branch", "else_branch"}) {
    onnx::GraphProto* graph = ModelBuilder::Attribute(branch, name, onnx::AttributeProto::GRAPH).mutable_g();
    graph->set_name(name);
    ModelBuilder::AddNode(graph, "f", {"s"}, {"t"}).set_domain("local");
    graph->add_output()->set_name("t");
  }
  const AnnotatedModel model = Annotated(builder);
  EXPECT_THAT(TextsOf(model),
              ElementsAre("value 'r' is stated as float32[2,3]", "value 's' is stated as float32[2,3]"));
}

TEST(Annotate, TheComputedBitsAreTheSame) {
  for (const std::int64_t opset : {8, 13, 18}) {
    ModelBuilder builder(opset);
    builder.Input("a", kFloat, {"N", 3}).Input("b", kFloat, {3}).Output("y", kFloat, std::nullopt);
    builder.Node("Max", {"a", "b"}, {"m"});
    builder.Node("ReduceMax", {"m"}, {"y"}, "pool");
    const AnnotatedModel annotated = Annotated(builder);
    EXPECT_FALSE(annotated.annotations.empty());
    const std::string bytes = builder.Serialize();
    const Result<Model> before = Model::Parse(std::as_bytes(std::span(bytes)), "m.onnx");
    const Result<Model> after = Model::Parse(annotated.bytes, "m.onnx");
    ASSERT_TRUE(before && after);
    std::vector<NamedTensor> inputs;
    inputs.push_back(Named("a", {2, 3}, std::vector<float>{1, -0.0f, std::nanf(""), 4, 0.0f, -6}));
    inputs.push_back(Named("b", {3}, std::vector<float>{0.0f, -0.0f, 5}));
    const auto x = before->Run(inputs), y = after->Run(inputs);
    ASSERT_TRUE(x && y);
    EXPECT_EQ(0, std::memcmp(x->at(0).tensor.data(), y->at(0).tensor.data(), x->at(0).tensor.byte_size()));
    EXPECT_EQ(x->at(0).tensor.shape(), y->at(0).tensor.shape());
  }
}

TEST(Annotate, ErrorsAreThoseOfTheCheck) {
  const std::string text = "no model";
  EXPECT_FALSE(AnnotateModel(std::as_bytes(std::span(text)), "m.onnx"));
  const std::string bytes = Pooled().Serialize();
  ExpectError(AnnotateModel(std::as_bytes(std::span(bytes)), "m.onnx", {.dims = {{"K", 1}}}),
              ErrorCode::kInvalidArgument, {"'m.onnx': it has no symbolic dimension 'K'; it has 'N'"});
}

}  // namespace
}  // namespace supremum::test
