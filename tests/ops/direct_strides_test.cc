// Which Max of a view with strides and another operand are computed without a plan, and that their bits are
// the oracle's.
#include "ops/direct_strides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/values.h"
#include "supremum/reference.h"
#include "supremum/target.h"

namespace supremum {
namespace {

using test::Below;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;

class DirectStrides : public testing::TestWithParam<DType> {
 protected:
  void TearDown() override { EXPECT_TRUE(UseTarget("")); }
};

INSTANTIATE_TEST_SUITE_P(AllTypes, DirectStrides, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Of at most 68 KiB.
Shape SmallShape(Rng& rng, DType dtype) {
  constexpr std::array<std::int64_t, 12> kExtents = {1, 2, 3, 5, 8, 16, 17, 33, 64, 70, 130, 300};
  Shape shape;
  std::int64_t bytes = static_cast<std::int64_t>(ByteWidth(dtype));
  for (std::size_t rank = Below(rng, 5); rank > 0; --rank) {
    const std::int64_t extent = kExtents[Below(rng, kExtents.size())];
    if (extent * bytes > 68 * 1024) continue;
    bytes *= extent;
    shape.PushBack(extent);
  }
  return shape;
}

// Rules: MAX-2, MEM-1, MEM-3, ORD-1, ORD-2, ORD-3, ORD-4, ORD-5
TEST_P(DirectStrides, GivesTheOraclesBitsOrWritesNothing) {
  constexpr Layout kLayouts[] = {Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kAny};
  constexpr std::byte kUntouched{0x5A};
  const std::size_t width = ByteWidth(GetParam());
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    ASSERT_TRUE(UseTarget(target.name));
    std::size_t computed = 0;
    constexpr std::size_t kCalls = 300;
    for (std::uint64_t seed = 0; seed < kCalls; ++seed) {
      SCOPED_TRACE(std::string(target.name) + " seed " + std::to_string(seed));
      Rng rng(seed);
      const Shape shape = SmallShape(rng, GetParam());
      const Layout layout = Below(rng, 2) == 0 ? Layout::kDense : kLayouts[Below(rng, 4)];
      StridedTensor a(rng, GetParam(), shape, kLayouts[Below(rng, 4)], StridedTensor::Use::kInput);
      StridedTensor b(rng, GetParam(), shape, layout, StridedTensor::Use::kInput);
      a.Fill(rng);
      b.Fill(rng);
      TensorView b_view = b.View();
      if (layout == Layout::kDense && Below(rng, 2) == 0) b_view.strides = {};
      std::array<TensorView, 2> inputs = {a.View(), b_view};
      if (Below(rng, 2) == 0) std::swap(inputs[0], inputs[1]);

      const std::size_t bytes = static_cast<std::size_t>(*ElementCount(shape)) * width;
      std::vector<std::byte> expected(bytes + 64, kUntouched), y = expected;
      ASSERT_TRUE(reference::Max(inputs, {GetParam(), shape, {}, expected.data()}));
      const bool done = JoinWithStrides(inputs[0], inputs[1], {GetParam(), shape, {}, y.data()});
      if (!done) std::fill(expected.begin(), expected.end(), kUntouched);
      ASSERT_EQ(y, expected) << done;
      if (done) ++computed;
    }
    EXPECT_GT(computed, kCalls / 3);
    EXPECT_LT(computed, kCalls - kCalls / 10);
  }
}

// Rules: MAX-2, MEM-2, ORD-5
TEST_P(DirectStrides, TheDenseInputMayBeTheOutput) {
  const Shape shape{70, 66};
  const std::size_t bytes = static_cast<std::size_t>(*ElementCount(shape)) * ByteWidth(GetParam());
  for (const Layout layout : {Layout::kReversed, Layout::kTransposed}) {
    Rng rng(7);
    StridedTensor a(rng, GetParam(), shape, layout, StridedTensor::Use::kInput);
    StridedTensor b(rng, GetParam(), shape, Layout::kDense, StridedTensor::Use::kInput);
    a.Fill(rng);
    b.Fill(rng);
    const std::array<TensorView, 2> inputs = {a.View(), b.View()};
    std::vector<std::byte> expected(bytes), y(static_cast<const std::byte*>(inputs[1].data),
                                              static_cast<const std::byte*>(inputs[1].data) + bytes);
    ASSERT_TRUE(reference::Max(inputs, {GetParam(), shape, {}, expected.data()}));
    const TensorView in_place{GetParam(), shape, {}, y.data()};
    ASSERT_TRUE(JoinWithStrides(inputs[0], in_place, {GetParam(), shape, {}, y.data()}));
    EXPECT_EQ(y, expected);
  }
}

struct Float32 {
  std::vector<float> x = std::vector<float>(400 * 400, 7.0f), y = std::vector<float>(400 * 400, 0.0f);

