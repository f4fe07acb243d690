// Every error of MaxWithBounds and ReduceMaxWithBounds: its code, its text, and that nothing was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"
#include "supremum/bounds.h"

namespace supremum {
namespace {

using testing::HasSubstr;

// Valid operands of shape [2,3]; a test makes one fault in them.
class BoundsError : public testing::Test {
 protected:
  std::vector<float> a_ = std::vector<float>(6, 1), b_ = std::vector<float>(6, 2);
  std::vector<float> ea_ = std::vector<float>(6, 0.5f), eb_ = std::vector<float>(1, 0.25f);
  std::vector<float> y_ = std::vector<float>(6, test::kUntouched), bound_ = y_, lower_ = y_, upper_ = y_;
  const Shape shape_{2, 3}, scalar_{};
  std::vector<TensorView> values_{TensorView::Of(a_.data(), shape_), TensorView::Of(b_.data(), shape_)};
  std::vector<TensorView> bounds_{TensorView::Of(ea_.data(), shape_), TensorView::Of(eb_.data(), scalar_)};
  BoundedOutput output_{
      MutableTensorView::Of(y_.data(), shape_), MutableTensorView::Of(bound_.data(), shape_),
      MutableTensorView::Of(lower_.data(), shape_), MutableTensorView::Of(upper_.data(), shape_)};
  std::vector<std::string_view> names_{"left", "right"};
  MaxOptions options_{.input_names = names_, .output_name = "best"};

  Result<void> Call() const { return MaxWithBounds(values_, bounds_, output_, options_); }

