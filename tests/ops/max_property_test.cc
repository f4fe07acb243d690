// Max against the oracle, bit by bit, on anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "support/configurations.h"
#include "support/environments.h"
#include "support/proved.h"
#include "support/shapes.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using test::Below;
using test::RandomOperandShape;
using test::RandomShape;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;

class MaxProperty : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, MaxProperty, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

struct Case {
  std::vector<StridedTensor> inputs;
  Shape shape;

  std::vector<TensorView> Views() const {
    std::vector<TensorView> views;
    for (const StridedTensor& input : inputs) views.push_back(input.View());
    return views;
  }
};

Case RandomCase(Rng& rng, DType dtype, std::size_t rank, std::size_t input_count) {
  Case result;
  const Shape common = RandomShape(rng, rank);
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::size_t m = 0; m < input_count; ++m) {
    const Shape shape = RandomOperandShape(rng, common);
    const Layout layouts[] = {Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kAny,
                              Layout::kAny};
    result.inputs.emplace_back(rng, dtype, shape, layouts[Below(rng, 5)], Use::kInput);
    result.inputs.back().Fill(rng);
    shapes.emplace_back(shape.begin(), shape.end());
  }
  result.shape = *Shape::FromSpan(*reference::BroadcastShape(shapes));
  return result;
}

// Runs Max in every configuration, the oracle and the proved kernel into the same layout; equal buffers mean
// equal elements and untouched surroundings.
void ExpectOracle(Rng& rng, DType dtype, const Case& example, const std::string& trace) {
  const StridedTensor fresh(rng, dtype, example.shape, Layout::kAny, Use::kOutput);
  StridedTensor expected = fresh;
  const std::vector<TensorView> views = example.Views();
  ASSERT_TRUE(reference::Max(views, expected.MutableView()));
  ASSERT_TRUE(expected.GuardsIntact());
  StridedTensor proved = fresh;
  test::ProvedMax(views, proved.MutableView());
  ASSERT_TRUE(proved.SameBytes(expected)) << "the proved kernel, " << trace;
  test::ForEachConfiguration([&](std::size_t threads) {
    StridedTensor actual = fresh;
    const Result<void> done = Max(views, actual.MutableView(), {.threads = threads});
    ASSERT_TRUE(done) << done.error().message << trace;
    ASSERT_TRUE(actual.SameBytes(expected)) << trace << " output " << ToString(example.shape);
  });
}

