// The exit status of the command.
#ifndef SUPREMUM_TOOLS_CLI_EXIT_STATUS_H_
#define SUPREMUM_TOOLS_CLI_EXIT_STATUS_H_

namespace supremum::cli {

enum class ExitStatus : int {
  kSuccess = 0,
  kDoesNotHold = 1,  ///< a comparison or a check failed
  kUsage = 2,        ///< the command line is invalid
  kRefused = 3,      ///< an input is invalid, or is refused by a rule or a limit
  kSystem = 4,       ///< I/O or memory
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_EXIT_STATUS_H_
