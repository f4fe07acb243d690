// What follows for the output of a Max or a ReduceMax from what is known of its inputs before a run.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_INFER_INFER_NODE_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_INFER_INFER_NODE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "frontends/onnx/read/reduce_max_node.h"
#include "rules/reduce_max.h"
#include "supremum/model.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::onnx_front {

struct Inferred {
  ValueInfo info = {};              ///< without a name, as far as it follows
  std::optional<Error> error = {};  ///< of the first rule that the inputs break
};

/// Requires: there is an input.
Inferred InferMax(std::span<const ValueInfo* const> inputs, MaxVersion version);

/// The axes of a ReduceMax before a run. `input` is what is known of its axes input, null if it has none;
/// `elements` are the input's, null if they may change. The result refers to both, and to the attributes.
/// Not decided if an attribute is one of the enclosing function.
KnownAxes AxesBeforeRun(const ReduceMaxAttributes& attributes, const ValueInfo* input,
                        const Tensor* elements);

/// The arguments are those of AxesBeforeRun.
Inferred InferReduceMax(const ValueInfo& source, const ReduceMaxAttributes& attributes, const ValueInfo* axes,
                        const Tensor* elements, ReduceMaxVersion version);

/// The elements of a list of int64; nothing for another tensor, or for null.
std::optional<std::span<const std::int64_t>> ListOf(const Tensor* tensor);

/// What a node's axes input must be, as far as it is known: int64, and a list. Errors: kTypeMismatch; kAxis
/// (RED-5).
Result<void> CheckAxesType(const ValueInfo& axes, ReduceMaxVersion version);
Result<void> CheckAxesRank(const ValueInfo& axes, ReduceMaxVersion version);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_INFER_INFER_NODE_H_
