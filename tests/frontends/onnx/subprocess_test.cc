// Work in a subprocess: its result, or how the subprocess ended.
#include "frontends/onnx/check/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/named.h"

namespace supremum::onnx_front {
namespace {

using test::ErrorOf;
using testing::HasSubstr;

constexpr SubprocessLimits kLimits{
    .bytes = std::int64_t{64} << 20, .seconds = 10, .wall_seconds = 120, .max_bytes = 1 << 20};
constexpr SubprocessLimits kShort{
    .bytes = std::int64_t{64} << 20, .seconds = 1, .wall_seconds = 1, .max_bytes = 1 << 20};

TEST(Subprocess, TheResultComesBackWhole) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{100'000}, std::size_t{1} << 20}) {
    const std::string text(size, 'x');
    const Result<std::string> result = RunInSubprocess([&] { return text; }, kLimits);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(*result == text);
  }
}

TEST(Subprocess, NothingOfItIsSeenHere) {
  int number = 1;
  testing::internal::CaptureStderr();
  const auto result = RunInSubprocess(
      [&] {
        number = 2;
        static_cast<void>(!::write(STDERR_FILENO, "noise", 5));
        return std::string("done");
      },
      kLimits);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(result);
  EXPECT_EQ(number, 1);
}

TEST(Subprocess, ACrashIsTold) {
  const auto crash = [](int signal) {
    return ErrorOf(RunInSubprocess(
                       [&]() -> std::string {
                         std::raise(signal);
                         return "";
                       },
                       kLimits))
        .message;
  };
  EXPECT_THAT(crash(SIGFPE), HasSubstr("it was stopped by signal " + std::to_string(SIGFPE)));
  EXPECT_THAT(crash(SIGSEGV), HasSubstr("it was stopped by signal " + std::to_string(SIGSEGV)));
  EXPECT_THAT(crash(SIGABRT), HasSubstr("it was stopped by signal " + std::to_string(SIGABRT)));
  EXPECT_THAT(ErrorOf(RunInSubprocess([]() -> std::string { ::_exit(0); }, kLimits)).message,
              HasSubstr("it ended without a result"));
}

TEST(Subprocess, AnExceptionIsItsEnd) {
  const auto thrown = RunInSubprocess([]() -> std::string { throw std::runtime_error("no"); }, kLimits);
  EXPECT_THAT(ErrorOf(thrown).message, HasSubstr("it ended without a result"));
  const auto memory = RunInSubprocess([]() -> std::string { throw std::bad_alloc(); }, kLimits);
  EXPECT_THAT(ErrorOf(memory).message, HasSubstr("it exceeded its memory limit"));
}

TEST(Subprocess, WhatComesToNoEndIsEnded) {
  // A lock that another thread of the program held stays locked.
  std::timed_mutex locked;
  locked.lock();
  for (const bool busy : {false, true}) {
    const auto endless = RunInSubprocess(
        [&]() -> std::string {
          for (volatile bool stop = false; !stop;) {
            if (!busy) static_cast<void>(locked.try_lock_for(std::chrono::hours(1)));
          }
          return {};
        },
        kShort);
    EXPECT_THAT(ErrorOf(endless).message, HasSubstr("it took too long"));
  }
}

// On a machine under load a child waits, too.
TEST(Subprocess, TimeInWhichItDoesNotWorkIsNotTakenForWork) {
  std::timed_mutex locked;
  locked.lock();
  const auto waited = RunInSubprocess(
      [&]() -> std::string {
        return locked.try_lock_for(std::chrono::milliseconds(1'500)) ? "locked" : "waited";
      },
      {.bytes = std::int64_t{64} << 20, .seconds = 1, .wall_seconds = 120, .max_bytes = 1 << 20});
  ASSERT_TRUE(waited) << waited.error().message;
  EXPECT_EQ(*waited, "waited");
}

TEST(Subprocess, AResultBeyondItsLimitIsNone) {
  EXPECT_FALSE(RunInSubprocess([] { return std::string((1 << 20) + 70'000, 'x'); }, kLimits));
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // whose address space is not their memory
TEST(Subprocess, MemoryIsLimited) {
  const auto greedy = RunInSubprocess(
      []() -> std::string {
        std::vector<std::string> all;
        for (int i = 0; i < 1000; ++i) all.emplace_back(std::size_t{1} << 20, 'x');
        return "much";
      },
      kLimits);
  EXPECT_THAT(ErrorOf(greedy).message, HasSubstr("it exceeded its memory limit"));
}
#endif

TEST(Subprocess, AnotherWhoWaitsForChildrenDoesNoHarm) {
  // The system reaps children itself: there is no status.
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const Result<std::string> result = RunInSubprocess([] { return std::string("done"); }, kLimits);
  const Error error = ErrorOf(RunInSubprocess([]() -> std::string { std::abort(); }, kLimits));
  std::signal(SIGCHLD, before);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(*result, "done");
  EXPECT_THAT(error.message, HasSubstr("unsupported format"));
}

}  // namespace
}  // namespace supremum::onnx_front
