#include "exit_status.h"

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
         "  1  a comparison or a check did not hold\n"
         "  2  the command line is wrong\n"
         "  3  an input is invalid, or is refused by a rule or a limit\n"
         "  4  a file could not be read or written, or memory ran out\n"
         "A signal that ends the command leaves no half-written file; a shell shows it as 128 and its "
         "number.\n";
}

}  // namespace supremum::cli
