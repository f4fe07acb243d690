// What a model states of the axes of a ReduceMax, which may be known only when it runs.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_INFER_REDUCE_MAX_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_INFER_REDUCE_MAX_H_

#include <cstdint>
#include <optional>
#include <span>

#include "frontends/onnx/operators/reduce_max_node.h"
#include "rules/reduce_max.h"
#include "supremum/model.h"
#include "supremum/opset.h"
#include "supremum/result.h"

namespace supremum::onnx_front {

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

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_OPERATORS_INFER_REDUCE_MAX_H_
