// The rules of ReduceMax, for numbers, symbols and unknown extents.
#include "rules/reduce_max.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rules/testing.h"
#include "support/values.h"

namespace supremum::test {
namespace {

using Axes = std::vector<std::int64_t>;

// "[1,N]", "unknown", or the code of the error.
std::string Reduced(const ShapeText& shape, const KnownAxes& axes, bool keepdims,
                    ReduceMaxVersion version = ReduceMaxVersion::k18) {
  const TextOperands operands{{shape}};  // the extents refer to its symbols
  const auto extents = InferReducedShape(operands, "a", axes, keepdims, version);
  if (!extents) return std::string(InfoOf(extents.error().code).name);
  return *extents ? ToText(**extents) : "unknown";
}

// Rules: RED-2, RED-3, RED-5, BRO-4
TEST(InferReducedShape, FollowsTheAxes) {
  const Axes second = {1}, last = {-1}, twice = {0, -3}, outside = {3}, none;
  const auto decided = [](std::optional<std::span<const std::int64_t>> axes) {
    return KnownAxes{true, axes, {}};
  };
  const ShapeText shape = {"2", "N", "?"};
  EXPECT_EQ(Reduced(shape, decided(second), true), "[2,1,?]");
  EXPECT_EQ(Reduced(shape, decided(second), false), "[2,?]");
  EXPECT_EQ(Reduced(shape, decided(last), false), "[2,N]");
  EXPECT_EQ(Reduced(shape, decided(last), false, ReduceMaxVersion::k1), "axis");
  EXPECT_EQ(Reduced(shape, decided(std::nullopt), true), "[1,1,1]");
  EXPECT_EQ(Reduced(shape, decided(none), true), "[2,N,?]");
  EXPECT_EQ(Reduced(shape, decided(twice), true), "axis");
  EXPECT_EQ(Reduced(shape, decided(outside), true), "axis");
  EXPECT_EQ(Reduced(kUnknownRank, decided(std::nullopt), false), "[]");
  EXPECT_EQ(Reduced(kUnknownRank, decided(std::nullopt), true), "unknown");
  EXPECT_EQ(Reduced(kUnknownRank, decided(second), false), "unknown");
  EXPECT_EQ(Reduced(ShapeText(65, "1"), decided(second), false), "rank");
}

// Rules: RED-2, RED-3
TEST(InferReducedShape, IsWhatAnyAxesGiveWhereARunDecidesThem) {
  const auto count = [](std::optional<std::size_t> n) { return KnownAxes{false, {}, n}; };
  const ShapeText shape = {"2", "1", "N"};
  EXPECT_EQ(Reduced(shape, count({}), true), "[?,1,?]");
  EXPECT_EQ(Reduced(shape, count({}), false), "unknown");
  EXPECT_EQ(Reduced(shape, count(2), false), "[?]");
  EXPECT_EQ(Reduced(shape, count(3), true), "[1,1,1]");
  EXPECT_EQ(Reduced(shape, count(4), true), "axis");
  EXPECT_EQ(Reduced(kUnknownRank, count(2), true), "unknown");
}

// Rules: RED-2, RED-3
TEST(InferReducedShape, IsThatOfTheNumbersForEveryAssignmentToSymbols) {
  Rng rng(23);
  const char* texts[] = {"1", "2", "0", "N", "M", "?"};
  int accepted = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    ShapeText shape(Below(rng, 4));
    for (std::string& extent : shape) extent = texts[Below(rng, 6)];
    std::optional<Axes> axes;
    if (Below(rng, 4) != 0) {
      axes.emplace(Below(rng, 3));
      for (std::int64_t& axis : *axes) axis = static_cast<std::int64_t>(Below(rng, 8)) - 4;
    }
    const bool keepdims = Below(rng, 2) == 0;
    const bool known = Below(rng, 3) != 0;
    const std::map<std::string, std::int64_t> numbers{{"N", static_cast<std::int64_t>(Below(rng, 4))},
                                                      {"M", static_cast<std::int64_t>(Below(rng, 4))}};
    Shape actual;
    for (const std::string& text : shape) {
      const Extent extent = ParseExtent(text);
      actual.PushBack(extent.number        ? *extent.number
                      : extent.IsUnknown() ? static_cast<std::int64_t>(Below(rng, 4))
                                           : numbers.at(text));
    }
    ReduceMaxRules rules{{}, keepdims, ReduceMaxVersion::k18};
    if (axes) rules.axes = *axes;
    const TensorView source{DType::kFloat32, actual, {}, nullptr};
    const auto numeric = JudgeReduceMax(Views({&source, 1}, nullptr, {}), rules);
    KnownAxes stated{known, {}, {}};
    if (known) {
      stated.values = rules.axes;
    } else if (axes && !axes->empty()) {
      stated.count = axes->size();
    }
    const TextOperands operands{{shape}};
    const auto symbolic = InferReducedShape(operands, "a", stated, keepdims, ReduceMaxVersion::k18);
    if (known) {
      ASSERT_EQ(static_cast<bool>(symbolic), static_cast<bool>(numeric));
    }
    if (!symbolic) {
      ASSERT_FALSE(numeric);
    }
    if (!numeric || !symbolic || !*symbolic) {
      ++refused;
      continue;
    }
    ++accepted;
    ASSERT_EQ((*symbolic)->size(), numeric->shape.rank());
    for (std::size_t d = 0; d < numeric->shape.rank(); ++d) {
      const Extent& extent = (**symbolic)[d];
      if (extent.number) {
        ASSERT_EQ(*extent.number, numeric->shape[d]);
      } else if (!extent.symbol.empty()) {
        ASSERT_EQ(numbers.at(std::string(extent.symbol)), numeric->shape[d]);
      }
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace supremum::test
