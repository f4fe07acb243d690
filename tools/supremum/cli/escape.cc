#include "cli/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/files/messages.h"

namespace supremum::cli {
namespace {

bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Punctuation that is never markup within a line, so that versions and shapes are not escaped.
constexpr std::string_view kPlain = " .,;/+-=()'\"?%";

/// The JSON text of `json`; outside strings it is ASCII.
std::string Dumped(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const std::size_t length = io::ShownLength(text);
    if (length == 0) {
      printable += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
    } else {
      printable += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return printable;
}

std::string MarkdownText(std::string_view text) {
  const std::string printable = Printable(text);
  const auto at = [&](std::size_t i) { return i < printable.size() ? printable[i] : ' '; };
  std::string markdown;
  for (std::size_t i = 0; i < printable.size(); ++i) {
    const char c = printable[i], before = i == 0 ? ' ' : printable[i - 1];
    bool plain = static_cast<unsigned char>(c) >= 0x80 || IsLetterOrDigit(c) || kPlain.find(c) != kPlain.npos;
    // Within a word these two are text: avx3_dl, cpp:avx2.
    if (c == '_' || c == ':') plain = IsLetterOrDigit(before) && IsLetterOrDigit(at(i + 1));
    // "www." begins a link.
    if (c == '.' && (before == 'w' || before == 'W')) plain = false;
    markdown += plain ? std::string(1, c) : fmt::format("&#{};", static_cast<int>(c));
  }
  return markdown;
}

std::string MarkdownCode(std::string_view text) {
  const std::string printable = Printable(text);
  const bool edges = printable.empty() || printable.front() == ' ' || printable.back() == ' ';
  if (edges || printable.find_first_of("`|\\") != std::string::npos) return MarkdownText(text);
  return "`" + printable + "`";
}

std::string JsonDocument(const nlohmann::ordered_json& json, int indent) {
  const std::string dumped = Dumped(json, indent);
  std::string document;
  for (std::string_view rest = dumped; !rest.empty();) {
    std::size_t length = io::ShownLength(rest);
    if (length == 0 && rest.front() == '\n')
      length = 1;  // between two members: in a string it is escaped already
    if (length != 0) {
      document += rest.substr(0, length);
    } else {
      // The dump is valid UTF-8: this is U+007F or a character of two or three bytes, since no character
      // beyond U+FFFF is escaped.
      const auto byte = [&](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(rest[i]));
      };
      length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : 3;
      unsigned code = length == 1 ? byte(0) : byte(0) & (0x7Fu >> length);
      for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3Fu);
      document += fmt::format("\\u{:04x}", code);
    }
    rest.remove_prefix(length);
  }
  if (indent >= 0) document += '\n';
  return document;
}

std::string JsonInHtml(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char c : JsonDocument(json, -1)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace supremum::cli