  void ExpectRefused(ErrorCode code, const std::vector<std::string>& parts) {
    const Result<void> done = Call();
    for (const auto* output : {&y_, &bound_, &lower_, &upper_}) {
      EXPECT_THAT(*output, testing::Each(test::kUntouched)) << "an error must leave the outputs as they were";
    }
    test::ExpectError(done, code, parts);
  }
};

TEST_F(BoundsError, TheUnspoiledOperandsAreAccepted) { EXPECT_TRUE(Call()); }

// Rules: ACC-2
TEST_F(BoundsError, ABoundBelowZeroIsNamedWithItsIndex) {
  ea_[5] = -std::numeric_limits<float>::denorm_min();
  ExpectRefused(ErrorCode::kNegativeBound,
                {"the bound of input 'left' is below zero at index [1,2];", "ACC-2"});
  ea_[1] = -std::numeric_limits<float>::infinity();
  ExpectRefused(ErrorCode::kNegativeBound, {"at index [0,1];"});
  ea_[1] = ea_[5] = -0.0f;
  eb_[0] = -1;
  ExpectRefused(ErrorCode::kNegativeBound, {"the bound of input 'right' is below zero;"});
  eb_[0] = -std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(Call()) << "a NaN is not below zero";
}

TEST_F(BoundsError, AnotherNumberOfBoundsThanOfInputs) {
  bounds_.pop_back();
  ExpectRefused(ErrorCode::kInputCount, {"2 inputs were given 1 bounds"});
}

// Rules: MAX-1
TEST_F(BoundsError, NoInput) {
  values_.clear();
  bounds_.clear();
  ExpectRefused(ErrorCode::kInputCount, {"takes 1 to 2147483647 inputs and was given 0"});
}

// Rules: TYP-2
TEST_F(BoundsError, ABoundOrAnOutputOfAnotherType) {
  bounds_[1].dtype = DType::kFloat16;
  ExpectRefused(ErrorCode::kTypeMismatch,
                {"the bound of input 'right' has type float16", "input 'right' has type float32"});
  bounds_[1].dtype = DType::kFloat32;
  output_.upper->dtype = DType::kInt32;
  ExpectRefused(ErrorCode::kTypeMismatch, {"the upper end of output 'best' has type int32"});
}

// Rules: E1, BRO-2
TEST_F(BoundsError, ABoundThatDoesNotBroadcastToItsInput) {
  const Shape four{4}, higher{1, 2, 3};
  for (const Shape& shape : {four, higher}) {
    bounds_[0].shape = shape;
    ExpectRefused(ErrorCode::kNotBroadcastable,
                  {"the bound of input 'left' has shape " + ToString(shape), "input 'left' has shape [2,3]"});
  }
  const Shape row{3};
  values_[1].shape = row;
  bounds_[0].shape = shape_;
  bounds_[1].shape = shape_;
  ExpectRefused(ErrorCode::kNotBroadcastable, {"the bound of input 'right' has shape [2,3]"});
}

// Rules: E2
TEST_F(BoundsError, AnOutputOfAnotherShape) {
  const Shape other{3, 2};
  output_.lower->shape = other;
  ExpectRefused(ErrorCode::kOutputShapeMismatch, {"the lower end of output 'best' has shape [3,2]", "[2,3]"});
}

// Rules: BRO-4
TEST_F(BoundsError, RanksShapesAndStridesOfBoundsAreChecked) {
  const std::vector<std::int64_t> high(65, 1), negative{-2, 3}, far{INT64_MAX / 2, 1}, one{1};
  bounds_[0].shape = high;
  ExpectRefused(ErrorCode::kRank, {"the bound of input 'left' has rank 65"});
  bounds_[0].shape = negative;
  ExpectRefused(ErrorCode::kInvalidShape, {"the bound of input 'left'"});
  bounds_[0].shape = shape_;
  bounds_[0].strides = far;
  ExpectRefused(ErrorCode::kInvalidShape, {"leave the address space"});
  bounds_[0].strides = one;
  ExpectRefused(ErrorCode::kRank, {"strides [1]"});
}

TEST_F(BoundsError, NullData) {
  bounds_[0].data = nullptr;
  ExpectRefused(ErrorCode::kInvalidArgument, {"the bound of input 'left' has shape [2,3] and no data"});
  bounds_[0].data = ea_.data();
  output_.bound->data = nullptr;
  ExpectRefused(ErrorCode::kInvalidArgument, {"the bound of output 'best' has shape [2,3]"});
}

// Rules: MEM-1
TEST_F(BoundsError, AnOutputThatMeetsAnAddressTwice) {
  const Shape strides{0, 1};
  output_.bound->strides = strides;
  ExpectRefused(ErrorCode::kOverlap, {"the bound of output 'best'", "MEM-1"});
}

// Rules: MEM-2
TEST_F(BoundsError, OutputsThatShareMemoryWithAnInputABoundOrEachOther) {
  const BoundedOutput good = output_;
  const auto expect_overlap = [&](const std::string& a, const std::string& b) {
    ExpectRefused(ErrorCode::kOverlap, {a + " shares memory with " + b, "MEM-2"});
    output_ = good;
  };
  output_.value.data = ea_.data();
  expect_overlap("output 'best'", "the bound of input 'left'");
  output_.bound->data = ea_.data();
  expect_overlap("the bound of output 'best'", "the bound of input 'left'");
  output_.upper->data = b_.data();
  expect_overlap("the upper end of output 'best'", "input 'right'");
  output_.lower->data = y_.data();
  expect_overlap("the lower end of output 'best'", "output 'best'");
  output_.upper->data = lower_.data();
  expect_overlap("the lower end of output 'best'", "the upper end of output 'best'");
  EXPECT_THAT(ea_, testing::Each(0.5f));
  EXPECT_THAT(b_, testing::Each(2.0f));
}

// Section 7. Each step corrects the first of the errors that are left.
// Rules: ACC-2
TEST_F(BoundsError, OfSeveralErrorsTheEarliestInTheOrderIsReported) {
  const std::vector<std::int64_t> high(65, 1);
  const Shape four{4};
  eb_[0] = -1;
  output_.lower->data = y_.data();
  output_.upper->shape = four;
  values_[0].shape = four;
  bounds_[1].shape = high;
  options_.identical_shapes_only = true;
  bounds_[0].dtype = DType::kInt8;
  bounds_.push_back(bounds_[0]);

  EXPECT_EQ(Call().error().code, ErrorCode::kInputCount);
  bounds_.pop_back();
  EXPECT_EQ(Call().error().code, ErrorCode::kTypeMismatch);
  bounds_[0].dtype = DType::kFloat32;
  EXPECT_EQ(Call().error().code, ErrorCode::kBroadcastRefused);
  options_.identical_shapes_only = false;
  EXPECT_EQ(Call().error().code, ErrorCode::kRank);
  bounds_[1].shape = scalar_;
  EXPECT_EQ(Call().error().code, ErrorCode::kNotBroadcastable);
  values_[0].shape = shape_;
  EXPECT_EQ(Call().error().code, ErrorCode::kOutputShapeMismatch);
  output_.upper->shape = shape_;
  EXPECT_EQ(Call().error().code, ErrorCode::kOverlap);
  output_.lower->data = lower_.data();
  EXPECT_EQ(Call().error().code, ErrorCode::kNegativeBound);
  eb_[0] = 1;
  EXPECT_TRUE(Call());
}

// Rules: ACC-2, RED-2
TEST(ReduceMaxBoundsError, NamesTheSourceAndItsBound) {
  const std::vector<float> x(6, 1), e{1, -1, 1};
  std::vector<float> y(2, test::kUntouched);
  const Shape shape{2, 3}, row{3}, two{2};
  const std::int64_t axes[] = {1}, wrong[] = {2};
  const BoundedOutput output{.value = MutableTensorView::Of(y.data(), two)};
  const TensorView source = TensorView::Of(x.data(), shape), bound = TensorView::Of(e.data(), row);
  const auto error_of = [&](const ReduceMaxOptions& options) {
    const Result<void> done = ReduceMaxWithBounds(source, bound, output, options);
    EXPECT_FALSE(done);
    EXPECT_THAT(y, testing::Each(test::kUntouched));
    return done ? Error{} : done.error();
  };
  EXPECT_THAT(error_of({.axes = axes}).message,
              HasSubstr("the bound of the source is below zero at index [1];"));
  EXPECT_THAT(error_of({.axes = axes, .source_name = "x"}).message,
              HasSubstr("the bound of input 'x' is below"));
  EXPECT_EQ(error_of({.axes = wrong}).code, ErrorCode::kAxis);
}

// Rules: BRO-4, MEM-1
TEST_F(BoundsError, AnOutputBesideTheValueIsCheckedOnItsOwn) {
  const BoundedOutput whole = output_;
  const Shape high = Shape::Filled(kMaxRank, 1), negative{2, -3}, far{INT64_MAX, INT64_MAX};
  std::vector<std::int64_t> too_high(high.begin(), high.end());
  too_high.push_back(1);
  output_.lower = {DType::kFloat32, too_high, {}, lower_.data()};
  ExpectRefused(ErrorCode::kRank, {"65"});
  output_ = whole;
  output_.upper = {DType::kFloat32, negative, {}, upper_.data()};
  ExpectRefused(ErrorCode::kInvalidShape, {"[2,-3]"});
  output_ = whole;
  output_.bound = {DType::kFloat32, shape_, far, bound_.data()};
  ExpectRefused(ErrorCode::kInvalidShape, {"strides"});
}

}  // namespace
}  // namespace supremum
