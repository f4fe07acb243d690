// Escapes untrusted names and bytes for display.
#ifndef SUPREMUM_SRC_CORE_QUOTE_H_
#define SUPREMUM_SRC_CORE_QUOTE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace supremum {

/// `text` in single quotes, safe for a terminal and for JSON. Escaped, byte by byte, are quotes, backslashes
/// and everything for which ShownLength is 0. Beyond `max_bytes` only the beginning is shown. All names and
/// bytes of untrusted files must be shown through this function.
std::string Quote(std::string_view text, std::size_t max_bytes = 200);

/// The same without the quotes, for words that usually need none: an operator's name.
std::string Printable(std::string_view text, std::size_t max_bytes = 200);

/// The length in bytes of the first character of `text`, if it is well-formed UTF-8 and shown as itself;
/// otherwise 0, also if `text` is empty. Control characters are not shown as themselves (U+0000 to U+001F,
/// U+007F to U+009F), since they control terminals, nor are line and paragraph separators. Characters that
/// change the direction of the text around them are not either, since it then reads as something else
/// (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
std::size_t ShownLength(std::string_view text);

/// True if `text` is valid UTF-8 without a zero byte.
bool IsPlainUtf8(std::string_view text);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_QUOTE_H_
