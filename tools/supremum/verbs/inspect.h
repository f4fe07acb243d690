// Counts of operators as text, for `inspect` and `check`.
#ifndef SUPREMUM_TOOLS_VERBS_INSPECT_H_
#define SUPREMUM_TOOLS_VERBS_INSPECT_H_

#include <span>
#include <string>

#include "supremum/check.h"

namespace supremum::cli {

/// "10 Relu, 3 MaxPool and 2 of other operators": the most frequent ones by name.
std::string CountsText(std::span<const OperatorCount> counts);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_INSPECT_H_
