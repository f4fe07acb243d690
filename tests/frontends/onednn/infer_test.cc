// What follows in a graph before it runs.
#include "frontends/onednn/testing.h"

namespace supremum::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr std::int64_t kNone = kUnknownExtent;

Result<std::vector<OneDnnTensor>> Inferred(const std::string& text) {
  const Result<OneDnnGraph> graph = Parsed(text);
  if (!graph) return graph.error();
  return graph->Infer();
}

/// The inferred shape of tensor `id`, which `text` states as unknown.
std::optional<Integers> ShapeOf(std::uint64_t id, const std::string& text) {
  const auto tensors = Inferred(text);
  EXPECT_TRUE(tensors) << tensors.error().message;
  if (!tensors) return std::nullopt;
  for (const OneDnnTensor& tensor : *tensors) {
    if (tensor.id == id) return tensor.shape;
  }
  ADD_FAILURE() << "no tensor " << id;
  return std::nullopt;
}

std::string Unknown(std::uint64_t id) { return F32(id, {-1}); }

// Rules: RED-1, RED-3, RED-4
TEST(OneDnnInfer, AReducedDimensionIsOneOrVanishes) {
  EXPECT_THAT(ShapeOf(1, Reduce(Axes({-1}), {F32(0, {2, 3})}, Unknown(1))), Optional(ElementsAre(2)));
  EXPECT_THAT(ShapeOf(1, Reduce(Axes({-1}, true), {F32(0, {2, 3})}, Unknown(1))),
              Optional(ElementsAre(2, 1)));
  EXPECT_THAT(ShapeOf(1, Reduce(Axes({0}), {F32(0, {2, kNone})}, Unknown(1))), Optional(ElementsAre(kNone)));
  EXPECT_THAT(ShapeOf(1, Reduce(Axes({0}), {F32(0, {2, kNone, 4})}, Unknown(1))),
              Optional(ElementsAre(kNone, 4)));
  EXPECT_EQ(ShapeOf(1, Reduce(Axes({0}), {Unknown(0)}, Unknown(1))), std::nullopt);
}

// Rules: RED-3, RED-4
TEST(OneDnnInfer, OfAxesThatAreAnInputTheirCountCounts) {
  const std::string x = F32(0, {2, 3, 1});
  const std::string keep = R"("keep_dims":{"type":"bool","value":1})";
  EXPECT_THAT(ShapeOf(1, Reduce("", {x, TensorText(7, "s32", {2})}, Unknown(1))),
              Optional(ElementsAre(kNone)));
  EXPECT_THAT(ShapeOf(1, Reduce(keep, {x, TensorText(7, "s32", {2})}, Unknown(1))),
              Optional(ElementsAre(kNone, kNone, 1)));
  EXPECT_THAT(ShapeOf(1, Reduce(keep, {x, TensorText(7, "s32", {3})}, Unknown(1))),
              Optional(ElementsAre(1, 1, 1)));
  EXPECT_THAT(ShapeOf(1, Reduce("", {x, TensorText(7, "s32", {0})}, Unknown(1))),
              Optional(ElementsAre(2, 3, 1)));
  EXPECT_EQ(ShapeOf(1, Reduce("", {x, TensorText(7, "s32", {-1})}, Unknown(1))), std::nullopt);
}

TEST(OneDnnInfer, StridesOfAnInputAreAsManyAsItsDimensions) {
  ExpectError(Inferred(Reduce(Axes({0}), {F32(0, {2, 3}, Integers{1})}, Unknown(1))), ErrorCode::kRank,
              {"shape [2,3]", "strides [1]", "one stride a dimension"});
}

// Rules: BRO-2
TEST(OneDnnInfer, MaximumHasTheCommonShape) {
  EXPECT_THAT(ShapeOf(2, MaximumText(F32(0, {2, 1}), F32(1, {3}), Unknown(2))), Optional(ElementsAre(2, 3)));
  EXPECT_THAT(ShapeOf(2, MaximumText(F32(0, {kNone, 4}), F32(1, {2, kNone}), F32(2, {kNone, kNone}))),
              Optional(ElementsAre(2, 4)));
  const std::string none = R"("auto_broadcast":{"type":"string","value":"none"})";
  EXPECT_THAT(ShapeOf(2, MaximumText(F32(0, {kNone, 4}), F32(1, {2, kNone}), F32(2, {kNone, kNone}), none)),
              Optional(ElementsAre(2, 4)));
}

