// The command's output to standard output and standard error.
#ifndef SUPREMUM_TOOLS_CLI_OUTPUT_H_
#define SUPREMUM_TOOLS_CLI_OUTPUT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cli/escape.h"  // IWYU pragma: export
#include "supremum/result.h"

namespace supremum::cli {

/// The version of supremum, "0.1.0".
std::string_view Version();

/// Opens /dev/null in place of a standard stream that the caller closed. Otherwise the next file that is
/// opened would get its number, and messages would be written into that file.
void ReserveStandardStreams();

/// Writes to standard output at once.
///
/// Errors: kIo; without a message if the reader of a pipe has closed it, so that nothing is printed then.
Result<void> Print(std::string_view text);

/// Writes "supremum: MESSAGE" to standard error; nothing if `message` is empty.
void PrintError(std::string_view message);

/// The first members of every JSON document of the command: its version and the verb.
nlohmann::ordered_json JsonHead(std::string_view verb);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_OUTPUT_H_
