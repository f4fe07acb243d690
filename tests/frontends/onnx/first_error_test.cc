// The error that a report becomes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "frontends/onnx/check/check_proto.h"
#include "rules/rule.h"
#include "supremum/check.h"

namespace supremum {
namespace {

using ::testing::HasSubstr;

Finding Of(const std::string& rule, Verdict verdict = Verdict::kFails) {
  return {rule, verdict, "text of " + rule, "change"};
}

// The first error of a report with these findings of one node; expects the same if each has its own node.
std::optional<Error> FirstOf(const std::vector<Finding>& findings) {
  CheckReport apart, together;
  for (const Finding& finding : findings) apart.nodes.push_back({{}, "", {finding}});
  together.nodes.push_back({{}, "", findings});
  const std::optional<Error> error = onnx_front::FirstError(apart), same = onnx_front::FirstError(together);
  EXPECT_EQ(error ? error->message : "", same ? same->message : "");
  return error;
}

TEST(FirstError, OfNothingAndOfRulesThatHoldIsNone) {
  EXPECT_FALSE(onnx_front::FirstError({}));
  EXPECT_FALSE(FirstOf({}));
  EXPECT_FALSE(FirstOf({Of("E2", Verdict::kHolds), Of("RED-99", Verdict::kHolds)}));
}

TEST(FirstError, EachRuleIsListedOnceAndHasItsCode) {
  for (const auto& [rule, code] : kCheckedRules) {
    const std::string name(rule.text());
    EXPECT_EQ(std::ranges::count(kCheckedRules, rule, &RuleEntry::rule), 1) << name;
    const std::optional<Error> error = FirstOf({Of(name)});
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->code, code) << name;
    EXPECT_EQ(error->rule, rule) << name;
  }
}

// The library's own findings cannot name such a rule, because a CheckedRule of that name does not compile. A
// report that was made elsewhere can.
TEST(FirstError, ARuleThatIsNotListedIsAMalformedFile) {
  for (const std::string& name :
       {std::string(), std::string("RED-99"), std::string("ONN"), std::string("onnx"), std::string("E2\0", 3),
        std::string(1 << 20, 'E'), std::string("\xff")}) {
    const std::optional<Error> error = FirstOf({Of(name)});
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->code, ErrorCode::kMalformedFile) << name;
    EXPECT_EQ(error->rule, kCheckedRules.front().rule) << name;
  }
}

// Order of findings: failed before undecided, then the lower error code, then the place in the report.
TEST(FirstError, OfSeveralIsTheOneThatComesFirstInTheOrder) {
  for (const RuleEntry& a : kCheckedRules) {
    for (const RuleEntry& b : kCheckedRules) {
      const Finding fails = Of(std::string(a.rule.text())), other = Of(std::string(b.rule.text()));
      const Finding undecided = Of(std::string(b.rule.text()), Verdict::kUndecided);
      EXPECT_EQ(FirstOf({fails, undecided})->code, a.code) << fails.rule << " " << other.rule;
      EXPECT_EQ(FirstOf({undecided, fails})->code, a.code) << fails.rule << " " << other.rule;
      EXPECT_EQ(FirstOf({fails, other})->code, std::min(a.code, b.code)) << fails.rule << " " << other.rule;
    }
  }
  EXPECT_THAT(FirstOf({Of("b"), Of("a"), Of("c")})->message, HasSubstr("text of b"));
}

TEST(FirstError, FindingsOfRulesThatAreNotListedAreCountedAsOthersAre) {
  CheckReport report;
  report.nodes.push_back({{}, "", {Of(""), Of("E2"), Of("PRO-5", Verdict::kUndecided)}});
  report.nodes.push_back({{}, "", {Of("RED-99", Verdict::kUndecided), Of("x", Verdict::kHolds)}});
  EXPECT_EQ(report.Total(), 5u);
  EXPECT_EQ(report.Count(Verdict::kFails), 2u);
  EXPECT_EQ(report.Count(Verdict::kUndecided), 2u);
  EXPECT_EQ(report.Count(Verdict::kHolds), 1u);
}

}  // namespace
}  // namespace supremum
