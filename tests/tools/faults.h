// The command with faults.c before its system calls: each in turn fails, or a signal arrives there.
#ifndef SUPREMUM_TESTS_TOOLS_FAULTS_H_
#define SUPREMUM_TESTS_TOOLS_FAULTS_H_

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tools/command.h"

namespace supremum::test {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// A fault comes at every fifth call; where SUPREMUM_EVERY_CALL is set (label `exhaustive`), at each one,
/// which takes thousands of processes; under sanitizers, with which each takes longer, at every ninth or
/// third. No result depends on which.
inline const int kStep = std::getenv("SUPREMUM_EVERY_CALL") == nullptr ? (kSanitized ? 9 : 5)
                         : kSanitized                                  ? 3
                                                                       : 1;

/// For calls that write: a run of a small output has few.
inline constexpr int kEach = 1;

struct Fault {
  std::string action;
  std::string calls;
  Environment environment = {};
  int step = kStep;  ///< it comes at every `step`-th call
};

inline const std::string kTerm = "signal:" + std::to_string(SIGTERM);

class FaultTest : public CommandTest {
 protected:
  /// Environment of the command in which the fault comes at call `count` and creates the file "mark".
  Environment EnvironmentOf(const Fault& fault, int count) const {
    const char* const sanitizer = std::getenv("ASAN_OPTIONS");
    Environment environment = {
        {"LD_PRELOAD", SUPREMUM_FAULTS},
        {"ASAN_OPTIONS", std::string(sanitizer == nullptr ? "" : sanitizer) + ":verify_asan_link_order=0"},
        {"FAULT_ACTION", fault.action},
        {"FAULT_CALLS", fault.calls},
        {"FAULT_COUNT", std::to_string(count)},
        {"FAULT_MARK", File("mark")}};
    environment.insert(environment.end(), fault.environment.begin(), fault.environment.end());
    return environment;
  }

  /// Calls check(result) after each run of the command in which a fault came, at the first call of that kind,
  /// the second, and so on. `prepare` runs before each.
  void ForEachCall(const Fault& fault, const std::vector<std::string>& arguments,
                   const std::function<void()>& prepare,
                   const std::function<void(const ProcessResult&)>& check) {
    for (int count = 0;; count += fault.step) {
      ASSERT_LT(count, 2000) << "no end";
      std::filesystem::remove(File("mark"));
      prepare();
      const ProcessResult result = Supremum(arguments, {.environment = EnvironmentOf(fault, count)});
      SCOPED_TRACE(fault.action + " at call " + std::to_string(count) + ": status " +
                   std::to_string(result.status) + ", " + result.err);
      if (!Exists("mark")) {
        ASSERT_EQ(result.status, 0) << "without a fault";
        ASSERT_GT(count, 3) << "this shows nothing";
        break;
      }
      std::filesystem::remove(File("mark"));
      ASSERT_NO_FATAL_FAILURE(check(result));
    }
  }

  /// The names of temporary files.
  std::vector<std::string> Leftovers() const {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(File("x")).parent_path())) {
      const std::string name = entry.path().filename();
      if (name.starts_with(".supremum-")) names.push_back(name);
    }
    return names;
  }

  /// A killed run leaves at most one temporary file for each of its outputs, with a name as docs/streaming.md
  /// states it. Removes them.
  void ExpectAndRemoveLeftovers(std::size_t outputs) const {
    EXPECT_LE(Leftovers().size(), outputs);
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(File("x")).parent_path())) {
      const std::string name = entry.path().filename();
      if (!name.starts_with(".supremum-")) continue;
      EXPECT_THAT(name, ::testing::MatchesRegex("\\.supremum-[0-9a-f]{16}\\.tmp"));
      std::filesystem::remove(entry.path());
    }
  }
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_TOOLS_FAULTS_H_
