#include "cli/exit_status.h"

namespace supremum::cli {

ExitStatus ExitStatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kIo:
    case ErrorCode::kOutOfMemory:
      return ExitStatus::kSystem;
    case ErrorCode::kInvalidArgument:
      return ExitStatus::kUsage;
    default:
      return ExitStatus::kRefused;
  }
}

std::string_view ExitStatusHelp() {
  return "Exit status:\n"
         "  0  success\n"
         "  1  a comparison or a check failed\n"
         "  2  the command line is invalid\n"
         "  3  an input is invalid, or is refused by a rule or a limit\n"
         "  4  a file could not be read or written, or memory ran out\n"
         "With 0 or 1 all outputs are complete. With any other status, or after a signal (128 + its\n"
         "number in a shell), no output file was changed.\n";
}

}  // namespace supremum::cli
