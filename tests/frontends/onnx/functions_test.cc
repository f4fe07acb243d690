// Model-local functions, which are judged and executed for each call.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <type_traits>

#include "frontends/onnx/check_testing.h"
#include "support/named.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A function of the domain "local", with ONNX's opset 13.
onnx::FunctionProto* AddFunction(ModelBuilder& builder, const std::string& name,
                                 const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs, std::int64_t opset = 13) {
  onnx::FunctionProto* function = builder.model().add_functions();
  function->set_name(name);
  function->set_domain("local");
  for (const std::string& input : inputs) function->add_input(input);
  for (const std::string& output : outputs) function->add_output(output);
  function->add_opset_import()->set_version(opset);
  onnx::OperatorSetIdProto* local = function->add_opset_import();
  local->set_domain("local");
  local->set_version(1);
  return function;
}

onnx::NodeProto& Call(ModelBuilder& builder, const std::string& function,
                      const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                      const std::string& name = "") {
  onnx::NodeProto& node = builder.Node(function, inputs, outputs, name);
  node.set_domain("local");
  return node;
}

template <class Owner>
onnx::NodeProto& CallIn(Owner* owner, const std::string& function, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  onnx::NodeProto& node = ModelBuilder::AddNode(owner, function, inputs, outputs);
  node.set_domain("local");
  return node;
}

void ReferTo(onnx::NodeProto& node, const std::string& name, onnx::AttributeProto::AttributeType type,
             const std::string& of_caller) {
  ModelBuilder::Attribute(node, name, type).set_ref_attr_name(of_caller);
}

template <class... Named>
std::vector<NamedTensor> Inputs(Named... named) {
  std::vector<NamedTensor> inputs;
  (inputs.push_back(std::move(named)), ...);
  return inputs;
}

// States a default, as IR version 9 and later can: field 11 of a function, which older onnx libraries do not
// know.
void SetDefault(onnx::FunctionProto* function, const onnx::AttributeProto& attribute) {
  std::string field;
  {
    google::protobuf::io::StringOutputStream text(&field);
    google::protobuf::io::CodedOutputStream coded(&text);
    coded.WriteTag(11 << 3 | 2);
    coded.WriteVarint32(static_cast<std::uint32_t>(attribute.ByteSizeLong()));
    coded.WriteString(attribute.SerializeAsString());
  }
  ASSERT_TRUE(function->MergeFromString(field));
}

onnx::AttributeProto IntDefault(const std::string& name, std::int64_t value) {
  onnx::AttributeProto attribute;
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
  return attribute;
}

// States an overload, as IR version 10 and later can: field 8 of a node, 13 of a function, which older onnx
// libraries do not know.
template <class Message>
void SetOverload(Message* message, const std::string& overload) {
  const int number = std::is_same_v<Message, onnx::NodeProto> ? 8 : 13;
  const std::string field = std::string(1, static_cast<char>(number << 3 | 2)) +
                            std::string(1, static_cast<char>(overload.size())) + overload;
  ASSERT_TRUE(message->MergeFromString(field));
}

ModelBuilder WithLocal() {
  ModelBuilder builder(13);
  builder.Opset("local", 1);
  return builder;
}

TEST(CheckFunctions, ABodyIsJudgedWithTheCallersTypesAndShapes) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Input("b", kFloat, {3}).Output("y", kFloat, {2, 3});
  ModelBuilder::AddNode(AddFunction(builder, "f", {"p", "q"}, {"r"}), "Max", {"p", "q"}, {"r"});
  Call(builder, "f", {"a", "b"}, {"y"}, "fuse");
  const CheckReport report = Checked(builder, kSonnx);
  ASSERT_EQ(report.nodes.size(), 1u);
  EXPECT_EQ(report.nodes[0].scope, "function 'f', called by node 'fuse' (f)");
  EXPECT_EQ(report.nodes[0].node.index, 0u);
  EXPECT_TRUE(report.Holds()) << Found(report, "PRO-2");
  EXPECT_EQ(Found(report, "BRO-2"), "holds: the common shape is [2,3]");
  EXPECT_TRUE(report.notes.empty());
}

