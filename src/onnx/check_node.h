// The rules as they apply to one Max node.
#ifndef SUPREMUM_SRC_ONNX_CHECK_NODE_H_
#define SUPREMUM_SRC_ONNX_CHECK_NODE_H_

#include <set>
#include <string>
#include <vector>

#include "onnx/value_info.h"
#include "supremum/check.h"
#include "supremum/opset.h"

namespace onnx {
class NodeProto;
}

namespace supremum::onnx_front {

/// An input or output of a node: what the model states of it, and what is known when inference has had its
/// say.
struct Operand {
  StatedValue stated;
  ValueInfo known;
};

struct MaxNode {
  const onnx::NodeProto& proto;
  MaxVersion version;
  std::vector<Operand> inputs;                 ///< one for each input that has a name
  std::vector<Operand> outputs;                ///< likewise
  const std::set<std::string>& input_symbols;  ///< the symbolic dimensions that a caller's inputs decide
};

/// One finding for each rule that applies, in the order of docs/semantics.md, section 7.
std::vector<Finding> CheckMaxNode(const MaxNode& node, const CheckOptions& options);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_CHECK_NODE_H_
