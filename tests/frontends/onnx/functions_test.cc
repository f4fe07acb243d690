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

NamedTensor A() { return Named<float>("a", {2, 3}, {1, 8, 3, 4, 2, 6}); }

// The elements of each output of a run with `inputs`.
std::vector<std::vector<float>> RunOf(const ModelBuilder& builder, const std::vector<NamedTensor>& inputs) {
  std::vector<std::vector<float>> elements;
  const Result<Model> model = Parsed(builder);
  const auto outputs = model ? model->Run(inputs) : Result<std::vector<NamedTensor>>(model.error());
  EXPECT_TRUE(outputs) << outputs.error().message;
  if (!outputs) return elements;
  for (const NamedTensor& output : *outputs) elements.push_back(Values<float>(output));
  return elements;
}

// States a default, as IR version 9 and later can: field 11 of a function, which older onnx libraries do not
// know.
void SetDefault(ModelBuilder& builder, const onnx::AttributeProto& attribute) {
  std::string field;
  {
    google::protobuf::io::StringOutputStream text(&field);
    google::protobuf::io::CodedOutputStream coded(&text);
    coded.WriteTag(11 << 3 | 2);
    coded.WriteVarint32(static_cast<std::uint32_t>(attribute.ByteSizeLong()));
    coded.WriteString(attribute.SerializeAsString());
  }
  ASSERT_TRUE(builder.model().mutable_functions(0)->MergeFromString(field));
}

TEST(CheckFunctions, ABodyIsJudgedWithTheCallersTypesAndShapes) {
  const CheckReport report = Checked(TextModel(R"((float[2,3] a, float[3] b) => (float[2,3] y) {
    y = local.f(a, b) }
    FN f (p, q) => (r) { r = Max(p, q) })"),
                                     kSonnx);
  ASSERT_EQ(report.nodes.size(), 1u);
  EXPECT_EQ(report.nodes[0].scope, "function 'f', called by node #0 (f, output 'y')");
  EXPECT_EQ(report.nodes[0].node.index, 0u);
  EXPECT_TRUE(report.Holds()) << Found(report, "PRO-2");
  EXPECT_EQ(Found(report, "BRO-2"), "holds: the common shape is [2,3]");
  EXPECT_TRUE(report.notes.empty());
}

TEST(CheckFunctions, EachCallIsJudged) {
  const CheckReport report = Checked(TextModel(R"((float[2,3] a, float[4] b) => (float[] z) {
    y = local.f(a, a)
    z = local.f(y, b) }
    FN f (p, q) => (r) { r = Max(p, q) })"));
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_EQ(VerdictsOf(report, 0)["BRO-2"], "holds");
  ExpectFails(report, "BRO-2", {"input 'y'", "[2,3]", "input 'b'", "[4]"}, 1);
  EXPECT_EQ(report.nodes[1].scope, "function 'f', called by node #1 (f, output 'z')");
}

TEST(CheckFunctions, AttributesComeFromTheCall) {
  const CheckReport report = Checked(TextModel(R"((float[2,3] a) => (float[2] y, float[1,1] z) {
    y = local.f <dims = [1], keep = 0> (a)
    z = local.f(a) }
    FN f <dims, keep> (p) => (r) { r = ReduceMax <axes : ints = @dims, keepdims : int = @keep> (p) })"));
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(Found(report, "RED-5", 0), "holds: the axes are [1]");
  EXPECT_THAT(Found(report, "E2", 0), HasSubstr("computed as [2]"));
  EXPECT_EQ(Found(report, "RED-5", 1), "holds: no axes are given: all dimensions are reduced");
}

TEST(CheckFunctions, ADefaultOfTheFunctionIsTakenWhereTheCallGivesNoValue) {
  ModelBuilder builder = TextModel(R"((float[2,3] a) => (float y, float[1,1] z) {
    y = local.f(a)
    z = local.f <keep = 1> (a) }
    FN f (p) => (r) { r = ReduceMax <keepdims : int = @keep> (p) })");
  onnx::NodeProto with;
  ModelBuilder::SetInt(with, "keep", 0);
  SetDefault(builder, with.attribute(0));
  const CheckReport report = Checked(builder);
  EXPECT_THAT(Found(report, "E2", 0), HasSubstr("computed as []"));
  EXPECT_THAT(Found(report, "E2", 1), HasSubstr("computed as [1,1]"));
  const auto outputs = Parsed(builder)->Run(List(A()));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(ToString(outputs->at(0).tensor.shape()), "[]");
  EXPECT_EQ(ToString(outputs->at(1).tensor.shape()), "[1,1]");
}

