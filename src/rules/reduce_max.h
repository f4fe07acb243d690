// The rules of ReduceMax for the operands of a call.
#ifndef SUPREMUM_SRC_RULES_REDUCE_MAX_H_
#define SUPREMUM_SRC_RULES_REDUCE_MAX_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/axes.h"
#include "rules/judge.h"
#include "rules/operands.h"
#include "rules/views.h"
#include "supremum/dtype.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// The attributes and switches by which a ReduceMax is judged. Axes as in ReduceMaxOptions.
struct ReduceMaxRules {
  std::optional<std::span<const std::int64_t>> axes = {};
  bool keepdims = false;
  ReduceMaxVersion version = ReduceMaxVersion::kSupremum;
};

/// Facts about the operands of a ReduceMax whose rules hold.
struct CheckedReduceMax {
  DType dtype = DType::kFloat32;
  AxisSet reduced = {};
  bool keepdims;
  Shape shape = {};  ///< of the output
};

/// The axes of a ReduceMax as far as they are known before it runs.
struct KnownAxes {
  bool decided = true;  ///< false: a run will tell
  /// Decided: what ReduceMaxOptions::axes will be (RED-5): nothing for all dimensions.
  std::optional<std::span<const std::int64_t>> values;
  /// Not decided: how many axes there will be, one or more, if that is known.
  std::optional<std::size_t> count;
};

/// The extents of the output as far as they follow for every run. A reduced dimension is 1 or vanishes
/// (RED-3). If the axes are not decided, a dimension that they may reduce is unknown. Absent if not even the
/// rank follows. The source is operand 0; `name` is its name, for the errors of axes.
///
/// Errors: kRank (BRO-4), kAxis (RED-2, RED-5).
template <OperandList T>
Result<std::optional<std::vector<Extent>>> InferReducedShape(const T& operands, std::string_view name,
                                                             const KnownAxes& axes, bool keepdims,
                                                             ReduceMaxVersion version) {
  using Extents = std::optional<std::vector<Extent>>;
  const Judgement ranks = JudgeRanks(operands);
  if (ranks.Fails()) return RankError(operands.who(ranks.second), *operands.rank(ranks.second));
  const std::optional<std::size_t> known_rank = operands.rank(0);
  if (!known_rank) {
    // All dimensions of any rank: a scalar.
    if (axes.decided && !axes.values && !keepdims) return Extents(std::in_place);
    return Extents();
  }
  const std::size_t rank = *known_rank;
  if (axes.decided) {
    const Result<AxisSet> reduced = ResolveAxes(axes.values, rank, version, name);
    if (!reduced) return reduced.error();
    Extents extents(std::in_place);
    ForEachOutputDimension(
        rank, *reduced, keepdims, [&](std::size_t d) { extents->push_back(operands.extent(0, d)); },
        [&] { extents->push_back(1); });
    return extents;
  }
  if (axes.count && *axes.count > rank) {
    return MakeError(ErrorCode::kAxis, "RED-2",
                     std::to_string(*axes.count) + " axes are given and " + operands.who(0) + " has rank " +
                         std::to_string(rank) + "; each of its dimensions is named at most once");
  }
  if (!keepdims) return axes.count ? Extents(std::in_place, rank - *axes.count) : Extents();
  Extents extents(std::in_place, rank);
  for (std::size_t d = 0; d < rank; ++d) {
    if (operands.extent(0, d) == Extent(1) || axes.count == rank) (*extents)[d] = 1;
  }
  return extents;
}

/// The names of a call with one input, which is "the source" if `source` is empty.
///
/// Requires: `source` outlives the result.
OperandNames NamesOfReduction(const std::string_view& source, std::string_view output);

/// Judges all that can be said without comparing the addresses of two tensors. Requires: there is one input.
///
/// Errors, the first that applies in the order of docs/semantics.md, section 7: kInvalidArgument for null
///   data; kTypeMismatch (TYP-2); kTypeNotAdmitted (TYP-4, TYP-5); kRank (BRO-4); kInvalidShape; kAxis
///   (RED-2, RED-5); kOutputShapeMismatch (E2). Without an output: those of kTypeNotAdmitted to kAxis.
/// Cost: a constant number of passes over the extents, no allocation unless there is an error.
Result<CheckedReduceMax> JudgeReduceMax(const Views& views, const ReduceMaxRules& rules);

}  // namespace supremum

#endif  // SUPREMUM_SRC_RULES_REDUCE_MAX_H_
