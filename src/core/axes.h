// The axes of a reduction: which dimensions they name, and what is left of a shape without them.
#ifndef SUPREMUM_SRC_CORE_AXES_H_
#define SUPREMUM_SRC_CORE_AXES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// A set of dimensions of a tensor: bit d is dimension d. There are at most kMaxRank = 64.
class AxisSet {
 public:
  constexpr AxisSet() = default;

  /// All of the first `rank` dimensions. Requires: rank <= kMaxRank.
  static constexpr AxisSet All(std::size_t rank) {
    AxisSet all;
    if (rank > 0) all.bits_ = ~std::uint64_t{0} >> (kMaxRank - rank);
    return all;
  }

  /// Requires: d < kMaxRank.
  constexpr void Add(std::size_t d) { bits_ |= std::uint64_t{1} << d; }
  constexpr bool Has(std::size_t d) const { return (bits_ >> d & 1) != 0; }

 private:
  std::uint64_t bits_ = 0;
};

/// RED-2: the dimension that `axis` names in a tensor of rank `rank`, counted from either end; nullopt if it
/// is outside [-rank, rank-1].
///
/// Requires: rank <= kMaxRank.
constexpr std::optional<std::size_t> DimensionOf(std::int64_t axis, std::size_t rank) {
  const std::int64_t r = static_cast<std::int64_t>(rank);
  if (axis < -r || axis >= r) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + r : axis);
}

/// RED-2: the dimensions that `axes` name in a tensor of rank `rank`; all of them if `axes` is absent, none
/// if it is empty. `source_name` is the tensor's, for the error.
///
/// Requires: rank <= kMaxRank.
/// Errors: kAxis for an axis outside [-rank, rank-1], one that is negative where `version` has only positive
/// ones (RED-5), and a dimension that is named twice.
Result<AxisSet> ResolveAxes(std::optional<std::span<const std::int64_t>> axes, std::size_t rank,
                            ReduceMaxVersion version, std::string_view source_name);

/// RED-3: calls keep(d) for each of `rank` dimensions that is not reduced, and one() for each other one that
/// the output keeps, in the order of the output's dimensions.
template <class Keep, class One>
constexpr void ForEachOutputDimension(std::size_t rank, AxisSet reduced, bool keepdims, Keep keep, One one) {
  for (std::size_t d = 0; d < rank; ++d) {
    if (!reduced.Has(d)) {
      keep(d);
    } else if (keepdims) {
      one();
    }
  }
}

/// RED-3: `shape` with the dimensions in `reduced` made 1, or taken away.
///
/// Requires: shape.size() <= kMaxRank.
Shape ReducedShape(DimsView shape, AxisSet reduced, bool keepdims);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_AXES_H_
