// Bounds of the errors of a tensor's elements, and the ends of the intervals that contain the true values.
// Max and ReduceMax of these are those of the result (ACC-2, ACC-3).
#ifndef SUPREMUM_SRC_OPS_ENCLOSE_H_
#define SUPREMUM_SRC_OPS_ENCLOSE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "rules/views.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// kBound: how far a true value may lie from the computed one. kLower and kUpper: the least and the largest
/// that it may be.
enum class Known : std::uint8_t { kBound, kLower, kUpper };
inline constexpr std::array<Known, 3> kAllKnown = {Known::kBound, Known::kLower, Known::kUpper};

/// The prefix of a tensor's name in texts: "the bound of ".
constexpr std::string_view PartName(Known known) {
  constexpr std::array<std::string_view, 3> kNames = {"the bound of ", "the lower end of ",
                                                      "the upper end of "};
  return kNames[static_cast<std::size_t>(known)];
}

/// Checks bounds[m] as the bounds of the errors of values[m], for every m; all but their elements.
///
/// Requires: as many bounds as values. A value that is itself wrong is not looked at more closely than is
/// safe.
/// Errors: kInvalidArgument for null data; kTypeMismatch (TYP-2); kRank; kInvalidShape; kNotBroadcastable
///   (E1) if a bound does not broadcast to its value's shape.
Result<void> CheckBounds(std::span<const TensorView> values, std::span<const TensorView> bounds,
                         const OperandNames& names);

/// kNegativeBound for an element below zero, which -0 and NaN are not. The text names the first.
///
/// Requires: CheckBounds holds.
Result<void> CheckNotNegative(std::span<const TensorView> bounds, const OperandNames& names);

/// Writes what is known of each element to `out`, row-major in the value's shape (BRO-5 for the bound).
///
/// Requires: CheckBounds and CheckNotNegative hold; `out` has room for every element of `value`.
/// Cost: no allocation; each element of the value is read once.
void Enclose(Known known, const TensorView& value, const TensorView& bound, std::size_t threads,
             void* out) noexcept;

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_ENCLOSE_H_
