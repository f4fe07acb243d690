#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace supremum::cli {
namespace {

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80; }

std::size_t WidthOf(int descriptor) {
  winsize size = {};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

Terminal Terminal::OfStdout() {
  Terminal terminal;
  if (::isatty(STDOUT_FILENO) == 0) return terminal;
  const char* no_color = std::getenv("NO_COLOR");
  terminal.colors = !IsDumb() && (no_color == nullptr || *no_color == '\0');
  terminal.width = WidthOf(STDOUT_FILENO);
  return terminal;
}

std::string Terminal::Paint(Color color, std::string_view text) const {
  if (!colors) return std::string(text);
  std::string_view start = "\x1b[1m";
  switch (color) {
    case Color::kRed:
      start = "\x1b[31m";
      break;
    case Color::kGreen:
      start = "\x1b[32m";
      break;
    case Color::kYellow:
      start = "\x1b[33m";
      break;
    case Color::kBold:
      break;
  }
  return std::string(start).append(text).append("\x1b[0m");
}

bool StderrIsTerminal() { return ::isatty(STDERR_FILENO) != 0 && !IsDumb(); }

std::size_t StderrWidth() { return WidthOf(STDERR_FILENO); }

std::size_t CharacterCount(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) {
    if (!IsContinuation(c)) ++count;
  }
  return count;
}

std::string Shortened(std::string_view text, std::size_t width) {
  if (CharacterCount(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (std::size_t characters = 0; characters < width - 3; ++characters) {
    do ++end;
    while (IsContinuation(text[end]));
  }
  return std::string(text.substr(0, end)).append("...");
}

}  // namespace supremum::cli
