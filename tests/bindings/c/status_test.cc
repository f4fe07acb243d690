// Statuses and the texts of errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cctype>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

#include "bindings/c/testing.h"
#include "supremum/result.h"

namespace supremum {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The enumerators as the header writes them: name and value.
std::map<std::string, int> EnumeratorsOfTheHeader() {
  std::ifstream file(SUPREMUM_SOURCE_DIR "/include/supremum/c_api.h");
  std::stringstream text;
  text << file.rdbuf();
  const std::string header = text.str();
  const std::regex enumerator("\n  SUPREMUM_(?:ERROR_)?([A-Z0-9_]+) = (\\d+),");
  std::map<std::string, int> found;
  for (std::sregex_iterator it(header.begin(), header.end(), enumerator), end; it != end; ++it) {
    std::string name = (*it)[1];
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    found[name] = std::stoi((*it)[2]);
  }
  return found;
}

TEST(Status, TheHeaderHasEveryErrorCodeWithItsNameAndValue) {
  std::map<std::string, int> expected{{"ok", 0}};
  for (const ErrorInfo& info : kErrorTable) expected[std::string(info.name)] = static_cast<int>(info.code);
  EXPECT_EQ(EnumeratorsOfTheHeader(), expected);
}

TEST(Status, HasANameForEveryCode) {
  EXPECT_STREQ(supremum_status_name(SUPREMUM_OK), "ok");
  EXPECT_STREQ(supremum_status_name(SUPREMUM_ERROR_NOT_BROADCASTABLE), "not_broadcastable");
  for (const ErrorInfo& info : kErrorTable) {
    EXPECT_EQ(supremum_status_name(static_cast<supremum_status>(info.code)), info.name);
  }
  EXPECT_STREQ(supremum_status_name(static_cast<supremum_status>(255)), "unknown");
}

TEST(Status, IsAsWideAsAnInt) { EXPECT_EQ(sizeof(supremum_status), sizeof(int)); }

// The values are part of the binary interface: this list is never edited, only added to.
TEST(Status, ValuesAreThoseOfTheFirstRelease) {
  EXPECT_EQ(SUPREMUM_OK, 0);
  EXPECT_EQ(SUPREMUM_ERROR_IO, 1);
  EXPECT_EQ(SUPREMUM_ERROR_MALFORMED_FILE, 2);
  EXPECT_EQ(SUPREMUM_ERROR_UNSUPPORTED_FORMAT, 3);
  EXPECT_EQ(SUPREMUM_ERROR_UNSUPPORTED_OPERATOR, 4);
  EXPECT_EQ(SUPREMUM_ERROR_LIMIT_EXCEEDED, 5);
  EXPECT_EQ(SUPREMUM_ERROR_OUT_OF_MEMORY, 6);
  EXPECT_EQ(SUPREMUM_ERROR_INVALID_ARGUMENT, 7);
  EXPECT_EQ(SUPREMUM_ERROR_UNSUPPORTED_DEVICE, 8);
  EXPECT_EQ(SUPREMUM_ERROR_INPUT_COUNT, 10);
  EXPECT_EQ(SUPREMUM_ERROR_TYPE_MISMATCH, 20);
  EXPECT_EQ(SUPREMUM_ERROR_TYPE_NOT_ADMITTED, 21);
  EXPECT_EQ(SUPREMUM_ERROR_SPARSE_TENSOR, 30);
  EXPECT_EQ(SUPREMUM_ERROR_SHAPE_NOT_EXPLICIT, 31);
  EXPECT_EQ(SUPREMUM_ERROR_TYPE_NOT_EXPLICIT, 32);
  EXPECT_EQ(SUPREMUM_ERROR_DEFAULTED_ATTRIBUTE, 33);
  EXPECT_EQ(SUPREMUM_ERROR_BROADCAST_REFUSED, 34);
  EXPECT_EQ(SUPREMUM_ERROR_RANK, 40);
  EXPECT_EQ(SUPREMUM_ERROR_INVALID_SHAPE, 41);
  EXPECT_EQ(SUPREMUM_ERROR_AXIS, 50);
  EXPECT_EQ(SUPREMUM_ERROR_AXES_GIVEN, 51);
  EXPECT_EQ(SUPREMUM_ERROR_NOT_BROADCASTABLE, 60);
  EXPECT_EQ(SUPREMUM_ERROR_OUTPUT_SHAPE_MISMATCH, 61);
  EXPECT_EQ(SUPREMUM_ERROR_OVERLAP, 70);
}

TEST(LastError, IsEmptyInAThreadThatHasSeenNone) {
  ASSERT_NE(supremum_max_run(nullptr), SUPREMUM_OK);
  std::string seen = "not asked";
  std::thread([&] { seen = supremum_last_error(); }).join();
  EXPECT_EQ(seen, "");
}

TEST(LastError, BelongsToTheThread) {
  std::barrier both(2);
  std::string of_target, of_plan;
  const auto refuse = [&](auto call, std::string& text) {
    for (int i = 0; i < 100; ++i) {
      both.arrive_and_wait();
      EXPECT_EQ(call(), SUPREMUM_ERROR_INVALID_ARGUMENT);
      both.arrive_and_wait();
      text = supremum_last_error();
    }
  };
  std::thread other([&] { refuse([] { return supremum_use_target("abacus"); }, of_target); });
  refuse([] { return supremum_max_run(nullptr); }, of_plan);
  other.join();
  EXPECT_THAT(of_target, StartsWith("invalid argument: this build has no target 'abacus'"));
  EXPECT_EQ(of_plan, "invalid argument: the plan is a null pointer");
}

TEST(LastError, StaysUntilTheNextOne) {
  ASSERT_NE(supremum_max_run(nullptr), SUPREMUM_OK);
  const char* const text = supremum_last_error();
  ASSERT_EQ(supremum_use_target(""), SUPREMUM_OK);
  EXPECT_EQ(supremum_last_error(), text);
  EXPECT_THAT(text, HasSubstr("the plan"));
  ASSERT_NE(supremum_use_target("abacus"), SUPREMUM_OK);
  EXPECT_THAT(supremum_last_error(), HasSubstr("abacus"));
}

TEST(LastError, IsTheFullTextHoweverLong) {
  const std::string name(100'000, 'x');
  ASSERT_NE(supremum_use_target(name.c_str()), SUPREMUM_OK);
  std::vector<std::int64_t> extents(64, 1'000'000'000'000);
  std::vector<float> elements(1);
  test::DlTensor source = test::DlTensor::Of(elements, {});
  source->ndim = 64;
  source->shape = extents.data();
  std::int64_t shape[SUPREMUM_MAX_RANK];
  std::int32_t rank = 0;
  ASSERT_EQ(supremum_reduce_max_shape(source.get(), nullptr, SUPREMUM_ALL_AXES, 0, nullptr, shape, &rank),
            SUPREMUM_ERROR_INVALID_SHAPE);
  const std::string text = supremum_last_error();
  EXPECT_EQ(std::ranges::count(text, ','), 64) << text;
  EXPECT_THAT(text, HasSubstr("more than 2^63-1 elements"));
}

}  // namespace
}  // namespace supremum
