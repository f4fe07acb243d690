// Very many pairs of values of the wider types through the real kernels, on every target: special patterns,
// their neighbours, values and their negatives, and anything.
//
// The expectation is the processor's own comparison of numbers, which no kernel uses.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "exhaustive/pair_check.h"
#include "support/pairs.h"

namespace supremum {
namespace {

using test::Extent;
using test::kPairs;
using test::Operands;
using test::PairCheck;

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
BitsOf<T> Expected(BitsOf<T> a, BitsOf<T> b) {
  const T x = std::bit_cast<T>(a), y = std::bit_cast<T>(b);
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x || y != y) return std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::quiet_NaN());
    if (x == y) return a & b;  // zeros: -0 only if both are
  }
  return x < y ? b : a;
}

template <class T>
void ExpectManyPairs(std::uint64_t pairs) {
  using Bits = BitsOf<T>;
  PairCheck<Bits> check(kDTypeOf<T>);
  Operands<Bits> operands(kDTypeOf<T>, 1);
  for (std::uint64_t done = 0; done < pairs; done += kPairs) {
    for (std::size_t i = 0; i < kPairs; ++i) operands.Next(check.a()[i], check.b()[i]);
    for (std::size_t i = 0; i < kPairs; ++i) check.expected()[i] = Expected<T>(check.a()[i], check.b()[i]);
    if (!check.Holds()) return;
  }
}

class ManyPairs : public testing::TestWithParam<std::tuple<DType, Extent>> {};

INSTANTIATE_TEST_SUITE_P(OfWideTypes, ManyPairs,
                         testing::Combine(testing::Values(DType::kFloat32, DType::kFloat64, DType::kInt32,
                                                          DType::kUInt32, DType::kInt64, DType::kUInt64),
                                          testing::Values(Extent::kSample, Extent::kAll)),
                         [](const auto& param) {
                           return std::string(Name(std::get<0>(param.param))) + "_" +
                                  ToString(std::get<1>(param.param));
                         });

// Rules: ORD-1, ORD-2, ORD-3, ORD-4, TYP-1, RED-1
TEST_P(ManyPairs, HaveTheMaximumThatComparingNumbersGivesOnEveryTarget) {
  const auto [dtype, extent] = GetParam();
  const std::uint64_t all = IsFloat(dtype) ? 1'000'000'000 : 100'000'000;
  const std::uint64_t pairs = extent == Extent::kAll ? all : 1'000'000;
  VisitDType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (sizeof(T) >= 4) ExpectManyPairs<T>(pairs);
  });
}

}  // namespace
}  // namespace supremum
