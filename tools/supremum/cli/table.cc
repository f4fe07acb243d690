#include "cli/table.h"

#include <algorithm>
#include <cassert>

#include "cli/output.h"

namespace supremum::cli {
namespace {

constexpr std::size_t kGap = 2;

}  // namespace

void Table::Add(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = Printable(cell);
  lines_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::Widths(const Terminal& terminal, std::size_t indent) const {
  std::vector<std::size_t> widths;
  std::size_t total = indent;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = CharacterCount(columns_[c].title);
    for (const auto& line : lines_) width = std::max(width, CharacterCount(line[c]));
    widths.push_back(width);
    total += width + (c == 0 ? 0 : kGap);
  }
  while (terminal.width && total > *terminal.width) {
    std::size_t widest = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].least == 0 || widths[c] <= columns_[c].least) continue;
      if (widest == columns_.size() || widths[c] > widths[widest]) widest = c;
    }
    if (widest == columns_.size()) break;
    --widths[widest];
    --total;
  }
  return widths;
}

std::string Table::Text(const Terminal& terminal, std::size_t indent) const {
  const std::vector<std::size_t> widths = Widths(terminal, indent);
  const auto line_text = [&](const auto& cell_of) {
    std::string text(indent, ' ');
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string cell = Shortened(cell_of(c), widths[c]);
      const std::string padding(widths[c] - CharacterCount(cell), ' ');
      if (c > 0) text.append(kGap, ' ');
      text += columns_[c].align == kRight ? padding + cell : cell + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string text =
      terminal.Paint(Color::kBold, line_text([&](std::size_t c) { return columns_[c].title; }));
  text += '\n';
  for (const auto& line : lines_) text += line_text([&](std::size_t c) { return line[c]; }) + '\n';
  return text;
}

}  // namespace supremum::cli
