// Constants that nodes compute from constants, as exporters that do not optimise write the axes of a
// ReduceMax: they are known before a run.
#include <onnx/onnx_pb.h>

#include <functional>

#include "frontends/onnx/check_testing.h"
#include "supremum/extract.h"
#include "supremum/static_graph.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr auto kInt32 = onnx::TensorProto::INT32;

void Ints(ModelBuilder& builder, const std::string& name, const std::vector<std::int64_t>& values,
          const std::vector<std::int64_t>& shape) {
  builder.Constant(name, MakeTensorProto<std::int64_t>("", kInt64, shape, values));
}
void List1(ModelBuilder& builder, const std::string& name, const std::vector<std::int64_t>& values) {
  Ints(builder, name, values, {static_cast<std::int64_t>(values.size())});
}

// How a model computes 'axes', which are [1,2] of three.
struct Writing {
  const char* name;
  std::int64_t opset;
  std::function<void(ModelBuilder&)> write;
};

const Writing kWritings[] = {
    {"Reshape", 18,
     [](ModelBuilder& m) {
       Ints(m, "c", {1, 2}, {2, 1});
       List1(m, "s", {-1});
       m.Node("Reshape", {"c", "s"}, {"axes"});
     }},
    {"ReshapeWithZero", 18,
     [](ModelBuilder& m) {
       Ints(m, "c", {1, 2}, {2, 1});
       List1(m, "s", {0});
       m.Node("Reshape", {"c", "s"}, {"axes"});
     }},
    {"UnsqueezeAndConcat", 18,
     [](ModelBuilder& m) {
       Ints(m, "one", {1}, {});
       Ints(m, "two", {2}, {});
       List1(m, "zero", {0});
       m.Node("Unsqueeze", {"one", "zero"}, {"one_1"});
       m.Node("Unsqueeze", {"two", "zero"}, {"two_1"});
       ModelBuilder::SetInt(m.Node("Concat", {"one_1", "two_1"}, {"axes"}), "axis", -1);
     }},
    {"Squeeze", 18,
     [](ModelBuilder& m) {
       Ints(m, "c", {1, 2}, {1, 2, 1});
       List1(m, "at", {0, -1});
       m.Node("Squeeze", {"c", "at"}, {"axes"});
     }},
    {"SqueezeOfEveryOne", 18,
     [](ModelBuilder& m) {
       Ints(m, "c", {1, 2}, {1, 2, 1});
       m.Node("Squeeze", {"c"}, {"axes"});
     }},
    {"Cast", 18,
     [](ModelBuilder& m) {
       m.Initializer<std::int32_t>("c", kInt32, {2}, {1, 2});
       ModelBuilder::SetInt(m.Node("Cast", {"c"}, {"axes"}), "to", kInt64);
     }},
    {"Identity", 18,
     [](ModelBuilder& m) {
       m.Initializer<std::int64_t>("c", kInt64, {2}, {1, 2});
       m.Node("Identity", {"c"}, {"i"});
       m.Node("Identity", {"i"}, {"axes"});
     }},
    {"Slice", 18,
     [](ModelBuilder& m) {
       List1(m, "c", {9, 2, 9, 1, 9});
       List1(m, "starts", {-2});
       List1(m, "ends", {INT64_MIN});
       List1(m, "at", {0});
       List1(m, "steps", {-2});
       m.Node("Slice", {"c", "starts", "ends", "at", "steps"}, {"axes"});
     }},
    {"SliceOfTwoDimensions", 18,
     [](ModelBuilder& m) {
       Ints(m, "c", {9, 9, 9, 1, 9, 2}, {3, 2});
       List1(m, "starts", {1, 1});
       List1(m, "ends", {INT64_MAX, 100});
       m.Node("Slice", {"c", "starts", "ends"}, {"s"});
       List1(m, "s2", {2});
       m.Node("Reshape", {"s", "s2"}, {"axes"});
     }},
    {"Gather", 18,
     [](ModelBuilder& m) {
       List1(m, "c", {2, 9, 1});
       List1(m, "at", {-1, 0});
       m.Node("Gather", {"c", "at"}, {"axes"});
     }},
    {"GatherOfARow", 18,
     [](ModelBuilder& m) {
       Ints(m, "c", {9, 1, 9, 2}, {2, 2});
       Ints(m, "at", {1}, {});
       ModelBuilder::SetInt(m.Node("Gather", {"c", "at"}, {"axes"}), "axis", 1);
     }},
};