TEST(CheckFunctions, EachCallIsJudged) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Input("b", kFloat, {4}).Output("z", kFloat, std::nullopt);
  ModelBuilder::AddNode(AddFunction(builder, "f", {"p", "q"}, {"r"}), "Max", {"p", "q"}, {"r"});
  Call(builder, "f", {"a", "a"}, {"y"}, "right");
  Call(builder, "f", {"y", "b"}, {"z"}, "wrong");
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_EQ(VerdictsOf(report, 0)["BRO-2"], "holds");
  ExpectFails(report, "BRO-2", {"input 'y'", "[2,3]", "input 'b'", "[4]"}, 1);
  EXPECT_EQ(report.nodes[1].scope, "function 'f', called by node 'wrong' (f)");
}

TEST(CheckFunctions, AttributesComeFromTheCall) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, {2}).Output("z", kFloat, {1, 1});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
  function->add_attribute("dims");
  function->add_attribute("keep");
  onnx::NodeProto& node = ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"r"});
  ReferTo(node, "axes", onnx::AttributeProto::INTS, "dims");
  ReferTo(node, "keepdims", onnx::AttributeProto::INT, "keep");
  onnx::NodeProto& call = Call(builder, "f", {"a"}, {"y"});
  ModelBuilder::SetInts(call, "dims", {1});
  ModelBuilder::SetInt(call, "keep", 0);
  Call(builder, "f", {"a"}, {"z"});
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(Found(report, "RED-5", 0), "holds: the axes are [1]");
  EXPECT_THAT(Found(report, "E2", 0), HasSubstr("computed as [2]"));
  EXPECT_EQ(Found(report, "RED-5", 1), "holds: no axes are given: all dimensions are reduced");
}

TEST(CheckFunctions, ADefaultOfTheFunctionIsTakenWhereTheCallGivesNoValue) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, {}).Output("z", kFloat, {1, 1});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
  SetDefault(function, IntDefault("keep", 0));
  ReferTo(ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"r"}), "keepdims", onnx::AttributeProto::INT,
          "keep");
  Call(builder, "f", {"a"}, {"y"});
  ModelBuilder::SetInt(Call(builder, "f", {"a"}, {"z"}), "keep", 1);
  const CheckReport report = Checked(builder);
  EXPECT_THAT(Found(report, "E2", 0), HasSubstr("computed as []"));
  EXPECT_THAT(Found(report, "E2", 1), HasSubstr("computed as [1,1]"));
  const Result<Model> model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  const auto outputs = model->Run(Inputs(Named<float>("a", {2, 3}, {1, 8, 3, 4, 2, 6})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(ToString(outputs->at(0).tensor.shape()), "[]");
  EXPECT_EQ(ToString(outputs->at(1).tensor.shape()), "[1,1]");
}

TEST(CheckFunctions, ADefaultMayBeAGraphWithNamesOfItsOwn) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2}).Input("c", onnx::TensorProto::BOOL, {}).Output("y", kFloat, {2});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p", "q"}, {"r"});
  onnx::AttributeProto branch;
  branch.set_name("branch");
  branch.set_type(onnx::AttributeProto::GRAPH);
  branch.mutable_g()->set_name("g");
  onnx::NodeProto& constant = ModelBuilder::AddNode(branch.mutable_g(), "Constant", {}, {"t"});
  *ModelBuilder::Attribute(constant, "value", onnx::AttributeProto::TENSOR).mutable_t() =
      MakeTensorProto<float>("", kFloat, {2}, {1, 2});
  ModelBuilder::AddNode(branch.mutable_g(), "Max", {"t", "t"}, {"s"});
  branch.mutable_g()->add_output()->set_name("s");
  SetDefault(function, branch);
  onnx::NodeProto& choose = ModelBuilder::AddNode(function, "If", {"q"}, {"r"});
  ReferTo(choose, "then_branch", onnx::AttributeProto::GRAPH, "branch");
  ReferTo(choose, "else_branch", onnx::AttributeProto::GRAPH, "branch");
  Call(builder, "f", {"a", "c"}, {"y"});
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_EQ(Found(report, "BRO-2", 0), "holds: the common shape is [2]");
  EXPECT_EQ(Found(report, "BRO-2", 1), "holds: the common shape is [2]");
}

