#include "supremum/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace supremum {
namespace {

// Rules: TYP-1
TEST(Tensor, OwnsAlignedElementsOfEveryType) {
  for (DType dtype : kAllDTypes) {
    Result<Tensor> tensor = Tensor::Create(dtype, Shape{3, 5});
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->dtype(), dtype);
    EXPECT_EQ(tensor->size(), 15);
    EXPECT_EQ(tensor->byte_size(), 15 * ByteWidth(dtype));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor->data()) % 64, 0u);
    EXPECT_EQ(tensor->View().data, tensor->data());
    EXPECT_EQ(tensor->MutableView().dtype, dtype);
  }
}

TEST(Tensor, AnEmptyOneHasAnAddressAndNoBytes) {
  Result<Tensor> tensor = Tensor::Create(DType::kInt8, Shape{4, 0});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->byte_size(), 0u);
  EXPECT_NE(tensor->data(), nullptr);
  EXPECT_TRUE(Tensor().bytes().empty());
}

TEST(Tensor, ACloneHasTheSameBytesElsewhere) {
  Tensor tensor = *Tensor::Create(DType::kInt32, Shape{2});
  tensor.Elements<std::int32_t>()[0] = 5;
  tensor.Elements<std::int32_t>()[1] = -6;
  const Tensor clone = *tensor.Clone();
  EXPECT_NE(clone.data(), tensor.data());
  EXPECT_THAT(clone.Elements<std::int32_t>(), testing::ElementsAre(5, -6));
  EXPECT_EQ(clone.shape(), tensor.shape());
  const Tensor empty = *Tensor::Create(DType::kInt32, Shape{2, 0});
  EXPECT_EQ(empty.Clone()->shape(), empty.shape());
}

TEST(Tensor, WhatCannotBeMadeIsRefusedWithAReason) {
  using testing::HasSubstr;
  const auto error = [](DType dtype, DimsView shape, std::int64_t limit) {
    Result<Tensor> tensor = Tensor::Create(dtype, shape, limit);
    EXPECT_FALSE(tensor);
    return tensor ? Error{} : tensor.error();
  };
  EXPECT_EQ(error(static_cast<DType>(99), Shape{1}, 100).code, ErrorCode::kTypeNotAdmitted);
  EXPECT_EQ(error(DType::kInt8, std::vector<std::int64_t>(65, 1), 100).code, ErrorCode::kRank);
  EXPECT_EQ(error(DType::kInt8, Shape{2, -1}, 100).code, ErrorCode::kInvalidShape);
  const Error limit = error(DType::kFloat64, Shape{13}, 100);
  EXPECT_EQ(limit.code, ErrorCode::kLimitExceeded);
  EXPECT_THAT(limit.message,
              HasSubstr("float64 tensor of shape [13] takes more than the limit of 100 bytes"));
  EXPECT_EQ(error(DType::kInt8, Shape{INT64_MAX, 2}, INT64_MAX).code, ErrorCode::kLimitExceeded);
}

TEST(Tensor, MemoryThatIsNotToBeHadIsAnErrorAndNoCrash) {
  const std::int64_t most = std::min<std::int64_t>(std::int64_t{1} << 60, PTRDIFF_MAX);
  const Result<Tensor> tensor = Tensor::Create(DType::kInt8, Shape{most}, INT64_MAX);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code, ErrorCode::kOutOfMemory);
}

}  // namespace
}  // namespace supremum
