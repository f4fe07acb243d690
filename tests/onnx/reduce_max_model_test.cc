// Loading ReduceMax nodes: the attributes and inputs that each version has, and those that it has not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "onnx/testing.h"
#include "supremum/model.h"

namespace supremum {
namespace {

using test::ErrorOf;
using test::kFloat;
using test::ModelBuilder;
using test::Parsed;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// y = ReduceMax(inputs), a node named 'pool'; 'x' and 'a' are inputs of the graph.
struct Pool {
  explicit Pool(std::int64_t opset, const std::vector<std::string>& inputs = {"x"}) : builder(opset) {
    builder.Input("x", kFloat, {2, 3}).Input("a", onnx::TensorProto::INT64, {1});
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
  void ExpectRefused(ErrorCode code, const testing::Matcher<std::string>& text) {
    const Error error = ErrorOf(Parsed(builder));
    EXPECT_EQ(InfoOf(error.code).name, InfoOf(code).name);
    EXPECT_THAT(error.message, AllOf(HasSubstr("'m.onnx': node 'pool' (ReduceMax)"), text));
  }
  ModelBuilder builder;
  onnx::NodeProto* node;
};

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
  for (std::int64_t opset : {18, 20}) {
    Pool axes(opset);
    ModelBuilder::SetInts(*axes.node, "axes", {1});
    axes.ExpectRefused(ErrorCode::kMalformedFile,
                       HasSubstr("ReduceMax-" + std::to_string(opset) +
                                 " has no attribute 'axes': from opset 18 on the axes are the second input "
                                 "(RED-5); store them as an int64 initializer and make it the node's second "
                                 "input"));
  }
  Pool noop(13);
  ModelBuilder::SetInt(*noop.node, "noop_with_empty_axes", 0);
  noop.ExpectRefused(
      ErrorCode::kMalformedFile,
      HasSubstr("ReduceMax-13 has no attribute 'noop_with_empty_axes', which came with opset 18 (RED-5); "
                "remove the attribute, or import opset 18 or later"));
  Pool other(18);
  ModelBuilder::SetInt(*other.node, "axis", 0);
  other.ExpectRefused(ErrorCode::kMalformedFile,
                      HasSubstr("ReduceMax-18 has no attribute 'axis'; remove the attribute"));
}

TEST(ReduceMaxNode, AttributesOfAnotherKindOrWithAnotherNumberAreRefused) {
  Pool flag(13);
  ModelBuilder::SetInt(*flag.node, "keepdims", 2);
  flag.ExpectRefused(ErrorCode::kMalformedFile, HasSubstr("the attribute 'keepdims' is 2; write 0 or 1"));
  Pool noop(18);
  ModelBuilder::SetInt(*noop.node, "noop_with_empty_axes", -1);
  noop.ExpectRefused(ErrorCode::kMalformedFile,
                     HasSubstr("the attribute 'noop_with_empty_axes' is -1; write 0 or 1"));
  Pool axis(13);
  ModelBuilder::SetInt(*axis.node, "axes", 1);
  axis.ExpectRefused(ErrorCode::kMalformedFile,
                     HasSubstr("the attribute 'axes' is stored as another kind than INTS; store it as INTS"));
  Pool list(13);
  ModelBuilder::SetInts(*list.node, "keepdims", {1});
  list.ExpectRefused(ErrorCode::kMalformedFile,
                     HasSubstr("the attribute 'keepdims' is stored as another kind than INT; store it as "
                               "INT"));
  Pool twice(13);
  ModelBuilder::SetInt(*twice.node, "keepdims", 1);
  ModelBuilder::SetInt(*twice.node, "keepdims", 0);
  twice.ExpectRefused(ErrorCode::kMalformedFile,
                      HasSubstr("the attribute 'keepdims' is given twice; keep one"));
  Pool function(13);
  ModelBuilder::Attribute(*function.node, "axes", onnx::AttributeProto::INTS).set_ref_attr_name("p");
  function.ExpectRefused(
      ErrorCode::kMalformedFile,
      HasSubstr("the attribute 'axes' takes its value from a function, but the node is not "
                "in a function; write the value"));
}

// Rules: RED-5
TEST(ReduceMaxNode, TheNumberOfInputsIsThatOfTheVersion) {
  Pool none(13, {});
  none.ExpectRefused(ErrorCode::kInputCount, HasSubstr("ReduceMax-13 takes one input, this node has none "
                                                       "(RED-5); name the tensor to reduce"));
  Pool early(13, {"x", "a"});
  early.ExpectRefused(ErrorCode::kInputCount,
                      HasSubstr("ReduceMax-13 takes one input, this node has 2 (RED-5); give the axes as the "
                                "attribute 'axes', or import opset 18 or later, where they are an input"));
  Pool many(18, {"x", "a", "a"});
  many.ExpectRefused(ErrorCode::kInputCount, HasSubstr("ReduceMax-18 takes one input and perhaps axes, this "
                                                       "node has 3 (RED-5); remove the others"));
  Pool nameless(18, {"", "a"});
  nameless.ExpectRefused(ErrorCode::kInputCount, HasSubstr("its input 0 has no name"));
  Pool left_out(18, {"x", ""});
  EXPECT_TRUE(Parsed(left_out.builder)) << "an axes input without a name is left out";
  Pool given(18, {"x", "a"});
  EXPECT_TRUE(Parsed(given.builder));
  Pool outputs(13);
  outputs.node->add_output("z");
  outputs.ExpectRefused(ErrorCode::kMalformedFile,
                        HasSubstr("ReduceMax has exactly one output, this node has 2"));
}

TEST(ReduceMaxNode, EveryFlippedByteEndsInAResult) {
  Pool pool(18, {"x", "w"});
  pool.builder.Initializer<std::int64_t>("w", onnx::TensorProto::INT64, {1}, {1});
  ModelBuilder::SetInt(*pool.node, "keepdims", 0);
  const std::string bytes = test::Serialized(pool.builder);
  const auto input = [] { return test::Named<float>("x", {2, 3}, {1, 2, 3, 4, 5, 6}); };
  const auto axes = [] { return test::Named<std::int64_t>("a", {1}, {0}); };
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int flip : {0x01, 0x02, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const Result<Model> model =
          Model::Parse(std::as_bytes(std::span(changed)), "changed.onnx", {.max_bytes = 1 << 20});
      if (!model) continue;
      static_cast<void>(model->Infer());  // the sanitizers watch
      RunOptions options;
      options.max_bytes = 1 << 20;
      static_cast<void>(model->Run(test::List(input(), axes()), options));
    }
  }
}

}  // namespace
}  // namespace supremum