TEST(CheckFunctions, ADefaultThatIsNoAttributeIsMalformed) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
  ModelBuilder::AddNode(function, "Max", {"p"}, {"r"});
  Call(builder, "f", {"a"}, {"y"});
  std::string field = {11 << 3 | 2, 1, 7};
  if (!function->MergeFromString(field)) GTEST_SKIP() << "this onnx library reads defaults itself";
  ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, {"function 'f'", "default", "attribute"});
}

// The list is not empty because no call gives it.
TEST(CheckFunctions, AConstantWhoseElementsNoCallGivesIsUndecided) {
  for (const bool called : {false, true}) {
    SCOPED_TRACE(called);
    ModelBuilder builder(18);
    builder.Opset("local", 1).Input("a", kFloat, {2, 3}).Output("y", kFloat, {7, 7});
    onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"}, 18);
    ReferTo(ModelBuilder::AddNode(function, "Constant", {}, {"axes"}), "value_ints",
            onnx::AttributeProto::INTS, "dims");
    ReferTo(ModelBuilder::AddNode(function, "Constant", {}, {"floor"}), "value_floats",
            onnx::AttributeProto::FLOATS, "least");
    ReferTo(ModelBuilder::AddNode(function, "Constant", {}, {"top"}), "value", onnx::AttributeProto::TENSOR,
            "most");
    ModelBuilder::AddNode(function, "ReduceMax", {"p", "axes"}, {"s"});
    ModelBuilder::AddNode(function, "Max", {"s", "floor", "top"}, {"r"});
    if (called) {
      Call(builder, "f", {"a"}, {"y"});
    } else {
      builder.Node("Identity", {"a"}, {"y"});
    }
    const CheckReport report = Checked(builder);
    ASSERT_EQ(report.nodes.size(), 2u);
    EXPECT_EQ(report.Count(Verdict::kFails), 0u);
    EXPECT_THAT(Found(report, "RED-5", 0), HasSubstr("the axes are the input"));
    EXPECT_THAT(Found(report, "BRO-2", 1), HasSubstr("undecided: "));
    if (called) {
      EXPECT_THAT(Found(report, "E2", 1), HasSubstr("undecided: "));
    }
  }
}

TEST(CheckFunctions, AReferenceThatNothingDeclaresIsUndecided) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
  ReferTo(ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"r"}), "keepdims", onnx::AttributeProto::INT,
          "keep");
  Call(builder, "f", {"a"}, {"y"});
  EXPECT_THAT(Found(Checked(builder), "RED-5"),
              HasSubstr("undecided: the attribute 'keepdims' takes its value"));
}

TEST(CheckFunctions, CallsInFunctionsAreFollowed) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3});
  onnx::FunctionProto* outer = AddFunction(builder, "outer", {"p"}, {"r"});
  CallIn(outer, "inner", {"p"}, {"t"});
  CallIn(outer, "inner", {"t"}, {"r"});
  ModelBuilder::AddNode(AddFunction(builder, "inner", {"p"}, {"r"}), "Max", {"p", "p"}, {"r"});
  Call(builder, "outer", {"a"}, {"y"}, "top");
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(report.nodes[1].scope,
            "function 'inner', called by node #1 (inner, output 'y') in function 'outer', called by node "
            "'top' (outer)");
}