// Rules: MAX-2, ORD-1, ORD-2, ORD-3, ORD-4, ORD-5, TYP-1, BRO-1, BRO-2, BRO-3, BRO-4, BRO-5, MEM-1
TEST_P(MaxProperty, EqualsTheOracleForRandomRanksShapesStridesAndInputs) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Rng rng(seed);
    const std::size_t rank = Below(rng, 9), inputs = 1 + Below(rng, 9);
    const Case example = RandomCase(rng, GetParam(), rank, inputs);
    ExpectOracle(rng, GetParam(), example, "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

// Rules: BRO-4
TEST_P(MaxProperty, EqualsTheOracleAtRank64) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    ExpectOracle(rng, GetParam(), RandomCase(rng, GetParam(), 64, 1 + Below(rng, 4)),
                 "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

// Lengths around the stretches in which long rows are worked off, of 8 KiB, and well beyond.
// Rules: ORD-5, MEM-1
TEST_P(MaxProperty, EqualsTheOracleOnLongRows) {
  const std::int64_t tile = 8192 / static_cast<std::int64_t>(ByteWidth(GetParam()));
  std::uint64_t seed = 0;
  for (std::int64_t length : {tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 7}) {
    for (std::size_t inputs : {1u, 2u, 3u, 5u}) {
      for (Layout layout : {Layout::kDense, Layout::kReversed, Layout::kAny}) {
        Rng rng(++seed);
        Case example;
        example.shape = Shape{length};
        for (std::size_t m = 0; m < inputs; ++m) {
          example.inputs.emplace_back(rng, GetParam(), example.shape, layout, Use::kInput);
          example.inputs.back().Fill(rng);
        }
        ExpectOracle(rng, GetParam(), example, "seed " + std::to_string(seed));
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Enough elements that several threads are given some, in shapes that are cut in different places.
// Rules: ORD-5, MEM-1, MAX-2
TEST_P(MaxProperty, EqualsTheOracleOnWorkThatIsWorthSplitting) {
  const std::int64_t n = 800'000 / static_cast<std::int64_t>(ByteWidth(GetParam()));
  const std::vector<std::vector<Shape>> cases = {{{n}, {n}, {n}},
                                                 {{n / 257, 257}, {257}},
                                                 {{n / 257, 1}, {1, 257}},
                                                 {{3, n / 3}, {3, 1}},
                                                 {{2, 3, n / 6}, {2, 1, n / 6}, {1, 3, 1}}};
  std::uint64_t seed = 0;
  for (const std::vector<Shape>& shapes : cases) {
    Rng rng(++seed);
    Case example;
    std::vector<std::vector<std::int64_t>> all;
    for (const Shape& shape : shapes) {
      example.inputs.emplace_back(rng, GetParam(), shape, Layout::kDense, Use::kInput);
      example.inputs.back().Fill(rng);
      all.emplace_back(shape.begin(), shape.end());
    }
    example.shape = *Shape::FromSpan(*reference::BroadcastShape(all));
    ASSERT_NO_FATAL_FAILURE(ExpectOracle(rng, GetParam(), example, "case " + std::to_string(seed)));
  }
}

// Rules: ORD-5
TEST_P(MaxProperty, PermutedInputsGiveIdenticalBytes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Case example = RandomCase(rng, GetParam(), Below(rng, 5), 2 + Below(rng, 6));
    StridedTensor first(rng, GetParam(), example.shape, Layout::kDense, Use::kOutput), again = first;
    std::vector<TensorView> views = example.Views();
    ASSERT_TRUE(Max(views, first.MutableView()));
    test::ForEachConfiguration([&](std::size_t threads) {
      std::shuffle(views.begin(), views.end(), rng);
      ASSERT_TRUE(Max(views, again.MutableView(), {.threads = threads}));
      ASSERT_TRUE(again.SameBytes(first)) << "seed " << seed;
    });
  }
}

// Rules: MEM-1, MEM-2
TEST_P(MaxProperty, InPlaceGivesWhatAFreshOutputGivesInAllFourStrideDirections) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const std::int64_t rows = static_cast<std::int64_t>(1 + Below(rng, 20));
    const std::int64_t columns = static_cast<std::int64_t>(1 + Below(rng, 40));
    const Shape shape{rows, columns};
    const std::size_t inputs = 1 + Below(rng, 4), target = Below(rng, inputs);
    for (int directions = 0; directions < 4; ++directions) {
      // The target's own strides run forwards or backwards in each dimension.
      const Shape strides{directions & 1 ? -columns : columns, directions & 2 ? -1 : 1};
      const std::int64_t origin =
          (directions & 1 ? (rows - 1) * columns : 0) + (directions & 2 ? columns - 1 : 0);
      std::vector<StridedTensor> tensors;
      std::vector<TensorView> views;
      for (std::size_t m = 0; m < inputs; ++m) {
        tensors.emplace_back(rng, GetParam(), shape, Layout::kDense, Use::kOutput);
        tensors.back().Fill(rng);
      }
      const std::ptrdiff_t skip = origin * static_cast<std::ptrdiff_t>(ByteWidth(GetParam()));
      for (std::size_t m = 0; m < inputs; ++m) {
        TensorView view = tensors[m].View();
        if (m == target)
          view = {view.dtype, view.shape, strides, static_cast<const std::byte*>(view.data) + skip};
        views.push_back(view);
      }
      StridedTensor expected(rng, GetParam(), shape, Layout::kDense, Use::kOutput);
      const MutableTensorView dense = expected.MutableView();
      ASSERT_TRUE(reference::Max(
          views, {dense.dtype, dense.shape, strides, static_cast<std::byte*>(dense.data) + skip}));
      const MutableTensorView whole = tensors[target].MutableView();
      const MutableTensorView in_place{whole.dtype, whole.shape, strides,
                                       static_cast<std::byte*>(whole.data) + skip};
      const std::vector<std::byte> before = tensors[target].buffer();
      test::ForEachConfiguration([&](std::size_t threads) {
        std::memcpy(whole.data, before.data() + 16, before.size() - 32);  // without the guards
        const Result<void> done = Max(views, in_place, {.threads = threads});
        ASSERT_TRUE(done) << done.error().message;
        ASSERT_TRUE(tensors[target].SameBytes(expected)) << "seed " << seed << " directions " << directions;
      });
      if (HasFatalFailure()) return;
      std::memcpy(whole.data, before.data() + 16, before.size() - 32);
      test::ProvedMax(views, in_place);
      ASSERT_TRUE(tensors[target].SameBytes(expected)) << "the proved kernel, seed " << seed;
    }
  }
}

// Rules: ORD-6
TEST_P(MaxProperty, ResultsDoNotDependOnTheFloatingPointEnvironment) {
  Rng rng(99);
  const Case example = RandomCase(rng, GetParam(), 3, 4);
  StridedTensor expected(rng, GetParam(), example.shape, Layout::kDense, Use::kOutput), actual = expected;
  ASSERT_TRUE(reference::Max(example.Views(), expected.MutableView()));
  test::ForEachEnvironment([&] {
    test::ForEachConfiguration([&](std::size_t threads) {
      const Result<void> done = Max(example.Views(), actual.MutableView(), {.threads = threads});
      EXPECT_TRUE(done);
      EXPECT_TRUE(actual.SameBytes(expected));
      std::memset(actual.MutableView().data, 0, ByteWidth(GetParam()));
    });
  });
}

// Every value of the first input against every value of the second, by broadcasting a column against a row.
void ExpectAllPairs(DType dtype, const std::vector<std::uint64_t>& values) {
  const std::size_t n = values.size(), width = ByteWidth(dtype);
  std::vector<std::byte> x(n * width), y(n * n * width), expected(n * n * width);
  for (std::size_t i = 0; i < n; ++i) std::memcpy(x.data() + i * width, &values[i], width);
  const std::int64_t extent = static_cast<std::int64_t>(n);
  const Shape column{extent, 1}, row{extent}, all{extent, extent};
  const TensorView inputs[] = {{dtype, column, {}, x.data()}, {dtype, row, {}, x.data()}};
  ASSERT_TRUE(reference::Max(inputs, {dtype, all, {}, expected.data()}));
  test::ForEachConfiguration([&](std::size_t threads) {
    ASSERT_TRUE(Max(inputs, {dtype, all, {}, y.data()}, {.threads = threads}));
    ASSERT_EQ(std::memcmp(y.data(), expected.data(), y.size()), 0);
  });
}

// Rules: ORD-1
TEST(MaxExhaustive, EveryPairOf8BitIntegers) {
  std::vector<std::uint64_t> values(256);
  for (std::size_t i = 0; i < 256; ++i) values[i] = i;
  ExpectAllPairs(DType::kInt8, values);
  ExpectAllPairs(DType::kUInt8, values);
}

// Rules: ORD-2, ORD-3, ORD-4
TEST(MaxExhaustive, EveryPairOf1024ChosenPatternsOfThe16BitFloats) {
  for (DType dtype : {DType::kFloat16, DType::kBFloat16}) {
    // The special patterns, and 64 steps apart everything else.
    std::vector<std::uint64_t> values = test::SpecialBits(dtype);
    for (std::uint64_t bits = 0; values.size() < 1024; bits += 66) values.push_back(bits & 0xFFFF);
    ExpectAllPairs(dtype, values);
  }
}

}  // namespace
}  // namespace supremum
