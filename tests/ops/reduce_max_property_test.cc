// ReduceMax of rows of one float that decides among others, at each place and length.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/configurations.h"
#include "support/values.h"
#include "supremum/reduce_max.h"

namespace supremum {
namespace {

class FloatReduceMax : public testing::TestWithParam<DType> {
 protected:
  std::uint64_t sign() const { return std::uint64_t{1} << (8 * ByteWidth(GetParam()) - 1); }
  std::uint64_t infinity() const { return test::InfinityBits(GetParam()); }
  // The highest bit of the fraction, below the exponent's lowest.
  std::uint64_t canonical_nan() const { return infinity() | ((infinity() & (~infinity() + 1)) >> 1); }

  // The elements in a row, reduced to one by every target.
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

INSTANTIATE_TEST_SUITE_P(Floats, FloatReduceMax,
                         testing::Values(DType::kBFloat16, DType::kFloat16, DType::kFloat32, DType::kFloat64),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: ORD-2, ORD-3, ORD-4
TEST_P(FloatReduceMax, ANaNOrTheOnlyPositiveZeroAtAnyPositionOfAnyLengthIsTheResult) {
  const std::uint64_t signalling = infinity() + 1;
  for (std::size_t n = 1; n <= 100; ++n) {
    std::vector<std::uint64_t> numbers(n), zeros(n, sign());
    for (std::size_t i = 0; i < n; ++i) numbers[i] = i % 3 == 0 ? infinity() : i;
    for (std::size_t at = 0; at < n; ++at) {
      SCOPED_TRACE("length " + std::to_string(n) + ", at " + std::to_string(at));
      for (const std::uint64_t nan :
           {signalling, signalling | sign(), canonical_nan() + 5, canonical_nan() | sign()}) {
        std::vector<std::uint64_t> row = numbers;
        row[at] = nan;
        ASSERT_NO_FATAL_FAILURE(ExpectRow(row, canonical_nan()));
      }
      std::vector<std::uint64_t> row = zeros;
      row[at] = 0;
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
