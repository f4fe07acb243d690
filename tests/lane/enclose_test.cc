// A value and the bound of its error, added and rounded outwards, against exact rational numbers.
#include "lane/enclose.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "support/environments.h"
#include "support/rational.h"
#include "support/values.h"

namespace supremum {
namespace {

template <class T>
class EncloseTest : public testing::Test {
 protected:
  struct Pair {
    typename lane::Enclosure<T>::Bits z, e;
  };

  // Values and bounds that are not negative: all pairs of special ones, and random ones, many of which lie
  // close to each other or a significand's length apart.
  static std::vector<Pair> Pairs(std::size_t count) {
    using E = lane::Enclosure<T>;
    using Bits = typename E::Bits;
    constexpr DType kDType = kDTypeOf<T>;
    const auto special = test::SpecialBits(kDType);
    std::vector<Pair> pairs;
    const auto add = [&](std::uint64_t z, std::uint64_t e) {
      if (!E::IsNegative(static_cast<Bits>(e))) pairs.push_back({static_cast<Bits>(z), static_cast<Bits>(e)});
    };
    for (std::uint64_t z : special) {
      for (std::uint64_t e : special) add(z, e);
    }
    test::Rng rng(1);
    const std::size_t fraction = IsFloat(kDType) ? static_cast<std::size_t>(test::FractionBits(kDType)) : 0;
    while (pairs.size() < count) {
      const std::uint64_t z = test::RandomBits(rng, kDType, special);
      const std::uint64_t apart = static_cast<std::uint64_t>(test::Below(rng, fraction + 5)) << fraction;
      const std::uint64_t choices[] = {test::RandomBits(rng, kDType, special), z ^ (rng() & 7),
                                       (z - apart) ^ (rng() & 7),
                                       (z + apart) ^ (rng() >> test::Below(rng, 64))};
      const std::uint64_t e = choices[test::Below(rng, 4)];
      add(z, IsFloat(kDType) ? e & (test::SignBit(kDType) - 1) : e);
    }
    return pairs;
  }

