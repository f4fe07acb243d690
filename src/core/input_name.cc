#include "core/input_name.h"

#include <string>

#include "core/quote.h"

namespace supremum {

std::string InputName(std::span<const std::string_view> names, std::size_t m) {
  if (m >= names.size()) return "input " + std::to_string(m);
  return "input " + Quote(names[m]);
}

Error RankError(const std::string& who, std::size_t rank) {
  return MakeError(ErrorCode::kRank,
                   who + " has rank " + std::to_string(rank) + "; at most " + std::to_string(kMaxRank) +
                       " dimensions are supported (BRO-4). Merge dimensions before the call");
}

Error NegativeExtentError(const std::string& who, DimsView shape, std::size_t d) {
  return MakeError(ErrorCode::kInvalidShape, who + " has shape " + ToString(shape) + "; extent " +
                                                 std::to_string(shape[d]) + " in dimension " +
                                                 std::to_string(d) + " is negative");
}

}  // namespace supremum
