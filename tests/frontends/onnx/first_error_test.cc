// The error that a report becomes, for reports that the library does not make itself: findings of rules that
// are not listed, in every order and with every verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frontends/onnx/check/check_proto.h"
#include "rules/rule.h"
#include "supremum/check.h"

namespace supremum {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Finding Of(const std::string& rule, Verdict verdict = Verdict::kFails) {
  return {rule, verdict, "text of " + rule, "change"};
}

CheckReport ReportOf(const std::vector<Finding>& findings) {
  CheckReport report;
  report.model = "'m.onnx'";
  for (const Finding& finding : findings) report.nodes.push_back({{}, "", {finding}});
  return report;
}

std::optional<Error> FirstOf(const std::vector<Finding>& findings) {
  const CheckReport apart = ReportOf(findings);
  CheckReport together = ReportOf({});
  together.nodes.push_back({{}, "", findings});
  const std::optional<Error> error = onnx_front::FirstError(apart);
  const std::optional<Error> same = onnx_front::FirstError(together);
  EXPECT_EQ(error.has_value(), same.has_value());
  if (error && same) {
    EXPECT_EQ(error->message, same->message);
  }
  return error;
}

std::vector<std::string> Listed() {
  std::vector<std::string> names;
  for (const RuleEntry& entry : kCheckedRules) names.emplace_back(entry.rule.text());
  return names;
}

bool IsListed(const std::string& name) { return std::ranges::count(Listed(), name) == 1; }

ErrorCode CodeOf(const std::string& name) {
  for (const RuleEntry& entry : kCheckedRules)
    if (entry.rule.text() == name) return entry.code;
  return ErrorCode::kMalformedFile;
}

/// An error of the code and the rule "ONNX", as for every name that is not listed.
void ExpectUnlisted(const std::string& name) {
  ASSERT_FALSE(IsListed(name)) << name;
  const std::optional<Error> error = FirstOf({Of(name)});
  ASSERT_TRUE(error) << name;
  EXPECT_EQ(error->code, ErrorCode::kMalformedFile) << name;
  EXPECT_EQ(error->rule, kCheckedRules.front().rule) << name;
  EXPECT_THAT(error->message, HasSubstr("text of "));
}

TEST(FirstError, OfAReportWithoutNodesOrFindingsIsNone) {
  EXPECT_FALSE(onnx_front::FirstError({}));
  EXPECT_FALSE(onnx_front::FirstError(ReportOf({})));
  EXPECT_FALSE(FirstOf({}));
}

TEST(FirstError, OfRulesThatHoldIsNoneListedOrNot) {
  std::vector<Finding> findings = {Of("", Verdict::kHolds), Of("RED-99", Verdict::kHolds)};
  for (const std::string& name : Listed()) findings.push_back(Of(name, Verdict::kHolds));
  EXPECT_FALSE(FirstOf(findings));
}

TEST(FirstError, OfANameThatBeginsOrEndsAsAListedOneIsThatOfNone) {
  for (const std::string& name : Listed()) {
    for (std::size_t size = 0; size < name.size(); ++size) {
      if (!IsListed(name.substr(0, size))) ExpectUnlisted(name.substr(0, size));
    }
    for (const char* const more : {"0", " ", "-1", "\n", "x"}) {
      ExpectUnlisted(name + more);
      ExpectUnlisted(more + name);
    }
  }
}

TEST(FirstError, OfANameInOtherLettersOrWithAZeroIsThatOfNone) {
  for (const std::string& name : Listed()) {
    std::string lower = name;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    ExpectUnlisted(lower);
    ExpectUnlisted(name + std::string(1, '\0'));
    ExpectUnlisted(std::string(1, '\0') + name);
    ExpectUnlisted(name + std::string("\0x", 2));
  }
}

TEST(FirstError, OfOtherRulesOfTheSpecificationIsThatOfNone) {
  for (const char* const name : {"MAX-2", "MAX-4", "TYP-1", "ORD-1", "ORD-3", "RED-1", "RED-6", "PRO-7", "E1",
                                 "E3", "BRO-1", "BRO-5", "STR-1"}) {
    if (!IsListed(name)) ExpectUnlisted(name);
  }
}

TEST(FirstError, OfANameOfAnyBytesAndLengthIsThatOfNone) {
  for (const std::string& name :
       {std::string("\xff\xfe"), std::string("\x1b[31m"), std::string("<script>"), std::string("%s%n"),
        std::string(1 << 20, 'E'), std::string(1 << 20, '\0')}) {
    ExpectUnlisted(name);
  }
}

TEST(FirstError, OfWhatFailsComesBeforeWhatIsUndecidedListedOrNot) {
  for (const std::string fails : {"RED-99", "E2", "ONNX"}) {
    for (const std::string undecided : {"RED-98", "PRO-5", "ONNX"}) {
      for (const bool first : {false, true}) {
        std::vector<Finding> findings = {Of(fails), Of(undecided, Verdict::kUndecided)};
        if (first) std::ranges::reverse(findings);
        const std::optional<Error> error = FirstOf(findings);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code, CodeOf(fails)) << fails << " " << undecided;
        EXPECT_THAT(error->message, HasSubstr("text of " + fails));
      }
    }
  }
}

TEST(FirstError, OfTwoIsThatOfTheEarlierCodeInEitherOrder) {
  std::vector<std::string> names = Listed();
  names.insert(names.end(), {"", "RED-99"});
  for (const Verdict verdict : {Verdict::kFails, Verdict::kUndecided}) {
    for (const std::string& a : names) {
      for (const std::string& b : names) {
        const std::optional<Error> error = FirstOf({Of(a, verdict), Of(b, verdict)});
        ASSERT_TRUE(error) << a << " " << b;
        EXPECT_EQ(error->code, std::min(CodeOf(a), CodeOf(b))) << a << " " << b;
      }
    }
  }
}

TEST(FirstError, OfSeveralThatAreNotListedIsTheFirst) {
  const std::optional<Error> error = FirstOf({Of("b"), Of("a"), Of(""), Of("c")});
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("text of b"));
  EXPECT_THAT(error->message, Not(HasSubstr("text of a")));
}

TEST(FirstError, OfVeryManyFindingsIsTheOneThatCounts) {
  std::vector<Finding> findings(200'000, Of("RED-99", Verdict::kUndecided));
  for (std::size_t i = 0; i < findings.size(); i += 3) findings[i] = Of("none", Verdict::kHolds);
  findings[199'999] = Of("E2");
  const std::optional<Error> error = FirstOf(findings);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kOutputShapeMismatch);
}

TEST(FirstError, FindingsOfRulesThatAreNotListedAreCountedAsOthersAre) {
  const CheckReport report = ReportOf({Of(""), Of("E2"), Of("RED-99", Verdict::kUndecided),
                                       Of("PRO-5", Verdict::kUndecided), Of("x", Verdict::kHolds)});
  EXPECT_EQ(report.Total(), 5u);
  EXPECT_EQ(report.Count(Verdict::kFails), 2u);
  EXPECT_EQ(report.Count(Verdict::kUndecided), 2u);
  EXPECT_EQ(report.Count(Verdict::kHolds), 1u);
}

// Each listed name is listed once: of two, the first alone would be found.
TEST(FirstError, EachRuleIsListedOnce) {
  for (const std::string& name : Listed()) {
    EXPECT_TRUE(IsListed(name)) << name;
    EXPECT_EQ(EntryOf(name).rule.text(), name);
  }
}

}  // namespace
}  // namespace supremum
