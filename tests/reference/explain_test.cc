// Why each element of a maximum is what it is.
#include "supremum/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/errors.h"
#include "support/values.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

using reference::Explanation;
using test::ExpectError;
using testing::ElementsAre;

// One element of `dtype` with these bits.
Tensor Scalar(DType dtype, std::uint64_t bits) {
  Tensor tensor = std::move(Tensor::Create(dtype, Shape{})).value();
  std::memcpy(tensor.data(), &bits, tensor.byte_size());
  return tensor;
}

// Max of scalars, or ReduceMax of them side by side, explained.
Explanation OfMax(DType dtype, const std::vector<std::uint64_t>& bits) {
  std::vector<Tensor> tensors;
  std::vector<TensorView> views;
  for (std::uint64_t each : bits) tensors.push_back(Scalar(dtype, each));
  for (const Tensor& tensor : tensors) views.push_back(tensor.View());
  return std::move(reference::ExplainMax(views).value().values.at(0));
}

Explanation OfReduceMax(DType dtype, const std::vector<std::uint64_t>& bits) {
  Tensor source = std::move(Tensor::Create(dtype, Shape{static_cast<std::int64_t>(bits.size())})).value();
  for (std::size_t i = 0; i < bits.size(); ++i)
    std::memcpy(source.bytes().data() + i * ByteWidth(dtype), &bits[i], ByteWidth(dtype));
  return std::move(reference::ExplainReduceMax(source.View(), std::nullopt, false).value().values.at(0));
}

// Rules: ORD-2, ORD-3, ORD-4, ORD-6
TEST(Explain, FloatsByTheOrderZerosNaNsAndSubnormals) {
  const auto of = [](std::vector<std::uint64_t> bits) { return OfMax(DType::kFloat32, bits); };
  const Explanation zeros = of({0x80000000, 0x00000000});
  EXPECT_THAT(zeros.rules, ElementsAre("ORD-2"));
  EXPECT_EQ(zeros.reason, "of zeros, +0 is greater than -0");
  EXPECT_EQ(zeros.bits, 0u);
  EXPECT_EQ(zeros.won, 1u);
  EXPECT_THAT(of({0x80000000, 0x80000000}).reason, testing::HasSubstr("-inf < negative"));
  EXPECT_THAT(of({0x3F800000, 0xBF800000}).rules, ElementsAre("ORD-2"));
  const Explanation nan = of({0x3F800000, 0xFFC00001});
  EXPECT_THAT(nan.rules, ElementsAre("ORD-3", "ORD-4"));
  EXPECT_EQ(nan.bits, 0x7FC00000u);
  EXPECT_EQ(nan.won, std::nullopt);
  EXPECT_THAT(of({0xFF800001}).rules, ElementsAre("ORD-4"));
  EXPECT_THAT(of({0x3F800000}).rules, ElementsAre("MAX-2"));
  EXPECT_THAT(of({0x00000001, 0x80000000}).rules, ElementsAre("ORD-2", "ORD-6"));
}

// Rules: ORD-1, TYP-4, RED-1, RED-6
TEST(Explain, IntegersBoolsAndNothing) {
  EXPECT_THAT(OfMax(DType::kInt8, {0x80, 0x7F}).rules, ElementsAre("ORD-1"));
  EXPECT_EQ(OfMax(DType::kInt8, {0x80, 0x7F}).bits, 0x7Fu);
  EXPECT_THAT(OfReduceMax(DType::kBool, {0, 1}).rules, ElementsAre("TYP-4"));
  EXPECT_THAT(OfReduceMax(DType::kInt64, {5}).rules, ElementsAre("RED-1"));
  for (DType dtype : kAllDTypes) {
    const Explanation nothing = OfReduceMax(dtype, {});
    EXPECT_THAT(nothing.rules, ElementsAre("RED-6")) << Name(dtype);
    EXPECT_THAT(nothing.reason, testing::StartsWith("no elements meet"));
    EXPECT_TRUE(nothing.operands.empty());
  }
}

// Rules: BRO-5, MAX-2
TEST(Explain, OperandsAreThoseThatBroadcastingShows) {
  const std::int32_t a[] = {1, 2, 3, 4}, b[] = {9, 0};
  const Shape rows{2, 2}, column{2, 1};
  const auto why = reference::ExplainMax(std::vector{TensorView::Of(a, rows), TensorView::Of(b, column)});
  ASSERT_TRUE(why);
  EXPECT_EQ(why->shape, (std::vector<std::int64_t>{2, 2}));
  const Explanation& last = why->values.at(3);
  ASSERT_EQ(last.operands.size(), 2u);
  EXPECT_EQ(last.operands[0].position, 3);
  EXPECT_EQ(last.operands[1].input, 1u);
  EXPECT_EQ(last.operands[1].position, 1);
  EXPECT_EQ(last.won, 0u);
  EXPECT_THAT(last.rules, ElementsAre("ORD-1", "BRO-5"));
}

// Rules: E1, RED-2
TEST(Explain, WhatTheOraclesRefuseIsRefused) {
  const std::int32_t a[] = {1, 2, 3};
  const Shape three{3}, two{2};
  ExpectError(reference::ExplainMax(std::vector{TensorView::Of(a, three), TensorView::Of(a, two)}),
              ErrorCode::kNotBroadcastable);
  EXPECT_EQ(reference::ExplainMax({}).error().code, ErrorCode::kInputCount);
  const std::int64_t axes[] = {1};
  ExpectError(reference::ExplainReduceMax(TensorView::Of(a, three), axes, false), ErrorCode::kAxis);
}

// Every pair of patterns at which rules change, in both orders: the bits are the oracle's, and so is who won.
TEST(Explain, BitsAreThoseOfTheOracle) {
  for (DType dtype : kNumberDTypes) {
    const std::vector<std::uint64_t> special = test::SpecialBits(dtype);
    for (std::uint64_t x : special) {
      for (std::uint64_t y : special) {
        const Tensor a = Scalar(dtype, x), b = Scalar(dtype, y);
        Tensor expected = Scalar(dtype, 0);
        ASSERT_TRUE(reference::Max(std::vector{a.View(), b.View()}, expected.MutableView()));
        const Explanation why = OfMax(dtype, {x, y});
        std::uint64_t bits = 0;
        std::memcpy(&bits, expected.data(), expected.byte_size());
        ASSERT_EQ(why.bits, bits) << Name(dtype) << std::hex << ": " << x << ", " << y;
        ASSERT_EQ(OfReduceMax(dtype, {x, y}).bits, bits);
        if (why.won) {
          ASSERT_EQ(why.operands[*why.won].bits, bits);
        } else {
          ASSERT_THAT(why.rules, testing::Contains("ORD-4"));
        }
      }
    }
  }
}

}  // namespace
}  // namespace supremum
