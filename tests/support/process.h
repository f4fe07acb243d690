// Runs a program as a shell would, and captures its output.
#ifndef SUPREMUM_TESTS_SUPPORT_PROCESS_H_
#define SUPREMUM_TESTS_SUPPORT_PROCESS_H_

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supremum::test {

struct ProcessResult {
  int status = -1;  ///< the exit status; 128 and the signal if a signal ended the program, as a shell has it
  std::string out;
  /// The most memory that it, or a child of it, had at once; with ProcessOptions::main, with the test's.
  std::int64_t peak_bytes = 0;
  std::string err;  ///< empty if `terminal` was set: a terminal shows both as one, in `out`
};

struct ProcessOptions {
  std::filesystem::path directory = {};  ///< where the program runs; here if empty
  std::vector<std::pair<std::string, std::string>> environment =
      {};                        ///< added to, or replacing, the test's own
  std::string stdout_file = {};  ///< standard output is this file ("/dev/full"), and `out` is empty
  bool stdout_closed = false;
  bool stdout_unread = false;                       ///< a pipe that nobody reads any more
  std::vector<std::pair<int, rlim_t>> limits = {};  ///< RLIMIT_*, the soft ones and the hard ones
  std::optional<uid_t> user = {};                   ///< runs as this user; takes root
  bool terminal = false;  ///< standard output and standard error are a terminal of 80 columns
  /// Runs in a child process of the test instead of starting arguments[0]: most of the time of a short run is
  /// its start. The test must not have started threads.
  int (*main)(int argc, char** argv) = nullptr;
};

/// Runs `arguments[0]`, looked up as a shell would, and waits for its end.
///
///   ProcessResult result = RunProcess({"ls", "-l"}, {.directory = "/"});
ProcessResult RunProcess(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_PROCESS_H_
