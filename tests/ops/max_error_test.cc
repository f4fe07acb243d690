// Every error of Max: its code, its text, and that nothing was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"
#include "supremum/max.h"

namespace supremum {
namespace {

// Valid operands of shape [2,3]; a test makes one fault in them.
class MaxError : public testing::Test {
 protected:
  std::vector<float> a_ = std::vector<float>(6, 1), b_ = std::vector<float>(6, 2);
  std::vector<float> y_ = std::vector<float>(12, test::kUntouched);
  Shape a_shape_{2, 3}, b_shape_{2, 3}, y_shape_{2, 3};
  std::vector<TensorView> inputs_{TensorView::Of(a_.data(), a_shape_), TensorView::Of(b_.data(), b_shape_)};
  MutableTensorView output_ = MutableTensorView::Of(y_.data(), y_shape_);
  std::vector<std::string_view> names_{"left", "right"};
  MaxOptions options_{.input_names = names_, .output_name = "best"};

  Error Refused() {
    const Result<void> done = Max(inputs_, output_, options_);
    EXPECT_FALSE(done);
    EXPECT_THAT(y_, testing::Each(test::kUntouched)) << "an error must leave the output as it was";
    EXPECT_FALSE(MaxPlan::Prepare(inputs_, output_, options_));
    return done ? Error{} : done.error();
  }

