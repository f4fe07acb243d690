// ReduceMax against the oracle, bit by bit: every type, every set of axes, every layout.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "support/configurations.h"
#include "support/proved.h"
#include "support/values.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using test::Below;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;
using Axes = std::vector<std::int64_t>;

class ReduceMaxProperty : public testing::TestWithParam<DType> {
 protected:
  // Runs in every configuration and compares whole buffers: the elements, and everything around them.
  void ExpectAsTheOracle(Rng& rng, const Shape& shape, const Axes& axes, bool keepdims, Layout layout) {
    SCOPED_TRACE("shape " + ToString(shape) + ", axes " + ToString(axes) + (keepdims ? ", keepdims" : "") +
                 ", layout " + std::to_string(static_cast<int>(layout)));
    StridedTensor source(rng, GetParam(), shape, layout, Use::kInput);
    source.Fill(rng);
    ReduceMaxOptions options;
    options.axes = axes;
    options.keepdims = keepdims;
    const Result<Shape> reduced = ReduceMaxOutputShape(source.View(), options);
    ASSERT_TRUE(reduced) << reduced.error().message;
    StridedTensor output(rng, GetParam(), *reduced, layout, Use::kOutput);
    output.Fill(rng);
    StridedTensor expected = output;
    const StridedTensor before = source;
    ASSERT_TRUE(reference::ReduceMax(source.View(), expected.MutableView(), axes, keepdims));
    if (GetParam() != DType::kBool) {  // one of twelve types was proved
      StridedTensor proved = output;
      test::ProvedReduceMax(source.View(), proved.MutableView(), axes, keepdims);
      ASSERT_TRUE(proved.SameBytes(expected)) << "the proved kernel";
    }
    test::ForEachConfiguration([&](std::size_t threads) {
      options.threads = threads;
      StridedTensor actual = output;
      const Result<void> done = ReduceMax(source.View(), actual.MutableView(), options);
      ASSERT_TRUE(done) << done.error().message;
      ASSERT_TRUE(actual.SameBytes(expected));
      if (layout != Layout::kDense) return;
      // The same without strides, which may be done without a plan.
      StridedTensor dense = output;
      TensorView from = source.View();
      MutableTensorView to = dense.MutableView();
      from.strides = to.strides = {};
      ASSERT_TRUE(ReduceMax(from, to, options));
      ASSERT_TRUE(dense.SameBytes(expected));
    });
    ASSERT_TRUE(source.SameBytes(before));
  }

  // The axes whose bits are set, each counted from either end, in any order.
  static Axes AxesOf(Rng& rng, unsigned set, std::size_t rank) {
    Axes axes;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t axis = static_cast<std::int64_t>(d);
      if ((set >> d & 1) != 0)
        axes.push_back(Below(rng, 2) == 0 ? axis : axis - static_cast<std::int64_t>(rank));
    }
    std::shuffle(axes.begin(), axes.end(), rng);
    return axes;
  }

  // n elements in a row, reduced to one by every target.
  void ExpectRow(const std::vector<std::uint64_t>& bits, std::uint64_t expected) {
    const std::size_t width = ByteWidth(GetParam());
    std::vector<std::byte> row(bits.size() * width);
    for (std::size_t i = 0; i < bits.size(); ++i) std::memcpy(row.data() + i * width, &bits[i], width);
    const Shape shape{static_cast<std::int64_t>(bits.size())}, scalar{};
    test::ForEachConfiguration([&](std::size_t threads) {
      std::uint64_t result = 0;
      ASSERT_TRUE(ReduceMax(TensorView{GetParam(), shape, {}, row.data()},
                            MutableTensorView{GetParam(), scalar, {}, &result}, {.threads = threads}));
      ASSERT_EQ(result, expected);
    });
  }
};

std::string TypeName(const testing::TestParamInfo<DType>& info) { return std::string(Name(info.param)); }

INSTANTIATE_TEST_SUITE_P(AllTypes, ReduceMaxProperty, testing::ValuesIn(kAllDTypes), TypeName);

