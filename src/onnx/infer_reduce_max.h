// Type and shape inference for ReduceMax, with symbolic dimensions and axes that only a run knows.
#ifndef SUPREMUM_SRC_ONNX_INFER_REDUCE_MAX_H_
#define SUPREMUM_SRC_ONNX_INFER_REDUCE_MAX_H_

#include <cstdint>
#include <optional>
#include <span>

#include "onnx/reduce_max_node.h"
#include "supremum/model.h"
#include "supremum/opset.h"
#include "supremum/result.h"

namespace supremum::onnx_front {

/// What is known of a ReduceMax's axes before it runs.
struct KnownAxes {
  bool decided = true;  ///< false: a run will tell
  /// Decided: what ReduceMaxOptions::axes will be (RED-5): nothing for all dimensions.
  std::optional<std::span<const std::int64_t>> values;
  /// Not decided: how many axes there will be, one or more, if that is known.
  std::optional<std::size_t> count;
};

/// The axes of a node with these attributes. `input` is what is known of its axes input, null if it has none;
/// `elements` are the input's, where they cannot change, and must outlive the result.
///
/// Requires: attributes.of_function is empty.
KnownAxes AxesBeforeRun(const ReduceMaxAttributes& attributes, const ValueInfo* input,
                        std::optional<std::span<const std::int64_t>> elements);

/// What a node's axes input must be, as far as it is known: int64, and a list. Errors: kTypeMismatch; kAxis
/// (RED-5).
Result<void> CheckAxesType(const ValueInfo& axes, ReduceMaxVersion version);
Result<void> CheckAxesRank(const ValueInfo& axes, ReduceMaxVersion version);

/// The type of the output, or empty if it is not known. Errors: kTypeNotAdmitted (TYP-4), kSparseTensor
/// (PRO-1).
Result<std::optional<DType>> InferReduceMaxType(const ValueInfo& source, ReduceMaxVersion version);

/// The shape of the output as far as it follows, whatever the run: a reduced dimension is 1 or vanishes
/// (RED-3), and where the axes are not decided, a dimension that they may reduce is not known. Empty if not
/// even the rank follows.
///
/// Errors: kRank (BRO-4), kAxis (RED-2, RED-5).
Result<std::optional<SymbolicShape>> InferReduceMaxShape(const ValueInfo& source, const KnownAxes& axes,
                                                         bool keepdims, ReduceMaxVersion version);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_INFER_REDUCE_MAX_H_
