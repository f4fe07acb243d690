// Max of dense tensors, called without a plan: of one shape or broadcast, small and large, apart and in
// place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "support/errors.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"
#include "supremum/target.h"

namespace supremum {
namespace {

class MaxDense : public testing::TestWithParam<DType> {
 protected:
  // Elements between guards, at an odd address.
  std::vector<std::byte> Random(test::Rng& rng, std::size_t n) {
    const std::size_t width = ByteWidth(GetParam());
    std::vector<std::byte> bytes(kBefore + n * width + 64, std::byte{0xA5});
    const std::vector<std::uint64_t> special = test::SpecialBits(GetParam());
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t bits = test::RandomBits(rng, GetParam(), special);
      std::memcpy(bytes.data() + kBefore + i * width, &bits, width);
    }
    return bytes;
  }
  static constexpr std::size_t kBefore = 33;

  enum class Strides { kAbsent, kStated };

  // Max of random tensors of each call's shapes, on every target, with caches that all fit into; in place too
  // where the first input has the output's shape.
  void ExpectTheOraclesBits(test::Rng& rng, const std::vector<std::vector<Shape>>& calls, Strides form) {
    AssumeCaches(CacheSizes{std::int64_t{1} << 30, std::int64_t{1} << 30});
    for (const TargetInfo& target : Targets()) {
      if (!target.runs_here) continue;
      ASSERT_TRUE(UseTarget(target.name));
      for (const std::vector<Shape>& shapes : calls) {
        std::vector<std::vector<std::byte>> memory;
        std::vector<Shape> strides;
        std::string text = std::string(target.name) + " ";
        for (const Shape& shape : shapes) {
          memory.push_back(Random(rng, static_cast<std::size_t>(*ElementCount(shape))));
          strides.push_back(form == Strides::kStated ? RowMajorStrides(shape) : Shape());
          text += ToString(shape);
        }
        SCOPED_TRACE(text);
        std::vector<TensorView> views;
        for (std::size_t m = 0; m < shapes.size(); ++m) {
          views.push_back({GetParam(), shapes[m], strides[m], memory[m].data() + kBefore});
        }
        const Shape common = *MaxOutputShape(views);
        const std::size_t count = static_cast<std::size_t>(*ElementCount(common));
        std::vector<std::byte> output = Random(rng, count), expected = output;
        ASSERT_TRUE(reference::Max(views, {GetParam(), common, {}, expected.data() + kBefore}));
        ASSERT_TRUE(Max(views, {GetParam(), common, {}, output.data() + kBefore}));
        EXPECT_EQ(output, expected);
        if (*ElementCount(shapes[0]) != *ElementCount(common)) continue;
        ASSERT_TRUE(Max(views, {GetParam(), common, {}, memory[0].data() + kBefore}));
        EXPECT_EQ(memory[0], expected) << "in place";
      }
    }
    ASSERT_TRUE(UseTarget(""));
    AssumeCaches(std::nullopt);
  }
};

INSTANTIATE_TEST_SUITE_P(AllTypes, MaxDense, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: MAX-2, MAX-6, MEM-2, ORD-5
TEST_P(MaxDense, EqualsTheOracleForAnyNumberOfInputsApartAndInPlace) {
  test::Rng rng(21);
  for (std::size_t n : {1u, 2u, 15u, 64u, 1000u, 9000u, 700'000u}) {
    for (std::size_t inputs : {1u, 2u, 3u, 5u}) {
      if (n > 10'000 && inputs > 2) continue;
      const Shape shape{static_cast<std::int64_t>(n)};
      std::vector<std::vector<std::byte>> memory;
      std::vector<TensorView> views;
      for (std::size_t m = 0; m < inputs; ++m) memory.push_back(Random(rng, n));
      for (auto& bytes : memory) views.push_back({GetParam(), shape, {}, bytes.data() + kBefore});
      std::vector<std::byte> output = Random(rng, n), expected = output;
      ASSERT_TRUE(reference::Max(views, {GetParam(), shape, {}, expected.data() + kBefore}));
      ASSERT_TRUE(Max(views, {GetParam(), shape, {}, output.data() + kBefore}));
      ASSERT_EQ(output, expected) << inputs << " inputs of " << n;
      for (std::size_t m = 0; m < inputs; ++m) {
        const std::vector<std::byte> before = memory[m];
        ASSERT_TRUE(Max(views, {GetParam(), shape, {}, memory[m].data() + kBefore}));
        ASSERT_TRUE(std::equal(memory[m].begin() + kBefore, memory[m].end() - 64, expected.begin() + kBefore))
            << "in place of input " << m;
        memory[m] = before;
        views[m].data = memory[m].data() + kBefore;
      }
    }
  }
}

// Operands of one block each, whose dimensions have any order in memory: all alike, or one of them otherwise.
// Rules: MAX-2, MEM-2
TEST_P(MaxDense, OperandsOfOneBlockInAnyOrderOfDimensionsEqualTheOracle) {
  test::Rng rng(24);
  const Shape shape{3, 1, 4, 5};
  std::vector<std::size_t> order = {0, 1, 2, 3};
  std::vector<Shape> layouts;
  do {
    Shape strides = Shape::Filled(4, 0);
    std::int64_t step = 1;
    for (const std::size_t d : order) {
      strides[d] = step;
      step *= shape[d];
    }
    layouts.push_back(strides);
  } while (std::next_permutation(order.begin(), order.end()));
  for (std::size_t k = 0; k < layouts.size(); ++k) {
    for (std::size_t odd = 0; odd < 5; ++odd) {  // the operand that has another layout; 4: none
      const auto layout = [&](std::size_t m) { return layouts[(k + (m == odd ? 7 : 0)) % layouts.size()]; };
      std::vector<std::vector<std::byte>> memory;
      std::vector<Shape> strides;
      for (std::size_t m = 0; m < 4; ++m) {
        memory.push_back(Random(rng, 60));
        strides.push_back(layout(m));
      }
      std::vector<TensorView> views;
      for (std::size_t m = 0; m < 3; ++m)
        views.push_back({GetParam(), shape, strides[m], memory[m].data() + kBefore});
      std::vector<std::byte> expected = memory[3];
      ASSERT_TRUE(reference::Max(views, {GetParam(), shape, strides[3], expected.data() + kBefore}));
      ASSERT_TRUE(Max(views, {GetParam(), shape, strides[3], memory[3].data() + kBefore}));
      ASSERT_EQ(memory[3], expected) << ToString(strides[0]) << ", operand " << odd;
      const auto shifted =
          Max(views, {GetParam(), shape, strides[3], memory[0].data() + kBefore + ByteWidth(GetParam())});
      test::ExpectError(shifted, ErrorCode::kOverlap);
    }
  }
}

// What is broadcast without a plan is refused as a plan is.
// Rules: BRO-2, E2, MAX-3, MEM-2, PRO-6
TEST_P(MaxDense, BroadcastsThatViolateARuleAreRefused) {
  test::Rng rng(25);
  std::vector<std::byte> a = Random(rng, 12), b = Random(rng, 12), y = Random(rng, 12);
  const auto max = [&](const Shape& left, const Shape& right, const Shape& output, std::byte* to,
                       const MaxOptions& options = {}) {
    const std::vector<TensorView> views = {{GetParam(), left, {}, a.data() + kBefore},
                                           {GetParam(), right, {}, b.data() + kBefore}};
    return Max(views, {GetParam(), output, {}, to}, options);
  };
  std::byte* const to = y.data() + kBefore;
  const std::vector<std::byte> before = y;
  test::ExpectError(max({3, 4}, {3}, {3, 4}, to), ErrorCode::kNotBroadcastable);
  test::ExpectError(max({3, 1}, {3, 1}, {3, 4}, to), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({3}, {1}, {1, 3}, to), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({1, 3}, {1}, {3}, to), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({3, 4}, {4}, {3, 4}, b.data() + kBefore), ErrorCode::kOverlap);
  test::ExpectError(max({3, 4}, {4}, {3, 4}, to, {.identical_shapes_only = true}),
                    ErrorCode::kBroadcastRefused);
  if (Admits(MaxVersion::k6, GetParam())) {
    test::ExpectError(max({3, 4}, {4}, {3, 4}, to, {.version = MaxVersion::k6}),
                      ErrorCode::kNotBroadcastable);
  }
  EXPECT_EQ(y, before);
  EXPECT_TRUE(max({3, 4}, {4}, {3, 4}, to));
}

// The same of broadcast inputs, and of many.
// Rules: BRO-2, E2
TEST_P(MaxDense, AnOutputOfAnotherRankOrExtentIsRefused) {
  test::Rng rng(26);
  std::vector<std::byte> a = Random(rng, 640), y = Random(rng, 5 * 640);
  const std::vector<std::byte> before = y;
  const auto max = [&](std::initializer_list<Shape> shapes, const Shape& output) {
    std::vector<TensorView> views;
    for (const Shape& shape : shapes) views.push_back({GetParam(), shape, {}, a.data() + kBefore});
    return Max(views, {GetParam(), output, {}, y.data() + kBefore});
  };
  test::ExpectError(max({{640}, {1}}, {1, 640}), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({{640}, {1}, {640}}, {1, 640}), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({{640}, {1}, {640}}, {1, 1, 640}), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({{640, 1}, {1, 1}, {1}}, {640, 5}), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({{1}, {1}}, {5}), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({{1, 1}, {1}}, {640, 1}), ErrorCode::kOutputShapeMismatch);
  test::ExpectError(max({{1}, {1}, {1}}, {1, 1}), ErrorCode::kOutputShapeMismatch);
  EXPECT_EQ(y, before);
}

// Shapes on both sides of what is computed without a plan, on every target: too many loops; no line that all
// inputs are read along; a line that is too long; no elements; no input of the output's shape.
// Rules: MAX-2, BRO-1, BRO-3, BRO-5, ORD-5
TEST_P(MaxDense, EqualsTheOracleForBroadcastsThatNeedAPlanOrNone) {
  test::Rng rng(27);
  const std::vector<std::vector<Shape>> calls = {
      {{64, 1, 3}, {1, 32, 3}},
      {{3, 1, 5, 1, 3, 1}, {1, 4, 1, 3, 1, 5}},
      {{40, 1, 3}, {1, 40, 3}},
      {{2, 1000, 100}, {2, 1, 1}},
      {{2, 1000, 100}, {2, 1, 1}, {2, 1, 100}},
      {{0, 3}, {3}},
      {{1, 1}, {1}},
      {{1, 1}, {1}, {1, 1}},
      {{4, 1, 3}, {1, 5, 3}, {4, 5, 1}},
      {{2, 3, 1, 7, 1, 4}, {2, 1, 5, 1, 3, 4}},
      {{2, 3, 1, 7, 1, 4}, {2, 1, 5, 1, 3, 4}, {4}},
  };
  ExpectTheOraclesBits(rng, calls, Strides::kAbsent);
}

// Through a plan, as the inputs state their strides: lines that are cut in several blocks, in few lines, in
// lines that share cache sets; what is left of them is less than a vector; the first input is the output.
// Rules: MAX-2, BRO-5, ORD-5, MEM-2
TEST_P(MaxDense, EqualsTheOracleForLinesThatAreCut) {
  test::Rng rng(28);
  const std::int64_t in_cache_line = 64 / static_cast<std::int64_t>(ByteWidth(GetParam()));
  const std::vector<std::vector<Shape>> calls = {
      {{2, 1, 300, 4}, {1, 5, 1, 4}},
      {{2, 5, 300, 4}, {2, 1, 300, 4}, {1, 5, 1, 4}},
      {{20, 1, in_cache_line}, {1, 64, 1}},
      {{20, 64, in_cache_line}, {20, 1, in_cache_line}, {1, 64, 1}},
      {{16, 1, 4}, {1, 257, 4}},
      {{500, 10, 3}, {500, 1, 3}},
      {{9, 130, 5}, {9, 130, 1}, {1, 1, 5}},
      {{2, 9, 130, 5}, {2, 9, 130, 1}, {9, 1, 5}},
  };
  ExpectTheOraclesBits(rng, calls, Strides::kStated);
}

// Rules: MEM-2
TEST_P(MaxDense, AnInputThatIsPartlyTheOutputIsRefused) {
  test::Rng rng(22);
  std::vector<std::byte> memory = Random(rng, 40);
  const std::vector<std::byte> before = memory;
  const std::size_t width = ByteWidth(GetParam());
  const Shape shape{20};
  const TensorView input{GetParam(), shape, {}, memory.data() + kBefore};
  for (std::size_t distance : {std::size_t{1}, width, 19 * width, 20 * width - 1}) {
    test::ExpectError(Max({input}, {GetParam(), shape, {}, memory.data() + kBefore + distance}),
                      ErrorCode::kOverlap);
    EXPECT_EQ(memory, before);
  }
  EXPECT_TRUE(Max({input}, {GetParam(), shape, {}, memory.data() + kBefore + 20 * width}));
}

// Rules: MAX-1, MAX-2
TEST_P(MaxDense, EqualsTheOracleForMoreInputsThanAreJoinedAtOnce) {
  test::Rng rng(23);
  const Shape shape{70};
  for (std::size_t inputs : {64u, 65u, 200u}) {
    std::vector<std::vector<std::byte>> memory;
    std::vector<TensorView> views;
    for (std::size_t m = 0; m < inputs; ++m) memory.push_back(Random(rng, 70));
    for (auto& bytes : memory) views.push_back({GetParam(), shape, {}, bytes.data() + kBefore});
    std::vector<std::byte> output = Random(rng, 70), expected = output;
    ASSERT_TRUE(reference::Max(views, {GetParam(), shape, {}, expected.data() + kBefore}));
    ASSERT_TRUE(Max(views, {GetParam(), shape, {}, output.data() + kBefore}));
    ASSERT_EQ(output, expected) << inputs;
  }
}

// Rules: MAX-2, BRO-5, ORD-5
TEST_P(MaxDense, BroadcastRowsGiveTheSameBitsByStoresOfBothKinds) {
  test::Rng rng(24);
  for (const Shape& shape : {Shape{2000, 10, 3}, Shape{700, 5, 2}, Shape{90, 64, 16}}) {
    const Shape repeated{shape[0], 1, shape[2]};
    const std::size_t elements = static_cast<std::size_t>(*ElementCount(shape));
    const std::vector<std::byte> x = Random(rng, elements), few = Random(rng, elements);
    const std::vector<TensorView> views = {{GetParam(), shape, {}, x.data() + kBefore},
                                           {GetParam(), repeated, {}, few.data() + kBefore}};
    std::vector<std::byte> expected = Random(rng, elements);
    ASSERT_TRUE(reference::Max(views, {GetParam(), shape, {}, expected.data() + kBefore}));
    for (const std::int64_t cache : {std::int64_t{0}, std::int64_t{1} << 40}) {
      std::vector<std::byte> y = Random(rng, elements);
      AssumeCaches(CacheSizes{cache, cache});
      EXPECT_TRUE(Max(views, {GetParam(), shape, {}, y.data() + kBefore}));
      AssumeCaches(std::nullopt);
      EXPECT_EQ(y, expected) << cache;
    }
  }
}

// Rules: MAX-2, ORD-5
TEST(MaxLarge, StoresOfBothKindsGiveTheSameBits) {
  constexpr std::int64_t kElements = 100'003;
  for (const std::int64_t cache : {std::int64_t{0}, std::int64_t{1} << 40}) {
    AssumeCaches(CacheSizes{cache, cache});
    for (const std::size_t start : {0u, 1u, 13u}) {  // of the output, from an element that is aligned somehow
      const Shape shape{kElements};
      std::vector<std::uint8_t> x(kElements, 3), zeros(kElements, 0), y(kElements + 64, 7);
      x.back() = 200;
      x[5] = 4;
      ASSERT_TRUE(Max({TensorView::Of(x.data(), shape), TensorView::Of(zeros.data(), shape)},
                      MutableTensorView::Of(y.data() + start, shape)));
      EXPECT_TRUE(std::equal(x.begin(), x.end(), y.data() + start)) << cache << " " << start;
      EXPECT_EQ(std::count(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(start), 7),
                static_cast<std::ptrdiff_t>(start));
      EXPECT_EQ(std::count(y.begin() + static_cast<std::ptrdiff_t>(start) + kElements, y.end(), 7),
                static_cast<std::ptrdiff_t>(64 - start));
    }
    AssumeCaches(std::nullopt);
  }
}

// Rules: MAX-2, BRO-5, ORD-5
TEST(MaxLarge, LinesOfWholeCacheLinesGiveTheSameBitsWhereverTheOutputBegins) {
  for (const std::int64_t columns : {16, 32, 48}) {
    const Shape all{100, columns}, column{100, 1};
    std::vector<float> x(static_cast<std::size_t>(100 * columns)), least(100);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97);
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = static_cast<float>(i);
    for (const std::int64_t cache : {std::int64_t{0}, std::int64_t{1} << 40}) {
      AssumeCaches(CacheSizes{cache, cache});
      for (std::size_t start = 0; start < 17; ++start) {  // among them all places within a cache line
        std::vector<float> y(x.size() + 20, -7);
        ASSERT_TRUE(Max({TensorView::Of(x.data(), all), TensorView::Of(least.data(), column)},
                        MutableTensorView::Of(y.data() + start, all)));
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < y.size(); ++i) {
          const bool inside = i >= start && i < start + x.size();
          const std::size_t at = i - start, row = at / static_cast<std::size_t>(columns);
          if (y[i] != (inside ? std::max(x[at], least[row]) : -7)) ++wrong;
        }
        EXPECT_EQ(wrong, 0u) << columns << " " << cache << " " << start;
      }
      AssumeCaches(std::nullopt);
    }
  }
}

}  // namespace
}  // namespace supremum