// Rules: RED-1, RED-3, RED-4, ORD-4, ORD-5, TYP-1, TYP-4, MEM-1
TEST_P(ReduceMaxProperty, EverySetOfAxesOfEveryRankUpToFiveInEveryLayout) {
  constexpr Layout layouts[] = {Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kAny};
  Rng rng(11);
  for (std::size_t rank = 0; rank <= 5; ++rank) {
    for (unsigned set = 0; set < 1u << rank; ++set) {
      for (Layout layout : layouts) {
        for (bool keepdims : {false, true}) {
          Shape shape;
          for (std::size_t d = 0; d < rank; ++d) {
            shape.PushBack(static_cast<std::int64_t>(1 + Below(rng, rank < 4 ? 9 : 5)));
          }
          ASSERT_NO_FATAL_FAILURE(ExpectAsTheOracle(rng, shape, AxesOf(rng, set, rank), keepdims, layout));
        }
      }
    }
  }
}

class FloatReduceMax : public ReduceMaxProperty {
 protected:
  // The widths' own patterns: sign, +inf, canonical NaN.
  std::uint64_t sign() const { return std::uint64_t{1} << (8 * ByteWidth(GetParam()) - 1); }
  std::uint64_t infinity() const { return test::InfinityBits(GetParam()); }
  std::uint64_t canonical_nan() const {
    switch (GetParam()) {
      case DType::kBFloat16:
        return 0x7FC0;
      case DType::kFloat16:
        return 0x7E00;
      case DType::kFloat32:
        return 0x7FC0'0000;
      default:
        return 0x7FF8'0000'0000'0000;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Floats, FloatReduceMax,
                         testing::Values(DType::kBFloat16, DType::kFloat16, DType::kFloat32, DType::kFloat64),
                         TypeName);

// Rules: ORD-3, ORD-4
TEST_P(FloatReduceMax, ANaNAtAnyPositionOfAnyLengthIsTheResult) {
  const std::uint64_t signalling = infinity() + 1;
  for (std::size_t n = 1; n <= 100; ++n) {
    for (std::size_t at = 0; at < n; ++at) {
      for (std::uint64_t nan :
           {signalling, signalling | sign(), canonical_nan() + 5, canonical_nan() | sign()}) {
        std::vector<std::uint64_t> row(n);
        for (std::size_t i = 0; i < n; ++i) row[i] = i % 3 == 0 ? infinity() : i;
        row[at] = nan;
        SCOPED_TRACE("length " + std::to_string(n) + ", NaN at " + std::to_string(at));
        ASSERT_NO_FATAL_FAILURE(ExpectRow(row, canonical_nan()));
      }
    }
  }
}

// Rules: ORD-2
TEST_P(FloatReduceMax, OnePositiveZeroAmongNegativeOnesIsTheResultWhereverItStands) {
  for (std::size_t n = 1; n <= 100; ++n) {
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<std::uint64_t> row(n, sign());
      row[at] = 0;
      SCOPED_TRACE("length " + std::to_string(n) + ", +0 at " + std::to_string(at));
      ASSERT_NO_FATAL_FAILURE(ExpectRow(row, 0));
    }
  }
}

// Rules: ORD-2, RED-7
TEST_P(FloatReduceMax, RowsOfNegativeZeroOrOfMinusInfinityStayWhatTheyAreAtEveryLength) {
  std::vector<std::size_t> lengths;
  for (std::size_t n = 1; n <= 100; ++n) lengths.push_back(n);
  for (std::size_t k = 7; k <= 16; ++k) {
    lengths.push_back(std::size_t{1} << k);
    lengths.push_back((std::size_t{1} << k) + 1);
  }
  for (std::size_t n : lengths) {
    SCOPED_TRACE(std::to_string(n) + " times");
    for (std::uint64_t bits : {sign(), infinity() | sign()}) {
      ASSERT_NO_FATAL_FAILURE(ExpectRow(std::vector<std::uint64_t>(n, bits), bits));
    }
  }
}

}  // namespace
}  // namespace supremum
