#include "cli/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/files/messages.h"

namespace supremum::cli {
namespace {

/// The JSON text of `json`; outside strings it is ASCII.
std::string Dumped(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// A command substitution with unsafe bytes as octal numbers. The shell removes trailing line feeds.
std::string Printed(std::string_view word) {
  std::string quoted = "\"$(printf '";
  for (const char c : word) {
    const bool plain = c >= ' ' && c <= '~' && c != '\\' && c != '%' && c != '\'';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return quoted + "')\"";
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

std::string ShellQuote(std::string_view word) {
  constexpr std::string_view kUnquoted =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-";
  if (!word.empty() && word.find_first_not_of(kUnquoted) == std::string_view::npos) return std::string(word);
  if (Printable(word) != word) return Printed(word);
  std::string quoted = "'";
  for (char c : word) {
    // Nothing escapes a quote inside single quotes: they are closed, the quote is escaped, and they are
    // opened again.
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string ShellQuotePath(std::string_view path) {
  return ShellQuote(path.starts_with('-') ? std::string("./").append(path) : std::string(path));
}

}  // namespace supremum::cli