TEST(CheckFunctions, TheOnnxLibraryInfersThroughThem) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Input("f#0.t", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p", "q"}, {"r"});
  ModelBuilder::AddNode(function, "Relu", {"p"}, {"t"});
  ModelBuilder::AddNode(function, "Max", {"t", "q"}, {"r"});
  Call(builder, "f", {"a", "f#0.t"}, {"s"});
  builder.Node("Relu", {"s"}, {"u"});
  builder.Node("Max", {"u", "a"}, {"y"});
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds()) << Found(report, "TYP-2") << Found(report, "TYP-2", 1);
  EXPECT_EQ(report.nodes[0].node.inputs[0], "f#0.t'") << "another value has the name that it would have";
  EXPECT_EQ(report.nodes[0].node.index, 1u);
  EXPECT_EQ(report.nodes[1].node.index, 2u) << "as in the model's own graph";
}

TEST(CheckFunctions, OfAValueInThemNothingCanBeStated) {
  ModelBuilder builder = WithLocal();
  builder.Opset("com.example", 1).Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
  ModelBuilder::AddNode(function, "Fancy", {"p"}, {"t"}).set_domain("com.example");
  ModelBuilder::AddNode(function, "Max", {"t", "p"}, {"r"});
  Call(builder, "f", {"a"}, {"y"});
  EXPECT_THAT(Found(Checked(builder), "TYP-2"),
              AllOf(HasSubstr("undecided: the type of input 'f#0.t' is not known"),
                    HasSubstr("write the function's nodes into the graph"), Not(HasSubstr("value_info"))));
  builder.model().mutable_graph()->clear_node();
  builder.Node("Relu", {"a"}, {"y"});
  EXPECT_THAT(Found(Checked(builder), "TYP-2"), HasSubstr("call the function"));
}

TEST(CheckFunctions, TheirSubgraphsHaveNamesOfTheirOwn) {
  ModelBuilder builder = WithLocal();
  builder.Input("c", onnx::TensorProto::BOOL, {}).Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"cond", "p", "q"}, {"r"});
  onnx::NodeProto& choose = ModelBuilder::AddNode(function, "If", {"cond"}, {"r"}, "choose");
  for (const char* name : {"then_branch", "else_branch"}) {
    onnx::GraphProto* graph = ModelBuilder::Attribute(choose, name, onnx::AttributeProto::GRAPH).mutable_g();
    graph->set_name(name);
    // A value of the subgraph with the name of a value of the caller, which both parameters are.
    ModelBuilder::AddNode(graph, "Max", {"q", "q"}, {"a"});
    ModelBuilder::AddNode(graph, "Max", {"a", "q"}, {"s"});
    graph->add_output()->set_name("s");
  }
  Call(builder, "f", {"c", "a", "a"}, {"y"}, "top");
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 4u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(report.nodes[1].node.inputs, (std::vector<std::string>{"f#0.a", "a"}));
  EXPECT_EQ(report.nodes[0].scope,
            "function 'f', called by node 'top' (f), node 'choose' (If), attribute 'then_branch'");
}

TEST(CheckFunctions, AnInputThatIsAnOutputKeepsItsTypeAndShape) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"p", "r", "r"});
  ModelBuilder::AddNode(function, "Max", {"p"}, {"r"});
  Call(builder, "f", {"a"}, {"b", "c", "d"});
  builder.Node("Max", {"b", "c", "d"}, {"y"});
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(report.nodes[1].node.index, 1u);
}

TEST(CheckFunctions, OneOfAnotherOpsetHasItsOperatorsVersions) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, {2, 3});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"}, 7);
  ModelBuilder::AddNode(function, "Relu", {"p"}, {"t"});
  ModelBuilder::AddNode(function, "Max", {"t", "p"}, {"r"});
  Call(builder, "f", {"a"}, {"y"});
  const CheckReport report = Checked(builder);
  EXPECT_EQ(report.nodes.at(0).node.version, 6);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("a function imports another opset than the model"));
}

