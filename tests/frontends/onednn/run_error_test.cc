// Every error of a run, in its own words.
#include "frontends/onednn/testing.h"

namespace supremum::test {
namespace {

using ::testing::HasSubstr;

// Rules: RED-4
TEST(OneDnnRunError, AxesGivenTwiceOrNotAtAllAreAnError) {
  const std::string x = F32(0, {2, 3}), y = F32(1, {2});
  ExpectMessage(
      RunText(Reduce("", {x}, y), Rows()), ErrorCode::kAxesGiven,
      "axes not given exactly once: 'g.json': op 0 'n0' (ReduceMax): the axes are given neither as attribute "
      "'axes' nor as a second input; add one of them (RED-4)");
  std::vector<NamedTensor> inputs = Rows();
  inputs.push_back(AxesTensor("7", {1}));
  ExpectMessage(
      RunText(Reduce(Axes({1}), {x, TensorText(7, "s32", {1})}, y), inputs), ErrorCode::kAxesGiven,
      "axes not given exactly once: 'g.json': op 0 'n0' (ReduceMax): the axes are given twice, as attribute "
      "'axes' and as input '7'; remove one of them (RED-4)");
}

// Rules: RED-2
TEST(OneDnnRunError, AWrongAxisIsNamedWithItsOp) {
  for (const Integers& axes : {Integers{2}, Integers{-3}, Integers{1, -1}, Integers{INT64_MIN}}) {
    ExpectError(RunText(Reduce(Axes(axes), {F32(0, {2, 3})}, F32(1, {2})), Rows()), ErrorCode::kAxis,
                {"wrong axis: 'g.json': op 0 'n0' (ReduceMax): ", std::to_string(axes.back())});
  }
}

// Rules: TYP-5
TEST(OneDnnRunError, AnAxesInputIsOneDimensionOfS32) {
  const auto run = [](const std::string& axes, NamedTensor given) {
    std::vector<NamedTensor> inputs = Rows();
    inputs.push_back(std::move(given));
    return RunText(Reduce("", {F32(0, {2, 3}), axes}, F32(1, {2})), inputs);
  };
  ExpectMessage(run(TensorText(7, "s64", {1}), Named<std::int64_t>("7", {1}, {1})),
                ErrorCode::kTypeNotAdmitted,
                "type not admitted: 'g.json': op 0 'n0' (ReduceMax): input '7', the axes, has type s64; an "
                "axes input is "
                "s32 (TYP-5)");
  ExpectMessage(
      run(TensorText(7, "s32", {1, 1}), Named<std::int32_t>("7", {1, 1}, {1})), ErrorCode::kRank,
      "rank not supported: 'g.json': op 0 'n0' (ReduceMax): input '7', the axes, has shape [1,1]; an "
      "axes input "
      "has one dimension");
  ExpectMessage(run(TensorText(7, "s32", {1}), Named<std::int64_t>("7", {1}, {1})), ErrorCode::kTypeMismatch,
                "type mismatch: 'g.json': input '7' has type int64 and the graph states s32 (int32); nothing "
                "is converted "
                "(TYP-2)");
}

// Rules: TYP-5, TYP-2
TEST(OneDnnRunError, OnlyTheThreeFloatTypesAreAdmitted) {
  for (const char* dtype : {"f64", "s8", "u8", "s32", "s64", "boolean", "f8_e4m3", "undef"}) {
    const std::string x = TensorText(0, dtype, {2, 3});
    for (const std::string& text : {Reduce(Axes({1}), {x}, TensorText(1, dtype, {2})),
                                    MaximumText(x, x, TensorText(1, dtype, {2, 3}))}) {
      ExpectError(RunText(text, Rows()), ErrorCode::kTypeNotAdmitted,
                  {std::string("): input '0' has type ") + dtype + ", which oneDNN's ",
                   " does not have (TYP-5); it has f32, bf16 and f16"});
    }
  }
}

// Rules: TYP-2
TEST(OneDnnRunError, AnOpHasOneType) {
  ExpectMessage(RunText(Reduce(Axes({1}), {F32(0, {2, 3})}, TensorText(1, "bf16", {2})), Rows()),
                ErrorCode::kTypeMismatch,
                "type mismatch: 'g.json': op 0 'n0' (ReduceMax): output '1' has type bf16 and input '0' has "
                "type f32; an "
                "op's tensors must have one type, nothing is converted (TYP-2)");
  std::vector<NamedTensor> inputs = Rows();
  inputs.push_back(Named<Float16>("2", {3}, std::vector<Float16>(3)));
  ExpectError(RunText(MaximumText(F32(0, {2, 3}), TensorText(2, "f16", {3}), F32(1, {2, 3})), inputs),
              ErrorCode::kTypeMismatch, {"(Maximum): input '2' has type f16 and input '0' has type f32;"});
}

TEST(OneDnnRunError, AnOpHasTheNumberOfTensorsOfItsKind) {
  const std::string x = F32(0, {2, 3}), y = F32(1, {2, 3});
  ExpectMessage(RunText(Reduce(Axes({1}), {x, x, x}, y), Rows()), ErrorCode::kInputCount,
                "wrong number of inputs: 'g.json': op 0 'n0' (ReduceMax): ReduceMax takes 1 or 2 inputs, src "
                "and axes, and "
                "has 3");
  ExpectMessage(RunText(GraphText({OpText(0, "Maximum", "", {x}, {y})}), Rows()), ErrorCode::kInputCount,
                "wrong number of inputs: 'g.json': op 0 'n0' (Maximum): Maximum takes 2 inputs, src_0 and "
                "src_1, and has 1");
  ExpectError(RunText(GraphText({OpText(0, "ReduceMax", Axes({0}), {}, {y})}), {}), ErrorCode::kInputCount);
}

TEST(OneDnnRunError, AnOtherKindIsNamedBeforeAnythingElse) {
  ExpectMessage(
      RunText(GraphText({OpText(3, "ReduceMax", "", {F32(0, {2, 3})}, {F32(1, {2})}),
                         OpText(5, "ReLU", R"("alpha":7)", {F32(1, {2})}, {F32(2, {2})})}),
              {}),
      ErrorCode::kUnsupportedOperator,
      "unsupported operator: 'g.json': op 5 'n5' (ReLU): the kind 'ReLU' is not executed, only ReduceMax and "
      "Maximum are; cut out the part of the graph that consists of these");
}

TEST(OneDnnRunError, InputsThatAreMissingUnknownTwiceOrOfAnotherShapeAreNamed) {
  const std::string text = MaximumText(F32(0, {2, 3}), F32(5, {-1}), F32(1, {2, 3}));
  const std::string start = "invalid argument: 'g.json': ";
  const std::string ports = "; its inputs are 0 (f32[2,3]), 5 (f32)";
  ExpectMessage(RunText(text, Rows()), ErrorCode::kInvalidArgument,
                start + "input '5', f32, is not given" + ports);
  std::vector<NamedTensor> inputs = Rows();
  inputs.push_back(Named<float>("1", {2}, {0, 0}));
  ExpectMessage(RunText(text, inputs), ErrorCode::kInvalidArgument, start + "it has no input '1'" + ports);
  inputs[1].name = "0";
  ExpectMessage(RunText(text, inputs), ErrorCode::kInvalidArgument,
                start + "input '0' is given twice; give each input once");
  inputs[1].name = "00";
  EXPECT_EQ(ErrorOf(RunText(text, inputs)).message, start + "it has no input '00'" + ports);
  const std::vector<NamedTensor> wide = List(Named<float>("0", {3, 2}, kRows), Named<float>("5", {1}, {0}));
  ExpectMessage(
      RunText(text, wide), ErrorCode::kInvalidArgument,
      start + "input '0' has shape [3,2] and the graph states f32[2,3]; give a tensor of the stated shape");
}

// Rules: E2
TEST(OneDnnRunError, AStatedOutputMustBeWhatIsComputed) {
  const std::string x = F32(0, {2, 3});
  const std::string start = "E2 output shape mismatch: 'g.json': op 0 'n0' (ReduceMax): output '1' ";
  ExpectMessage(RunText(Reduce(Axes({1}), {x}, F32(1, {2, 1})), Rows()), ErrorCode::kOutputShapeMismatch,
                start + "is stated as f32[2,1] and the computed shape is [2]; state the computed shape");
  ExpectMessage(RunText(Reduce(Axes({1}, true), {x}, F32(1, {-1, 3})), Rows()),
                ErrorCode::kOutputShapeMismatch,
                start + "is stated as f32[?,3] and the computed shape is [2,1]; state the computed shape");
}

TEST(OneDnnRunError, ComputedTensorsOfMoreThanTheLimitAreRefused) {
  const auto run = [](std::int64_t max_bytes) {
    OneDnnRunOptions options;
    options.max_bytes = max_bytes;
    return RunText(Reduce(Axes({1}), {F32(0, {2, 3})}, F32(1, {2})), Rows(), options);
  };
  EXPECT_TRUE(run(8));
  ExpectError(
      run(7), ErrorCode::kLimitExceeded,
      {"'g.json': op 0 'n0' (ReduceMax): a float32 tensor of shape [2] takes more than the limit of 7"});
}

}  // namespace
}  // namespace supremum::test