TEST(CheckFunctions, ADefaultMayBeAGraphWithNamesOfItsOwn) {
  ModelBuilder builder = TextModel(R"((float[2] a, bool c) => (float[2] y) { y = local.f(a, c) }
    FN f (p, q) => (r) {
      r = If <then_branch : graph = @branch, else_branch : graph = @branch> (q) })");
  ModelBuilder with = TextModel(R"((float[2] a) => (float[2] y) {
    y = F <branch = g () => (float[2] s) { t = Constant <value = float[2] {1, 2}> () s = Max(t, t) }> (a) })");
  SetDefault(builder, with.model().graph().node(0).attribute(0));
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_EQ(Found(report, "BRO-2", 0), "holds: the common shape is [2]");
  EXPECT_EQ(Found(report, "BRO-2", 1), "holds: the common shape is [2]");
}

TEST(CheckFunctions, ADefaultThatIsNoAttributeIsMalformed) {
  ModelBuilder builder = TextModel(R"((float[2,3] a) => (float[] y) { y = local.f(a) }
    FN f (p) => (r) { r = Max(p) })");
  std::string field = {11 << 3 | 2, 1, 7};
  if (!builder.model().mutable_functions(0)->MergeFromString(field))
    GTEST_SKIP() << "this onnx library reads defaults itself";
  ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, {"function 'f'", "default", "attribute"});
}

// The list is not empty because no call gives it.
TEST(CheckFunctions, AConstantWhoseElementsNoCallGivesIsUndecided) {
  for (const std::string call : {"local.f", "Identity"}) {
    SCOPED_TRACE(call);
    const CheckReport report = Checked(TextModel("(float[2,3] a) => (float[7,7] y) { y = " + call + R"((a) }
      FN f (p) => (r) {
        axes = Constant <value_ints : ints = @dims> ()
        floor = Constant <value_floats : floats = @least> ()
        top = Constant <value : tensor = @most> ()
        s = ReduceMax(p, axes)
        r = Max(s, floor, top) })",
                                                 18));
    ASSERT_EQ(report.nodes.size(), 2u);
    EXPECT_EQ(report.Count(Verdict::kFails), 0u);
    EXPECT_THAT(Found(report, "RED-5", 0), HasSubstr("the axes are the input"));
    EXPECT_THAT(Found(report, "BRO-2", 1), HasSubstr("undecided: "));
    if (call == "local.f") {
      EXPECT_THAT(Found(report, "E2", 1), HasSubstr("undecided: "));
    }
  }
}

TEST(CheckFunctions, AReferenceThatNothingDeclaresIsUndecidedAndAnErrorOfARun) {
  for (const std::string node :
       {"ReduceMax <keepdims : int = @least> (p)", "Constant <value_float : float = @least> ()"}) {
    const ModelBuilder builder =
        TextModel("(float[2,3] a) => (float[] y) { y = local.f(a) } FN f (p) => (r) { s = " + node +
                  " r = Max(p, s) }");
    const bool reduces = node.starts_with("ReduceMax");
    if (reduces) {
      EXPECT_THAT(Found(Checked(builder), "RED-5"),
                  HasSubstr("undecided: the attribute 'keepdims' takes its value"));
    }
    ExpectError(Parsed(builder), ErrorCode::kMalformedFile,
                {reduces ? "the attribute 'keepdims'" : "the attribute 'value_float'",
                 "in function 'f', called by", "give it in the call"});
  }
}