TEST(CheckFunctions, ACallWithTooManyInputsOrOutputsIsMalformed) {
  for (const bool inputs : {true, false}) {
    ModelBuilder builder = WithLocal();
    builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
    ModelBuilder::AddNode(AddFunction(builder, "f", {"p"}, {"r"}), "Max", {"p"}, {"r"});
    Call(builder, "f", inputs ? std::vector<std::string>{"a", "a"} : std::vector<std::string>{"a"},
         inputs ? std::vector<std::string>{"y"} : std::vector<std::string>{"y", "z"}, "call");
    ExpectError(TryCheck(builder), ErrorCode::kMalformedFile,
                {"node 'call' (f)", inputs ? "2 inputs and takes 1 output" : "1 input and takes 2 outputs",
                 "the function has 1 and 1"});
  }
}

// Two calls in each of 40 functions: 2^40 nodes.
ModelBuilder MultiplyingCalls() {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  for (int i = 0; i < 40; ++i) {
    onnx::FunctionProto* function = AddFunction(builder, "f" + std::to_string(i), {"p"}, {"r"});
    const std::string next = "f" + std::to_string(i + 1);
    CallIn(function, next, {"p"}, {"t"});
    CallIn(function, next, {"t"}, {"r"});
  }
  ModelBuilder::AddNode(AddFunction(builder, "f40", {"p"}, {"r"}), "Max", {"p"}, {"r"});
  Call(builder, "f0", {"a"}, {"y"});
  return builder;
}

TEST(CheckFunctions, CallsThatMultiplyAreALimit) {
  CheckOptions options;
  options.max_bytes = std::int64_t{1} << 24;
  ExpectError(
      TryCheck(MultiplyingCalls(), options), ErrorCode::kLimitExceeded,
      {"'m.onnx': its functions, written out for each call, take more than the limit of 16777216 bytes"});
}

// An empty tensor has two bytes in the file, and hundreds in memory.
TEST(CheckFunctions, WhatCopiedNodesTakeInMemoryIsALimit) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
  ModelBuilder::AddNode(function, "Relu", {"p"}, {"r"});
  onnx::AttributeProto& many = *function->mutable_node(0)->add_attribute();
  many.set_name("many");
  many.set_type(onnx::AttributeProto::TENSORS);
  for (int k = 0; k < 1000; ++k) many.add_tensors();
  for (int i = 0; i < 100; ++i) Call(builder, "f", {"a"}, {i == 0 ? "y" : "t" + std::to_string(i)});
  EXPECT_TRUE(TryCheck(builder, {.max_bytes = 64'000'000}));
  ExpectError(TryCheck(builder, {.max_bytes = 4'000'000}), ErrorCode::kLimitExceeded,
              {"its functions, written out for each call, take more than the limit"});
}

TEST(CheckFunctions, AChainOfCallsIsALimit) {
  for (const int length : {99, 100, 5000}) {
    ModelBuilder builder = WithLocal();
    builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
    for (int i = 0; i < length; ++i) {
      onnx::FunctionProto* function = AddFunction(builder, "f" + std::to_string(i), {"p"}, {"r"});
      CallIn(function, "f" + std::to_string(i + 1), {"p"}, {"r"});
    }
    ModelBuilder::AddNode(AddFunction(builder, "f" + std::to_string(length), {"p"}, {"r"}), "Max", {"p"},
                          {"r"});
    Call(builder, "f0", {"a"}, {"y"});
    if (length == 99) {
      EXPECT_TRUE(Checked(builder).Holds());
    } else {
      ExpectError(TryCheck(builder), ErrorCode::kLimitExceeded, {"nested deeper than 100"});
    }
  }
}