// y = ReduceMax(x, axes) without the reduced dimensions.
ModelBuilder WithAxes(const Writing& writing) {
  ModelBuilder builder(writing.opset);
  builder.Input("x", kFloat, {2, 3, 4});
  writing.write(builder);
  ModelBuilder::SetInt(builder.Node("ReduceMax", {"x", "axes"}, {"y"}, "pool"), "keepdims", 0);
  builder.Output("y", kFloat, {2});
  return builder;
}

// Rules: RED-1, RED-2, RED-5
TEST(Fold, AxesThatNodesComputeFromConstantsAreKnown) {
  std::vector<float> x(24);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (const Writing& writing : kWritings) {
    const ModelBuilder builder = WithAxes(writing);
    const CheckReport report = Checked(builder);
    EXPECT_EQ(Found(report, "RED-5"), "holds: the axes are [1,2]") << writing.name;
    EXPECT_TRUE(report.Holds()) << writing.name;
    EXPECT_FALSE(report.inference) << writing.name << ": nothing is left to infer";
    const std::string bytes = builder.Serialize();
    const auto nodes = ExtractNodes(std::as_bytes(std::span(bytes)), "m.onnx");
    ASSERT_TRUE(nodes && nodes->nodes.size() == 1) << writing.name;
    EXPECT_EQ(nodes->nodes[0].obstacle, "") << writing.name;
    EXPECT_EQ(nodes->nodes[0].axes, (Axes{1, 2})) << writing.name;
    const Result<Model> model = Parsed(builder);
    ASSERT_TRUE(model) << writing.name << ": " << model.error().message;
    EXPECT_TRUE(StaticGraphOf(*model)) << writing.name;
    const auto outputs = model->Run(List(Named<float>("x", {2, 3, 4}, x)));
    ASSERT_TRUE(outputs) << writing.name << ": " << outputs.error().message;
    EXPECT_EQ(Values<float>(outputs->at(0)), (std::vector<float>{11, 23})) << writing.name;
  }
}

// Rules: RED-2
TEST(Fold, AnAxisThatFailsIsFoundBehindNodes) {
  ModelBuilder builder(18);
  builder.Input("x", kFloat, {2, 3, 4}).Output("y", kFloat, std::nullopt);
  Ints(builder, "c", {3}, {});
  List1(builder, "s", {1});
  builder.Node("Reshape", {"c", "s"}, {"axes"});
  builder.Node("ReduceMax", {"x", "axes"}, {"y"}, "pool");
  ExpectFails(Checked(builder), "RED-2", {"axis 3"});
  ExpectError(Parsed(builder)->Infer(), ErrorCode::kAxis, {"axis 3"});
}

