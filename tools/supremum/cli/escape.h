// Escapes untrusted text (names and versions from files and runners, error texts) for each output format.
#ifndef SUPREMUM_TOOLS_CLI_ESCAPE_H_
#define SUPREMUM_TOOLS_CLI_ESCAPE_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace supremum::cli {

/// For a terminal, on one line: bytes that are not UTF-8, control characters and characters that change the
/// direction of text become \xNN. A terminal would execute escape sequences, and a change of direction would
/// alter how a line reads.
std::string Printable(std::string_view text);

/// A JSON document, ended by a line feed unless `indent` is negative. Characters that are unsafe on a
/// terminal are written as \uNNNN, which does not change the strings; bytes that are not UTF-8 become U+FFFD.
std::string JsonDocument(const nlohmann::ordered_json& json, int indent);

/// `word` for a POSIX shell: unchanged if it has no special characters; else in single quotes; or, if it must
/// not be shown on a terminal (Printable), as the output of printf: the same word unless it ends with line
/// feeds.
std::string ShellQuote(std::string_view word);

/// The same for the name of a file given as an argument: "./" is put before a leading '-', which would make
/// it an option.
std::string ShellQuotePath(std::string_view path);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_ESCAPE_H_