TEST(CheckFunctions, CallsInFunctionsAreFollowed) {
  const CheckReport report = Checked(TextModel(R"((float[2,3] a) => (float[2,3] y) { y = local.outer(a) }
    FN outer (p) => (r) { t = local.inner(p) r = local.inner(t) }
    FN inner (p) => (r) { r = Max(p, p) })"));
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(report.nodes[1].scope,
            "function 'inner', called by node #1 (inner, output 'y') in function 'outer', called by node #0 "
            "(outer, output 'y')");
}

TEST(CheckFunctions, TheOnnxLibraryInfersThroughThem) {
  ModelBuilder builder = TextModel(R"((float[2,3] a, float[2,3] b) => (float[] y) {
    s = local.f(a, b)
    u = Relu(s)
    y = Max(u, a) }
    FN f (p, q) => (r) { t = Relu(p) r = Max(t, q) })");
  builder.graph()->mutable_input(1)->set_name("f#0.t");
  builder.graph()->mutable_node(0)->set_input(1, "f#0.t");
  const CheckReport report = Checked(builder);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds()) << Found(report, "TYP-2") << Found(report, "TYP-2", 1);
  EXPECT_EQ(report.nodes[0].node.inputs[0], "f#0.t'") << "another value has the name that it would have";
  EXPECT_EQ(report.nodes[0].node.index, 1u);
  EXPECT_EQ(report.nodes[1].node.index, 2u) << "as in the model's own graph";
}

TEST(CheckFunctions, OfAValueInThemNothingCanBeStated) {
  const std::string function = " FN f (p) => (r) { t = other.Fancy(p) r = Max(t, p) }";
  const std::string head = "(float[2,3] a) => (float[2,3] y) ";
  EXPECT_THAT(Found(Checked(TextModel(head + "{ y = local.f(a) }" + function)), "TYP-2"),
              AllOf(HasSubstr("undecided: the type of input 'f#0.t' is not known"),
                    HasSubstr("write the function's nodes into the graph"), Not(HasSubstr("value_info"))));
  EXPECT_THAT(Found(Checked(TextModel(head + "{ y = Relu(a) }" + function)), "TYP-2"),
              HasSubstr("call the function"));
}

TEST(CheckFunctions, TheirSubgraphsHaveNamesOfTheirOwn) {
  // A value of the subgraph with the name of a value of the caller, which both parameters are.
  const std::string branch = "g () => (float[] s) { a = Max(q, q) s = Max(a, q) }";
  const CheckReport report = Checked(TextModel(R"((bool c, float[2,3] a) => (float[2,3] y) {
    y = local.f(c, a, a) }
    FN f (cond, p, q) => (r) { r = If <then_branch = )" +
                                               branch + ", else_branch = " + branch + "> (cond) }"));
  ASSERT_EQ(report.nodes.size(), 4u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(report.nodes[1].node.inputs, (std::vector<std::string>{"f#0.a", "a"}));
  EXPECT_EQ(report.nodes[0].scope,
            "function 'f', called by node #0 (f, output 'y'), node #0 (If, output 'y'), attribute "
            "'then_branch'");
}

TEST(CheckFunctions, AnInputThatIsAnOutputKeepsItsTypeAndShape) {
  const CheckReport report = Checked(TextModel(R"((float[2,3] a) => (float[2,3] y) {
    b, c, d = local.f(a)
    y = Max(b, c, d) }
    FN f (p) => (p, r, r) { r = Max(p) })"));
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_TRUE(report.Holds());
  EXPECT_EQ(report.nodes[1].node.index, 1u);
}

TEST(CheckFunctions, OneOfAnotherOpsetHasItsOperatorsVersions) {
  const CheckReport report = Checked(TextModel(R"((float[2,3] a) => (float[2,3] y) { y = local.f(a) }
    <domain: "local", opset_import: ["" : 7]> f (p) => (r) { t = Relu(p) r = Max(t, p) })"));
  EXPECT_EQ(report.nodes.at(0).node.version, 6);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("a function imports another opset than the model"));
  const ModelBuilder builder = TextModel(R"((float[2,3] a) => (float[1,3] y) { y = local.f(a) }
    <domain: "local", opset_import: ["" : 13]> f (p) => (r) { r = ReduceMax <axes = [0]> (p) })",
                                         18);
  EXPECT_EQ(Parsed(builder)->nodes().at(0).version, 13);
  EXPECT_THAT(RunOf(builder, List(A())), testing::ElementsAre(std::vector<float>{4, 8, 6}));
}

