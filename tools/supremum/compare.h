// Comparison by class and then by bits.
#ifndef SUPREMUM_TOOLS_COMPARE_H_
#define SUPREMUM_TOOLS_COMPARE_H_

#include <optional>
#include <string>

#include "supremum/tensor.h"

namespace supremum::cli {

/// How `actual` differs from `expected`, or nullopt if it does not:
///
///   same type, same shape, and for each element: both NaN (whatever their payloads), or the same bits (-0 is
///   not +0)
///
/// The text names the first element that differs, both values and their bits, and counts the others.
std::optional<std::string> Difference(const Tensor& actual, const Tensor& expected);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_COMPARE_H_
