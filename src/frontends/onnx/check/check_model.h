// Every Max and ReduceMax node of a model, in subgraphs and functions too.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_MODEL_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "frontends/onnx/check/check_node.h"
#include "frontends/onnx/read/operators.h"
#include "supremum/check.h"
#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

struct InlinedModel;  // inline_functions.h

/// A graph in an attribute of a node.
struct GraphStep {
  int node = 0;                   ///< its position in its graph
  int attribute = 0;              ///< likewise
  std::optional<int> graph = {};  ///< its position in AttributeProto::graphs; none for AttributeProto::g
};

/// A node that has been checked, with what is known of its operands.
struct JudgedNode {
  const CheckedNode& operands;
  Op op;
  int version;
  std::int64_t opset;
  const NodeReport& report;
  /// From the main graph to the node's; of a called function's node, to the graph with the outermost call.
  const std::vector<GraphStep>& path;
  bool in_function;
};
using NodeVisitor = std::function<void(const JudgedNode&)>;

/// Adds the reports of the nodes to `report`, whose model and opset are set. `inlined` is the model with its
/// functions inlined; `inferred` is that model after another library's inference, or
/// that model itself. Functions that are not called are judged by what they state. Each node that is checked
/// is shown to `visit`, if it is set.
///
/// Returns: true if types and shapes of all inputs of the nodes are known.
/// Errors: kMalformedFile.
Result<bool> CheckNodes(const onnx::ModelProto& model, const InlinedModel& inlined,
                        const onnx::ModelProto& inferred, const CheckOptions& options, CheckReport& report,
                        const NodeVisitor& visit = {});

/// The nodes of a model, in subgraphs and functions too.
struct NodeCounts {
  std::size_t judged = 0;             ///< by `check`
  std::vector<OperatorCount> others;  ///< the most frequent operator first
};
NodeCounts CountNodes(const onnx::ModelProto& model);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_MODEL_H_
