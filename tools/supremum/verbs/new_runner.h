// The runner that `supremum audit --new-runner` writes.
#ifndef SUPREMUM_TOOLS_VERBS_NEW_RUNNER_H_
#define SUPREMUM_TOOLS_VERBS_NEW_RUNNER_H_

#include <string>

#include "cli/exit_status.h"
#include "supremum/result.h"

namespace supremum::cli {

/// Writes kit/runners/numpy, a runner in one file, to `path`, which must be new, and prints what to do next.
/// `json` is the value of --json.
///
/// Errors: kIo; kInvalidArgument if `path` is also the file of --json, or standard output.
Result<ExitStatus> WriteNewRunner(const std::string& path, const std::string& json);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_NEW_RUNNER_H_
