// The oracle on types that only it can take, and against numbers computed by hand.
#include "supremum/reference.h"

#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "support/errors.h"

namespace supremum {
namespace {

using reference::Tensor;
using test::ExpectError;
using testing::ElementsAre;

// Rules: ORD-7, MAX-2, BRO-5
TEST(Reference, TakesRationalsOfAnySize) {
  const mpq_class huge("123456789012345678901234567890123456789/7");
  const Tensor<mpq_class> a{{2, 1}, {mpq_class(1, 3), huge}};
  const Tensor<mpq_class> b{{3}, {mpq_class(33, 100), mpq_class(1, 3), huge + mpq_class(1, 1000000007)}};
  const auto y = reference::Max<mpq_class>({a, b});
  ASSERT_TRUE(y);
  EXPECT_THAT(y->shape, ElementsAre(2, 3));
  const mpq_class larger = b.values[2];
  EXPECT_THAT(y->values, ElementsAre(mpq_class(1, 3), mpq_class(1, 3), larger, huge, huge, larger));
}

// Rules: ORD-7
TEST(Reference, TakesStrings) {
  const auto y = reference::Max<std::string>(
      {Tensor<std::string>{{2}, {"ant", "dog"}}, Tensor<std::string>{{1}, {"cat"}}});
  ASSERT_TRUE(y);
  EXPECT_THAT(y->values, ElementsAre("cat", "dog"));
}

struct Runner {
  std::string name;
  int points = 0;
  bool operator==(const Runner&) const = default;
};

// Rules: ORD-7
TEST(Reference, TakesAUsersTypeUnderAUsersOrder) {
  const auto fewer = [](const Runner& a, const Runner& b) { return a.points < b.points; };
  const Tensor<Runner> a{{2}, {{"Ann", 3}, {"Bea", 8}}}, b{{2}, {{"Cid", 5}, {"Dan", 8}}};
  const auto y = reference::Max(std::vector{a, b}, reference::JoinBy<decltype(fewer)>{fewer});
  ASSERT_TRUE(y);
  EXPECT_THAT(y->values, ElementsAre(Runner{"Cid", 5}, Runner{"Bea", 8}))
      << "of two equivalent values the first stays";
}

// A number that is known to within an error, and what Max makes of two of them (ACC-2).
struct Measured {
  mpq_class value;
  mpq_class error;
  bool operator==(const Measured&) const = default;
};

// Rules: ORD-7
TEST(Reference, TakesAScalarThatCarriesItsErrorUnderAUsersJoin) {
  const auto join = [](const Measured& a, const Measured& b) {
    return Measured{a.value < b.value ? b.value : a.value, a.error < b.error ? b.error : a.error};
  };
  const Tensor<Measured> a{{2}, {{1, mpq_class(1, 10)}, {4, 0}}}, b{{}, {{3, mpq_class(1, 100)}}};
  const auto y = reference::Max(std::vector{a, b}, join);
  ASSERT_TRUE(y);
  EXPECT_THAT(y->values, ElementsAre(Measured{3, mpq_class(1, 10)}, Measured{4, mpq_class(1, 100)}));
}

// Rules: ORD-2, ORD-3, ORD-4
TEST(Reference, OrdersFloatsAsTheSpecificationLists) {
  // Worked out by hand, from the top: each row's maximum is its last entry.
  const std::uint16_t rows[][3] = {
      {0xFC00, 0xFBFF, 0xFBFF},  // -inf, the least finite
      {0x8001, 0x8400, 0x8001},  // a negative subnormal, a negative normal
      {0x8001, 0x8000, 0x8000},  // it and -0
      {0x8000, 0x0000, 0x0000},  // the zeros
      {0x0001, 0x0000, 0x0001},  // +0, the least subnormal
      {0x3C00, 0x3C01, 0x3C01},  // 1 and its successor
      {0x7BFF, 0x7C00, 0x7C00},  // the largest finite, +inf
      {0x7C00, 0x7C01, 0x7E00},  // +inf, a signalling NaN
      {0xFFFF, 0x7C00, 0x7E00},  // a negative NaN
      {0xFE00, 0x7E55, 0x7E00},  // two NaNs
  };
  for (const auto& row : rows) {
    for (bool swap : {false, true}) {
      std::uint16_t y = 0;
      const TensorView inputs[] = {{DType::kFloat16, {}, {}, &row[swap]},
                                   {DType::kFloat16, {}, {}, &row[!swap]}};
      ASSERT_TRUE(reference::Max(inputs, {DType::kFloat16, {}, {}, &y}));
      EXPECT_EQ(y, row[2]) << std::hex << row[0] << " " << row[1];
    }
  }
}

// Rules: ORD-4
TEST(Reference, WritesEachTypesCanonicalNaN) {
  const std::uint64_t nan = 0xFFFF'FFFF'FFFF'FFFF;
  const std::pair<DType, std::uint64_t> expected[] = {{DType::kFloat16, 0x7E00},
                                                      {DType::kBFloat16, 0x7FC0},
                                                      {DType::kFloat32, 0x7FC0'0000},
                                                      {DType::kFloat64, 0x7FF8'0000'0000'0000}};
  for (const auto& [dtype, bits] : expected) {
    std::uint64_t y = 0;
    const TensorView input{dtype, {}, {}, &nan};
    ASSERT_TRUE(reference::Max({&input, 1}, {dtype, {}, {}, &y}));
    EXPECT_EQ(y, bits) << Name(dtype);
  }
}

// Rules: BRO-1, BRO-2, BRO-3, BRO-4, E1
TEST(Reference, BroadcastsAsTheDraftsFormulaSays) {
  using Shapes = std::vector<std::vector<std::int64_t>>;
  EXPECT_THAT(*reference::BroadcastShape(Shapes{{2, 1, 4}, {3, 1}, {}}), ElementsAre(2, 3, 4));
  EXPECT_THAT(*reference::BroadcastShape(Shapes{{0}, {1}}), ElementsAre(0))
      << "the larger extent is not the rule";
  EXPECT_THAT(*reference::BroadcastShape(Shapes{{}}), ElementsAre());
  EXPECT_EQ(reference::BroadcastShape(Shapes{{0}, {3}}).error().code, ErrorCode::kNotBroadcastable);
  EXPECT_EQ(reference::BroadcastShape(Shapes{{2, 3}, {3, 2}}).error().code, ErrorCode::kNotBroadcastable);
  EXPECT_EQ(reference::BroadcastShape(Shapes{}).error().code, ErrorCode::kInputCount);
  EXPECT_EQ(reference::BroadcastShape(Shapes{{-1}}).error().code, ErrorCode::kInvalidShape);
  EXPECT_TRUE(reference::Max<int>({Tensor<int>{{2, 0}, {}}, Tensor<int>{{1}, {5}}})->values.empty());
}

// Rules: RED-1, RED-3, ORD-7
TEST(Reference, ReducesRationalsOfAnySizeAlongAnyAxes) {
  const mpq_class huge("123456789012345678901234567890123456789/7");
  const Tensor<mpq_class> x{{2, 3}, {mpq_class(1, 3), huge, mpq_class(-1, 2), mpq_class(33, 100), 0, -huge}};
  const reference::JoinBy<std::less<mpq_class>> join;
  const mpq_class bottom = -2 * huge;
  const auto columns = reference::ReduceMax(x, {{0}}, false, bottom, join);
  ASSERT_TRUE(columns);
  EXPECT_THAT(columns->shape, ElementsAre(3));
  EXPECT_THAT(columns->values, ElementsAre(mpq_class(1, 3), huge, mpq_class(-1, 2)));
  const auto rows = reference::ReduceMax(x, {{-1}}, true, bottom, join);
  EXPECT_THAT(rows->shape, ElementsAre(2, 1));
  EXPECT_THAT(rows->values, ElementsAre(huge, mpq_class(33, 100)));
  const auto all = reference::ReduceMax(x, std::nullopt, false, bottom, join);
  EXPECT_THAT(all->shape, ElementsAre());
  EXPECT_THAT(all->values, ElementsAre(huge));
  const auto same = reference::ReduceMax(x, std::vector<std::int64_t>{}, false, bottom, join);
  EXPECT_EQ(same->values, x.values);
}

// Rules: RED-6, ORD-7
TEST(Reference, TheMaximumOverNoElementsIsTheBottomThatTheUserNames) {
  const Tensor<std::string> x{{2, 0}, {}};
  const reference::JoinBy<std::less<std::string>> join;
  const auto y = reference::ReduceMax<std::string>(x, {{1}}, false, "", join);
  ASSERT_TRUE(y);
  EXPECT_THAT(y->values, ElementsAre("", ""));
  EXPECT_TRUE(reference::ReduceMax<std::string>(x, {{0}}, false, "", join)->values.empty());
}

// Rules: RED-2
TEST(Reference, RefusesAnAxisOutOfRangeOrNamedTwice) {
  const Tensor<int> x{{1, 1, 1}, {5}};
  const reference::JoinBy<std::less<int>> join;
  for (const std::vector<std::int64_t>& axes : {std::vector<std::int64_t>{3}, {-4}, {2, -1}, {0, 0}}) {
    ExpectError(reference::ReduceMax(x, axes, false, 0, join), ErrorCode::kAxis);
  }
}

// Rules: RED-6
TEST(Reference, KnowsTheLeastValueOfEachType) {
  const std::pair<DType, std::uint64_t> expected[] = {{DType::kFloat16, 0xFC00},
                                                      {DType::kBFloat16, 0xFF80},
                                                      {DType::kFloat32, 0xFF80'0000},
                                                      {DType::kFloat64, 0xFFF0'0000'0000'0000},
                                                      {DType::kInt8, 0x80},
                                                      {DType::kInt16, 0x8000},
                                                      {DType::kInt32, 0x8000'0000},
                                                      {DType::kInt64, 0x8000'0000'0000'0000},
                                                      {DType::kUInt8, 0},
                                                      {DType::kUInt16, 0},
                                                      {DType::kUInt32, 0},
                                                      {DType::kUInt64, 0},
                                                      {DType::kBool, 0}};
  ASSERT_EQ(std::size(expected), kAllDTypes.size());
  const std::vector<std::int64_t> none{0};
  for (const auto& [dtype, bits] : expected) {
    std::uint64_t y = 0;
    ASSERT_TRUE(reference::ReduceMax({dtype, none, {}, nullptr}, {dtype, {}, {}, &y}, std::nullopt, false));
    EXPECT_EQ(y, bits) << Name(dtype);
  }
}

// Rules: E1, RED-2
TEST(Reference, RefusesShapesThatDoNotBroadcastAndAxesThatAreNone) {
  const float x[6] = {};
  float y[6] = {};
  const std::vector<std::int64_t> three{3}, two{2};
  ExpectError(reference::Max<int>({Tensor<int>{{3}, {1, 2, 3}}, Tensor<int>{{2}, {1, 2}}}),
              ErrorCode::kNotBroadcastable);
  const TensorView views[] = {{DType::kFloat32, three, {}, x}, {DType::kFloat32, two, {}, x}};
  ExpectError(reference::Max(views, {DType::kFloat32, three, {}, y}), ErrorCode::kNotBroadcastable);
  const std::vector<std::int64_t> axes{1};
  ExpectError(reference::ReduceMax(views[0], {DType::kFloat32, {}, {}, y}, axes, false), ErrorCode::kAxis);
}

}  // namespace
}  // namespace supremum
