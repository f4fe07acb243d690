#include "cli/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace supremum::cli {

int EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the table of distances between the beginnings of both.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string Nearest(std::string_view name, std::span<const std::string> candidates) {
  std::string nearest;
  int least = 0;
  for (const std::string& candidate : candidates) {
    // The dashes of options are no letters, and names may be long.
    const auto letters = [](std::string_view text) {
      return text.substr(std::min(text.find_first_not_of('-'), text.size()));
    };
    const std::string_view meant = letters(candidate), given = letters(name);
    if (given.size() < 2 || given.size() > 2 * meant.size() + 2) continue;
    const int distance = meant.starts_with(given) ? 0 : EditDistance(given, meant);
    const int allowed = std::max(1, static_cast<int>(std::max(given.size(), meant.size()) / 3));
    if (distance > allowed || (!nearest.empty() && distance >= least)) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

}  // namespace supremum::cli
