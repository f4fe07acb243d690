// The rules of Max for the operands of a call.
#ifndef SUPREMUM_SRC_RULES_MAX_H_
#define SUPREMUM_SRC_RULES_MAX_H_

#include <cstddef>

#include "core/few.h"
#include "core/overlap.h"
#include "rules/judge.h"
#include "rules/views.h"
#include "supremum/dtype.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// The version, profile and switches by which a Max is judged.
struct MaxRules {
  MaxVersion version = kLatestMax;
  bool identical_shapes_only = false;  ///< PRO-6
};

/// Facts about the operands of a Max whose rules hold.
struct CheckedMax {
  DType dtype = DType::kFloat32;
  Shape shape;  ///< of the output
  /// True only if all operands, the output among them, have that shape and elements, and state no strides or
  /// the same ones, with which these fill one block of memory.
  bool is_dense = false;
  /// RangeOfView the inputs and the output, if there was one.
  Few<ByteRange, kFewOperands + 1> ranges;

  CheckedMax() {}  // not defaulted: Result would set all of it to zeros first
};

/// kInputCount: no input, or more than MAX-1 admits.
Result<void> CheckInputCount(std::size_t count);

/// E1: BRO-2, or MAX-3 where the version does not broadcast.
template <OperandList T>
CommonShape<T> JudgeCommonShape(const T& operands, MaxVersion version) {
  return Broadcasts(version) ? JudgeBroadcast(operands) : JudgeOneShape(operands, "MAX-3");
}

/// Judges all that can be said without comparing the addresses of two tensors.
///
/// Errors, the first that applies in the order of docs/semantics.md, section 7: kInvalidArgument for null
///   data; kInputCount (MAX-1); kTypeMismatch (TYP-2); kTypeNotAdmitted (TYP-3); kBroadcastRefused (PRO-6);
///   kRank (BRO-4); kInvalidShape; kNotBroadcastable (BRO-2, MAX-3); kOutputShapeMismatch (E2). Without an
///   output: those of kInputCount to kNotBroadcastable, of which kInvalidShape concerns the extents alone.
/// Cost: a constant number of passes over the operands; without an output, or with up to eight inputs, no
///   allocation unless there is an error.
Result<CheckedMax> JudgeMax(const Views& views, const MaxRules& rules);

/// The same, rule after rule: what JudgeMax does where it does not see at once that all rules hold.
Result<CheckedMax> JudgeMaxByRules(const Views& views, const MaxRules& rules);

}  // namespace supremum

#endif  // SUPREMUM_SRC_RULES_MAX_H_
