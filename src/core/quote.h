// Names and bytes that come from outside, made fit to be shown.
#ifndef SUPREMUM_SRC_CORE_QUOTE_H_
#define SUPREMUM_SRC_CORE_QUOTE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace supremum {

/// `text` in single quotes, fit for a terminal and for JSON: quotes, backslashes and what ShownLength does
/// not pass are escaped, byte by byte; beyond `max_bytes` only the beginning is shown. Names and bytes of
/// untrusted files go through this.
std::string Quote(std::string_view text, std::size_t max_bytes = 200);

/// The same without the quotes, for words that are usually harmless: an operator's name.
std::string Printable(std::string_view text, std::size_t max_bytes = 200);

/// The length in bytes of the character that `text` begins with, if that is well-formed UTF-8 and is shown as
/// itself; 0 if not, or if `text` is empty. Not shown as themselves are control characters (U+0000 to U+001F,
/// U+007F to U+009F), which command terminals; line and paragraph separators; and those that turn the
/// direction of the text around them, which then reads as something else (U+061C, U+200E, U+200F, U+202A to
/// U+202E, U+2066 to U+2069).
std::size_t ShownLength(std::string_view text);

/// True if `text` is valid UTF-8 without a zero byte.
bool IsPlainUtf8(std::string_view text);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_QUOTE_H_
