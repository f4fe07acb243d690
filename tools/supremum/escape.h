// Texts of others (names and versions from files and runners, error texts) for each language that the command
// writes.
#ifndef SUPREMUM_TOOLS_ESCAPE_H_
#define SUPREMUM_TOOLS_ESCAPE_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace supremum::cli {

/// For a terminal, on one line: bytes that are not UTF-8, control characters and characters that turn the
/// direction of text are \xNN. A terminal obeys escape sequences, and a line that is read from right to left
/// says something else.
std::string Printable(std::string_view text);

/// For Markdown, in a heading, a paragraph or a cell of a table: what Printable makes of it, in which nothing
/// is markup, HTML, a link, or the end of a cell. Punctuation is written as character references (&#60;),
/// which are text wherever they are; backslashes would not be, in a table.
std::string MarkdownText(std::string_view text);

/// The same in the font of code where the text allows it: without backquotes, backslashes and vertical bars,
/// which have no escape inside a code span of a table.
std::string MarkdownCode(std::string_view text);

/// A JSON document, ended by a line feed unless `indent` is negative. It holds the same texts, and is safe to
/// show: what a terminal would obey is \uNNNN. What is not UTF-8 is U+FFFD.
std::string JsonDocument(const nlohmann::ordered_json& json, int indent);

/// JSON inside a script element of HTML: without '<' nothing in it can end the element or begin a comment.
std::string JsonInHtml(const nlohmann::ordered_json& json);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_ESCAPE_H_
