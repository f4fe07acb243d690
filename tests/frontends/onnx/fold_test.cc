// Constants that nodes compute from constants, as exporters that do not optimise write the axes of a
// ReduceMax: they are known before a run.
#include "frontends/onnx/check_testing.h"
#include "supremum/extract.h"
#include "supremum/static_graph.h"

namespace supremum::test {
namespace {

// The nodes that compute 'axes', which are [1,2] of three.
const char* const kWritings[] = {
    "c = Constant <value = int64[2,1] {1, 2}> () s = Constant <value_ints = [-1]> () axes = Reshape(c, s)",
    "c = Constant <value = int64[2,1] {1, 2}> () s = Constant <value_ints = [0]> () axes = Reshape(c, s)",
    "one = Constant <value_int = 1> () two = Constant <value_int = 2> () zero = Constant <value_ints = [0]> "
    "() "
    "one_1 = Unsqueeze(one, zero) two_1 = Unsqueeze(two, zero) axes = Concat <axis = -1> (one_1, two_1)",
    "c = Constant <value = int64[1,2,1] {1, 2}> () at = Constant <value_ints = [0, -1]> () "
    "axes = Squeeze(c, at)",
    "c = Constant <value = int64[1,2,1] {1, 2}> () axes = Squeeze(c)",
    "c = Constant <value_ints = [9, 2, 9, 1, 9]> () from = Constant <value_ints = [-2]> () "
    "to = Constant <value_ints = [-9223372036854775807]> () at = Constant <value_ints = [0]> () "
    "axes = Slice(c, from, to, at, from)",
    "c = Constant <value = int64[3,2] {9, 9, 9, 1, 9, 2}> () from = Constant <value_ints = [1, 1]> () "
    "to = Constant <value_ints = [9223372036854775807, 100]> () s = Slice(c, from, to) "
    "two = Constant <value_ints = [2]> () axes = Reshape(s, two)",
    "c = Constant <value_ints = [2, 9, 1]> () at = Constant <value_ints = [-1, 0]> () axes = Gather(c, at)",
    "c = Constant <value = int64[2,2] {9, 1, 9, 2}> () at = Constant <value_int = 1> () "
    "axes = Gather <axis = 1> (c, at)",
    "c = Constant <value = int32[2] {1, 2}> () axes = Cast <to = 7> (c)",
    "c = Constant <value_ints = [1, 2]> () i = Identity(c) axes = Identity(i)",
};

// y = ReduceMax(x, axes) without the reduced dimensions, after `nodes`.
ModelBuilder WithAxes(const std::string& nodes) {
  return TextModel("(float[2,3,4] x) => (float[] y) { c0 = Constant <value_ints = [1, 2]> () " + nodes +
                       " y = ReduceMax <keepdims = 0> (x, axes) }",
                   18);
}

std::vector<NamedTensor> X() {
  std::vector<float> x(24);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  return List(Named<float>("x", {2, 3, 4}, x));
}

// Rules: RED-1, RED-2, RED-5
TEST(Fold, AxesThatNodesComputeFromConstantsAreKnown) {
  for (const std::string nodes : kWritings) {
    SCOPED_TRACE(nodes);
    const ModelBuilder builder = WithAxes(nodes);
    const CheckReport report = Checked(builder);
    EXPECT_EQ(Found(report, "RED-5"), "holds: the axes are [1,2]");
    EXPECT_TRUE(report.Holds());
    EXPECT_FALSE(report.inference) << "nothing is left to infer";
    const std::string bytes = builder.Serialize();
    const auto extracted = ExtractNodes(std::as_bytes(std::span(bytes)), "m.onnx");
    ASSERT_TRUE(extracted && extracted->nodes.size() == 1);
    EXPECT_EQ(extracted->nodes[0].obstacle, "");
    EXPECT_EQ(extracted->nodes[0].axes, (Axes{1, 2}));
    const Result<Model> model = Parsed(builder);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE(StaticGraphOf(*model));
    const auto outputs = model->Run(X());
    ASSERT_TRUE(outputs) << outputs.error().message;
    EXPECT_EQ(Values<float>(outputs->at(0)), (std::vector<float>{11, 23}));
  }
}

// Rules: RED-2
TEST(Fold, AnAxisThatFailsIsFoundBehindNodes) {
  const ModelBuilder builder =
      WithAxes("c = Constant <value_int = 3> () s = Constant <value_ints = [1]> () axes = Reshape(c, s)");
  ExpectFails(Checked(builder), "RED-2", {"axis 3"});
  ExpectError(Parsed(builder)->Infer(), ErrorCode::kAxis, {"axis 3"});
}

// Before opset 13 the axes of Unsqueeze are an attribute, before 10 the bounds of Slice.
TEST(Fold, EachOpsetHasItsOperators) {
  for (const std::int64_t opset : {8, 11, 13}) {
    const std::string unsqueeze = opset < 13
                                      ? "u = Unsqueeze <axes = [0]> (c)"
                                      : "zero = Constant <value = int64[1] {0}> () u = Unsqueeze(c, zero)";
    const std::string slice = opset < 10 ? "s = Slice <starts = [1], ends = [2]> (cc)"
                                         : "from = Constant <value = int64[1] {1}> () "
                                           "to = Constant <value = int64[1] {2}> () s = Slice(cc, from, to)";
    const ModelBuilder builder =
        TextModel("(float[2] x) => (float[2] y) { c = Constant <value = float {7}> () " + unsqueeze +
                      " cc = Concat <axis = 0> (u, u) " + slice + " y = Max(x, s) }",
                  opset);
    EXPECT_TRUE(Checked(builder).Holds()) << opset;
    const auto outputs = Parsed(builder)->Run(List(Named<float>("x", {2}, {3, 9})));
    ASSERT_TRUE(outputs) << opset << ": " << outputs.error().message;
    EXPECT_EQ(Values<float>(outputs->at(0)), (std::vector<float>{7, 9}));
  }
}

// Rules: RED-2
TEST(Fold, AConstantThatARunMayReplaceIsNotFolded) {
  const ModelBuilder builder = TextModel(R"((float[2,3] x, int64[1] c = {1}) => (float[] y) {
    s = Constant <value_ints = [-1]> ()
    axes = Reshape(c, s)
    y = ReduceMax(x, axes) })",
                                         18);
  EXPECT_EQ(VerdictsOf(Checked(builder))["RED-2"], "undecided");
  ExpectError(Parsed(builder)->Run(List(Named<float>("x", {2, 3}, std::vector<float>(6)))),
              ErrorCode::kUnsupportedOperator, {"(Reshape, output 'axes')"});
}