TEST(CheckFunctions, ACallWithTooManyInputsOrOutputsIsMalformed) {
  const std::pair<const char*, const char*> calls[] = {{"y = local.f(a, a)", "2 inputs and takes 1 output"},
                                                       {"y, z = local.f(a)", "1 input and takes 2 outputs"}};
  for (const auto& [call, error] : calls) {
    ExpectError(TryCheck(TextModel("(float[2] a) => (float[2] y) { " + std::string(call) +
                                   " } FN f (p) => (r) { r = Max(p) }")),
                ErrorCode::kMalformedFile, {"node #0 (f, output 'y')", error, "the function has 1 and 1"});
  }
}

// `length` functions, each of which makes the calls of `body` of the next one.
ModelBuilder Chain(int length, const std::string& body) {
  std::string text = "(float[2] a) => (float[2] y) { y = local.f0(a) }";
  for (int i = 0; i < length; ++i) {
    std::string calls = body;
    for (std::size_t at; (at = calls.find("NEXT")) != std::string::npos;)
      calls.replace(at, 4, "local.f" + std::to_string(i + 1));
    text += " FN f" + std::to_string(i) + " (p) => (r) { " + calls + " }";
  }
  return TextModel(text + " FN f" + std::to_string(length) + " (p) => (r) { r = Max(p) }");
}

// Two calls in each of 40 functions: 2^40 nodes.
TEST(CheckFunctions, CallsThatMultiplyAreALimit) {
  const ModelBuilder builder = Chain(40, "t = NEXT(p) r = NEXT(t)");
  const std::string error =
      "'m.onnx': its functions, written out for each call, take more than the limit of 16777216 bytes";
  ExpectError(TryCheck(builder, {.max_bytes = std::int64_t{1} << 24}), ErrorCode::kLimitExceeded, {error});
  ExpectError(Parsed(builder, {.max_bytes = std::int64_t{1} << 24}), ErrorCode::kLimitExceeded, {error});
}

// An empty tensor has two bytes in the file, and hundreds in memory.
TEST(CheckFunctions, WhatCopiedNodesTakeInMemoryIsALimit) {
  std::string calls = "y = local.f(a)";
  for (int i = 1; i < 100; ++i) calls += " t" + std::to_string(i) + " = local.f(a)";
  ModelBuilder builder =
      TextModel("(float[2] a) => (float[2] y) { " + calls + " } FN f (p) => (r) { r = Relu(p) }");
  onnx::NodeProto& node = *builder.model().mutable_functions(0)->mutable_node(0);
  onnx::AttributeProto& many = ModelBuilder::Attribute(node, "many", onnx::AttributeProto::TENSORS);
  for (int k = 0; k < 1000; ++k) many.add_tensors();
  EXPECT_TRUE(TryCheck(builder, {.max_bytes = 64'000'000}));
  ExpectError(TryCheck(builder, {.max_bytes = 4'000'000}), ErrorCode::kLimitExceeded,
              {"its functions, written out for each call, take more than the limit"});
}

TEST(CheckFunctions, AChainOfCallsIsALimit) {
  EXPECT_TRUE(Checked(Chain(99, "r = NEXT(p)")).Holds());
  for (const int length : {100, 5000}) {
    ExpectError(TryCheck(Chain(length, "r = NEXT(p)")), ErrorCode::kLimitExceeded,
                {"nested deeper than 100"});
  }
}

// Rules: MAX-2, RED-1
TEST(RunFunctions, EachCallIsExecutedWithItsInputsAndAttributes) {
  const ModelBuilder builder = TextModel(R"((float[2,3] a, float[3] b) => (float[2] y, float[3] z) {
    y = local.largest <dims = [1]> (a, b)
    z = local.largest <dims = [0]> (a, b) }
    FN largest <dims> (p, q) => (r) { t = Max(p, q) r = local.reduce <dims : ints = @dims> (t) }
    FN reduce <dims> (p) => (r) { r = ReduceMax <axes : ints = @dims, keepdims = 0> (p) })");
  EXPECT_EQ(Parsed(builder)->nodes().size(), 4u);
  EXPECT_THAT(RunOf(builder, List(A(), Named<float>("b", {3}, {2, 2, 5}))),
              testing::ElementsAre(std::vector<float>{8, 6}, std::vector<float>{4, 8, 6}));
}

