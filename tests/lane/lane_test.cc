#include "supremum/lane.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "support/values.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

template <class T>
class LaneTest : public testing::Test {};
using AllTypes =
    testing::Types<BFloat16, Float16, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool>;
TYPED_TEST_SUITE(LaneTest, AllTypes);

template <class T>
class FloatLaneTest : public testing::Test {};
using FloatTypes = testing::Types<BFloat16, Float16, float, double>;
TYPED_TEST_SUITE(FloatLaneTest, FloatTypes);

template <class T>
using Bits = typename lane::Lane<T>::Bits;

template <class T>
std::vector<Bits<T>> Specials() {
  std::vector<Bits<T>> values;
  for (std::uint64_t bits : test::SpecialBits(kDTypeOf<T>)) values.push_back(static_cast<Bits<T>>(bits));
  return values;
}

// Maximum of one pair by the reference implementation, as bits.
template <class T>
Bits<T> Expected(Bits<T> a, Bits<T> b) {
  Bits<T> y{};
  const TensorView inputs[] = {{kDTypeOf<T>, {}, {}, &a}, {kDTypeOf<T>, {}, {}, &b}};
  EXPECT_TRUE(reference::Max(inputs, {kDTypeOf<T>, {}, {}, &y}));
  return y;
}

// Special values are zeros, subnormal and other numbers, infinities and NaNs of both signs.
// Rules: ORD-1, ORD-2, ORD-3, ORD-4, ORD-6, TYP-1
TYPED_TEST(LaneTest, JoinIsTheMaximumOfTheOracleForEveryPairOfSpecialValues) {
  using L = lane::Lane<TypeParam>;
  for (auto a : Specials<TypeParam>()) {
    for (auto b : Specials<TypeParam>())
      EXPECT_EQ(L::Join(a, b), Expected<TypeParam>(a, b)) << +a << " " << +b;
  }
}

// Rules: ORD-5
TYPED_TEST(LaneTest, JoinIsCommutativeAssociativeAndIdempotentBitByBit) {
  using L = lane::Lane<TypeParam>;
  const auto values = Specials<TypeParam>();
  for (auto a : values) {
    EXPECT_EQ(L::Join(a, a), L::Canonical(a));
    for (auto b : values) {
      EXPECT_EQ(L::Join(a, b), L::Join(b, a));
      for (auto c : values) EXPECT_EQ(L::Join(a, L::Join(b, c)), L::Join(L::Join(a, b), c));
    }
  }
}

// Rules: ORD-1
TEST(Lane, EveryPairOf8BitIntegersIsOrderedAsTheNumbersAre) {
  for (int a = -128; a < 256; ++a) {
    for (int b = -128; b < 256; ++b) {
      const int larger = a > b ? a : b;
      if (a < 128 && b < 128) {
        EXPECT_EQ(lane::Lane<std::int8_t>::Join(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b)),
                  larger);
      }
      if (a >= 0 && b >= 0) {
        EXPECT_EQ(lane::Lane<std::uint8_t>::Join(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)),
                  larger);
      }
    }
  }
}

// Rules: ORD-2
TYPED_TEST(FloatLaneTest, KeysAscendFromMinusInfinityOverTheZerosToInfinity) {
  using L = lane::Lane<TypeParam>;
  const auto sign = static_cast<typename L::Bits>(~L::kMagnitude);
  const typename L::Bits ascending[] = {
      static_cast<typename L::Bits>(sign | L::kInfinity),        // -inf
      static_cast<typename L::Bits>(sign | (L::kInfinity - 1)),  // the least finite
      static_cast<typename L::Bits>(sign | 1),                   // the largest negative subnormal
      sign,                                                      // -0
      0,                                                         // +0
      1,                                                         // the least positive subnormal
      static_cast<typename L::Bits>(L::kInfinity - 1),           // the largest finite
      L::kInfinity,                                              // +inf
  };
  for (std::size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(L::KeyOf(ascending[i - 1]), L::KeyOf(ascending[i]));
    EXPECT_EQ(L::Join(ascending[i - 1], ascending[i]), ascending[i]);
    EXPECT_EQ(L::Join(ascending[i], ascending[i - 1]), ascending[i]);
  }
}