// A node that is wrong, or whose result is large, is left for the onnx library to judge.
TEST(Fold, NodesThatAreWrongOrLargeAreNotFolded) {
  std::string much = "axes = Concat <axis = 0> (c0";
  for (int i = 1; i < 100; ++i) much += ", c0";
  const auto with_list = [](const std::string& op, const std::string& list) {
    return "s = Constant <value = int64[" + std::to_string(std::ranges::count(list, ',') + 1) + "] {" + list +
           "}> () axes = " + op + "(c0, s)";
  };
  const std::string most = "9223372036854775807";
  for (const std::string& nodes :
       {with_list("Reshape", "7"), with_list("Reshape", "-1, -1"), with_list("Reshape", "-2"),
        with_list("Reshape", most + ", " + most + ", 4"), with_list("Unsqueeze", "0, 0"),
        with_list("Unsqueeze", "-" + most), with_list("Squeeze", "0"), with_list("Gather", "2"),
        with_list("Gather", "-" + most), with_list("other.Reshape", "2"),
        std::string("axes = Concat <axis = 1> (c0, c0)"), std::string("axes = Concat(c0, c0)"), much + ")",
        std::string("z = Constant <value_ints = [0]> () axes = Slice(c0, z, c0, z, z)"),
        std::string("z = Constant <value_ints = [0, 0]> () axes = Slice(c0, z, z, z)"),
        std::string("axes = Cast <to = 99> (c0)"), std::string("axes = Reshape(c0)"),
        std::string("axes, more = Reshape(c0, c0)"), std::string("axes = Reshape()")}) {
    SCOPED_TRACE(nodes.substr(0, 200));
    EXPECT_NE(VerdictsOf(Checked(WithAxes(nodes)))["RED-2"], "holds");
    ExpectError(Parsed(WithAxes(nodes))->Run(X()), ErrorCode::kUnsupportedOperator, {"is not executed"});
  }
}

// Rules: TYP-2
TEST(Fold, NothingIsConvertedThatHasNoExactValue) {
  for (const std::int64_t value : {std::int64_t{1}, std::int64_t{1} << 40, std::int64_t{-1}}) {
    const ModelBuilder builder =
        TextModel("(uint8[1] x) => (uint8[1] y) { c = Constant <value = int64[1] {" + std::to_string(value) +
                  "}> () u = Cast <to = 2> (c) y = Max(x, u) }");
    EXPECT_EQ(Parsed(builder)->Run(List(Named<std::uint8_t>("x", {1}, {0}))).has_value(), value == 1)
        << value;
  }
}

// Rules: E2
TEST(Fold, AStatementThatContradictsAFoldedValueIsAnError) {
  ModelBuilder builder = WithAxes(kWritings[0]);
  builder.ValueInfo("axes", kInt64, {3});
  ExpectError(Parsed(builder), ErrorCode::kOutputShapeMismatch, {"value_info 'axes'", "[3]", "[2]"});
}

TEST(Fold, AConstantThatNodesComputeIsPartOfAnExtractedCase) {
  const std::string bytes = TextModel(R"((float[1] x) => (float[1] y) {
    c = Constant <value = float {7}> ()
    s = Constant <value_ints = [1]> ()
    r = Reshape(c, s)
    y = Max(x, r) })")
                                .Serialize();
  const auto nodes = ExtractNodes(std::as_bytes(std::span(bytes)), "m.onnx");
  ASSERT_TRUE(nodes && nodes->nodes.size() == 1);
  ASSERT_TRUE(nodes->nodes[0].constants.at(1));
  EXPECT_EQ(nodes->nodes[0].constants[1]->Elements<float>()[0], 7);
}

// A chain of nodes that would double a constant with each of them.
TEST(Fold, ChainsThatGrowStayWithinTheLimit) {
  std::string nodes;
  for (int i = 0; i < 1000; ++i) {
    const std::string from = "c" + std::to_string(i);
    nodes += "c" + std::to_string(i + 1) + " = Concat <axis = 0> (" + from + ", " + from + ") ";
  }
  EXPECT_EQ(VerdictsOf(Checked(WithAxes(nodes + "axes = Identity(c1000)")))["RED-2"], "undecided");
}

}  // namespace
}  // namespace supremum::test