TEST(RunFunctions, AnErrorNamesNodeFunctionAndCall) {
  const auto model = [](const std::string& more) {
    return Parsed(TextModel(R"((float[] a, float[] b) => (float[] y) { y = local.f(a, b) }
      FN f (p, q) => (r) { t = Identity(p) r = Max(t, q) )" +
                            more + "}"));
  };
  const std::string call = " in function 'f', called by node #0 (f, output 'y')";
  ExpectError(model("")->Run(List(Named<float>("a", {2}, {1, 2}), Named<float>("b", {3}, {1, 2, 3}))),
              ErrorCode::kNotBroadcastable, {"node #1 (Max, output 'y')" + call, "'f#0.t'", "'b'"});
  ExpectError(model("s = Relu(q) ")->Run({}), ErrorCode::kUnsupportedOperator,
              {"node #2 (Relu, output 'f#0.s')" + call, "is not executed"});
}

// ONNX allows value_info of names that no value has.
TEST(RunFunctions, AStatementAboutNoValueIsNotTakenForOneOfAFunction) {
  ModelBuilder builder = TextModel(R"((float[2] a) => (float[2] y) { y = local.f(a) }
    FN f (p) => (r) { t = Identity(p) r = Max(t) })");
  builder.ValueInfo("f#0.t", onnx::TensorProto::INT32, {7});
  EXPECT_TRUE(Checked(builder).Holds());
  EXPECT_THAT(RunOf(builder, List(Named<float>("a", {2}, {1, 2}))),
              testing::ElementsAre(std::vector<float>{1, 2}));
}

// ONNX's own domain has two names.
TEST(RunFunctions, TheNamesOfOnnxsDomainAreOne) {
  for (const auto& [domain, of_call] : {std::pair("", "ai.onnx"), std::pair("ai.onnx", "")}) {
    ModelBuilder builder =
        TextModel("(float[2] a) => (float[2] y) { y = f(a) } FN f (p) => (r) { r = Max(p) }");
    builder.model().mutable_functions(0)->set_domain(domain);
    builder.graph()->mutable_node(0)->set_domain(of_call);
    EXPECT_THAT(RunOf(builder, List(Named<float>("a", {2}, {1, 2}))),
                testing::ElementsAre(std::vector<float>{1, 2}));
  }
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

// Two overloads of 'f', "rows" and "columns", and one more function; `calls` of the graph's node, and of the
// nodes of that function, in this order.
ModelBuilder WithOverloads(const std::string& call, const std::vector<std::string>& calls,
                           const std::string& more = "") {
  ModelBuilder builder = TextModel("(float[2,3] a) => (float[] y) { y = " + call + R"((a) }
    FN f (p) => (r) { r = ReduceMax <axes = [0], keepdims = 0> (p) }
    FN f (p) => (r) { r = ReduceMax <axes = [-1], keepdims = 0> (p) } )" +
                                   more);
  SetOverload(builder.model().mutable_functions(0), "rows");
  SetOverload(builder.model().mutable_functions(1), "columns");
  if (!calls.empty()) SetOverload(builder.graph()->mutable_node(0), calls[0]);
  for (std::size_t i = 1; i < calls.size(); ++i) {
    SetOverload(builder.model().mutable_functions(2)->mutable_node(static_cast<int>(i) - 1), calls[i]);
  }
  return builder;
}

TEST(RunFunctions, TheOverloadThatACallNamesIsExecuted) {
  for (const bool rows : {true, false}) {
    const std::string overload = rows ? "rows" : "columns";
    const ModelBuilder builder = WithOverloads("local.f", {overload});
    const CheckReport report = Checked(builder);
    ASSERT_EQ(report.nodes.size(), 2u) << "one called, one not";
    EXPECT_THAT(report.nodes[0].scope, HasSubstr("function 'f' (overload '" + overload + "'), called by"));
    EXPECT_THAT(report.nodes[1].scope, Not(HasSubstr("called by")));
    EXPECT_EQ(Parsed(builder)->contents().functions[0].calls, rows ? 1u : 0u);
    EXPECT_THAT(RunOf(builder, List(A())),
                testing::ElementsAre(rows ? std::vector<float>{4, 8, 6} : std::vector<float>{8, 6}));
  }
}

