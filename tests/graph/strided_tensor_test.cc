// Tensors that own memory with any strides.
#include "graph/strided_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "support/errors.h"

namespace supremum::graph {
namespace {

using test::ExpectError;
using ::testing::ElementsAre;

Tensor Floats(const Shape& shape, const std::vector<float>& elements = {}) {
  Tensor tensor = *Tensor::Create(DType::kFloat32, shape);
  std::copy(elements.begin(), elements.end(), tensor.Elements<float>().begin());
  return tensor;
}

Result<StridedTensor> Make(const Shape& shape, const Shape& strides, std::int64_t max_bytes = 1000) {
  return StridedTensor::Create("tensor 7", DType::kFloat32, shape, strides, max_bytes);
}

TEST(IsRowMajor, IgnoresStridesThatAddressNothing) {
  EXPECT_TRUE(IsRowMajor({2, 3}, {3, 1}));
  EXPECT_TRUE(IsRowMajor({2, 1, 3}, {3, 17, 1}));
  EXPECT_TRUE(IsRowMajor({0, 3}, {17, 17}));
  EXPECT_FALSE(IsRowMajor({2, 3}, {1, 2}));
  EXPECT_FALSE(IsRowMajor({2, 3}, {4, 1})) << "a gap";
  EXPECT_FALSE(IsRowMajor({INT64_MAX, 2}, {2, 1})) << "more elements than can be counted";
}

TEST(StridedTensor, KeepsWhatItIsSetTo) {
  Result<StridedTensor> strided = Make({2, 3}, {1, 4});
  ASSERT_TRUE(strided);
  EXPECT_EQ(strided->byte_size(), 10 * sizeof(float)) << "1 + 1 * 1 + 2 * 4 elements";
  const Tensor tensor = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  CopyElements(tensor.View(), strided->MutableView());
  const float* const elements = static_cast<const float*>(strided->View().data);
  EXPECT_EQ(elements[4], 2);
  EXPECT_EQ(elements[1], 4);
  Tensor back = Floats({2, 3});
  CopyElements(strided->View(), back.MutableView());
  EXPECT_THAT(back.Elements<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(strided->FirstDifference(tensor), std::nullopt);
  EXPECT_EQ(strided->FirstDifference(Floats({2, 3}, {1, 2, 3, 4, 0, 0})), (Shape{1, 1}));
}

TEST(StridedTensor, WhatRunsBackwardsTakesAsMuchAsWhatRunsForwards) {
  const Tensor tensor = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const Shape& strides : {Shape{-4, -1}, Shape{4, -1}, Shape{-1, 2}}) {
    Result<StridedTensor> strided = Make({2, 3}, strides);
    ASSERT_TRUE(strided) << ToString(strides);
    const std::int64_t between = std::abs(strides[0]) + 2 * std::abs(strides[1]);
    EXPECT_EQ(strided->byte_size(), static_cast<std::size_t>(between + 1) * sizeof(float));
    CopyElements(tensor.View(), strided->MutableView());
    Tensor back = Floats({2, 3});
    CopyElements(strided->View(), back.MutableView());
    EXPECT_THAT(back.Elements<float>(), ElementsAre(1, 2, 3, 4, 5, 6)) << ToString(strides);
  }
}

TEST(StridedTensor, OfNoElementsIsSetToNothing) {
  Result<StridedTensor> strided = Make({0, 2}, {5, 1});
  ASSERT_TRUE(strided);
  EXPECT_EQ(strided->byte_size(), 0u);
  Tensor nothing = Floats({0, 2});
  CopyElements(nothing.View(), strided->MutableView());
  CopyElements(strided->View(), nothing.MutableView());
  EXPECT_EQ(strided->FirstDifference(nothing), std::nullopt);
}

TEST(StridedTensor, IsRefusedBeforeMemoryIsAllocated) {
  ExpectError(Make({2, 3}, {1, 4}, 39), ErrorCode::kLimitExceeded,
              {"tensor 7 of shape [2,3] with strides [1,4] takes 40 bytes", "the limit leaves 39 bytes"});
  const std::pair<Shape, Shape> without_addresses[] = {{{INT64_MAX, 2}, {0, 0}}, {{2, 2}, {INT64_MAX, 1}}};
  for (const auto& [shape, strides] : without_addresses) {
    ExpectError(Make(shape, strides, INT64_MAX), ErrorCode::kLimitExceeded,
                {"takes more bytes than there are addresses"});
  }
}

}  // namespace
}  // namespace supremum::graph
