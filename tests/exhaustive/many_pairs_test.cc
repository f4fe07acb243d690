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
#include "support/values.h"

namespace supremum {
namespace {

using test::Extent;
using test::kPairs;
using test::PairCheck;

/// splitmix64: a new number for a few instructions.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

/// Random pairs of elements, as bits: special patterns, their neighbours, values and their negatives, and
/// anything.
template <class Bits>
class Operands {
 public:
  Operands(DType dtype, std::uint64_t seed) : numbers_(seed) {
    const std::vector<std::uint64_t> special = test::SpecialBits(dtype);
    for (std::size_t i = 0; i < kSpecial; ++i) special_[i] = static_cast<Bits>(special[i % special.size()]);
  }

  void Next(Bits& a, Bits& b) {
    const std::uint64_t choice = numbers_.Next();
    a = One(choice);
    const std::uint64_t step = choice >> 32 & 3;
    switch (choice >> 16 & 7) {
      case 0:
        b = static_cast<Bits>(a + step);
        break;
      case 1:
        b = static_cast<Bits>(a - step);
        break;
      case 2:
        b = static_cast<Bits>((a ^ kSign) + step);
        break;
      default:
        b = One(choice >> 8);
    }
  }

 private:
  static constexpr std::size_t kSpecial = 64;
  static constexpr std::uint64_t kSign = std::uint64_t{1} << (8 * sizeof(Bits) - 1);

  // A special pattern, one of its neighbours, or anything.
  Bits One(std::uint64_t choice) {
    const Bits special = special_[choice % kSpecial];
    switch (choice >> 6 & 3) {
      case 0:
        return special;
      case 1:
        return static_cast<Bits>(special + (choice >> 40 & 7) - 3);
      default:
        return static_cast<Bits>(numbers_.Next());
    }
  }

  Numbers numbers_;
  Bits special_[kSpecial];
};

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
