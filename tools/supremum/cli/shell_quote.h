// Text that a shell reads as one word.
#ifndef SUPREMUM_TOOLS_CLI_SHELL_QUOTE_H_
#define SUPREMUM_TOOLS_CLI_SHELL_QUOTE_H_

#include <string>
#include <string_view>

namespace supremum::cli {

/// `word` for a POSIX shell: unchanged if it has no special characters; else in single quotes; or, if it must
/// not be shown on a terminal (escape.h), as the output of printf, which is the same word unless it ends with
/// line feeds.
std::string ShellQuote(std::string_view word);

/// The same for the name of a file given as an argument: "./" is put before a leading '-', which would make
/// it an option.
std::string ShellQuotePath(std::string_view path);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_SHELL_QUOTE_H_
