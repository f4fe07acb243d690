// Loading ReduceMax nodes: the attributes and inputs that each version has, and those that it has not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "supremum/model.h"

namespace supremum::test {
namespace {

using testing::ElementsAre;

// y = ReduceMax(inputs), a node named 'pool'; 'x' and 'a' are inputs of the graph.
struct Pool {
  explicit Pool(std::int64_t opset, const std::vector<std::string>& inputs = {"x"}) : builder(opset) {
    builder.Input("x", kFloat, {2, 3}).Input("a", kInt64, {1});
    node = &builder.Node("ReduceMax", inputs, {"y"}, "pool");
    builder.Output("y", kFloat, std::nullopt);
  }
  std::vector<std::string> Attributes() {
    const auto model = Parsed(builder);
    EXPECT_TRUE(model) << model.error().message;
    std::vector<std::string> texts;
    if (!model) return texts;
    for (const AttributeInfo& attribute : model->nodes()[0].attributes) texts.push_back(ToString(attribute));
    return texts;
  }
  void ExpectRefused(ErrorCode code, const std::string& text) const {
    ExpectError(Parsed(builder), code, {"'m.onnx': node 'pool' (ReduceMax)", text});
  }
  ModelBuilder builder;
  onnx::NodeProto* node;
};

// A node of one input with one fault, which `spoil` makes, and what the error says of it.
struct Faulty {
  std::int64_t opset;
  std::function<void(onnx::NodeProto&)> spoil;
  std::string text;
};

void ExpectEachRefused(const std::vector<Faulty>& nodes) {
  for (const Faulty& faulty : nodes) {
    SCOPED_TRACE(faulty.text);
    Pool pool(faulty.opset);
    faulty.spoil(*pool.node);
    pool.ExpectRefused(ErrorCode::kMalformedFile, faulty.text);
  }
}

std::function<void(onnx::NodeProto&)> WithInt(const char* name, std::int64_t value) {
  return [=](onnx::NodeProto& node) { ModelBuilder::SetInt(node, name, value); };
}
std::function<void(onnx::NodeProto&)> WithInts(const char* name) {
  return [=](onnx::NodeProto& node) { ModelBuilder::SetInts(node, name, {1}); };
}

// Rules: MAX-5, RED-5
TEST(ReduceMaxNode, AnOpsetMeansTheNewestVersionThatIsNotNewer) {
  const std::pair<int, int> versions[] = {{1, 1},   {10, 1},  {11, 11}, {12, 12}, {13, 13},
                                          {17, 13}, {18, 18}, {19, 18}, {20, 20}, {24, 20}};
  for (const auto& [opset, version] : versions) {
    Pool pool(opset);
    EXPECT_EQ(Parsed(pool.builder)->nodes()[0].version, version) << opset;
  }
}

// Rules: RED-5
TEST(ReduceMaxNode, AttributesAreToldWithTheDefaultsOfTheVersion) {
  for (std::int64_t opset : {1, 11, 12, 13}) {
    EXPECT_THAT(Pool(opset).Attributes(), ElementsAre("axes=all (default)", "keepdims=1 (default)"));
  }
  for (std::int64_t opset : {18, 20}) {
    EXPECT_THAT(Pool(opset).Attributes(),
                ElementsAre("keepdims=1 (default)", "noop_with_empty_axes=0 (default)"));
  }
  Pool old(13);
  ModelBuilder::SetInts(*old.node, "axes", {0, -1});
  ModelBuilder::SetInt(*old.node, "keepdims", 0);
  EXPECT_THAT(old.Attributes(), ElementsAre("axes=[0,-1]", "keepdims=0"));
  Pool none(13);
  ModelBuilder::SetInts(*none.node, "axes", {});
  EXPECT_THAT(none.Attributes(), ElementsAre("axes=[]", "keepdims=1 (default)"));
  Pool recent(18);
  ModelBuilder::SetInt(*recent.node, "noop_with_empty_axes", 1);
  EXPECT_THAT(recent.Attributes(), ElementsAre("keepdims=1 (default)", "noop_with_empty_axes=1"));
}

// IR version 1 did not store the kind of an attribute.
TEST(ReduceMaxNode, AnAttributeWithoutAStoredKindIsReadByItsField) {
  Pool pool(13);
  onnx::AttributeProto* axes = pool.node->add_attribute();
  axes->set_name("axes");
  axes->add_ints(1);
  EXPECT_THAT(pool.Attributes(), ElementsAre("axes=[1]", "keepdims=1 (default)"));
}

// Rules: RED-5
TEST(ReduceMaxNode, AttributesThatTheVersionDoesNotHaveAreRefused) {
  const std::string axes =
      " has no attribute 'axes': from opset 18 on the axes are the second input (RED-5); store them as an "
      "int64 initializer and make it the node's second input";
  ExpectEachRefused({{18, WithInts("axes"), "ReduceMax-18" + axes},
                     {20, WithInts("axes"), "ReduceMax-20" + axes},
                     {13, WithInt("noop_with_empty_axes", 0),
                      "ReduceMax-13 has no attribute 'noop_with_empty_axes', which came with opset 18 "
                      "(RED-5); remove the attribute, or import opset 18 or later"},
                     {18, WithInt("axis", 0), "ReduceMax-18 has no attribute 'axis'; remove the attribute"}});
}

TEST(ReduceMaxNode, AttributesOfAnotherKindOrWithAnotherNumberAreRefused) {
  const auto twice = [](onnx::NodeProto& node) {
    ModelBuilder::SetInt(node, "keepdims", 1);
    ModelBuilder::SetInt(node, "keepdims", 0);
  };
  ExpectEachRefused(
      {{13, WithInt("keepdims", 2), "the attribute 'keepdims' is 2; write 0 or 1"},
       {18, WithInt("noop_with_empty_axes", -1), "the attribute 'noop_with_empty_axes' is -1; write 0 or 1"},
       {13, WithInt("axes", 1), "the attribute 'axes' is stored as another kind than INTS; store it as INTS"},
       {13, WithInts("keepdims"),
        "the attribute 'keepdims' is stored as another kind than INT; store it as INT"},
       {13, twice, "the attribute 'keepdims' is given twice; keep one"}});
}

// Rules: RED-5
TEST(ReduceMaxNode, TheNumberOfInputsIsThatOfTheVersion) {
  struct Row {
    std::int64_t opset;
    std::vector<std::string> inputs;
    const char* text;
  };
  const Row rows[] = {
      {13, {}, "ReduceMax-13 takes one input, this node has none (RED-5); name the tensor to reduce"},
      {13,
       {"x", "a"},
       "ReduceMax-13 takes one input, this node has 2 (RED-5); give the axes as the attribute 'axes', or "
       "import opset 18 or later, where they are an input"},
      {18,
       {"x", "a", "a"},
       "ReduceMax-18 takes one input and perhaps axes, this node has 3 (RED-5); remove the others"},
      {18, {"", "a"}, "its input 0 has no name"}};
  for (const Row& row : rows) Pool(row.opset, row.inputs).ExpectRefused(ErrorCode::kInputCount, row.text);
  EXPECT_TRUE(Parsed(Pool(18, {"x", ""}).builder)) << "an axes input without a name is left out";
  EXPECT_TRUE(Parsed(Pool(18, {"x", "a"}).builder));
  ExpectEachRefused({{13, [](onnx::NodeProto& node) { node.add_output("z"); },
                      "ReduceMax has exactly one output, this node has 2"}});
}

}  // namespace
}  // namespace supremum::test