  void ExpectRefused(ErrorCode code, const std::vector<std::string>& parts) {
    test::ExpectError(Refused(), code, parts);
  }
};

TEST_F(MaxError, TheUnspoiledOperandsAreAccepted) { EXPECT_TRUE(Max(inputs_, output_, options_)); }

// Rules: MAX-1
TEST_F(MaxError, NoInput) {
  inputs_.clear();
  ExpectRefused(ErrorCode::kInputCount, {"takes 1 to 2147483647 inputs and was given 0"});
}

// Rules: TYP-2
TEST_F(MaxError, TwoTypes) {
  inputs_[1].dtype = DType::kInt32;
  ExpectRefused(ErrorCode::kTypeMismatch, {"input 'right' has type int32", "input 'left' has type float32"});
}

// Rules: TYP-2
TEST_F(MaxError, AnOutputOfAnotherType) {
  output_.dtype = DType::kUInt32;
  ExpectRefused(ErrorCode::kTypeMismatch, {"output 'best' has type uint32"});
}

// Rules: TYP-3
TEST_F(MaxError, ATypeThatTheVersionDoesNotHave) {
  const auto set_types = [&](DType dtype) { inputs_[0].dtype = inputs_[1].dtype = output_.dtype = dtype; };
  set_types(DType::kInt32);
  options_.version = MaxVersion::k8;
  ExpectRefused(ErrorCode::kTypeNotAdmitted, {"input 'left' has type int32", "Max-8 does not have", "opset"});
  set_types(DType::kBFloat16);
  options_.version = MaxVersion::k12;
  ExpectRefused(ErrorCode::kTypeNotAdmitted, {"bfloat16, which Max-12 does not have"});
  set_types(DType::kBool);
  options_.version = MaxVersion::k13;
  ExpectRefused(ErrorCode::kTypeNotAdmitted,
                {"bool, which Max-13 does not have (TYP-3); no version of Max has it"});
  set_types(static_cast<DType>(77));
  ExpectRefused(ErrorCode::kTypeNotAdmitted, {"none of the library's types"});
}

// Rules: PRO-6
TEST_F(MaxError, DifferentShapesWhereBroadcastingIsSwitchedOff) {
  b_shape_ = Shape{3};
  inputs_[1].shape = b_shape_;
  options_.identical_shapes_only = true;
  ExpectRefused(ErrorCode::kBroadcastRefused,
                {"input 'left' has shape [2,3]", "input 'right' has shape [3]", "ranks are 2 and 1"});
  options_.identical_shapes_only = false;
  EXPECT_TRUE(Max(inputs_, output_, options_));
}

// Rules: BRO-4
TEST_F(MaxError, MoreThan64Dimensions) {
  std::vector<std::int64_t> high(65, 1);
  inputs_[1].shape = high;
  ExpectRefused(ErrorCode::kRank, {"input 'right' has rank 65", "at most 64"});
  inputs_[1].shape = b_shape_;
  output_.shape = high;
  ExpectRefused(ErrorCode::kRank, {"output 'best' has rank 65"});
}

TEST_F(MaxError, StridesOfAnotherRank) {
  const Shape strides{1};
  inputs_[0].strides = strides;
  ExpectRefused(ErrorCode::kRank, {"input 'left'", "strides [1]"});
}

TEST_F(MaxError, AnExtentBelowZero) {
  b_shape_ = Shape{2, -3};
  inputs_[1].shape = b_shape_;
  ExpectRefused(ErrorCode::kInvalidShape, {"input 'right'", "[2,-3]", "dimension 1"});
}

TEST_F(MaxError, MoreElementsThanCanBeCounted) {
  const Shape huge{INT64_MAX, 3}, still{0, 0};
  inputs_[1].shape = huge;
  inputs_[1].strides = still;
  ExpectRefused(ErrorCode::kInvalidShape, {"more than 2^63-1 elements"});
}

TEST_F(MaxError, StridesThatLeaveTheAddressSpace) {
  const Shape strides{INT64_MAX / 2, 1};
  inputs_[1].strides = strides;
  ExpectRefused(ErrorCode::kInvalidShape, {"input 'right'", "leave the address space"});
}

// What is done at once is refused as a plan is: dense tensors, at an address before the end of all addresses.
TEST_F(MaxError, AnAddressBehindWhichTheElementsLeaveTheAddressSpace) {
  for (const std::uintptr_t before_the_end : {0U, 3U, 7U, 22U}) {
    void* const last = reinterpret_cast<void*>(UINTPTR_MAX - before_the_end);
    for (std::size_t m : {0U, 1U}) {
      const TensorView whole = inputs_[m];
      inputs_[m].data = last;
      ExpectRefused(ErrorCode::kInvalidShape,
                    {m == 0 ? "input 'left'" : "input 'right'", "leave the address space"});
      inputs_[m] = whole;
    }
    output_.data = last;
    ExpectRefused(ErrorCode::kInvalidShape, {"output 'best'", "leave the address space"});
    inputs_[0].data = last;  // in place
    ExpectRefused(ErrorCode::kInvalidShape, {"leave the address space"});
    inputs_[0].data = a_.data();
    output_.data = y_.data();
  }
}

// Rules: E1, BRO-2
TEST_F(MaxError, E1ForShapesThatDoNotBroadcast) {
  b_shape_ = Shape{4};
  inputs_[1].shape = b_shape_;
  ExpectRefused(ErrorCode::kNotBroadcastable, {"input 'left' has shape [2,3]", "input 'right' has shape [4]",
                                               "in dimension 1 of the common rank 2", "extents are 3 and 4"});
}

// Rules: E1, MAX-3
TEST_F(MaxError, E1ForDifferentShapesInTheVersionsThatDoNotBroadcast) {
  b_shape_ = Shape{1, 3};
  inputs_[1].shape = b_shape_;
  for (MaxVersion version : {MaxVersion::k1, MaxVersion::k6}) {
    options_.version = version;
    ExpectRefused(ErrorCode::kNotBroadcastable,
                  {"input 'left' has shape [2,3]", "input 'right' has shape [1,3]", "dimension 0",
                   "extents are 2 and 1", "MAX-3"});
  }
  options_.version = MaxVersion::k8;
  EXPECT_TRUE(Max(inputs_, output_, options_));
}

// Rules: E2
TEST_F(MaxError, E2ForAnOutputOfAnotherShape) {
  for (const Shape& shape : {Shape{3, 2}, Shape{6}, Shape{1, 2, 3}, Shape{2, 4}, Shape{}}) {
    output_.shape = shape;
    ExpectRefused(ErrorCode::kOutputShapeMismatch,
                  {"output 'best' has shape " + ToString(shape), "computed shape is [2,3]"});
  }
}

// Rules: MEM-1
TEST_F(MaxError, AnOutputThatMeetsAnAddressTwice) {
  for (const Shape& strides : {Shape{0, 1}, Shape{1, 1}, Shape{3, 0}, Shape{-2, 1}}) {
    output_.strides = strides;
    output_.data = y_.data() + 6;
    ExpectRefused(ErrorCode::kOverlap,
                  {"output 'best'", "strides " + ToString(strides), "share an address", "MEM-1"});
  }
}

// Rules: MEM-2
TEST_F(MaxError, AnOutputThatIsPartlyAnInput) {
  std::vector<float> shared(20, test::kUntouched);
  inputs_[1].data = shared.data() + 5;
  for (std::ptrdiff_t distance : {-5, -1, 1, 5}) {
    output_.data = shared.data() + 5 + distance;
    ExpectRefused(ErrorCode::kOverlap, {"output 'best' shares memory with input 'right'", "MEM-2"});
    EXPECT_THAT(shared, testing::Each(test::kUntouched));
  }
}

// Rules: MEM-2
TEST_F(MaxError, AnOutputAtAnInputsAddressThatIsNotThatInput) {
  std::vector<float> shared(6, test::kUntouched);
  const Shape transposed{1, 2}, row{3};
  inputs_[1].data = output_.data = shared.data();
  inputs_[1].strides = transposed;
  ExpectRefused(ErrorCode::kOverlap, {"input 'right'"});
  inputs_[1] = TensorView::Of(shared.data(), row);
  ExpectRefused(ErrorCode::kOverlap, {"input 'right'"});
  EXPECT_THAT(shared, testing::Each(test::kUntouched));
}

TEST_F(MaxError, NullData) {
  inputs_[1].data = nullptr;
  ExpectRefused(ErrorCode::kInvalidArgument, {"input 'right'", "null"});
  inputs_[1].data = b_.data();
  output_.data = nullptr;
  ExpectRefused(ErrorCode::kInvalidArgument, {"output 'best'"});
}

TEST_F(MaxError, WithoutNamesTextsCountTheInputsFromZero) {
  b_shape_ = Shape{4};
  inputs_[1].shape = b_shape_;
  options_ = {};
  ExpectRefused(ErrorCode::kNotBroadcastable, {"input 0 has", "input 1 has"});
}

// Section 7: count, type, profile, rank, E1, E2, overlap. Each step corrects the first of the errors that
// are left.
// Rules: E1, E2
TEST_F(MaxError, OfSeveralErrorsTheEarliestInTheOrderIsReported) {
  std::vector<std::int64_t> high(65, 1);
  const Shape four{4}, wrong_strides{1};
  inputs_.push_back({DType::kInt8, high, {}, a_.data()});
  names_.push_back("third");
  options_.input_names = names_;
  options_.identical_shapes_only = true;
  inputs_[1].shape = four;
  output_.strides = wrong_strides;
  output_.data = a_.data();

  EXPECT_EQ(Max(inputs_, output_, options_).error().code, ErrorCode::kTypeMismatch);
  inputs_[2].dtype = DType::kFloat32;
  EXPECT_EQ(Max(inputs_, output_, options_).error().code, ErrorCode::kBroadcastRefused);
  options_.identical_shapes_only = false;
  EXPECT_EQ(Max(inputs_, output_, options_).error().code, ErrorCode::kRank);
  inputs_.pop_back();
  EXPECT_EQ(Max(inputs_, output_, options_).error().code, ErrorCode::kRank) << "of the output's strides";
  output_.strides = {};
  EXPECT_EQ(Max(inputs_, output_, options_).error().code, ErrorCode::kNotBroadcastable);
  inputs_[1].shape = b_shape_;
  output_.shape = four;
  EXPECT_EQ(Max(inputs_, output_, options_).error().code, ErrorCode::kOutputShapeMismatch);
  output_.shape = y_shape_;
  output_.data = a_.data() + 1;
  EXPECT_EQ(Max(inputs_, output_, options_).error().code, ErrorCode::kOverlap);
  output_.data = a_.data();
  EXPECT_TRUE(Max(inputs_, output_, options_));
}

// Strides whose sums hardly ever coincide, and are too many to enumerate.
Shape HardStrides(std::size_t rank, Shape& shape) {
  shape = Shape();
  Shape strides;
  std::uint64_t random = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    shape.PushBack(3);
    strides.PushBack(static_cast<std::int64_t>(2'000'000'000'000'000 + (random >> 13)));
  }
  return strides;
}

// Rules: MEM-1, MEM-2
TEST_F(MaxError, MemoryThatCannotBeShownToBeApartIsRefusedInOtherWords) {
  const Shape strides = HardStrides(20, y_shape_);
  output_ = {DType::kFloat32, y_shape_, strides, y_.data()};
  inputs_ = {{DType::kFloat32, y_shape_, {}, a_.data()}};
  ExpectRefused(
      ErrorCode::kOverlap,
      {"'best' has shape", "under which no two elements could be shown to have different addresses"});
  const Shape scattered = HardStrides(16, y_shape_);
  Shape wide = RowMajorStrides(y_shape_);
  for (std::int64_t& stride : wide) stride *= 1'000'000;
  inputs_ = {{DType::kFloat32, y_shape_, scattered, a_.data()}};
  const std::uintptr_t amid =
      reinterpret_cast<std::uintptr_t>(a_.data()) + std::uintptr_t{16 * 4 * 2'100'000'000'000'000};
  output_ = {DType::kFloat32, y_shape_, wide, reinterpret_cast<void*>(amid)};
  test::ExpectError(MaxPlan::Prepare(inputs_, output_, options_), ErrorCode::kOverlap,
                    {"output 'best' cannot be shown to be apart from input 'left'"});
}

// Rules: E2
TEST_F(MaxError, E2ForAnOutputWhoseShapeIsNone) {
  y_shape_ = {2, -3};
  ExpectRefused(ErrorCode::kInvalidShape, {"'best' has shape [2,-3]"});
  y_shape_ = {INT64_MAX, INT64_MAX};
  ExpectRefused(ErrorCode::kInvalidShape, {"'best' has shape [9223372036854775807"});
}

}  // namespace
}  // namespace supremum
