// Names and bytes that come from outside, made fit to be shown.
#ifndef SUPREMUM_SRC_CORE_QUOTE_H_
#define SUPREMUM_SRC_CORE_QUOTE_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace supremum {

/// `text` in single quotes, fit for a terminal and for JSON: control characters, quotes, backslashes and
/// whatever is not UTF-8 are escaped; beyond `max_bytes` only the beginning is shown. Names and bytes of
/// untrusted files go through this.
std::string Quote(std::string_view text, std::size_t max_bytes = 200);

/// The same without the quotes, for words that are usually harmless: an operator's name.
std::string Printable(std::string_view text, std::size_t max_bytes = 200);

/// True if `text` is valid UTF-8 without a zero byte.
bool IsPlainUtf8(std::string_view text);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_QUOTE_H_
