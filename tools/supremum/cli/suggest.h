// What somebody may have meant by a name that does not exist.
#ifndef SUPREMUM_TOOLS_CLI_SUGGEST_H_
#define SUPREMUM_TOOLS_CLI_SUGGEST_H_

#include <span>
#include <string>
#include <string_view>

namespace supremum::cli {

/// The number of letters to insert, remove, replace or exchange with their neighbour to make `b` of `a`.
///
///   EditDistance("hepl", "help")    // 1
int EditDistance(std::string_view a, std::string_view b);

/// The candidate that is most like `name`: at most a third of its letters differ, and at least one is allowed
/// to; or `name` is its beginning. Empty if there is none.
///
///   Nearest("--axis", {"--axes", "--json"})    // "--axes"
std::string Nearest(std::string_view name, std::span<const std::string> candidates);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_SUGGEST_H_
