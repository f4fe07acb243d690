// Walks through the allocations of a call: each of them fails once.
#ifndef SUPREMUM_TESTS_SUPPORT_OUT_OF_MEMORY_H_
#define SUPREMUM_TESTS_SUPPORT_OUT_OF_MEMORY_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "support/allocations.h"
#include "supremum/result.h"

namespace supremum::test {

/// A result without its value: success or the error.
template <class T>
Result<void> Outcome(Result<T> result) {
  if (!result) return std::move(result).error();
  return {};
}

/// Calls `call`, which returns a Result<void>, repeatedly: the first allocation fails, then the second, and
/// so on until none fails. This is done twice: all later allocations fail too, or only this one fails.
/// Expects that every error is kOutOfMemory, that there is no exception, and that nothing is leaked. If a
/// call does not need the allocation, it may succeed. `after_each` checks other conditions after each call.
///
///   WalkOutOfMemory("load", [&] { return Outcome(Model::Load(path)); });
template <class Call, class AfterEach>
void WalkOutOfMemory(const std::string& what, Call call, AfterEach after_each) {
  static_cast<void>(call());  // what is made once and kept is no leak
  for (const bool once : {false, true}) {
    std::size_t refused = 0;
    for (std::size_t good = 0;; ++good) {
      const std::string trace =
          what + (once ? ", one failure" : ", all fail") + " after " + std::to_string(good);
      ASSERT_LT(good, 100'000u) << trace << ": no end";
      const std::size_t before = LiveAllocations();
      std::size_t after = 0;
      bool failed = false, threw = false, other_error = false;
      {
        std::optional<Result<void>> outcome;
        {
          FailingAllocations failing(good, once);
          try {
            outcome.emplace(call());
          } catch (...) {
            threw = true;
          }
          failed = failing.Failed();
        }
        ASSERT_FALSE(threw) << trace << ": an exception";
        if (failed && !*outcome) {
          ++refused;
          other_error = outcome->error().code != ErrorCode::kOutOfMemory;
          ASSERT_FALSE(other_error) << trace << ": " << outcome->error().message;
          ASSERT_THAT(outcome->error().message, testing::StartsWith("out of memory")) << trace;
        }
      }
      after = LiveAllocations();
      ASSERT_EQ(after, before) << trace << ": a leak";
      ASSERT_NO_FATAL_FAILURE(after_each()) << trace;
      if (!failed) break;
    }
    EXPECT_GT(refused, 0u) << what << " allocates nothing: this shows nothing";
    if (!once) std::cout << "out of memory: " << what << ": " << refused << " allocations failed\n";
  }
}

template <class Call>
void WalkOutOfMemory(const std::string& what, Call call) {
  WalkOutOfMemory(what, call, [] {});
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_OUT_OF_MEMORY_H_
