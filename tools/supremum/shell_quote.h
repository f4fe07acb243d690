// Text that a shell reads as one word.
#ifndef SUPREMUM_TOOLS_SHELL_QUOTE_H_
#define SUPREMUM_TOOLS_SHELL_QUOTE_H_

#include <string>
#include <string_view>

namespace supremum::cli {

/// `word` for a POSIX shell: as it is if nothing in it means anything to the shell; else in single quotes;
/// or, where it must not be shown as it is (escape.h), as the output of printf, which is the same word unless
/// it ends with line feeds.
std::string ShellQuote(std::string_view word);

/// The same for the name of a file given as an argument: "./" comes before a '-', lest it be taken for an
/// option.
std::string ShellQuotePath(std::string_view path);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_SHELL_QUOTE_H_