  // A byte of a bool other than 0 is true, and counts as 1.
  static std::optional<mpq_class> Number(typename lane::Enclosure<T>::Bits bits) {
    const auto wide = static_cast<std::uint64_t>(bits);
    return test::RationalOf(kDTypeOf<T>, std::is_same_v<T, bool> ? wide != 0 : wide);
  }
};

using AllTypes =
    testing::Types<BFloat16, Float16, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool>;
TYPED_TEST_SUITE(EncloseTest, AllTypes);

template <class T>
class FloatEncloseTest : public EncloseTest<T> {};
using FloatTypes = testing::Types<BFloat16, Float16, float, double>;
TYPED_TEST_SUITE(FloatEncloseTest, FloatTypes);

// Rules: ACC-2, ACC-3, ACC-4
TYPED_TEST(EncloseTest, TheEndsAreTheExactSumsRoundedOutwardsAndNoFurther) {
  using E = lane::Enclosure<TypeParam>;
  constexpr DType kDType = kDTypeOf<TypeParam>;
  std::size_t finite = 0, inexact = 0;
  for (const auto& [z, e] : this->Pairs(50'000)) {
    const auto value = this->Number(z), bound = this->Number(e);
    if (!value || !bound) continue;
    ++finite;
    const mpq_class least = *value - *bound, most = *value + *bound;
    ASSERT_TRUE(test::IsMostBelow(kDType, static_cast<std::uint64_t>(E::Lower(z, e)), least))
        << +z << " - " << +e << ": " << least;
    ASSERT_TRUE(test::IsLeastAbove(kDType, static_cast<std::uint64_t>(E::Upper(z, e)), most))
        << +z << " + " << +e << ": " << most;
    ASSERT_EQ(this->Number(E::Bound(z, e)), bound) << +z << " " << +e;
    const auto upper = this->Number(E::Upper(z, e));
    inexact += !upper || *upper != most;
  }
  EXPECT_GT(finite, 25'000u);
  if (kDType != DType::kBool) {
    EXPECT_GT(inexact, 1000u) << "hardly any sum is rounded or leaves the type";
  }
}

// Rules: ACC-4
TYPED_TEST(FloatEncloseTest, WhereEitherIsNotFiniteNothingIsKnown) {
  using E = lane::Enclosure<TypeParam>;
  using L = lane::Lane<TypeParam>;
  std::size_t cases = 0;
  for (const auto& [z, e] : this->Pairs(20'000)) {
    if (this->Number(z) && this->Number(e)) continue;
    ++cases;
    ASSERT_EQ(E::Bound(z, e), L::kInfinity) << +z << " " << +e;
    ASSERT_EQ(E::Upper(z, e), L::kInfinity) << +z << " " << +e;
    ASSERT_EQ(E::Lower(z, e), L::kBottom) << +z << " " << +e;
  }
  EXPECT_GT(cases, 500u);
}

// Rules: ACC-3, ORD-2
TYPED_TEST(FloatEncloseTest, AnExactValueIsBothItsEndsAndASumOfZeroIsTheOuterZero) {
  using E = lane::Enclosure<TypeParam>;
  using Bits = typename E::Bits;
  for (const auto& [z, e] : this->Pairs(20'000)) {
    if (!this->Number(z)) continue;
    for (Bits zero : {Bits{0}, E::kSign}) {
      ASSERT_EQ(E::Lower(z, zero), z);
      ASSERT_EQ(E::Upper(z, zero), z);
      ASSERT_EQ(E::Bound(z, zero), 0) << "and not -0";
    }
    const Bits magnitude = static_cast<Bits>(z & ~E::kSign);
    if (magnitude == 0) continue;
    ASSERT_EQ(E::Lower(magnitude, magnitude), E::kSign) << "-0";
    ASSERT_EQ(E::Upper(static_cast<Bits>(magnitude | E::kSign), magnitude), 0) << "+0";
  }
}

// Rules: ACC-4
TYPED_TEST(FloatEncloseTest, SumsBeyondTheLargestNumberAreInfiniteOnTheOuterSideAlone) {
  using E = lane::Enclosure<TypeParam>;
  using L = lane::Lane<TypeParam>;
  using Bits = typename E::Bits;
  const Bits largest = static_cast<Bits>(L::kInfinity - 1), least = static_cast<Bits>(E::kSign | largest);
  EXPECT_EQ(E::Upper(largest, 1), L::kInfinity) << "a subnormal number more than the largest";
  EXPECT_EQ(E::Lower(largest, 1), largest - 1) << "the next number below";
  EXPECT_EQ(E::Lower(least, 1), L::kBottom);
  EXPECT_EQ(E::Upper(least, 1), static_cast<Bits>(least - 1));
  EXPECT_EQ(E::Upper(largest, largest), L::kInfinity);
  EXPECT_EQ(E::Lower(largest, largest), E::kSign);
  EXPECT_EQ(E::Bound(largest, largest), largest);
}

// Rules: ACC-2
TYPED_TEST(FloatEncloseTest, MinusZeroAndNaNsAreNotNegative) {
  using E = lane::Enclosure<TypeParam>;
  using L = lane::Lane<TypeParam>;
  using Bits = typename E::Bits;
  for (std::uint64_t bits : test::SpecialBits(kDTypeOf<TypeParam>)) {
    const auto number = test::RationalOf(kDTypeOf<TypeParam>, bits);
    const bool negative = number ? *number < 0 : static_cast<Bits>(bits) == L::kBottom;
    EXPECT_EQ(E::IsNegative(static_cast<Bits>(bits)), negative) << bits;
  }
}

// Rules: ACC-2
TEST(Enclose, NegativeIntegersAreNegativeAndNoOthers) {
  EXPECT_TRUE(lane::Enclosure<std::int8_t>::IsNegative(-1));
  EXPECT_TRUE(lane::Enclosure<std::int64_t>::IsNegative(INT64_MIN));
  EXPECT_FALSE(lane::Enclosure<std::int8_t>::IsNegative(0));
  EXPECT_FALSE(lane::Enclosure<std::uint8_t>::IsNegative(255));
  EXPECT_FALSE(lane::Enclosure<bool>::IsNegative(255));
}

// Rules: ACC-4
TEST(Enclose, EveryPairOf8BitIntegersIsAddedAndEndsAtTheLimitsOfItsType) {
  using Signed = lane::Enclosure<std::int8_t>;
  using Unsigned = lane::Enclosure<std::uint8_t>;
  for (int z = -128; z < 256; ++z) {
    for (int e = 0; e < 256; ++e) {
      if (z < 128 && e < 128) {
        const auto a = static_cast<std::int8_t>(z), b = static_cast<std::int8_t>(e);
        ASSERT_EQ(Signed::Lower(a, b), std::max(z - e, -128));
        ASSERT_EQ(Signed::Upper(a, b), std::min(z + e, 127));
      }
      if (z >= 0) {
        const auto a = static_cast<std::uint8_t>(z), b = static_cast<std::uint8_t>(e);
        ASSERT_EQ(Unsigned::Lower(a, b), std::max(z - e, 0));
        ASSERT_EQ(Unsigned::Upper(a, b), std::min(z + e, 255));
      }
    }
  }
}

// Rules: ORD-6, ACC-4
TYPED_TEST(EncloseTest, NothingDependsOnTheFloatingPointEnvironment) {
  using E = lane::Enclosure<TypeParam>;
  const auto pairs = this->Pairs(20'000);
  const auto all = [&] {
    std::vector<typename E::Bits> results;
    for (const auto& [z, e] : pairs) {
      for (auto bits : {E::Bound(z, e), E::Lower(z, e), E::Upper(z, e)}) results.push_back(bits);
    }
    return results;
  };
  const auto expected = all();
  test::ForEachEnvironment([&] { EXPECT_TRUE(all() == expected); });
}

// Rules: ACC-3
TEST(Enclose, IsConstexpr) {
  constexpr std::uint32_t kUpper = lane::Enclosure<float>::Upper(0x3F80'0000, 1);
  constexpr std::uint32_t kLower = lane::Enclosure<float>::Lower(0x3F80'0000, 1);
  constexpr std::uint16_t kLeast = lane::Enclosure<std::uint16_t>::Lower(3, 5);
  EXPECT_EQ(kUpper, 0x3F80'0001u) << "1 and the least subnormal";
  EXPECT_EQ(kLower, 0x3F7F'FFFFu);
  EXPECT_EQ(kLeast, 0);
}

}  // namespace
}  // namespace supremum
