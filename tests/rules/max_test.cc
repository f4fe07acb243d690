// The rules of Max for the operands of a call.
#include "rules/max.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

// True if the addresses of all elements are 0, 1, 2, ... in some order.
bool HasEachElementOfABlock(const Shape& shape, DimsView strides) {
  std::vector<std::int64_t> addresses = {0};
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    std::vector<std::int64_t> more;
    for (std::int64_t i = 0; i < shape[d] && more.size() < 1000; ++i) {
      for (const std::int64_t at : addresses) {
        more.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(at) +
                                                 static_cast<std::uint64_t>(i) *
                                                     static_cast<std::uint64_t>(strides[d])));
      }
    }
    addresses = std::move(more);
  }
  std::ranges::sort(addresses);
  for (std::size_t k = 0; k < addresses.size(); ++k) {
    if (addresses[k] != static_cast<std::int64_t>(k)) return false;
  }
  return true;
}

// Judging all rules at once gives what judging one after the other gives, whatever is wrong with an operand.
// Rules: MAX-1, MAX-3, TYP-2, TYP-3, BRO-2, BRO-4, E2, PRO-6
TEST(MaxRules, AreJudgedAtOnceAsOneAfterTheOther) {
  const std::int64_t far = std::int64_t{1} << 62;
  const Shape shapes[] = {{}, {1}, {3}, {2, 1}, {1, 3}, {2, 3}, {0, 3}, {-1}, {far, 4}, {far}};
  const Shape strides[] = {{}, {1}, {1, 2}, {-7, 0}, {far, far}};
  const std::vector<std::int64_t> too_many(kMaxRank + 1, 1);
  std::array<float, 64> memory = {};
  std::vector<TensorView> all;
  for (const Shape& shape : shapes) {
    for (const Shape& stride : strides) {
      all.push_back({DType::kFloat32, shape, stride, memory.data() + 32});
      if (stride.rank() > 1) continue;
      all.push_back({DType::kFloat64, shape, stride, memory.data() + 32});
      all.push_back({DType::kBool, shape, stride, memory.data() + 32});
      all.push_back({DType::kFloat32, shape, stride, nullptr});
      all.push_back({DType::kFloat32, shape, stride, reinterpret_cast<const void*>(UINTPTR_MAX - 15)});
    }
  }
  all.push_back({DType::kFloat32, too_many, {}, memory.data()});
  std::size_t held = 0, refused = 0, blocks = 0;
  const auto compare = [&](std::span<const TensorView> inputs, const MutableTensorView* output,
                           const MaxRules& rules) {
    const Views views(inputs, output, {});
    const Result<CheckedMax> at_once = JudgeMax(views, rules), by_rules = JudgeMaxByRules(views, rules);
    ASSERT_EQ(at_once.has_value(), by_rules.has_value());
    ++(at_once ? held : refused);
    if (!at_once) {
      ASSERT_EQ(at_once.error().message, by_rules.error().message);
      return;
    }
    ASSERT_EQ(at_once->dtype, by_rules->dtype);
    ASSERT_EQ(at_once->shape, by_rules->shape);
    const DimsView stated = inputs[0].strides;
    bool is_dense =
        output == nullptr || (SameDims(output->strides, stated) && ElementCount(at_once->shape) != 0);
    for (std::size_t m = 0; m < inputs.size(); ++m) {
      is_dense = is_dense && SameDims(inputs[m].strides, stated) && SameDims(inputs[m].shape, at_once->shape);
    }
    is_dense = is_dense && (stated.empty() || HasEachElementOfABlock(at_once->shape, stated));
    ASSERT_TRUE(is_dense || !at_once->is_dense);
    blocks += is_dense && at_once->is_dense && !stated.empty();
    for (std::size_t m = 0; output != nullptr && m < views.count(); ++m) {
      ASSERT_EQ(at_once->ranges[m].first, by_rules->ranges[m].first);
      ASSERT_EQ(at_once->ranges[m].last, by_rules->ranges[m].last);
    }
  };
  const MaxRules rules[] = {{}, {MaxVersion::k6, false}, {kLatestMax, true}};
  for (const TensorView& a : all) {
    for (const TensorView& b : all) {
      const TensorView inputs[] = {a, b};
      for (const MaxRules& some : rules) ASSERT_NO_FATAL_FAILURE(compare(inputs, nullptr, some));
      for (const TensorView* y : {&a, &b, &std::as_const(all)[0]}) {
        MutableTensorView output{y->dtype, y->shape, y->strides, memory.data() + 32};
        for (const MaxRules& some : rules) ASSERT_NO_FATAL_FAILURE(compare(inputs, &output, some));
        output.strides = {};
        ASSERT_NO_FATAL_FAILURE(compare(inputs, &output, {}));
        ASSERT_NO_FATAL_FAILURE(compare({&a, 1}, &output, {}));
      }
      const MutableTensorView common{DType::kFloat32, shapes[5], {}, memory.data() + 32};
      ASSERT_NO_FATAL_FAILURE(compare(inputs, &common, {}));
    }
  }
  ASSERT_NO_FATAL_FAILURE(compare({}, nullptr, {}));
  EXPECT_GT(held, 1000u);
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(blocks, 5u);
}

}  // namespace
}  // namespace supremum::test