  // Two inputs, of which the second one is dense if it has no strides.
  bool Joins(const Shape& shape, const Shape& strides, const Shape& others = {}, std::ptrdiff_t at = 80'000) {
    const bool done =
        JoinWithStrides({DType::kFloat32, shape, strides, x.data() + at},
                        {DType::kFloat32, shape, others, x.data() + (others.rank() > 0 ? at : 0)},
                        {DType::kFloat32, shape, {}, y.data()});
    const std::ptrdiff_t written = done ? static_cast<std::ptrdiff_t>(*ElementCount(shape)) : 0;
    EXPECT_EQ(std::count(y.begin(), y.end(), 7.0f), written);
    std::fill(y.begin(), y.end(), 0.0f);
    return done;
  }
};

// Rules: MAX-2, MEM-1, MEM-3
TEST(DirectStridesOf, SlicesBackwardsAndTransposedRowsAreTaken) {
  Float32 f;
  EXPECT_TRUE(f.Joins({128, 128}, {200, 1}));            // a slice
  EXPECT_TRUE(f.Joins({128, 128}, {-200, 1}));           // its rows from the last one on
  EXPECT_TRUE(f.Joins({128, 128}, {128, -1}));           // backwards
  EXPECT_TRUE(f.Joins({128, 128}, {1, 128}));            // transposed
  EXPECT_TRUE(f.Joins({4, 60, 60}, {4000, 1, 64}));      // each of several matrices
  EXPECT_TRUE(f.Joins({128, 128}, {0, 1}));              // one row for all
  EXPECT_TRUE(f.Joins({128, 128}, {200, 1}, {300, 1}));  // both are slices
  EXPECT_TRUE(f.Joins({128, 128}, {1, 128}, {300, 1}));
  EXPECT_TRUE(f.Joins({}, {}));
}

// Rules: MAX-2, MEM-1, MEM-3
TEST(DirectStridesOf, WhatAPlanComputesFasterIsNotTaken) {
  Float32 f;
  EXPECT_FALSE(f.Joins({129, 128}, {128, -1}));             // more than 64 KiB
  EXPECT_FALSE(f.Joins({128, 128}, {300, 2}));              // gaps between elements
  EXPECT_FALSE(f.Joins({128, 128}, {1, 0}));                // one element for a line
  EXPECT_FALSE(f.Joins({128, 128}, {-1, 128}));             // transposed and backwards
  EXPECT_FALSE(f.Joins({128, 128}, {128, -1}, {128, -1}));  // no dense rows
  EXPECT_FALSE(f.Joins({128, 128}, {1, 128}, {1, 128}));
  EXPECT_FALSE(f.Joins({100, 5}, {8, 1}));                        // many short lines
  EXPECT_FALSE(f.Joins({4, 4, 4, 64}, {20'000, 4500, 1000, 1}));  // four loops
}

// Rules: E2, MEM-1, MEM-2
TEST(DirectStridesOf, ErrorsAreLeftToAPlan) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Float32 f;
  EXPECT_FALSE(f.Joins({2, 64}, {kLeast, 1}));
  EXPECT_FALSE(f.Joins({2, 64}, {kMost, 1}));
  EXPECT_FALSE(f.Joins({2, 64}, {1}));         // a stride is missing
  EXPECT_TRUE(f.Joins({1, 64}, {kLeast, 1}));  // no step is taken
  const Shape shape{16, 16}, wider{16, 17}, strides{20, 1};
  const auto joins = [&](const Shape& a, const Shape& b, float* y) {
    return JoinWithStrides({DType::kFloat32, a, strides, f.x.data()},
                           {DType::kFloat32, b, {}, f.x.data() + 1000}, {DType::kFloat32, shape, {}, y});
  };
  EXPECT_TRUE(joins(shape, shape, f.y.data()));
  EXPECT_FALSE(joins(wider, shape, f.y.data()));
  EXPECT_FALSE(joins(shape, wider, f.y.data()));
  EXPECT_FALSE(joins(shape, shape, f.x.data() + 17));  // within the slice
  EXPECT_FALSE(joins(shape, shape,
                     f.x.data() + 1001));               // one element after the dense input
  EXPECT_TRUE(joins(shape, shape, f.x.data() + 1000));  // in place
}

}  // namespace
}  // namespace supremum
