// Type and shape inference for whole graphs, with symbolic dimensions.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_INFER_INFER_GRAPH_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_INFER_INFER_GRAPH_H_

#include <string_view>
#include <vector>

#include "frontends/onnx/read/graph.h"
#include "supremum/model.h"
#include "supremum/opset.h"
#include "supremum/result.h"

namespace supremum::onnx_front {

/// TYP-2: an output is stated with a type that is not the computed one.
Error StatedTypeError(const ValueInfo& stated, std::string_view computed);

/// `stated` completed by `inferred`. Errors: kTypeMismatch, and kOutputShapeMismatch (E2) where both are
/// known and differ.
Result<ValueInfo> Complete(const ValueInfo& stated, const ValueInfo& inferred);

/// What is known of the values of a graph before a run, by their numbers.
struct InferredGraph {
  std::vector<ValueInfo> infos;          ///< stated, and inferred for Max, ReduceMax, Constant and Identity
  std::vector<const Tensor*> constants;  ///< of the graph, for values that no caller can change; else null
};

/// Errors: those of Complete, and of the rules on types and shapes (infer_node.h), with the node.
Result<InferredGraph> InferGraph(const Graph& graph);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_INFER_INFER_GRAPH_H_
