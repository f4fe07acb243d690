#include "core/quote.h"

#include <array>

namespace supremum {
namespace {

unsigned ByteAt(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// The length of the UTF-8 sequence of two to four bytes at `i`, or 0 if there is none. Overlong forms and
// surrogates are none.
std::size_t Utf8Length(std::string_view text, std::size_t i) {
  const unsigned lead = ByteAt(text, i);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((ByteAt(text, i + k) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = ByteAt(text, i + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;
  if (lead == 0xED && second >= 0xA0) return 0;
  if (lead == 0xF0 && second < 0x90) return 0;
  if (lead == 0xF4 && second >= 0x90) return 0;
  return length;
}

// The code point of the sequence of `length` bytes that `text` begins with.
unsigned CodePoint(std::string_view text, std::size_t length) {
  unsigned code = length == 1 ? ByteAt(text, 0) : ByteAt(text, 0) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (ByteAt(text, i) & 0x3Fu);
  return code;
}

bool IsShown(unsigned code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool separates = code == 0x2028 || code == 0x2029;
  const bool turns = code == 0x061C || code == 0x200E || code == 0x200F ||
                     (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return !control && !separates && !turns;
}

void AppendEscaped(unsigned byte, std::string* out) {
  constexpr std::array<char, 16> kHex = {'0', '1', '2', '3', '4', '5', '6', '7',
                                         '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
  switch (byte) {
    case '\n':
      *out += "\\n";
      return;
    case '\r':
      *out += "\\r";
      return;
    case '\t':
      *out += "\\t";
      return;
    case '\'':
      *out += "\\'";
      return;
    case '\\':
      *out += "\\\\";
      return;
    default:
      break;
  }
  *out += "\\x";
  *out += kHex[byte >> 4];
  *out += kHex[byte & 15];
}

}  // namespace

std::string Quote(std::string_view text, std::size_t max_bytes) {
  std::string quoted = "'";
  std::size_t i = 0;
  while (i < text.size() && i < max_bytes) {
    const unsigned byte = ByteAt(text, i);
    const std::size_t length = ShownLength(text.substr(i));
    if (length == 0 || byte == '\'' || byte == '\\') {
      AppendEscaped(byte, &quoted);
      ++i;
    } else {
      quoted += text.substr(i, length);
      i += length;
    }
  }
  quoted += '\'';
  if (i < text.size()) quoted += "... (" + std::to_string(text.size()) + " bytes)";
  return quoted;
}

std::size_t ShownLength(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t length = ByteAt(text, 0) < 0x80 ? 1 : Utf8Length(text, 0);
  return length != 0 && IsShown(CodePoint(text, length)) ? length : 0;
}

bool IsPlainUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = ByteAt(text, i) < 0x80 ? 1 : Utf8Length(text, i);
    if (length == 0 || text[i] == '\0') return false;
    i += length;
  }
  return true;
}

std::string Printable(std::string_view text, std::size_t max_bytes) {
  const std::string quoted = Quote(text, max_bytes);
  return quoted.substr(1, quoted.rfind('\'') - 1);
}

}  // namespace supremum
