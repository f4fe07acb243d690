// Prepares the nodes of a graph for a run.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_RUN_PREPARE_NODE_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_RUN_PREPARE_NODE_H_

#include <cstddef>
#include <string>

#include "frontends/onnx/read/graph.h"
#include "frontends/onnx/run/bind.h"
#include "graph/execution.h"
#include "ops/enclose.h"
#include "supremum/dtype.h"
#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum::onnx_front {

/// The layers of a run with bounds: the values, then what is known of their errors.
constexpr std::size_t LayerOf(Known known) { return 1 + static_cast<std::size_t>(known); }
static_assert(1 + kAllKnown.size() == graph::Execution::kMaxLayers);

/// Errors: kUnsupportedOperator for the first node whose operator supremum does not know.
Result<void> CheckKnown(const Graph& graph);

/// One run of a graph, as a node sees it: every value that a node reads has type, shape and memory.
class NodePreparation {
 public:
  /// `graph` and `options` must exist as long as this object.
  NodePreparation(const Graph& graph, const RunOptions& options, DimBindings bindings);

  const RunOptions& options() const { return options_; }
  graph::Execution& execution() { return execution_; }
  const graph::Execution& execution() const { return execution_; }
  DimBindings& bindings() { return bindings_; }

  const std::string& NameOf(std::size_t value) const { return graph_.values[value].stated.info.name; }

  /// Errors: kTypeMismatch (TYP-2) if the model states another type.
  Result<void> CheckStatedType(std::size_t value, DType dtype) const;

  /// The plan is made for the elements that `value` has now: unless they are a constant of the model, it is a
  /// plan for one run.
  void DependsOn(std::size_t value);
  bool depends_on_elements() const { return depends_on_elements_; }

  /// Makes the tensors of a computed value, one for each layer. Errors: kOutputShapeMismatch (E2) if the
  /// model states another shape; kLimitExceeded, kOutOfMemory.
  Result<void> CreateOutput(std::size_t value, DType dtype, const Shape& shape);

 private:
  const Graph& graph_;
  const RunOptions& options_;
  DimBindings bindings_;
  graph::Execution execution_;
  bool depends_on_elements_ = false;
};

/// Makes the plans of a node, if it is executed. Errors: as Model::Prepare, without the node.
Result<void> PrepareNode(NodePreparation& run, const Node& node);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_RUN_PREPARE_NODE_H_
