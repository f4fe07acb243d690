// The rules of Max for the operands of a call.
#include "rules/max.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"

namespace supremum::test {
namespace {

// Two inputs and an output of float32, in one array: shapes [2,3], [3] and [2,3].
class MaxRulesTest : public testing::Test {
 protected:
  std::array<float, 32> memory_ = {};
  Shape a_shape_{2, 3}, b_shape_{3}, y_shape_{2, 3}, y_strides_{3, 1};
  const std::array<std::string_view, 2> names_ = {"a", "b"};
  std::vector<TensorView> inputs_{TensorView::Of(memory_.data(), a_shape_),
                                  TensorView::Of(memory_.data() + 6, b_shape_)};
  MutableTensorView output_{DType::kFloat32, y_shape_, y_strides_, memory_.data() + 16};

  Views All() { return Views(inputs_, &output_, {names_, "y"}); }
  Result<void> Memory() { return All().CheckMemory(); }
};

// Rules: MAX-1
TEST(MaxRules, OneInputAndTheLimitAreAdmittedNoneAndMoreAreNot) {
  EXPECT_TRUE(CheckInputCount(1));
  EXPECT_TRUE(CheckInputCount(2147483647));
  ExpectError(CheckInputCount(0), ErrorCode::kInputCount, {"MAX-1", "was given 0"});
  ExpectError(CheckInputCount(2147483648), ErrorCode::kInputCount, {"MAX-1", "was given 2147483648"});
}

// Rules: TYP-2, TYP-3, BRO-2, E2
TEST_F(MaxRulesTest, StateTheTypeAndTheShapeOfTheOutput) {
  const Result<CheckedMax> checked = JudgeMax(All(), {});
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->dtype, DType::kFloat32);
  EXPECT_EQ(checked->shape, (Shape{2, 3}));
  EXPECT_EQ(JudgeMax(All().WithoutOutput(), {})->shape, (Shape{2, 3}));
  ExpectError(JudgeMax(All(), {MaxVersion::k6, false}), ErrorCode::kNotBroadcastable,
              {"MAX-3", "their ranks"});
  ExpectError(JudgeMax(All(), {kLatestMax, true}), ErrorCode::kBroadcastRefused, {"PRO-6"});
  y_shape_ = {3, 3};
  output_.shape = y_shape_;
  ExpectError(JudgeMax(All(), {}), ErrorCode::kOutputShapeMismatch, {"output 'y'", "[2,3]"});
  EXPECT_TRUE(JudgeMax(All().WithoutOutput(), {})) << "without an output, E2 does not apply";
}

// Rules: MEM-1
TEST_F(MaxRulesTest, AnOutputHasEachAddressOnce) {
  EXPECT_TRUE(Memory());
  y_strides_ = {1, 1};
  output_.strides = y_strides_;
  ExpectError(Memory(), ErrorCode::kOverlap, {"output 'y'", "MEM-1"});
}

// Rules: MEM-2
TEST_F(MaxRulesTest, AnOutputIsExactlyAnInputOrApartFromIt) {
  output_.data = memory_.data();
  EXPECT_TRUE(Memory()) << "it is exactly input 'a'";
  output_.data = memory_.data() + 1;
  ExpectError(Memory(), ErrorCode::kOverlap, {"output 'y'", "input 'a'", "MEM-2"});
  output_.data = memory_.data() + 6;
  ExpectError(Memory(), ErrorCode::kOverlap, {"input 'b'"});
  output_.data = memory_.data();
  y_strides_ = {6, 2};
  output_.strides = y_strides_;
  ExpectError(Memory(), ErrorCode::kOverlap, {"input 'a'"});
  y_shape_ = {0, 3};
  output_.shape = y_shape_;
  EXPECT_TRUE(Memory()) << "without elements there is no address";
}

}  // namespace
}  // namespace supremum::test
