// All pairs of values of the 8-bit and 16-bit types through the real kernels, on every target.
//
// The expectation is a list of all bit patterns in ascending order, which nothing of the library has made:
// the maximum of two patterns is the later one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "exhaustive/pair_check.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using test::Extent;
using test::kPairs;
using test::PairCheck;

// The value of a bit pattern. Values are ordered by number, with -0 before +0, and NaN after all numbers.
struct Meaning {
  double number = 0;
  bool after_equal = false;
  bool is_nan = false;

  friend bool operator<(const Meaning& a, const Meaning& b) {
    if (a.is_nan || b.is_nan) return b.is_nan && !a.is_nan;
    if (a.number != b.number) return a.number < b.number;
    return !a.after_equal && b.after_equal;
  }
};

// IEEE 754: (-1)^s * 2^(e - bias) * 1.f, or 0.f with the least exponent where e is 0.
Meaning MeaningOfFloat(unsigned bits, int exponent_bits, int fraction_bits) {
  const int most = (1 << exponent_bits) - 1, bias = most / 2;
  const int exponent = static_cast<int>(bits >> fraction_bits) & most;
  const int fraction = static_cast<int>(bits) & ((1 << fraction_bits) - 1);
  const bool negative = (bits >> (exponent_bits + fraction_bits)) != 0;
  if (exponent == most && fraction != 0) return {0, false, true};
  double magnitude = std::ldexp((exponent == 0 ? 0 : 1 << fraction_bits) + fraction,
                                std::max(exponent, 1) - bias - fraction_bits);
  if (exponent == most) magnitude = HUGE_VAL;
  return {negative ? -magnitude : magnitude, !negative, false};
}

Meaning MeaningOf(DType dtype, unsigned bits) {
  switch (dtype) {
    case DType::kFloat16:
      return MeaningOfFloat(bits, 5, 10);
    case DType::kBFloat16:
      return MeaningOfFloat(bits, 8, 7);
    case DType::kInt8:
      return {static_cast<double>(bits < 0x80 ? static_cast<int>(bits) : static_cast<int>(bits) - 0x100)};
    case DType::kInt16:
      return {static_cast<double>(bits < 0x8000 ? static_cast<int>(bits) : static_cast<int>(bits) - 0x10000)};
    case DType::kBool:
      return {bits == 0 ? 0.0 : 1.0};
    default:
      return {static_cast<double>(bits)};
  }
}

// The bits that are written to the output if the maximum is `bits` (ORD-4, TYP-4).
unsigned Written(DType dtype, unsigned bits) {
  if (dtype == DType::kBool) return bits == 0 ? 0 : 1;
  if (!MeaningOf(dtype, bits).is_nan) return bits;
  return dtype == DType::kFloat16 ? 0x7E00 : 0x7FC0;
}

// All patterns, ascending; what means the same in any order.
template <class Bits>
std::vector<Bits> Ascending(DType dtype) {
  std::vector<Meaning> meanings;
  std::vector<Bits> patterns;
  for (unsigned bits = 0; bits < 1u << (8 * sizeof(Bits)); ++bits) {
    meanings.push_back(MeaningOf(dtype, bits));
    patterns.push_back(static_cast<Bits>(bits));
  }
  std::ranges::stable_sort(patterns, [&](Bits a, Bits b) { return meanings[a] < meanings[b]; });
  return patterns;
}

// Each pattern as `a`, or 86 of them, the first and the last among them, against each as `b`.
template <class Bits>
void ExpectAllPairs(DType dtype, Extent extent) {
  const std::vector<Bits> ascending = Ascending<Bits>(dtype);
  const std::size_t count = ascending.size(), step = extent == Extent::kAll ? 1 : 65535 / 85;
  std::vector<Bits> written;
  for (Bits bits : ascending) written.push_back(static_cast<Bits>(Written(dtype, bits)));
  PairCheck<Bits> check(dtype);
  for (std::size_t begin = 0; begin < count; begin += kPairs) {
    // 8-bit types have fewer values than there are pairs: they come again.
    for (std::size_t k = 0; k < kPairs; ++k) check.b()[k] = ascending[(begin + k) % count];
    for (std::size_t i = 0; i < count; i += step) {
      std::fill_n(check.a(), kPairs, ascending[i]);
      for (std::size_t k = 0; k < kPairs; ++k) {
        check.expected()[k] = written[std::max((begin + k) % count, i)];
      }
      if (!check.Holds()) return;
    }
  }
}

class AllPairs : public testing::TestWithParam<std::tuple<DType, Extent>> {};

std::string NameOf(const testing::TestParamInfo<std::tuple<DType, Extent>>& info) {
  return std::string(Name(std::get<0>(info.param))) + "_" + ToString(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Of8Bits, AllPairs,
                         testing::Combine(testing::Values(DType::kInt8, DType::kUInt8, DType::kBool),
                                          testing::Values(Extent::kSample)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Of16Bits, AllPairs,
                         testing::Combine(testing::Values(DType::kFloat16, DType::kBFloat16, DType::kInt16,
                                                          DType::kUInt16),
                                          testing::Values(Extent::kSample, Extent::kAll)),
                         NameOf);

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, TYP-1, TYP-4, RED-1
TEST_P(AllPairs, HaveTheLaterOfBothAsTheirMaximumOnEveryTarget) {
  const auto [dtype, extent] = GetParam();
  if (ByteWidth(dtype) == 1) {
    ExpectAllPairs<std::uint8_t>(dtype, Extent::kAll);
  } else {
    ExpectAllPairs<std::uint16_t>(dtype, extent);
  }
}

// The list itself, against the oracle: the maximum of neighbours is the later one.
// Rules: ORD-2
TEST(AllPairsModel, IsInTheOraclesOrder) {
  for (DType dtype : {DType::kFloat16, DType::kBFloat16, DType::kInt16, DType::kUInt16}) {
    const std::vector<std::uint16_t> ascending = Ascending<std::uint16_t>(dtype);
    const std::int64_t last = static_cast<std::int64_t>(ascending.size()) - 1;
    const Shape shape{last};
    std::vector<std::uint16_t> y(ascending.size() - 1), expected;
    const TensorView inputs[] = {{dtype, shape, {}, ascending.data()},
                                 {dtype, shape, {}, ascending.data() + 1}};
    ASSERT_TRUE(reference::Max(inputs, {dtype, shape, {}, y.data()}));
    for (std::size_t i = 1; i < ascending.size(); ++i) {
      expected.push_back(static_cast<std::uint16_t>(Written(dtype, ascending[i])));
    }
    EXPECT_EQ(y, expected) << Name(dtype);
  }
}

}  // namespace
}  // namespace supremum
