// Each rule on types and shapes, for numbers, symbols and unknown extents.
#include "rules/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "rules/max.h"
#include "rules/testing.h"
#include "support/errors.h"
#include "support/values.h"
#include "supremum/reference.h"

namespace supremum::test {
namespace {

using testing::HasSubstr;

std::string Text(Verdict verdict) {
  return verdict == Verdict::kHolds ? "holds" : verdict == Verdict::kFails ? "fails" : "undecided";
}

// "[2,N] undecided": the common shape and the verdict; the rule that fails.
std::string Common(const std::vector<ShapeText>& shapes, MaxVersion version = kLatestMax) {
  const TextOperands operands{shapes};
  const auto common = JudgeCommonShape(operands, version);
  if (common.judgement.Fails()) return std::string(common.judgement.rule.name()) + " fails";
  return (common.shape ? ToText(*common.shape) : "unknown") + " " + Text(common.judgement.verdict);
}

TEST(JudgeEqual, IsDecidedForTwoNumbersAndForOneSymbol) {
  const Extent two(2), three(3), n("N"), m("M"), unknown;
  EXPECT_EQ(JudgeEqual(two, two), Verdict::kHolds);
  EXPECT_EQ(JudgeEqual(two, three), Verdict::kFails);
  EXPECT_EQ(JudgeEqual(n, n), Verdict::kHolds);
  for (const Extent& other : {two, m, unknown}) {
    EXPECT_EQ(JudgeEqual(n, other), Verdict::kUndecided);
    EXPECT_EQ(JudgeEqual(other, n), Verdict::kUndecided);
  }
  EXPECT_EQ(JudgeEqual(unknown, unknown), Verdict::kUndecided) << "they may differ";
  EXPECT_EQ(JudgeEqual(unknown, two), Verdict::kUndecided);
}

// Rules: BRO-1, BRO-2, BRO-3, BRO-4
TEST(JudgeCommonShape, FollowsTheRulesAsFarAsExtentsAreKnown) {
  EXPECT_EQ(Common({{"2", "1"}, {"3"}}), "[2,3] holds");
  EXPECT_EQ(Common({{}, {}}), "[] holds");
  EXPECT_EQ(Common({{"0"}, {"1"}}), "[0] holds");
  EXPECT_EQ(Common({{"0"}, {"3"}}), "BRO-2 fails");
  EXPECT_EQ(Common({{"N", "3"}, {"3"}}), "[N,3] holds");
  EXPECT_EQ(Common({{"N", "3"}, {"N", "1"}}), "[N,3] holds");
  EXPECT_EQ(Common({{"N"}, {"1"}}), "[N] holds");
  EXPECT_EQ(Common({{"N"}, {"4"}}), "[4] undecided");
  EXPECT_EQ(Common({{"N"}, {"0"}}), "[0] undecided");
  EXPECT_EQ(Common({{"N"}, {"M"}}), "[?] undecided");
  EXPECT_EQ(Common({{"N"}, {"M"}, {"5"}}), "[5] undecided");
  EXPECT_EQ(Common({{"?"}, {"1"}}), "[?] holds");
  EXPECT_EQ(Common({{"?"}, {"?"}}), "[?] undecided");
  EXPECT_EQ(Common({{"?"}, {"N"}}), "[?] undecided");
  EXPECT_EQ(Common({{"?", "2"}, {"2"}}), "[?,2] holds");
  EXPECT_EQ(Common({kUnknownRank}), "unknown holds");
  EXPECT_EQ(Common({kUnknownRank, {"2"}}), "unknown undecided");
  EXPECT_EQ(Common({kUnknownRank, {"2"}, {"3"}}), "BRO-2 fails") << "whatever the first turns out to be";
  EXPECT_THAT(Common({ShapeText(64, "1"), {"2"}}), HasSubstr("1,2] holds"));
  EXPECT_EQ(Common({ShapeText(65, "1")}), "BRO-4 fails");
}

// Rules: MAX-3
TEST(JudgeCommonShape, AsksForOneShapeInTheVersionsThatDoNotBroadcast) {
  EXPECT_EQ(Common({{"2", "3"}, {"2", "3"}}, MaxVersion::k6), "[2,3] holds");
  EXPECT_EQ(Common({{"2", "3"}, {"1", "3"}}, MaxVersion::k6), "MAX-3 fails");
  EXPECT_EQ(Common({{"2", "3"}, {"3"}}, MaxVersion::k1), "MAX-3 fails");
  EXPECT_EQ(Common({{"N"}, {"N"}}, MaxVersion::k6), "[N] holds");
  EXPECT_EQ(Common({{"N"}, {"3"}}, MaxVersion::k6), "[3] undecided");
  EXPECT_EQ(Common({{"N"}, {"3"}, {"4"}}, MaxVersion::k6), "MAX-3 fails");
  EXPECT_EQ(Common({{"N"}, {"M"}}, MaxVersion::k6), "[N] undecided");
  EXPECT_EQ(Common({{"?"}}, MaxVersion::k6), "[?] holds");
  EXPECT_EQ(Common({kUnknownRank, {"2"}}, MaxVersion::k6), "[2] undecided");
}

TEST(JudgeCommonShape, StatesTheOperandsTheDimensionAndBothExtents) {
  const auto judged = [](const std::vector<ShapeText>& shapes) {
    const TextOperands operands{shapes};
    const Judgement judgement = JudgeBroadcast(operands).judgement;
    return std::string(1, static_cast<char>('a' + judgement.first)) +
           static_cast<char>('a' + judgement.second) + " " +
           (judgement.dimension ? std::to_string(*judgement.dimension) : "-") + " " +
           (judgement.Fails() || judgement.why == UndecidedBy::kSymbolAndNumber
                ? std::to_string(*judgement.second_extent.number)
                : std::to_string(static_cast<int>(judgement.why)));
  };
  EXPECT_EQ(judged({{"1"}, {"2", "3"}, {"4"}}), "bc 1 4");
  EXPECT_EQ(judged({{"1"}, {"5", "N"}, {"7"}}), "bc 1 7");
  EXPECT_EQ(judged({{"1"}, {"?"}, {"7"}}), "ab 0 " + std::to_string(static_cast<int>(UndecidedBy::kExtent)));
  EXPECT_EQ(judged({{"N"}, {"M"}}), "aa 0 " + std::to_string(static_cast<int>(UndecidedBy::kSymbols)));
  EXPECT_EQ(judged({{"1"}, kUnknownRank}), "ab - " + std::to_string(static_cast<int>(UndecidedBy::kShape)));
}

// Rules: BRO-4
TEST(JudgeRanks, FindsTheHighestTheFirstTooHighAndAnUnknownRank) {
  const auto judged = [](const std::vector<ShapeText>& shapes) {
    const TextOperands operands{shapes};
    const Judgement judgement = JudgeRanks(operands);
    return Text(judgement.verdict) + " " + std::to_string(judgement.first) + " " +
           std::to_string(judgement.second);
  };
  EXPECT_EQ(judged({{"2"}, {"2", "N"}, {"1", "1"}}), "holds 1 0");
  EXPECT_EQ(judged({{}, ShapeText(65, "1"), ShapeText(66, "1")}), "fails 0 1");
  EXPECT_EQ(judged({kUnknownRank, {"2"}, kUnknownRank}), "undecided 1 2");
  EXPECT_EQ(judged({kUnknownRank, ShapeText(65, "?")}), "fails 0 1");
}

// Rules: TYP-2, TYP-3, TYP-4, PRO-1
TEST(JudgeTypes, FollowsTheRulesAsFarAsTypesAreKnown) {
  const ElementType f32{DType::kFloat32, {}}, stated_f32{DType::kFloat32, "float32"},
      f64{DType::kFloat64, "float64"}, boolean{DType::kBool, {}}, text{{}, "string"},
      sparse{{}, "sparse float32"}, unknown;
  const auto judged = [](const std::vector<ElementType>& types, auto version) {
    const TextOperands operands{std::vector<ShapeText>(types.size()), types};
    const TypeJudgements judgements = JudgeTypes(operands, version);
    return Text(judgements.one_type.verdict) + " " + std::string(judgements.admitted.rule.name()) + " " +
           Text(judgements.admitted.verdict) +
           (judgements.dtype ? " " + std::string(Name(*judgements.dtype)) : "");
  };
  const ReduceMaxVersion reduce = ReduceMaxVersion::k13;
  EXPECT_EQ(judged({f32, stated_f32}, kLatestMax), "holds TYP-3 holds float32");
  EXPECT_EQ(judged({stated_f32, f32}, kLatestMax), "holds TYP-3 holds float32");
  EXPECT_EQ(judged({unknown, f32}, kLatestMax), "undecided TYP-3 holds float32");
  EXPECT_EQ(judged({unknown, unknown}, kLatestMax), "undecided TYP-3 undecided");
  EXPECT_EQ(judged({stated_f32, unknown, f64}, kLatestMax), "fails TYP-3 holds");
  EXPECT_EQ(judged({boolean}, kLatestMax), "holds TYP-3 fails");
  EXPECT_EQ(judged({boolean}, reduce), "holds TYP-4 fails");
  EXPECT_EQ(judged({boolean}, ReduceMaxVersion::k20), "holds TYP-4 holds bool");
  EXPECT_EQ(judged({text, text}, kLatestMax), "holds TYP-3 fails");
  EXPECT_EQ(judged({sparse}, kLatestMax), "holds PRO-1 fails");
  EXPECT_EQ(judged({sparse}, reduce), "holds PRO-1 fails");
}

TEST(ElementType, HasTheNameThatIsStatedOrThatOfItsDTypeOrNone) {
  EXPECT_EQ((ElementType{DType::kFloat32, {}}.name()), "float32");
  EXPECT_EQ((ElementType{DType::kFloat32, "FLOAT"}.name()), "FLOAT");
  EXPECT_EQ(ElementType{}.name(), "");
}

TEST(TypeErrorOf, NamesTheOperandsAndTheirTypes) {
  const TextOperands differ{{{}, {}}, {{DType::kFloat32, {}}, {{}, "string"}}};
  EXPECT_THAT(CheckTypes(differ, kLatestMax).error().message,
              HasSubstr("input 'b' has type string and input 'a' has type float32"));
  const TextOperands strings{{{}}, {{{}, "string"}}};
  EXPECT_EQ(CheckTypes(strings, kLatestMax).error().code, ErrorCode::kTypeNotAdmitted);
  EXPECT_EQ(CheckTypes(strings, ReduceMaxVersion::k13).error().code, ErrorCode::kTypeNotAdmitted);
  const TextOperands sparse{{{}}, {{{}, "sparse float32"}}};
  EXPECT_EQ(CheckTypes(sparse, kLatestMax).error().code, ErrorCode::kSparseTensor);
}

// Rules: BRO-4
TEST(ShapeErrorOf, NamesTheOperandOfTooHighARank) {
  const TextOperands operands{{{"2"}, ShapeText(65, "1")}};
  const Error error = ShapeErrorOf(JudgeBroadcast(operands).judgement, operands, kLatestMax);
  ExpectError(error, ErrorCode::kRank, {"BRO-4", "input 'b' has rank 65"});
}

// Shapes of extents 0 to 3, of the symbols N and M, and unknown ones.
std::vector<ShapeText> AnyShapes(Rng& rng) {
  const char* texts[] = {"1", "1", "2", "3", "0", "N", "M", "?"};
  std::vector<ShapeText> shapes(1 + Below(rng, 3));
  for (ShapeText& shape : shapes) {
    shape.resize(Below(rng, 3));
    for (std::string& extent : shape) extent = texts[Below(rng, 8)];
  }
  return shapes;
}

// The shapes with a number for each symbol and each unknown extent.
std::vector<Shape> Assigned(Rng& rng, const std::vector<ShapeText>& shapes,
                            const std::map<std::string, std::int64_t>& numbers) {
  std::vector<Shape> assigned;
  for (const ShapeText& shape : shapes) {
    Shape& actual = assigned.emplace_back();
    for (const std::string& text : shape) {
      const Extent extent = ParseExtent(text);
      actual.PushBack(extent.number        ? *extent.number
                      : extent.IsUnknown() ? static_cast<std::int64_t>(Below(rng, 4))
                                           : numbers.at(text));
    }
  }
  return assigned;
}

// A symbolic judgement is right for every number that its symbols may have, and as decided as it can be; the
// judgement of the numbers is that of the reference.
// Rules: BRO-2, MAX-3
TEST(JudgeCommonShape, IsRightForEveryAssignmentOfNumbersToSymbols) {
  Rng rng(17);
  int decided = 0, undecided = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const TextOperands symbolic{AnyShapes(rng)};
    const bool broadcasts = round % 4 != 0;
    const MaxVersion version = broadcasts ? kLatestMax : MaxVersion::k6;
    const auto common = JudgeCommonShape(symbolic, version);
    bool all_fit = true, any_fits = false;
    for (int assignment = 0; assignment < 200; ++assignment) {
      const std::map<std::string, std::int64_t> numbers{{"N", static_cast<std::int64_t>(Below(rng, 4))},
                                                        {"M", static_cast<std::int64_t>(Below(rng, 4))}};
      const std::vector<Shape> shapes = Assigned(rng, symbolic.shapes, numbers);
      std::vector<TensorView> views;
      std::vector<std::vector<std::int64_t>> lists;
      for (const Shape& shape : shapes) {
        views.push_back({DType::kFloat32, shape, {}, nullptr});
        lists.emplace_back(shape.begin(), shape.end());
      }
      const Result<CheckedMax> numeric = JudgeMax(Views(views, nullptr, {}), {version, false});
      const auto expected = reference::BroadcastShape(lists);
      if (broadcasts) {
        ASSERT_EQ(static_cast<bool>(numeric), static_cast<bool>(expected));
        if (numeric) {
          ASSERT_TRUE(SameDims(numeric->shape, *expected));
        }
      }
      all_fit = all_fit && numeric;
      any_fits = any_fits || numeric;
      if (!numeric || common.judgement.Fails()) continue;
      ASSERT_EQ(numeric->shape.rank(), common.shape->size());
      for (std::size_t d = 0; d < numeric->shape.rank(); ++d) {
        const Extent& extent = (*common.shape)[d];
        if (extent.number) {
          ASSERT_EQ(*extent.number, numeric->shape[d]);
        } else if (!extent.symbol.empty()) {
          ASSERT_EQ(numbers.at(std::string(extent.symbol)), numeric->shape[d]);
        }
      }
    }
    if (common.judgement.Fails()) {
      ASSERT_FALSE(any_fits);
      ++refused;
    } else if (common.judgement.Holds()) {
      ASSERT_TRUE(all_fit);
      ++decided;
    } else {
      ASSERT_FALSE(all_fit) << "it could have been decided";
      ++undecided;
    }
  }
  EXPECT_GT(decided, 500);
  EXPECT_GT(undecided, 300);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace supremum::test
