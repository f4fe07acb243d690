#include "core/axes.h"

#include <algorithm>
#include <string>

#include "core/operand_errors.h"

namespace supremum {
namespace {

// "an axis of input 'x', which has rank 3, lies in [-3, 2]"
std::string RangeText(const std::string& who, std::size_t rank, ReduceMaxVersion version) {
  const std::string last = std::to_string(static_cast<std::int64_t>(rank) - 1);
  const std::string has_rank = who + " has rank " + std::to_string(rank);
  if (rank == 0) return has_rank + ", a scalar without axes: give an empty list of axes, or none";
  if (!HasNegativeAxes(version)) {
    return has_rank + ", so that an axis lies in [0, " + last + "]: " + ToString(version) +
           " does not count from the end (RED-5), opset 11 and later do";
  }
  return has_rank + ", so that an axis lies in [-" + std::to_string(rank) + ", " + last + "]";
}

}  // namespace

Result<AxisSet> ResolveAxes(std::optional<std::span<const std::int64_t>> axes, std::size_t rank,
                            ReduceMaxVersion version, std::string_view source_name) {
  if (!axes) return AxisSet::All(rank);
  AxisSet reduced;
  for (const std::int64_t axis : *axes) {
    const std::optional<std::size_t> dimension = DimensionOf(axis, rank);
    if (!dimension || (axis < 0 && !HasNegativeAxes(version))) {
      return MakeError(ErrorCode::kAxis, "RED-2",
                       "axis " + std::to_string(axis) +
                           " is out of range: " + RangeText(SourceName(source_name), rank, version));
    }
    const std::size_t d = *dimension;
    if (reduced.Has(d)) {
      const auto first = std::find_if(axes->begin(), axes->end(), [&](std::int64_t other) {
        return DimensionOf(other, rank) == dimension;
      });
      const bool same = *first == axis;
      return MakeError(ErrorCode::kAxis, "RED-2",
                       "axis " + std::to_string(axis) +
                           (same ? " is named twice"
                                 : " is the dimension that " + std::to_string(*first) + " names already") +
                           "; " + SourceName(source_name) + " has rank " + std::to_string(rank) +
                           ", and each of its dimensions is named at most once");
    }
    reduced.Add(d);
  }
  return reduced;
}

Shape ReducedShape(DimsView shape, AxisSet reduced, bool keepdims) {
  Shape result;
  ForEachOutputDimension(
      shape.size(), reduced, keepdims, [&](std::size_t d) { result.PushBack(shape[d]); },
      [&] { result.PushBack(1); });
  return result;
}

}  // namespace supremum