// Rules: ORD-3, ORD-4
TYPED_TEST(FloatLaneTest, KeysAreAboveInfinitysForNaNsAloneAndGiveTheValueBack) {
  using L = lane::Lane<TypeParam>;
  using Bits = typename L::Bits;
  test::Rng rng(3);
  for (int i = 0; i < 200'000; ++i) {
    const Bits any = static_cast<Bits>(rng());
    for (Bits bits : {any, static_cast<Bits>(any | L::kInfinity)}) {
      ASSERT_EQ(L::KeyOf(bits) > L::kInfinityKey, L::IsNaN(bits));
      ASSERT_EQ(L::FromKey(L::KeyOf(bits)), L::Canonical(bits));
    }
  }
  EXPECT_EQ(L::KeyOf(L::kBottom), std::numeric_limits<typename L::Key>::min());
}

// Rules: ORD-4
TEST(Lane, CanonicalNaNsHaveTheBitsThatTheRuleStates) {
  EXPECT_EQ(lane::Lane<Float16>::Join(0xFC01, 0), 0x7E00);
  EXPECT_EQ(lane::Lane<BFloat16>::Join(0, 0xFF81), 0x7FC0);
  EXPECT_EQ(lane::Lane<float>::Join(0xFFC1'2345, 0), 0x7FC0'0000u);
  EXPECT_EQ(lane::Lane<double>::Join(0, 0x7FF0'0000'0000'0001), 0x7FF8'0000'0000'0000u);
}

// Rules: ORD-2, ORD-3
TEST(Lane, JoinOfFloatsAgreesWithTheLanguagesOwnComparisonWhereItIsDefined) {
  test::Rng rng(1);
  for (int i = 0; i < 200'000; ++i) {
    const auto a = std::bit_cast<float>(static_cast<std::uint32_t>(rng()));
    const auto b = std::bit_cast<float>(static_cast<std::uint32_t>(rng()));
    const std::uint32_t joined =
        lane::Lane<float>::Join(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
    if (a != a || b != b) {
      ASSERT_EQ(joined, 0x7FC0'0000u);
    } else if (a != b) {
      ASSERT_EQ(joined, std::bit_cast<std::uint32_t>(a < b ? b : a));
    }
  }
}

// Rules: TYP-4, RED-6
TEST(Lane, JoinOfBooleansIsOrAndWritesZeroAndOneOnly) {
  using L = lane::Lane<bool>;
  EXPECT_EQ(L::kBottom, 0);
  for (int a = 0; a < 256; ++a) {
    EXPECT_EQ(L::Canonical(static_cast<std::uint8_t>(a)), a != 0);
    for (int b = 0; b < 256; ++b) {
      EXPECT_EQ(L::Join(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)), a != 0 || b != 0);
    }
  }
}

// Rules: RED-6, RED-7, ORD-5
TYPED_TEST(LaneTest, BottomIsTheMaximumOfNothingAndNeutral) {
  using L = lane::Lane<TypeParam>;
  for (auto a : Specials<TypeParam>()) {
    EXPECT_EQ(L::Join(L::kBottom, a), L::Canonical(a)) << +a;
    EXPECT_EQ(L::Join(a, L::kBottom), L::Canonical(a)) << +a;
  }
  Bits<TypeParam> least{};
  const Shape none{0};
  ASSERT_TRUE(reference::ReduceMax({kDTypeOf<TypeParam>, none, {}, nullptr},
                                   {kDTypeOf<TypeParam>, {}, {}, &least}, std::nullopt, false));
  EXPECT_EQ(L::kBottom, least);
}

// Rules: ORD-1
TEST(Lane, JoinIsConstexpr) {
  static_assert(lane::Lane<std::int16_t>::Join(-3, 7) == 7);
  static_assert(lane::Lane<std::uint64_t>::Join(1, std::numeric_limits<std::uint64_t>::max()) ==
                std::numeric_limits<std::uint64_t>::max());
  static_assert(lane::Lane<float>::Join(0x8000'0000, 0) == 0);
}

}  // namespace
}  // namespace supremum
