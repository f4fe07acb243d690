#include "shell_quote.h"

namespace supremum::cli {

std::string ShellQuote(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
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
