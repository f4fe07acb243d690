// Properties of the terminal, if standard output is one.
#ifndef SUPREMUM_TOOLS_CLI_TERMINAL_H_
#define SUPREMUM_TOOLS_CLI_TERMINAL_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace supremum::cli {

enum class Color { kRed, kGreen, kYellow, kBold };

struct Terminal {
  bool colors = false;  ///< a terminal that is not "dumb", and NO_COLOR is not set
  std::optional<std::size_t>
      width;  ///< in characters; empty if it is not a terminal: nothing is shortened then

  static Terminal OfStdout();

  /// `text` in that colour, if there are colours.
  std::string Paint(Color color, std::string_view text) const;
};

/// True if standard error is a terminal that can erase a line.
bool StderrIsTerminal();

/// The width of the terminal of standard error, in characters.
std::size_t StderrWidth();

/// The number of characters in UTF-8 text.
std::size_t CharacterCount(std::string_view text);

/// At most `width` characters of `text`; the last three are "..." if any are left out. Requires: width >= 3.
std::string Shortened(std::string_view text, std::size_t width);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_TERMINAL_H_