// Rules: MAX-2, RED-1
TEST(RunFunctions, EachCallIsExecutedWithItsInputsAndAttributes) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2, 3})
      .Input("b", kFloat, {3})
      .Output("y", kFloat, {2})
      .Output("z", kFloat, {3});
  onnx::FunctionProto* outer = AddFunction(builder, "largest", {"p", "q"}, {"r"});
  outer->add_attribute("dims");
  ModelBuilder::AddNode(outer, "Max", {"p", "q"}, {"t"});
  ReferTo(CallIn(outer, "reduce", {"t"}, {"r"}), "dims", onnx::AttributeProto::INTS, "dims");
  onnx::FunctionProto* inner = AddFunction(builder, "reduce", {"p"}, {"r"});
  inner->add_attribute("dims");
  onnx::NodeProto& node = ModelBuilder::AddNode(inner, "ReduceMax", {"p"}, {"r"});
  ReferTo(node, "axes", onnx::AttributeProto::INTS, "dims");
  ModelBuilder::SetInt(node, "keepdims", 0);
  ModelBuilder::SetInts(Call(builder, "largest", {"a", "b"}, {"y"}), "dims", {1});
  ModelBuilder::SetInts(Call(builder, "largest", {"a", "b"}, {"z"}), "dims", {0});
  const Result<Model> model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->nodes().size(), 4u);
  const auto outputs =
      model->Run(Inputs(Named<float>("a", {2, 3}, {1, 8, 3, 4, 2, 6}), Named<float>("b", {3}, {2, 2, 5})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->at(0)), ::testing::ElementsAre(8, 6));
  EXPECT_THAT(Values<float>(outputs->at(1)), ::testing::ElementsAre(4, 8, 6));
}

TEST(RunFunctions, AnErrorNamesNodeFunctionAndCall) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, std::nullopt).Input("b", kFloat, std::nullopt).Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p", "q"}, {"r"});
  ModelBuilder::AddNode(function, "Identity", {"p"}, {"t"});
  ModelBuilder::AddNode(function, "Max", {"t", "q"}, {"r"});
  Call(builder, "f", {"a", "b"}, {"y"}, "fuse");
  const Result<Model> model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  ExpectError(model->Run(Inputs(Named<float>("a", {2}, {1, 2}), Named<float>("b", {3}, {1, 2, 3}))),
              ErrorCode::kNotBroadcastable,
              {"node #1 (Max, output 'y') in function 'f', called by node 'fuse' (f)", "'f#0.t'", "'b'"});
  ModelBuilder::AddNode(function, "Relu", {"q"}, {"s"});
  ExpectError(
      Parsed(builder)->Run({}), ErrorCode::kUnsupportedOperator,
      {"node #2 (Relu, output 'f#0.s') in function 'f', called by node 'fuse' (f)", "is not executed"});
}

// ONNX allows value_info of names that no value has.
TEST(RunFunctions, AStatementAboutNoValueIsNotTakenForOneOfAFunction) {
  ModelBuilder builder = WithLocal();
  builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  builder.ValueInfo("f#0.t", onnx::TensorProto::INT32, {7});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
  ModelBuilder::AddNode(function, "Identity", {"p"}, {"t"});
  ModelBuilder::AddNode(function, "Max", {"t"}, {"r"});
  Call(builder, "f", {"a"}, {"y"});
  EXPECT_TRUE(Checked(builder).Holds());
  const Result<Model> model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  const auto outputs = model->Run(Inputs(Named<float>("a", {2}, {1, 2})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->at(0)), ::testing::ElementsAre(1, 2));
}

TEST(RunFunctions, AnAttributeThatNoCallGivesIsAnError) {
  for (const bool constant : {false, true}) {
    ModelBuilder builder = WithLocal();
    builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
    onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
    if (constant) {
      onnx::NodeProto& node = ModelBuilder::AddNode(function, "Constant", {}, {"c"});
      ReferTo(node, "value_float", onnx::AttributeProto::FLOAT, "least");
      ModelBuilder::AddNode(function, "Max", {"p", "c"}, {"r"});
    } else {
      onnx::NodeProto& node = ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"r"});
      ReferTo(node, "keepdims", onnx::AttributeProto::INT, "least");
    }
    Call(builder, "f", {"a"}, {"y"});
    ExpectError(Parsed(builder), ErrorCode::kMalformedFile,
                {constant ? "the attribute 'value_float'" : "the attribute 'keepdims'",
                 "in function 'f', called by", "give it in the call"});
  }
}

