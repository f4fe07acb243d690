#include "supremum/result.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace supremum {
namespace {

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 3;
  EXPECT_TRUE(good);
  EXPECT_EQ(*good, 3);
  EXPECT_EQ(good.value_or(4), 3);
  const Result<int> bad = MakeError(ErrorCode::kIo, "the disk is gone");
  EXPECT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, ErrorCode::kIo);
  EXPECT_EQ(bad.error().message, "I/O error: the disk is gone");
  EXPECT_EQ(bad.value_or(4), 4);
}

TEST(Result, ValueOfAnErrorThrowsItAndNothingElseDoes) {
  Result<int> bad = MakeError(ErrorCode::kRank, "too high");
  EXPECT_THROW(static_cast<void>(bad.value()), BadResultAccess);
  EXPECT_THROW(static_cast<void>(std::as_const(bad).value()), BadResultAccess);
  EXPECT_THROW(static_cast<void>(std::move(bad).value()), BadResultAccess);
  Result<int> good = 3;
  EXPECT_EQ(good.value(), 3);
  EXPECT_EQ(std::as_const(good).value(), 3);
  EXPECT_EQ(std::move(good).value(), 3);
  const Result<void> done;
  EXPECT_TRUE(done.has_value());
  Result<void> none = MakeError(ErrorCode::kRank, "too high");
  try {
    none.value();
    FAIL();
  } catch (const BadResultAccess& access) {
    EXPECT_EQ(access.error().code, ErrorCode::kRank);
    EXPECT_STREQ(access.what(), "rank not supported: too high");
  }
  EXPECT_NO_THROW(Result<void>().value());
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 7);
}

TEST(Error, HasTheRuleAsDataAndInItsText) {
  const Error error = MakeError(ErrorCode::kAxis, "RED-2", "axis 3 is out of range");
  EXPECT_EQ(error.rule, RuleId("RED-2"));
  EXPECT_EQ(error.message, "wrong axis: axis 3 is out of range (RED-2)");
  EXPECT_EQ(error.details(), "axis 3 is out of range (RED-2)");
  EXPECT_TRUE(MakeError(ErrorCode::kIo, "the disk is full").rule.empty());
  EXPECT_TRUE(Error().details().empty());
}

// Rules: E1, E2
TEST(Error, OfAShapeHasItsRuleWhereTheTextCitesNone) {
  EXPECT_EQ(MakeError(ErrorCode::kNotBroadcastable, "x").rule.text(), "E1");
  EXPECT_EQ(MakeError(ErrorCode::kOutputShapeMismatch, "x").rule.text(), "E2");
  EXPECT_EQ(MakeError(ErrorCode::kNotBroadcastable, "BRO-2", "x").rule.text(), "BRO-2");
}

TEST(ErrorTable, HasEachCodeOnceInTheOrderInWhichErrorsAreReported) {
  std::set<std::string_view> names, titles;
  int last = 0;
  for (const ErrorInfo& info : kErrorTable) {
    EXPECT_GT(static_cast<int>(info.code), last);
    last = static_cast<int>(info.code);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(titles.insert(info.title).second) << info.title;
    EXPECT_EQ(&InfoOf(info.code), &info);
  }
  EXPECT_EQ(&InfoOf(static_cast<ErrorCode>(last + 1)), &kErrorTable.front()) << "a number that is no code";
}

// Rules: E1, E2
TEST(ErrorTable, E1AndE2CarryTheirNamesInTheirTitles) {
  EXPECT_EQ(InfoOf(ErrorCode::kNotBroadcastable).title, "E1 not broadcastable");
  EXPECT_EQ(InfoOf(ErrorCode::kOutputShapeMismatch).title, "E2 output shape mismatch");
}

TEST(ErrorTable, TheDocumentationListsExactlyTheseCodes) {
  std::ifstream file(SUPREMUM_SOURCE_DIR "/docs/errors.md");
  ASSERT_TRUE(file);
  std::set<std::string> documented, expected;
  // | value | name | title | ...
  for (std::string line; std::getline(file, line) && !line.starts_with("## Exit statuses");) {
    if (line.size() < 3 || line[0] != '|' || !std::isdigit(static_cast<unsigned char>(line[2]))) continue;
    std::istringstream cells(line.substr(2));
    std::string value, name, title;
    std::getline(cells, value, '|');
    std::getline(cells, name, '|');
    std::getline(cells, title, '|');
    documented.insert(value + "|" + name + "|" + title);
  }
  for (const ErrorInfo& info : kErrorTable) {
    expected.insert(std::to_string(static_cast<int>(info.code)) + " | " + std::string(info.name) + " | " +
                    std::string(info.title) + " ");
  }
  EXPECT_EQ(documented, expected);
}

}  // namespace
}  // namespace supremum
