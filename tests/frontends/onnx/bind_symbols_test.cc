// Extents that a model does not state as a number: every interface reads them in the same way.
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "frontends/onnx/check_testing.h"
#include "supremum/annotate.h"
#include "supremum/extract.h"
#include "supremum/static_graph.h"

namespace supremum::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kNote =
    "the shape of 'x' has the extent -1 in dimension 0; ONNX does not define negative extents; each -1 is "
    "read as unknown";

// y = Max(x, a), with a of shape [2,3].
ModelBuilder WithInput(const ModelShape& x, const ModelShape& y = std::nullopt) {
  ModelBuilder builder(13);
  builder.Input("x", kFloat, x).Input("a", kFloat, {2, 3}).Output("y", kFloat, y);
  builder.Node("Max", {"x", "a"}, {"y"});
  return builder;
}

// The shape of input x as each interface reads it; the error message if the interface refuses the model.
std::vector<std::string> ReadingsOf(const ModelBuilder& builder) {
  const std::string text = builder.Serialize();
  const auto bytes = std::as_bytes(std::span(text));
  std::vector<std::string> readings;
  const auto add = [&](const auto& result, const auto& reading) {
    readings.push_back(result ? reading(*result) : result.error().message);
  };
  const auto shape = [](const std::optional<SymbolicShape>& of_x) {
    return of_x ? ToString(*of_x) : std::string("none");
  };
  add(Model::Parse(bytes, "m.onnx"), [&](const Model& model) { return shape(model.inputs()[0].shape); });
  add(ExtractNodes(bytes, "m.onnx"),
      [&](const ExtractedNodes& nodes) { return shape(nodes.nodes.at(0).inputs.at(0).shape); });
  add(AnnotateModel(bytes, "m.onnx"), [&](const AnnotatedModel& model) {
    return shape(Model::Parse(model.bytes, "m.onnx")->inputs()[0].shape);
  });
  return readings;
}

std::vector<std::string> NotesOf(const ModelBuilder& builder) {
  const std::string text = builder.Serialize();
  const auto bytes = std::as_bytes(std::span(text));
  std::vector<std::string> notes = CheckModel(bytes, "m.onnx")->notes;
  for (const auto& more : {AnnotateModel(bytes, "m.onnx")->notes, ExtractNodes(bytes, "m.onnx")->notes}) {
    notes.insert(notes.end(), more.begin(), more.end());
  }
  return notes;
}

TEST(Extents, EveryInterfaceReadsAnExtentInTheSameWay) {
  const std::pair<ModelShape, std::string> cases[] = {
      {ModelShape{-1, 3}, "[?,3]"},      {ModelShape{-1, -1}, "[?,?]"}, {ModelShape{kUnknownDim, 3}, "[?,3]"},
      {ModelShape{"N", 3}, "[N,3]"},     {ModelShape{0, 3}, "[0,3]"},   {ModelShape{}, "[]"},
      {ModelShape{std::nullopt}, "none"}};
  for (const auto& [shape, reading] : cases) {
    for (const std::string& read : ReadingsOf(WithInput(shape))) EXPECT_EQ(read, reading);
  }
}

TEST(Extents, EveryInterfaceRefusesAnExtentBelowMinusOne) {
  ModelBuilder inner = WithInput({2, 3});
  inner.ValueInfo("y", kFloat, {-7, 3});
  for (const ModelBuilder& builder : {WithInput({-2, 3}), WithInput({2, 3}, {3, INT64_MIN}), inner}) {
    for (const std::string& read : ReadingsOf(builder)) {
      EXPECT_THAT(read, HasSubstr("malformed file: 'm.onnx'"));
      EXPECT_THAT(read, HasSubstr("dim_param"));
    }
    ExpectError(TryCheck(builder), ErrorCode::kMalformedFile, {"has the extent -", "in dimension"});
  }
}

TEST(Extents, CheckAnnotateAndExtractNoteAnExtentOfMinusOne) {
  EXPECT_EQ(std::ranges::count(NotesOf(WithInput({-1, 3})), kNote), 3);
  EXPECT_EQ(std::ranges::count(NotesOf(WithInput({kUnknownDim, 3})), kNote), 0);
  const std::string text = WithInput({-1, 3}).Serialize();
  const Result<Model> model = Model::Parse(std::as_bytes(std::span(text)), "m.onnx");
  ASSERT_TRUE(model);
}