TEST(RunFunctions, OneOfAnotherOpsetHasItsOperatorsVersions) {
  ModelBuilder builder(18);
  builder.Opset("local", 1).Input("a", kFloat, {2, 3}).Output("y", kFloat, {1, 3});
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"}, 13);
  ModelBuilder::SetInts(ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"r"}), "axes", {0});
  Call(builder, "f", {"a"}, {"y"});
  const Result<Model> model = Parsed(builder);
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->nodes().at(0).version, 13);
  const auto outputs = model->Run(Inputs(Named<float>("a", {2, 3}, {1, 8, 3, 4, 2, 6})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_THAT(Values<float>(outputs->at(0)), ::testing::ElementsAre(4, 8, 6));
}

// ONNX's own domain has two names.
TEST(RunFunctions, TheNamesOfOnnxsDomainAreOne) {
  for (const auto& [domain, of_call] : {std::pair("", "ai.onnx"), std::pair("ai.onnx", "")}) {
    ModelBuilder builder = WithLocal();
    builder.Input("a", kFloat, {2}).Output("y", kFloat, {2});
    onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"r"});
    function->set_domain(domain);
    ModelBuilder::AddNode(function, "Max", {"p"}, {"r"});
    builder.Node("f", {"a"}, {"y"}).set_domain(of_call);
    const Result<Model> model = Parsed(builder);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE(model->Run(Inputs(Named<float>("a", {2}, {1, 2}))));
    EXPECT_EQ(model->contents().functions.at(0).calls, 1u);
  }
}

TEST(RunFunctions, CallsThatMultiplyAreALimit) {
  LoadOptions options;
  options.max_bytes = std::int64_t{1} << 24;
  ExpectError(Parsed(MultiplyingCalls(), options), ErrorCode::kLimitExceeded,
              {"its functions, written out for each call"});
}

// Of IR version 10: a function is found by domain, name and overload.
ModelBuilder WithOverloads() {
  ModelBuilder builder(13, 10);
  builder.Opset("local", 1).Input("a", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
  for (const std::int64_t axis : {0, 1}) {
    onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"q"});
    SetOverload(function, axis == 0 ? "rows" : "columns");
    ModelBuilder::SetInts(ModelBuilder::AddNode(function, "ReduceMax", {"p"}, {"q"}), "axes", {axis});
  }
  return builder;
}

TEST(RunFunctions, TheOverloadThatACallNamesIsExecuted) {
  for (const bool rows : {true, false}) {
    ModelBuilder builder = WithOverloads();
    SetOverload(&Call(builder, "f", {"a"}, {"y"}), rows ? "rows" : "columns");
    const CheckReport report = Checked(builder);
    ASSERT_EQ(report.nodes.size(), 2u) << "one called, one not";
    EXPECT_THAT(report.nodes[0].scope, HasSubstr(rows ? "function 'f' (overload 'rows'), called by"
                                                      : "function 'f' (overload 'columns'), called by"));
    EXPECT_THAT(report.nodes[1].scope, Not(HasSubstr("called by")));
    const Result<Model> model = Parsed(builder);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->contents().functions[0].calls, rows ? 1u : 0u);
    const auto outputs = model->Run(Inputs(Named<float>("a", {2, 3}, {1, 2, 3, 4, 5, 6})));
    ASSERT_TRUE(outputs) << outputs.error().message;
    EXPECT_EQ(Values<float>(outputs->at(0)),
              rows ? (std::vector<float>{4, 5, 6}) : (std::vector<float>{3, 6}));
  }
}