TEST(OneDnnInfer, ThroughOpsInAnyOrderAndPastOthers) {
  const std::string text = GraphText({OpText(2, "Maximum", "", {Unknown(3), F32(4, {1})}, {Unknown(5)}),
                                      OpText(1, "ReduceMax", Axes({0}), {Unknown(1)}, {Unknown(3)}),
                                      OpText(0, "Maximum", "", {F32(0, {2, 3}), F32(4, {1})}, {Unknown(1)}),
                                      OpText(3, "Sigmoid", "", {Unknown(5)}, {Unknown(6)})});
  EXPECT_THAT(ShapeOf(5, text), Optional(ElementsAre(3)));
  EXPECT_EQ(ShapeOf(6, text), std::nullopt);
}

void ExpectError(const std::string& text, ErrorCode code, const std::string& part) {
  const Error error = ErrorOf(Inferred(text));
  EXPECT_EQ(error.code, code) << error.message;
  EXPECT_THAT(error.message, HasSubstr(part));
  EXPECT_THAT(error.message, HasSubstr("'g.json': op "));
}

// Rules: RED-4, RED-2, TYP-2, TYP-5, E1, E2
TEST(OneDnnInfer, ErrorsAreThoseOfARun) {
  const std::string x = F32(0, {2, 3}), y = F32(1, {2});
  ExpectError(Reduce("", {x}, y), ErrorCode::kAxesGiven, "neither as attribute 'axes' nor as a second input");
  ExpectError(Reduce(Axes({1}), {x, TensorText(7, "s32", {1})}, y), ErrorCode::kAxesGiven, "given twice");
  ExpectError(Reduce(Axes({2}), {x}, y), ErrorCode::kAxis, "2");
  ExpectError(Reduce(Axes({1}), {x}, TensorText(1, "f16", {2})), ErrorCode::kTypeMismatch, "TYP-2");
  ExpectError(Reduce("", {x, TensorText(7, "s64", {1})}, y), ErrorCode::kTypeNotAdmitted, "TYP-5");
  ExpectError(Reduce("", {x, TensorText(7, "s32", {1, 1})}, y), ErrorCode::kRank, "has shape [1,1]");
  ExpectError(Reduce("", {x, TensorText(7, "s32", {3})}, y), ErrorCode::kAxis, "3 axes are given");
  ExpectError(Reduce(Axes({1}), {x}, F32(1, {3})), ErrorCode::kOutputShapeMismatch,
              "output '1' is stated as f32[3] and the computed shape is [2]; state the computed shape");
  ExpectError(Reduce(Axes({1}), {F32(0, {kNone, 3})}, F32(1, {kNone, kNone})),
              ErrorCode::kOutputShapeMismatch, "the computed shape is [?]");
  ExpectError(Reduce(Axes({1}), {x}, F32(1, {2}, Integers{1, 1})), ErrorCode::kOutputShapeMismatch,
              "one stride a dimension");
  ExpectError(MaximumText(F32(0, {2, kNone}), F32(1, {3, kNone}), Unknown(2)), ErrorCode::kNotBroadcastable,
              "input '0' has shape [2,?]");
  const std::string none = R"("auto_broadcast":{"type":"string","value":"none"})";
  ExpectError(MaximumText(F32(0, {2, kNone}), F32(1, {1, 4}), F32(2, {kNone, kNone}), none),
              ErrorCode::kNotBroadcastable, "'auto_broadcast' is 'none'");
}

TEST(OneDnnInfer, AttributesAreThoseOfARun) {
  const auto graph =
      Parsed(GraphText({OpText(0, "ReduceMax", Axes({1}, true), {F32(0, {2, 3})}, {Unknown(1)}),
                        OpText(1, "Maximum", "", {Unknown(1), F32(2, {1})}, {Unknown(3)})}));
  ASSERT_TRUE(graph) << graph.error().message;
  EXPECT_EQ(graph->ops()[0].attributes, (OneDnnAttributes{Integers{1}, true, true}));
  EXPECT_EQ(graph->ops()[1].attributes, OneDnnAttributes());
}

}  // namespace
}  // namespace supremum::test
