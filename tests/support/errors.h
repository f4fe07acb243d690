// Checks of errors: the code, and what the message says.
#ifndef SUPREMUM_TESTS_SUPPORT_ERRORS_H_
#define SUPREMUM_TESTS_SUPPORT_ERRORS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "supremum/result.h"

namespace supremum::test {

/// Value of output elements before a call that must fail; the call must leave it unchanged.
inline constexpr float kUntouched = -12345.0f;

/// The error of a result that must be one.
template <class T>
Error ErrorOf(const Result<T>& result) {
  EXPECT_FALSE(result.has_value());
  return result ? Error{} : result.error();
}

/// Expects `code`, and a message that begins with the code's title and contains each of `parts`.
inline void ExpectError(const Error& error, ErrorCode code, const std::vector<std::string>& parts = {}) {
  EXPECT_EQ(InfoOf(error.code).name, InfoOf(code).name) << error.message;
  EXPECT_TRUE(error.message.starts_with(std::string(InfoOf(code).title) + ": ")) << error.message;
  for (const std::string& part : parts) EXPECT_THAT(error.message, testing::HasSubstr(part));
}

template <class T>
void ExpectError(const Result<T>& result, ErrorCode code, const std::vector<std::string>& parts = {}) {
  ASSERT_FALSE(result.has_value());
  ExpectError(result.error(), code, parts);
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_ERRORS_H_
