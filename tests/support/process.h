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
  /// The most memory that it, or a process of its own, had at once; of a copy of a program that has started,
  /// without what the start alone has read of files.
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
  /// The program is started once, up to main(), and a copy of it runs, if no limits, user or terminal are
  /// asked for and standard output is not closed: most of the time of a short run is its start. It starts no
  /// thread before main(). Limits but that of core files, the mask of new files and ignored signals are those
  /// of the first run.
  bool started = false;
};

/// Runs `arguments[0]`, looked up as a shell would, and waits for its end.
///
///   ProcessResult result = RunProcess({"ls", "-l"}, {.directory = "/"});
ProcessResult RunProcess(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

/// How many runs were copies of a program that had started before.
int RunsOfStartedPrograms();

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_PROCESS_H_
