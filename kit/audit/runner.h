// Runners: programs that run the conformance cases with a runtime and print the results.
#ifndef SUPREMUM_KIT_AUDIT_RUNNER_H_
#define SUPREMUM_KIT_AUDIT_RUNNER_H_

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "audit/cases.h"
#include "audit/protocol.h"
#include "cli/progress.h"
#include "supremum/result.h"

namespace supremum::cli {

struct RunnerSpec {
  std::string name;    ///< "numpy", or "supremum-cpp:avx2" for a runner with a given target
  std::string option;  ///< the value of --runner that means it: the name, or the path of a program elsewhere
  std::filesystem::path program;
  std::vector<std::string> arguments;

  /// True for a runner of supremum.
  bool IsOwn() const { return name.starts_with("supremum"); }
};

/// The programs in `folder` whose names have no '.', in the order of their names, supremum's own first;
/// supremum-cpp once for each target that runs here. If `chosen` is not empty, only those: "supremum-cpp"
/// means all of its targets, and a text with a '/' the program of that path, in any folder. The programs with
/// the paths `added` follow in any case.
///
/// Errors: kIo if the folder cannot be listed, or if a path is not that of a program; kInvalidArgument naming
///   one of `chosen` that does not exist, or if two runners have one name.
Result<std::vector<RunnerSpec>> FindRunners(const std::filesystem::path& folder,
                                            const std::vector<std::string>& chosen,
                                            const std::vector<std::string>& added);

struct RunnerLimits {
  std::chrono::seconds a_case{30};  ///< for one answer; four times as long for the first line
  std::chrono::seconds all{1800};   ///< for all cases, restarts included
};

struct RunnerRun {
  enum Status {
    kRan,
    kNotInstalled,  ///< exit status 77: `reason` is the runner's message
    kBroken,        ///< it printed no valid first line: `reason` says why
  };

  RunnerSpec spec;
  Status status = kRan;
  std::string reason;
  RunnerHead head;
  std::vector<Answer> answers;  ///< for each of AuditCases::all
  std::size_t restarts = 0;
  std::size_t stray_lines = 0;  ///< lines that were not an answer to an open case
  std::string first_stray;      ///< what is wrong with the first of them
  double seconds = 0;
};

/// Runs a runner over all of `cases`, which are those in `folder`. After a crash, a wrong exit status, a time
/// limit or a line that is too long, the open case fails, and the runner is started again with the next case.
RunnerRun Run(const RunnerSpec& spec, const std::filesystem::path& folder, const AuditCases& cases,
              const RunnerLimits& limits, Progress& progress);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_RUNNER_H_