TEST(RunFunctions, AnOverloadMayCallAnotherOverloadOfItsName) {
  const ModelBuilder builder =
      WithOverloads("local.f", {"", "rows", "columns"}, "FN f (p) => (r) { t = local.f(p) r = local.f(t) }");
  EXPECT_TRUE(Checked(builder).Holds());
  EXPECT_THAT(RunOf(builder, List(A())), testing::ElementsAre(std::vector<float>{8}));
}

TEST(CheckFunctions, ACallOfAnOverloadThatTheModelDoesNotHaveIsMalformed) {
  const std::pair<ModelBuilder, std::vector<std::string>> rows[] = {
      {WithOverloads("local.f", {"diagonals"}),
       {"'m.onnx': node #0 (f, output 'y')", "overload 'diagonals' of function 'f'", "'rows'", "'columns'"}},
      {WithOverloads("local.f", {}), {"function 'f'", "without an overload"}},
      {WithOverloads("local.f", {"rows", "diagonals"}, "FN g (p) => (r) { r = local.f(p) }"),
       {"function 'g'", "overload 'diagonals' of function 'f'"}},
      // An overload is of a function of the model; no operator of ONNX has one.
      {WithOverloads("Max", {"fast"}), {"overload 'fast' of function 'Max'", "no function of that name"}}};
  for (const auto& [builder, parts] : rows) {
    ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, parts);
    ExpectError(Parsed(builder), ErrorCode::kMalformedFile, parts);
  }
}

TEST(CheckFunctions, TwoFunctionsOfOneNameAndOverloadAreMalformed) {
  ModelBuilder overload = WithOverloads("local.f", {"rows"}, "FN f (p) => (r) { r = Max(p) }");
  SetOverload(overload.model().mutable_functions(2), "rows");
  const std::string g = "FN g (p) => (r) { r = Max(p) } ";
  for (const auto& [builder, name] :
       {std::pair(overload, "'f'"), std::pair(WithOverloads("local.f", {"rows"}, g + g), "'g'")}) {
    ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, {"two functions", name});
    ExpectError(Parsed(builder), ErrorCode::kMalformedFile, {"two functions"});
  }
}

TEST(CheckFunctions, AFunctionThatCallsItselfIsMalformed) {
  ModelBuilder overload = WithOverloads("local.f", {"rows", "self"}, "FN f (p) => (r) { r = local.f(p) }");
  SetOverload(overload.model().mutable_functions(2), "self");
  const std::string head = "(float[2] a) => (float[2] y) { y = Max(a) } ";
  for (const ModelBuilder& builder :
       {overload, TextModel(head + "FN f (p) => (r) { r = local.f(p) }"),
        TextModel(head +
                  "FN f (p) => (r) { t = local.g(p) r = local.g(t) } FN g (p) => (r) { r = local.f(p) }"),
        TextModel(head +
                  "FN f (p) => (r) { r = If <then_branch = g () => (float s) { s = local.f(p) }> (p) }")}) {
    const std::vector<std::string> parts = {"a function must not call itself"};
    ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, parts);
    ExpectError(Parsed(builder), ErrorCode::kMalformedFile, parts);
  }
}

// An operator of ONNX may have functions of its name.
TEST(CheckFunctions, AnOperatorOfTheNameOfAnOverloadIsNoCall) {
  ModelBuilder builder = TextModel(R"((float[2,3] a) => (float[] y) { r = Relu(a) y = Max(r, a) }
    FN Relu (p) => (r) { r = Max(p) })");
  builder.model().mutable_functions(0)->set_domain("");
  SetOverload(builder.model().mutable_functions(0), "other");
  EXPECT_TRUE(TryCheck(builder));
}

}  // namespace
}  // namespace supremum::test