TEST(RunFunctions, AnOverloadMayCallAnotherOverloadOfItsName) {
  ModelBuilder builder = WithOverloads();
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"q"});
  SetOverload(&CallIn(function, "f", {"p"}, {"t"}), "rows");
  SetOverload(&CallIn(function, "f", {"t"}, {"q"}), "columns");
  Call(builder, "f", {"a"}, {"y"});
  EXPECT_TRUE(Checked(builder).Holds());
  const auto outputs = Parsed(builder)->Run(Inputs(Named<float>("a", {2, 3}, {1, 2, 3, 4, 5, 6})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(Values<float>(outputs->at(0)), std::vector<float>{6});
}

TEST(CheckFunctions, ACallOfAnOverloadThatTheModelDoesNotHaveIsMalformed) {
  const auto refused = [](const ModelBuilder& builder, const std::vector<std::string>& parts) {
    ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, parts);
    ExpectError(Parsed(builder), ErrorCode::kMalformedFile, parts);
  };
  ModelBuilder other = WithOverloads();
  SetOverload(&Call(other, "f", {"a"}, {"y"}, "here"), "diagonals");
  refused(other,
          {"'m.onnx': node 'here' (f)", "overload 'diagonals' of function 'f'", "'rows'", "'columns'"});

  ModelBuilder none = WithOverloads();
  Call(none, "f", {"a"}, {"y"});
  refused(none, {"function 'f'", "without an overload"});

  ModelBuilder inner = WithOverloads();
  onnx::FunctionProto* function = AddFunction(inner, "g", {"p"}, {"q"});
  SetOverload(&CallIn(function, "f", {"p"}, {"q"}), "diagonals");
  SetOverload(&Call(inner, "f", {"a"}, {"y"}), "rows");
  refused(inner, {"function 'g'", "overload 'diagonals' of function 'f'"});

  // An overload is of a function of the model; no operator of ONNX has one.
  ModelBuilder max(13);
  max.Input("a", kFloat, {2}).Output("y", kFloat, {2});
  SetOverload(&max.Node("Max", {"a"}, {"y"}), "fast");
  refused(max, {"overload 'fast' of function 'Max'", "no function of that name"});
}

TEST(CheckFunctions, TwoFunctionsOfOneNameAndOverloadAreMalformed) {
  for (const bool overload : {true, false}) {
    ModelBuilder builder = WithOverloads();
    SetOverload(&Call(builder, "f", {"a"}, {"y"}), "rows");
    onnx::FunctionProto* function = AddFunction(builder, overload ? "f" : "g", {"p"}, {"q"});
    ModelBuilder::AddNode(function, "Max", {"p"}, {"q"});
    if (overload) SetOverload(function, "rows");
    if (!overload) *builder.model().add_functions() = *function;
    ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, {"two functions", overload ? "'f'" : "'g'"});
    ExpectError(Parsed(builder), ErrorCode::kMalformedFile, {"two functions"});
  }
}

TEST(CheckFunctions, AnOverloadThatCallsItselfIsMalformed) {
  ModelBuilder builder = WithOverloads();
  onnx::FunctionProto* function = AddFunction(builder, "f", {"p"}, {"q"});
  SetOverload(function, "self");
  SetOverload(&CallIn(function, "f", {"p"}, {"q"}), "self");
  SetOverload(&Call(builder, "f", {"a"}, {"y"}), "rows");
  ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, {"a function must not call itself"});
}

// An operator of ONNX may have functions of its name.
TEST(CheckFunctions, AnOperatorOfTheNameOfAnOverloadIsNoCall) {
  ModelBuilder builder(13, 10);
  builder.Input("a", kFloat, {2, 3}).Output("y", kFloat, std::nullopt);
  onnx::FunctionProto* function = AddFunction(builder, "Relu", {"p"}, {"q"});
  function->set_domain("");
  SetOverload(function, "other");
  ModelBuilder::AddNode(function, "Max", {"p"}, {"q"});
  builder.Node("Relu", {"a"}, {"r"});
  builder.Node("Max", {"r", "a"}, {"y"});
  EXPECT_TRUE(TryCheck(builder));
}

}  // namespace
}  // namespace supremum::test