// Rules: PRO-2
TEST(Extents, TheProfileRefusesAnExtentOfMinusOne) {
  EXPECT_THAT(Found(Checked(WithInput({-1, 3}), kSonnx), "PRO-2"),
              HasSubstr("fails: input 'x' has shape [?,3]: dimension 0 is not known"));
}

TEST(Extents, ARunDecidesAnExtentOfMinusOne) {
  const Result<Model> model = Parsed(WithInput({-1, 3}, {-1, 3}));
  ASSERT_TRUE(model) << model.error().message;
  const auto outputs =
      model->Run(List(Named<float>("x", {1, 3}, {1, 2, 3}), Named<float>("a", {2, 3}, {0, 5, 0, 5, 0, 0})));
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(Values<float>(outputs->at(0)), (std::vector<float>{1, 5, 3, 5, 2, 3}));
}

TEST(Extents, AProgramNeedsANumberAndAnExtentOfMinusOneHasNoName) {
  const Result<Model> model = Parsed(WithInput({-1, 3}));
  ASSERT_TRUE(model) << model.error().message;
  ExpectError(StaticGraphOf(*model), ErrorCode::kShapeNotExplicit,
              {"input 'x' is float32[?,3]", "dimension 0 is not a number"});
  ExpectError(Parsed(WithInput({-1, 3}), {.dims = {{"N", 2}}}), ErrorCode::kInvalidArgument,
              {"it has no symbolic dimension 'N'", "an unknown extent has no name"});
}

// The onnx library computes with a negative extent as with any number: -1 + 2 * 1 - 1 + 1 = 1.
TEST(Extents, NothingIsInferredFromAnExtentOfMinusOne) {
  ModelBuilder builder = TextModel(R"((float[1,1,2,4] x, float[1,1,1,1] w) => (float[] y) {
    c = Conv <pads = [1, 1, 1, 1]> (x, w)
    y = Max(c, c) })");
  onnx::TypeProto* const type = builder.graph()->mutable_input(0)->mutable_type();
  type->mutable_tensor_type()->mutable_shape()->mutable_dim(2)->set_dim_value(-1);
  const std::string text = builder.Serialize();
  const auto nodes = ExtractNodes(std::as_bytes(std::span(text)), "m.onnx");
  ASSERT_TRUE(nodes) << nodes.error().message;
  const ValueInfo& inferred = nodes->nodes.at(0).inputs.at(0);
  ASSERT_TRUE(inferred.shape && inferred.shape->size() == 4) << ToString(inferred);
  EXPECT_EQ((*inferred.shape)[3].value, 6);
  EXPECT_FALSE((*inferred.shape)[2].value) << ToString(inferred);
}

TEST(Extents, ExtentsInSubgraphsAndOfSparseTensorsAreRead) {
  ModelBuilder builder = TextModel(R"((float[2,3] x, float[2,3] a, bool c) => (float[] y) {
    y = Max(x, a)
    z = If <then_branch = g () => (float[1,3] x) {}> (c) })");
  onnx::GraphProto* const graph = builder.graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
  onnx::TypeProto* const type = graph->mutable_output(0)->mutable_type();
  onnx::TensorShapeProto* const shape = type->mutable_tensor_type()->mutable_shape();
  shape->mutable_dim(0)->set_dim_value(-1);
  EXPECT_THAT(NotesOf(builder), Contains(kNote).Times(3));
  shape->mutable_dim(0)->set_dim_value(-2);
  for (const std::string& read : ReadingsOf(builder)) EXPECT_THAT(read, HasSubstr("has the extent -2"));

  ModelBuilder sparse = WithInput({2, 3});
  sparse.SparseInput("s", kFloat);
  auto* dims = sparse.graph()->mutable_input(2)->mutable_type()->mutable_sparse_tensor_type();
  dims->mutable_shape()->add_dim()->set_dim_value(-2);
  for (const std::string& read : ReadingsOf(sparse)) EXPECT_THAT(read, HasSubstr("has the extent -2"));
}

TEST(Extents, EveryInterfaceRefusesATensorOfNegativeExtent) {
  ModelBuilder builder = WithInput({2, 3});
  builder.Initializer<float>("w", kFloat, {-1}, {1});
  for (const std::string& read : ReadingsOf(builder)) {
    EXPECT_THAT(read, HasSubstr("malformed file: 'm.onnx': initializer 'w'"));
  }
}

}  // namespace
}  // namespace supremum::test
