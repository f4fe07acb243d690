// The check of one DLPack descriptor, which C's operators make in parts and Python makes of every capsule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bindings/c/dl_operands.h"
#include "bindings/c/testing.h"

namespace supremum {
namespace {

using test::DlTensor;
using testing::HasSubstr;

class CheckedView : public testing::Test {
 protected:
  std::vector<float> memory_{1, 2, 3, 4, 5, 6};
  DlTensor tensor_ = DlTensor::Of(memory_, {2, 3});

  ErrorCode Refused() {
    const Result<TensorView> view = capi::CheckedViewOf(*tensor_.get(), "the one tensor");
    if (view) {
      ADD_FAILURE() << "is taken";
      return ErrorCode{};
    }
    EXPECT_THAT(view.error().message, HasSubstr(": the one tensor "));
    return view.error().code;
  }
};

TEST_F(CheckedView, ShowsWhatTheDescriptorSays) {
  tensor_.get()->byte_offset = sizeof(float);
  const Result<TensorView> view = capi::CheckedViewOf(*tensor_.get(), "the one tensor");
  ASSERT_TRUE(view);
  EXPECT_EQ(view->dtype, DType::kFloat32);
  EXPECT_EQ(ToString(view->shape), "[2,3]");
  EXPECT_EQ(view->data, &memory_[1]);
}

TEST_F(CheckedView, HasAShape) {
  tensor_.get()->shape = nullptr;
  EXPECT_EQ(Refused(), ErrorCode::kInvalidArgument);
}

TEST_F(CheckedView, HasMemoryWhereItHasElements) {
  tensor_.get()->data = nullptr;
  tensor_.get()->byte_offset = 4;
  EXPECT_EQ(Refused(), ErrorCode::kInvalidArgument);
}

TEST_F(CheckedView, BeginsInTheAddressSpace) {
  tensor_.get()->byte_offset = UINT64_MAX - 3;
  EXPECT_EQ(Refused(), ErrorCode::kInvalidArgument);
}

TEST_F(CheckedView, HasARankOfNoneTo64) {
  tensor_.get()->ndim = -1;
  EXPECT_EQ(Refused(), ErrorCode::kRank);
}

TEST_F(CheckedView, HasExtentsThatAreNumbersOfElements) {
  for (const std::int64_t extent : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    std::int64_t shape[2] = {2, extent};
    tensor_.get()->shape = shape;
    EXPECT_EQ(Refused(), ErrorCode::kInvalidShape) << extent;
  }
}

TEST_F(CheckedView, EndsInTheAddressSpace) {
  for (const std::int64_t stride : {INT64_MAX, INT64_MIN, INT64_MAX / 4}) {
    std::int64_t strides[2] = {3, stride};
    tensor_.get()->strides = strides;
    EXPECT_EQ(Refused(), ErrorCode::kInvalidShape) << stride;
  }
}

}  // namespace
}  // namespace supremum
