// Reports of the checker, as its tests read them.
#ifndef SUPREMUM_TESTS_FRONTENDS_ONNX_CHECK_TESTING_H_
#define SUPREMUM_TESTS_FRONTENDS_ONNX_CHECK_TESTING_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "supremum/check.h"

namespace supremum::test {

inline const CheckOptions kSonnx{.profile = Profile::kSonnx};

inline Result<CheckReport> TryCheck(const ModelBuilder& builder, const CheckOptions& options = {}) {
  const std::string bytes = builder.Serialize();
  return CheckModel(std::as_bytes(std::span(bytes)), "m.onnx", options);
}

inline CheckReport Checked(const ModelBuilder& builder, const CheckOptions& options = {}) {
  const Result<CheckReport> report = TryCheck(builder, options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : CheckReport{};
}

using Verdicts = std::map<std::string, std::string>;

/// The verdict of each rule on the node at `index`; of several findings of one rule, the last.
inline Verdicts VerdictsOf(const CheckReport& report, std::size_t index = 0) {
  Verdicts verdicts;
  for (const Finding& finding : report.nodes.at(index).findings) {
    verdicts[finding.rule] = ToString(finding.verdict);
    EXPECT_EQ(finding.change.empty(), finding.verdict == Verdict::kHolds) << finding.rule;
    EXPECT_FALSE(finding.text.empty()) << finding.rule;
  }
  return verdicts;
}

/// "fails: text; change", of the first finding of the rule on the node at `index`.
inline std::string Found(const CheckReport& report, const std::string& rule, std::size_t index = 0) {
  for (const Finding& finding : report.nodes.at(index).findings) {
    if (finding.rule != rule) continue;
    const std::string text = std::string(ToString(finding.verdict)) + ": " + finding.text;
    return finding.change.empty() ? text : text + "; " + finding.change;
  }
  return "no finding for " + rule;
}

/// Expects that the first finding of `rule` is "fails", with each of `parts` in its text or its change.
inline void ExpectFails(const CheckReport& report, const std::string& rule,
                        const std::vector<std::string>& parts = {}, std::size_t index = 0) {
  const std::string found = Found(report, rule, index);
  EXPECT_THAT(found, testing::StartsWith("fails: "));
  for (const std::string& part : parts) EXPECT_THAT(found, testing::HasSubstr(part));
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_FRONTENDS_ONNX_CHECK_TESTING_H_
