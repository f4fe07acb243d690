// AnnotateModel: states what the rules want stated, and changes no computed bit.
#include "supremum/annotate.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

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
  return TextModel("(float[N,3] a, float[3] b) => (float[] y) { r = Relu(a) m = Max(r, b) y = ReduceMax(m) }",
                   opset);
}

// Rules: PRO-2, PRO-3, PRO-4, PRO-5
TEST(Annotate, AfterwardsTheProfileHolds) {
  EXPECT_FALSE(Checked(Pooled(), kSonnx).Holds());
  const AnnotatedModel model = Annotated(Pooled(), {.dims = {{"N", 2}}});
  EXPECT_THAT(TextsOf(model),
              ElementsAre("symbol 'N' is 2", "value 'r' is stated as float32[2,3]",
                          "value 'm' is stated as float32[2,3]", "value 'y' is stated as float32[1,1]",
                          "node #2 (ReduceMax, output 'y') has axes=[0,1]",
                          "node #2 (ReduceMax, output 'y') has keepdims=1"));
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
  const std::string branch = "g () => (float[2,3] s) { inner = Relu(outer) s = Max(inner, outer) }";
  const AnnotatedModel model =
      Annotated(TextModel("(bool c, float[2,3] a) => (float[] y) { outer = Relu(a) "
                          "y = If <then_branch = " +
                          branch + ", else_branch = " + branch + "> (c) }"));
  const std::string then = " in node #1 (If, output 'y'), attribute 'then_branch'";
  EXPECT_THAT(TextsOf(model), Contains("value 'outer' is stated as float32[2,3]").Times(1));
  EXPECT_THAT(TextsOf(model), Contains("value 'inner' is stated as float32[2,3]" + then));
  EXPECT_TRUE(CheckedAgain(model).Holds());
}

TEST(Annotate, ANodeThatBreaksARuleIsLeft) {
  const AnnotatedModel model =
      Annotated(TextModel("(float[2,3] a, float[4] b) => (float[] y) { y = Max(a, b) }"));
  EXPECT_THAT(model.annotations, IsEmpty());
  EXPECT_THAT(model.notes, Contains(AllOf(HasSubstr("node #0 (Max, output 'y') is left as it is: E1"),
                                          HasSubstr("[2,3]"), HasSubstr("[4]"))));
}

TEST(Annotate, NodesOfFunctionsAreNotChanged) {
  ModelBuilder builder = TextModel(R"((float[2,3] a) => (float[] z) { y = local.f(a) z = Max(y, a) }
    FN f (p) => (q) { t = ReduceMax(p) q = Max(t, p) })");
  const AnnotatedModel model = Annotated(builder);
  EXPECT_THAT(TextsOf(model),
              ElementsAre("value 'y' is stated as float32[2,3]", "value 'z' is stated as float32[2,3]"));
  onnx::ModelProto read;
  ASSERT_TRUE(read.ParseFromArray(model.bytes.data(), static_cast<int>(model.bytes.size())));
  EXPECT_EQ(read.functions(0).SerializeAsString(), builder.model().functions(0).SerializeAsString());
}

// The caller's values can be stated, wherever they are used.
TEST(Annotate, ValuesThatCallsOfFunctionsUseAreStated) {
  const AnnotatedModel model = Annotated(TextModel(R"((float[2,3] a, bool c) => (float[2,3] y) {
    r = Relu(a)
    s = Relu(a)
    y = local.f(r)
    z = If <then_branch = g () => (float[] t) { t = local.f(s) },
            else_branch = h () => (float[] t) { t = local.f(s) }> (c) }
    FN f (r) => (q) { q = Max(r, r) }
    FN uncalled (r) => (q) { q = Max(r, r) })"));
  EXPECT_THAT(TextsOf(model),
              ElementsAre("value 'r' is stated as float32[2,3]", "value 's' is stated as float32[2,3]"));
}

TEST(Annotate, TheComputedBitsAreTheSame) {
  for (const std::int64_t opset : {8, 13, 18}) {
    const std::string bytes =
        TextModel("(float[N,3] a, float[3] b) => (float[] y) { m = Max(a, b) y = ReduceMax(m) }", opset)
            .Serialize();
    const Result<AnnotatedModel> annotated = AnnotateModel(std::as_bytes(std::span(bytes)), "m.onnx");
    ASSERT_TRUE(annotated && !annotated->annotations.empty());
    const auto run = [](std::span<const std::byte> model) {
      return Model::Parse(model, "m.onnx")
          ->Run(List(Named("a", {2, 3}, std::vector<float>{1, -0.0f, std::nanf(""), 4, 0.0f, -6}),
                     Named("b", {3}, std::vector<float>{0.0f, -0.0f, 5})));
    };
    const auto x = run(std::as_bytes(std::span(bytes))), y = run(annotated->bytes);
    ASSERT_TRUE(x && y);
    EXPECT_TRUE(std::ranges::equal(x->at(0).tensor.bytes(), y->at(0).tensor.bytes()));
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