// Before opset 13 the axes of Squeeze and Unsqueeze are an attribute, before 10 those of Slice.
TEST(Fold, EachOpsetHasItsOperators) {
  for (const std::int64_t opset : {8, 11, 13}) {
    ModelBuilder builder(opset);
    builder.Input("x", kFloat, {1}).Output("y", kFloat, {1});
    builder.Initializer<float>("c", kFloat, {}, {7});
    if (opset < 13) {
      ModelBuilder::SetInts(builder.Node("Unsqueeze", {"c"}, {"u"}), "axes", {0});
    } else {
      List1(builder, "zero", {0});
      builder.Node("Unsqueeze", {"c", "zero"}, {"u"});
    }
    ModelBuilder::SetInt(builder.Node("Concat", {"u", "u"}, {"cc"}), "axis", 0);
    if (opset < 10) {
      onnx::NodeProto& slice = builder.Node("Slice", {"cc"}, {"s"});
      ModelBuilder::SetInts(slice, "starts", {1});
      ModelBuilder::SetInts(slice, "ends", {2});
    } else {
      List1(builder, "starts", {1});
      List1(builder, "ends", {2});
      builder.Node("Slice", {"cc", "starts", "ends"}, {"s"});
    }
    builder.Node("Max", {"x", "s"}, {"y"});
    EXPECT_TRUE(Checked(builder).Holds()) << opset;
    const Result<Model> model = Parsed(builder);
    ASSERT_TRUE(model) << model.error().message;
    const auto outputs = model->Run(List(Named<float>("x", {1}, {3})));
    ASSERT_TRUE(outputs) << opset << ": " << outputs.error().message;
    EXPECT_EQ(Values<float>(outputs->at(0)), (std::vector<float>{7}));
  }
}

// Rules: RED-2
TEST(Fold, AConstantThatARunMayReplaceIsNotFolded) {
  ModelBuilder builder(18);
  builder.Input("x", kFloat, {2, 3}).Input("c", kInt64, {1}).Output("y", kFloat, std::nullopt);
  builder.Initializer<std::int64_t>("c", kInt64, {1}, {1});
  List1(builder, "s", {-1});
  builder.Node("Reshape", {"c", "s"}, {"axes"});
  builder.Node("ReduceMax", {"x", "axes"}, {"y"});
  EXPECT_EQ(VerdictsOf(Checked(builder))["RED-2"], "undecided");
  ExpectError(Parsed(builder)->Run(List(Named<float>("x", {2, 3}, std::vector<float>(6)))),
              ErrorCode::kUnsupportedOperator, {"'Reshape'"});
}

// A node that is wrong, or whose result is large, is left for the onnx library to judge.
TEST(Fold, NodesThatAreWrongOrLargeAreNotFolded) {
  const std::function<void(ModelBuilder&)> writings[] = {
      [](ModelBuilder& m) {
        List1(m, "s", {7});
        m.Node("Reshape", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {-1, -1});
        m.Node("Reshape", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {-2});
        m.Node("Reshape", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {INT64_MAX, INT64_MAX, 4});
        m.Node("Reshape", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {0, 0});
        m.Node("Unsqueeze", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {INT64_MIN});
        m.Node("Unsqueeze", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {0});
        m.Node("Squeeze", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {2});
        m.Node("Gather", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "s", {INT64_MIN});
        m.Node("Gather", {"c", "s"}, {"axes"});
      },
      [](ModelBuilder& m) {
        ModelBuilder::SetInt(m.Node("Concat", {"c", "c"}, {"axes"}), "axis", 1);
      },
      [](ModelBuilder& m) {
        m.Node("Concat", {"c", "c"}, {"axes"});
      },
      [](ModelBuilder& m) {
        ModelBuilder::SetInt(m.Node("Concat", std::vector<std::string>(100, "c"), {"axes"}), "axis", 0);
      },
      [](ModelBuilder& m) {
        List1(m, "z", {0});
        m.Node("Slice", {"c", "z", "c", "z", "z"}, {"axes"});
      },
      [](ModelBuilder& m) {
        List1(m, "z", {0, 0});
        m.Node("Slice", {"c", "z", "z", "z"}, {"axes"});
      },
      [](ModelBuilder& m) { ModelBuilder::SetInt(m.Node("Cast", {"c"}, {"axes"}), "to", 99); },
      [](ModelBuilder& m) { m.Node("Reshape", {"c"}, {"axes"}); },
      [](ModelBuilder& m) {
        m.Node("Reshape", {"c", "c"}, {"axes"}).set_domain("other");
      },
      [](ModelBuilder& m) {
        m.Node("Reshape", {"c", "c"}, {"axes", "more"});
      },
      [](ModelBuilder& m) { m.Node("Reshape", {}, {"axes"}); },
  };
  for (const auto& write : writings) {
    ModelBuilder builder(18);
    builder.Opset("other", 1).Input("x", kFloat, {2, 3, 4}).Output("y", kFloat, std::nullopt);
    List1(builder, "c", {1, 2});
    write(builder);
    builder.Node("ReduceMax", {"x", "axes"}, {"y"});
    const std::string name = builder.graph()->node(builder.graph()->node_size() - 2).op_type();
    EXPECT_NE(VerdictsOf(Checked(builder))["RED-2"], "holds") << name;
    ExpectError(Parsed(builder)->Run(List(Named<float>("x", {2, 3, 4}, std::vector<float>(24)))),
                ErrorCode::kUnsupportedOperator, {"is not executed"});
  }
}

