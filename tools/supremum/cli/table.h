// Text in aligned columns.
#ifndef SUPREMUM_TOOLS_CLI_TABLE_H_
#define SUPREMUM_TOOLS_CLI_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "cli/terminal.h"

namespace supremum::cli {

/// Lines of cells under titles, each column as wide as its widest cell.
///
///   Table table({{"name"}, {"NaN", Table::kRight}});
///   table.Add({"y", "0"});
///   Print(table.Text(Terminal::OfStdout(), 2));
class Table {
 public:
  enum Align { kLeft, kRight };

  struct Column {
    std::string title;
    Align align = kLeft;
    /// On a terminal that is too narrow the column may be shortened to this many characters; 0: never.
    std::size_t least = 0;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Appends a line. Cells are made Printable. Requires: one cell for each column.
  void Add(std::vector<std::string> cells);

  /// The table, indented, each line with its end.
  std::string Text(const Terminal& terminal, std::size_t indent = 0) const;

 private:
  std::vector<std::size_t> Widths(const Terminal& terminal, std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_TABLE_H_
