// Every error of ReduceMax: its code, its text, and that nothing was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors.h"
#include "supremum/reduce_max.h"

namespace supremum {
namespace {

// A valid reduction of [2,3] over axis 1; a test makes one fault in it.
class ReduceMaxError : public testing::Test {
 protected:
  std::vector<float> x_ = std::vector<float>(6, 1);
  std::vector<float> y_ = std::vector<float>(12, test::kUntouched);
  Shape x_shape_{2, 3}, y_shape_{2};
  std::vector<std::int64_t> axes_{1};
  TensorView source_ = TensorView::Of(x_.data(), x_shape_);
  MutableTensorView output_ = MutableTensorView::Of(y_.data(), y_shape_);
  ReduceMaxOptions options_{.source_name = "scores", .output_name = "best"};

  Error Refused() {
    options_.axes = axes_;
    const Result<void> done = ReduceMax(source_, output_, options_);
    EXPECT_FALSE(done);
    EXPECT_THAT(y_, testing::Each(test::kUntouched)) << "an error must leave the output as it was";
    EXPECT_FALSE(ReduceMaxPlan::Prepare(source_, output_, options_));
    return done ? Error{} : done.error();
  }

  void ExpectRefused(ErrorCode code, const std::vector<std::string>& parts) {
    test::ExpectError(Refused(), code, parts);
  }
};

TEST_F(ReduceMaxError, TheUnspoiledReductionIsAccepted) {
  options_.axes = axes_;
  EXPECT_TRUE(ReduceMax(source_, output_, options_));
}

TEST_F(ReduceMaxError, NoData) {
  source_.data = nullptr;
  ExpectRefused(ErrorCode::kInvalidArgument, {"input 'scores' has shape [2,3] and no data"});
  source_.data = x_.data();
  output_.data = nullptr;
  ExpectRefused(ErrorCode::kInvalidArgument, {"output 'best' has shape [2] and no data"});
}

// Rules: TYP-2
TEST_F(ReduceMaxError, TwoTypes) {
  output_.dtype = DType::kInt32;
  ExpectRefused(ErrorCode::kTypeMismatch,
                {"output 'best' has type int32", "input 'scores' has type float32"});
}

// Rules: TYP-4
TEST_F(ReduceMaxError, ATypeThatTheVersionOfOnnxDoesNotHave) {
  struct Refusal {
    ReduceMaxVersion version;
    DType dtype;
    const char* text;
  };
  for (const Refusal& c :
       {Refusal{ReduceMaxVersion::k20, DType::kInt16, "int16, which ReduceMax-20 does not have (TYP-4)"},
        Refusal{ReduceMaxVersion::k18, DType::kBool, "bool, which ReduceMax-18 does not have (TYP-4)"},
        Refusal{ReduceMaxVersion::k12, DType::kBFloat16, "bfloat16, which ReduceMax-12"},
        Refusal{ReduceMaxVersion::k11, DType::kUInt8, "uint8, which ReduceMax-11"},
        Refusal{ReduceMaxVersion::k1, DType::kInt8, "int8, which ReduceMax-1 "}}) {
    options_.version = c.version;
    source_.dtype = output_.dtype = c.dtype;
    ExpectRefused(ErrorCode::kTypeNotAdmitted, {"input 'scores' has type ", c.text, "none has int16"});
  }
}

// Rules: TYP-5
TEST_F(ReduceMaxError, ATypeThatOneDnnDoesNotHave) {
  options_.version = ReduceMaxVersion::kOneDnn;
  for (DType dtype : {DType::kFloat64, DType::kInt32, DType::kBool}) {
    source_.dtype = output_.dtype = dtype;
    ExpectRefused(ErrorCode::kTypeNotAdmitted, {"which oneDNN's ReduceMax does not have (TYP-5)",
                                                "it takes float32, bfloat16 and float16"});
  }
}

TEST_F(ReduceMaxError, ATypeThatIsNone) {
  source_.dtype = output_.dtype = static_cast<DType>(77);
  ExpectRefused(ErrorCode::kTypeNotAdmitted, {"has type invalid, which ReduceMax does not have (TYP-1)"});
}

// Rules: BRO-4
TEST_F(ReduceMaxError, MoreThanSixtyFourDimensions) {
  const std::vector<std::int64_t> extents(65, 1);
  source_.shape = extents;
  ExpectRefused(ErrorCode::kRank, {"input 'scores' has rank 65", "at most 64"});
}

TEST_F(ReduceMaxError, StridesOfAnotherRank) {
  const Shape strides{1};
  source_.strides = strides;
  ExpectRefused(ErrorCode::kRank, {"one stride a dimension"});
}

TEST_F(ReduceMaxError, ShapesThatCannotBe) {
  const Shape negative{2, -3}, huge{INT64_MAX, 3}, strides{INT64_MAX, 1};
  source_.shape = negative;
  ExpectRefused(ErrorCode::kInvalidShape, {"extent -3 in dimension 1 is negative"});
  source_.shape = huge;
  ExpectRefused(ErrorCode::kInvalidShape, {"more than 2^63-1 elements"});
  source_.shape = x_shape_;
  source_.strides = strides;
  ExpectRefused(ErrorCode::kInvalidShape, {"which leave the address space"});
}

// A call without a plan is refused like a plan: the tensors are dense, and their elements extend beyond the
// last address.
TEST_F(ReduceMaxError, AnAddressBehindWhichTheElementsLeaveTheAddressSpace) {
  void* const last = reinterpret_cast<void*>(UINTPTR_MAX - 3);
  source_.data = last;
  ExpectRefused(ErrorCode::kInvalidShape, {"input 'scores'", "leave the address space"});
  source_.data = x_.data();
  output_.data = last;
  ExpectRefused(ErrorCode::kInvalidShape, {"output 'best'", "leave the address space"});
}

// Rules: RED-2
TEST_F(ReduceMaxError, AnAxisOutOfRange) {
  axes_ = {2};
  ExpectRefused(ErrorCode::kAxis, {"axis 2 is out of range: input 'scores' has rank 2, so that an "
                                   "axis lies in [-2, 1] (RED-2)"});
  axes_ = {0, -3};
  ExpectRefused(ErrorCode::kAxis, {"axis -3 is out of range"});
  axes_ = {INT64_MIN};
  ExpectRefused(ErrorCode::kAxis, {"axis -9223372036854775808 is out of range"});
  axes_ = {INT64_MAX};
  ExpectRefused(ErrorCode::kAxis, {"axis 9223372036854775807 is out of range"});
}

// Rules: RED-2
TEST_F(ReduceMaxError, AnyAxisOfAScalar) {
  const Shape scalar;
  source_.shape = scalar;
  axes_ = {0};
  ExpectRefused(ErrorCode::kAxis, {"axis 0 is out of range", "rank 0, a scalar without axes"});
}

// Rules: RED-2
TEST_F(ReduceMaxError, ADimensionThatIsNamedTwice) {
  axes_ = {1, 1};
  ExpectRefused(ErrorCode::kAxis, {"axis 1 is named twice; input 'scores' has rank 2"});
  axes_ = {1, 0, -1};
  ExpectRefused(ErrorCode::kAxis, {"axis -1 is the dimension that 1 names already; input 'scores'"});
}

// Rules: RED-5
TEST_F(ReduceMaxError, ANegativeAxisBeforeOpsetEleven) {
  options_.version = ReduceMaxVersion::k1;
  axes_ = {-1};
  ExpectRefused(ErrorCode::kAxis, {"axis -1 is out of range", "an axis lies in [0, 1]",
                                   "ReduceMax-1 does not count from the end (RED-5), opset 11 and later do"});
}

// Rules: E2, RED-3
TEST_F(ReduceMaxError, AnotherOutputShape) {
  options_.keepdims = true;
  ExpectRefused(ErrorCode::kOutputShapeMismatch,
                {"output 'best' has shape [2] and the computed shape is [2,1]"});
  options_.keepdims = false;
  const Shape three{3}, higher{2, 1};
  output_.shape = three;
  ExpectRefused(ErrorCode::kOutputShapeMismatch, {"shape [3] and the computed shape is [2]"});
  output_.shape = higher;
  ExpectRefused(ErrorCode::kOutputShapeMismatch, {"[2,1]", "[2]"});
}

// Rules: MEM-1
TEST_F(ReduceMaxError, AnOutputThatMeetsAnAddressTwice) {
  const Shape still{0};
  output_.strides = still;
  ExpectRefused(ErrorCode::kOverlap,
                {"output 'best' has shape [2] and strides [0]", "two elements share an address"});
}

// Rules: MEM-2
TEST_F(ReduceMaxError, AnOutputWithinTheSource) {
  y_.assign(12, test::kUntouched);
  source_.data = y_.data();
  output_.data = y_.data();
  ExpectRefused(ErrorCode::kOverlap, {"output 'best' shares memory with input 'scores'"});
  output_.data = y_.data() + 5;
  ExpectRefused(ErrorCode::kOverlap, {"shares memory"});
  output_.data = y_.data() + 6;
  options_.axes = axes_;
  EXPECT_TRUE(ReduceMax(source_, output_, options_));
}

// Rules: MEM-2
TEST_F(ReduceMaxError, AnOutputInTheGapsOfTheSourceIsApart) {
  y_.assign(12, 1.0f);
  const Shape every_other{6, 2};
  source_ = TensorView::Of(y_.data(), x_shape_, every_other);
  output_.data = y_.data() + 1;
  const Shape gap{2};
  output_.strides = gap;
  options_.axes = axes_;
  EXPECT_TRUE(ReduceMax(source_, output_, options_));
}

TEST_F(ReduceMaxError, WithoutNamesTheTextsSayTheSourceAndTheOutput) {
  options_.source_name = options_.output_name = {};
  axes_ = {7};
  ExpectRefused(ErrorCode::kAxis, {"the source has rank 2"});
  axes_ = {1};
  const Shape three{3};
  output_.shape = three;
  ExpectRefused(ErrorCode::kOutputShapeMismatch, {"the output has shape [3]"});
}

// Section 7 of docs/semantics.md: the earliest in the order is reported.
TEST_F(ReduceMaxError, OfSeveralErrorsTheEarliestIsReported) {
  const Shape negative{2, -3}, three{3};
  axes_ = {9};
  output_.shape = three;
  options_.version = ReduceMaxVersion::kOneDnn;
  source_.shape = negative;
  source_.dtype = output_.dtype = DType::kInt8;
  EXPECT_EQ(Refused().code, ErrorCode::kTypeNotAdmitted);
  options_.version = ReduceMaxVersion::kSupremum;
  EXPECT_EQ(Refused().code, ErrorCode::kInvalidShape);
  source_.shape = x_shape_;
  EXPECT_EQ(Refused().code, ErrorCode::kAxis);
  axes_ = {1};
  EXPECT_EQ(Refused().code, ErrorCode::kOutputShapeMismatch);
}

TEST_F(ReduceMaxError, TheOutputShapeAloneHasTheErrorsOfTheSource) {
  const std::vector<std::int64_t> twice{0, 0};
  options_.axes = twice;
  source_.data = nullptr;
  test::ExpectError(ReduceMaxOutputShape(source_, options_), ErrorCode::kAxis);
}

}  // namespace
}  // namespace supremum
