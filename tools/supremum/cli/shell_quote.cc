#include "cli/shell_quote.h"

#include <fmt/format.h>

#include "cli/escape.h"

namespace supremum::cli {
namespace {

// A command substitution with unsafe bytes as octal numbers. The shell removes trailing line feeds.
std::string Printed(std::string_view word) {
  std::string quoted = "\"$(printf '";
  for (const char c : word) {
    const bool plain = c >= ' ' && c <= '~' && c != '\\' && c != '%' && c != '\'';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return quoted + "')\"";
}

}  // namespace

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
