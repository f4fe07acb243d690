#include "supremum/static.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "support/values.h"
#include "supremum/reference.h"
#include "supremum/tensor_view.h"

namespace supremum {
namespace {

// Random elements, special values among them, in memory of their own: a sanitizer reports what is outside.
template <class T, class Shape>
struct Tensor {
  std::vector<std::byte> bytes = std::vector<std::byte>(Shape::kElements * sizeof(T));

  explicit Tensor(test::Rng& rng) {
    const std::vector<std::uint64_t> special = test::SpecialBits(kDTypeOf<T>);
    for (std::size_t i = 0; i < Shape::kElements; ++i) {
      const std::uint64_t bits = test::RandomBits(rng, kDTypeOf<T>, special);
      std::memcpy(bytes.data() + i * sizeof(T), &bits, sizeof(T));
    }
  }
  T* data() { return reinterpret_cast<T*>(bytes.data()); }
  std::span<T, Shape::kElements> span() { return std::span<T, Shape::kElements>(data(), Shape::kElements); }
  TensorView View() { return {kDTypeOf<T>, Shape::kDims, {}, bytes.data()}; }
};

template <class T, class Output, class... Inputs>
void ExpectMax() {
  test::Rng rng(51);
  for (int repetition = 0; repetition < 5; ++repetition) {
    std::tuple<Tensor<T, Inputs>...> inputs{Tensor<T, Inputs>(rng)...};
    Tensor<T, Output> y(rng), expected(rng);
    std::apply(
        [&](auto&... input) {
          StaticMax<Inputs...>(y.span(), input.span()...);
          const TensorView views[] = {input.View()...};
          ASSERT_TRUE(reference::Max(views, {kDTypeOf<T>, Output::kDims, {}, expected.bytes.data()}));
        },
        inputs);
    ASSERT_EQ(y.bytes, expected.bytes) << Name(kDTypeOf<T>) << ToString(Output::kDims);
  }
}

template <class T>
class StaticMaxOf : public testing::Test {};
template <class T>
class StaticReduceMaxOf : public testing::Test {};
using Numbers = testing::Types<BFloat16, Float16, float, double, std::int8_t, std::int16_t, std::int32_t,
                               std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using NumbersAndBool =
    testing::Types<BFloat16, Float16, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool>;
TYPED_TEST_SUITE(StaticMaxOf, Numbers);
TYPED_TEST_SUITE(StaticReduceMaxOf, NumbersAndBool);

// Rules: MAX-2, ORD-2, ORD-3, ORD-4, BRO-1, BRO-2, BRO-3, BRO-4, BRO-5, MAX-6
TYPED_TEST(StaticMaxOf, HasTheBitsOfTheReference) {
  using T = TypeParam;
  ExpectMax<T, Extents<>, Extents<>, Extents<>>();
  ExpectMax<T, Extents<67>, Extents<67>>();
  ExpectMax<T, Extents<1000>, Extents<1000>, Extents<1000>>();
  ExpectMax<T, Extents<9, 13>, Extents<9, 13>, Extents<13>>();
  ExpectMax<T, Extents<9, 13>, Extents<9, 1>, Extents<13>>();
  ExpectMax<T, Extents<9, 13>, Extents<>, Extents<9, 13>, Extents<9, 1>, Extents<13>>();
  ExpectMax<T, Extents<2, 3, 4, 5>, Extents<2, 3, 4, 5>, Extents<3, 1, 5>>();
  ExpectMax<T, Extents<5, 6, 3>, Extents<5, 1, 3>, Extents<1, 6, 3>>();
  ExpectMax<T, Extents<1, 1, 7>, Extents<7>, Extents<1, 1, 1>>();
  ExpectMax<T, Extents<4, 0, 2>, Extents<4, 1, 2>, Extents<0, 1>>();
}

template <class T, class Output, class Source, class SomeAxes>
void ExpectReduceMax(const std::vector<std::int64_t>& axes) {
  test::Rng rng(52);
  for (int repetition = 0; repetition < 5; ++repetition) {
    Tensor<T, Source> x(rng);
    Tensor<T, Output> y(rng), expected(rng);
    StaticReduceMax<Source, SomeAxes>(y.span(), x.span());
    ASSERT_TRUE(
        reference::ReduceMax(x.View(), {kDTypeOf<T>, Output::kDims, {}, expected.bytes.data()}, axes, false));
    ASSERT_EQ(y.bytes, expected.bytes) << Name(kDTypeOf<T>) << ToString(Source::kDims);
  }
}

// Rules: RED-1, RED-2, RED-3, RED-4, RED-6, RED-7, ORD-2, ORD-3, ORD-4, TYP-4
TYPED_TEST(StaticReduceMaxOf, HasTheBitsOfTheReference) {
  using T = TypeParam;
  ExpectReduceMax<T, Extents<>, Extents<1000>, AllAxes>({0});
  ExpectReduceMax<T, Extents<>, Extents<>, AllAxes>({});
  ExpectReduceMax<T, Extents<7>, Extents<7>, Axes<>>({});
  ExpectReduceMax<T, Extents<7>, Extents<7, 33>, Axes<-1>>({1});
  ExpectReduceMax<T, Extents<333>, Extents<7, 333>, Axes<0>>({0});
  ExpectReduceMax<T, Extents<3, 5>, Extents<2, 3, 4, 5>, Axes<0, 2>>({0, 2});
  ExpectReduceMax<T, Extents<2, 4>, Extents<2, 3, 4, 5>, Axes<-1, 1>>({1, 3});
  ExpectReduceMax<T, Extents<2, 300>, Extents<2, 3, 300>, Axes<1>>({1});
  ExpectReduceMax<T, Extents<3>, Extents<3, 0>, Axes<1>>({1});
  ExpectReduceMax<T, Extents<0>, Extents<3, 0>, Axes<0>>({0});
  ExpectReduceMax<T, Extents<1, 3>, Extents<1, 3, 1>, Axes<2>>({2});
}

// Rules: MEM-2
TEST(StaticMax, TheOutputMayBeAnInput) {
  std::array<std::int32_t, 6> a = {1, -5, 3, 9, 0, -1};
  const std::array<std::int32_t, 3> b = {2, 2, 2};
  StaticMax<Extents<2, 3>, Extents<3>>(a, a, b);
  EXPECT_EQ(a, (std::array<std::int32_t, 6>{2, 2, 3, 9, 2, 2}));
}

// ---- By the compiler.

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(),
                kInfinity = std::numeric_limits<float>::infinity();

constexpr std::array<std::uint32_t, 6> MaxBits() {
  const std::array<float, 6> a = {-0.0f, 1, kNaN, -kInfinity, 5, 1};
  const float b[3] = {0.0f, 2, 3};
  std::array<float, 6> y = {};
  StaticMax<Extents<2, 3>, Extents<3>>(y, a, b);
  std::array<std::uint32_t, 6> bits = {};
  for (std::size_t i = 0; i < y.size(); ++i) bits[i] = std::bit_cast<std::uint32_t>(y[i]);
  return bits;
}
// ORD-2: +0 wins over -0; ORD-4: the canonical NaN.
static_assert(MaxBits() ==
              std::array<std::uint32_t, 6>{0, 0x40000000, 0x7FC00000, 0, 0x40A00000, 0x40400000});

template <class Source, class SomeAxes, std::size_t n, class T>
constexpr auto Reduced(const T& x) {
  std::array<typename T::value_type, n> y = {};
  StaticReduceMax<Source, SomeAxes>(y, x);
  return y;
}
static_assert(Reduced<Extents<2, 3>, Axes<-1>, 2>(std::array<int, 6>{1, 5, 2, 4, 3, 6}) ==
              std::array<int, 2>{5, 6});
static_assert(Reduced<Extents<2, 3>, Axes<0>, 3>(std::array<int, 6>{1, 5, 2, 4, 3, 6}) ==
              std::array<int, 3>{4, 5, 6});
static_assert(Reduced<Extents<2, 0>, AllAxes, 1>(std::array<float, 0>{})[0] == -kInfinity);
static_assert(Reduced<Extents<2>, AllAxes, 1>(std::array<bool, 2>{false, true})[0]);

// Rules: ORD-2, ORD-4
TEST(StaticMax, IsEvaluatedByTheCompiler) { EXPECT_EQ(MaxBits()[2], 0x7FC00000u); }

// What the compiler evaluates for each shape, at run time.
// Rules: BRO-2, BRO-5
TEST(StaticMax, LoopsThatEveryOperandAllowsAreMerged) {
  static_shapes::Common common;
  common.rank = 2;
  common.dims[0] = 4;
  common.dims[1] = 5;
  EXPECT_EQ(common.Count(), 20);
  static_shapes::Nest<2> nest;
  nest.Add(5, {1, 0});
  nest.Add(1, {5, 1});
  nest.Add(4, {5, 0});  // both steps are those of the loop inside, times its extent
  nest.Add(3, {20, 1});
  EXPECT_EQ(nest.count, 2u);
  EXPECT_EQ(nest.extent[0], 20u);
  EXPECT_EQ(nest.step[1][1], 1u);
}

}  // namespace
}  // namespace supremum
