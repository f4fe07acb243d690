// Every finite 16-bit float, enclosed with every bound: each end is the nearest number outside the exact sum.
//
// The expectation is the processor's own sum in double and its residual, which no lane uses.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "exhaustive/pair_check.h"
#include "lane/enclose.h"
#include "supremum/dtype.h"

namespace supremum {
namespace {

using test::Extent;

// a + b as the nearest double and what is missing to it.
struct ExactSum {
  ExactSum(double a, double b) : sum(a + b) {
    const double b_rounded = sum - a;
    rest = (a - (sum - b_rounded)) + (b - b_rounded);
  }
  bool IsAtMost(double c) const { return sum < c || (sum == c && rest <= 0); }
  bool IsAtLeast(double c) const { return sum > c || (sum == c && rest >= 0); }
  double sum, rest;
};

template <class T>
double ValueOf(std::uint16_t bits) {
  constexpr int kFraction = std::is_same_v<T, Float16> ? 10 : 7;
  constexpr int kBias = std::is_same_v<T, Float16> ? 15 : 127;
  const int field = (bits & 0x7FFF) >> kFraction, fraction = bits & ((1 << kFraction) - 1);
  if (field == 2 * kBias + 1)
    return bits >> 15 != 0 ? -HUGE_VAL : HUGE_VAL;  // of numbers and infinities alone
  const double significand = field > 0 ? fraction + (1 << kFraction) : fraction;
  const double magnitude = std::ldexp(significand, (field > 0 ? field : 1) - kBias - kFraction);
  return bits >> 15 != 0 ? -magnitude : magnitude;
}

// The bits of all numbers, and both infinities, in ascending order, with +0 as the only zero.
template <class T>
std::vector<std::uint16_t> Ascending() {
  constexpr std::uint16_t kInfinity = lane::Lane<T>::kInfinity;
  std::vector<std::uint16_t> bits;
  for (std::uint16_t magnitude = kInfinity; magnitude > 0; --magnitude) {
    bits.push_back(static_cast<std::uint16_t>(0x8000 | magnitude));
  }
  for (std::uint16_t magnitude = 0; magnitude <= kInfinity; ++magnitude) bits.push_back(magnitude);
  return bits;
}

template <class T>
void ExpectAllSums(Extent extent) {
  using E = lane::Enclosure<T>;
  const std::vector<std::uint16_t> ascending = Ascending<T>();
  std::vector<double> value(65536), below(65536), above(65536);
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    value[ascending[i]] = ValueOf<T>(ascending[i]);
    below[ascending[i]] = i > 0 ? ValueOf<T>(ascending[i - 1]) : -HUGE_VAL;
    above[ascending[i]] = i + 1 < ascending.size() ? ValueOf<T>(ascending[i + 1]) : HUGE_VAL;
  }
  below[0x8000] = below[0];
  above[0x8000] = above[0];
  const std::uint16_t step = extent == Extent::kAll ? 1 : 251;
  std::uint64_t sums = 0;
  for (std::uint16_t e = 0; e < lane::Lane<T>::kInfinity; e = static_cast<std::uint16_t>(e + step)) {
    for (std::uint16_t z : ascending) {
      if (!E::IsFinite(z)) continue;
      const std::uint16_t upper = E::Upper(z, e), lower = E::Lower(z, e);
      const ExactSum most(value[z], value[e]), least(value[z], -value[e]);
      ASSERT_TRUE(most.IsAtMost(value[upper]) && !most.IsAtMost(below[upper]))
          << z << " + " << e << ": " << upper;
      ASSERT_TRUE(least.IsAtLeast(value[lower]) && !least.IsAtLeast(above[lower])) << z << " - " << e;
      ++sums;
    }
  }
  std::cout << sums << " pairs of a value and a bound\n";
}

class AllSums : public testing::TestWithParam<std::tuple<DType, Extent>> {};

INSTANTIATE_TEST_SUITE_P(Of16Bits, AllSums,
                         testing::Combine(testing::Values(DType::kFloat16, DType::kBFloat16),
                                          testing::Values(Extent::kSample, Extent::kAll)),
                         [](const auto& param) {
                           return std::string(Name(std::get<0>(param.param))) + "_" +
                                  ToString(std::get<1>(param.param));
                         });

// Rules: ACC-3, ACC-4
TEST_P(AllSums, AreRoundedOutwardsToTheNearestNumber) {
  const auto [dtype, extent] = GetParam();
  if (dtype == DType::kFloat16) {
    ExpectAllSums<Float16>(extent);
  } else {
    ExpectAllSums<BFloat16>(extent);
  }
}

}  // namespace
}  // namespace supremum