// Rules: TYP-2
TEST(Fold, NothingIsConvertedThatHasNoExactValue) {
  for (const std::int64_t value : {std::int64_t{1}, std::int64_t{1} << 40, std::int64_t{-1}}) {
    ModelBuilder builder(18);
    builder.Input("x", onnx::TensorProto::UINT8, {1}).Output("y", onnx::TensorProto::UINT8, {1});
    List1(builder, "c", {value});
    ModelBuilder::SetInt(builder.Node("Cast", {"c"}, {"u"}), "to", onnx::TensorProto::UINT8);
    builder.Node("Max", {"x", "u"}, {"y"});
    const auto outputs = Parsed(builder)->Run(List(Named<std::uint8_t>("x", {1}, {0})));
    EXPECT_EQ(outputs.has_value(), value == 1) << value;
  }
}

// Rules: E2
TEST(Fold, AStatementThatContradictsAFoldedValueIsAnError) {
  ModelBuilder builder = WithAxes(kWritings[0]);
  builder.ValueInfo("axes", kInt64, {3});
  ExpectError(Parsed(builder), ErrorCode::kOutputShapeMismatch, {"value_info 'axes'", "[3]", "[2]"});
}

TEST(Fold, AConstantThatNodesComputeIsPartOfAnExtractedCase) {
  ModelBuilder builder(18);
  builder.Input("x", kFloat, {1}).Output("y", kFloat, {1});
  builder.Initializer<float>("c", kFloat, {}, {7});
  List1(builder, "s", {1});
  builder.Node("Reshape", {"c", "s"}, {"r"});
  builder.Node("Max", {"x", "r"}, {"y"});
  const std::string bytes = builder.Serialize();
  const auto nodes = ExtractNodes(std::as_bytes(std::span(bytes)), "m.onnx");
  ASSERT_TRUE(nodes && nodes->nodes.size() == 1);
  ASSERT_TRUE(nodes->nodes[0].constants.at(1));
  EXPECT_EQ(nodes->nodes[0].constants[1]->Elements<float>()[0], 7);
}

// A chain of nodes that would double a constant with each of them.
TEST(Fold, ChainsThatGrowStayWithinTheLimit) {
  ModelBuilder builder(18);
  builder.Input("x", kFloat, {2, 3, 4}).Output("y", kFloat, std::nullopt);
  List1(builder, "c0", {1, 2});
  for (int i = 0; i < 1000; ++i) {
    const std::string from = "c" + std::to_string(i), to = "c" + std::to_string(i + 1);
    ModelBuilder::SetInt(builder.Node("Concat", {from, from}, {to}), "axis", 0);
  }
  builder.Node("ReduceMax", {"x", "c1000"}, {"y"});
  EXPECT_EQ(VerdictsOf(Checked(builder))["RED-2"], "undecided");
}

}  // namespace
}  // namespace supremum::test
