// A node of ONNX Runtime's graph, as Max or ReduceMax of a version of ONNX.
#ifndef SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_NODE_H_
#define SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_NODE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bindings/onnxruntime/api.h"
#include "supremum/dtype.h"
#include "supremum/opset.h"
#include "supremum/result.h"

namespace supremum::onnxruntime {

struct Node {
  std::variant<MaxVersion, ReduceMaxVersion> version;
  std::string title;  ///< for error texts: "node 'n' (Max-13)"
  DType dtype = DType::kFloat32;
  std::vector<std::string>
      inputs;  ///< the names of all operands; of ReduceMax at most two, the second the axes

  // Only for ReduceMax:
  std::optional<std::vector<std::int64_t>> axes;  ///< the attribute, up to ReduceMax-13
  bool keepdims = true;
  bool noop_with_empty_axes = false;
};

/// True for Max and ReduceMax of ONNX's own domain, whatever their version and types.
bool IsMaxOrReduceMax(const Api& api, const OrtNode* node);

/// The node, for error texts: "node 'n' (Max)".
std::string TitleOf(const Api& api, const OrtNode* node);

/// Reads the node's operator and attributes. Requires: IsMaxOrReduceMax.
///
/// Errors: kUnsupportedOperator for a version that supremum/opset.h does not list; kTypeNotAdmitted (TYP-3,
///   TYP-4) for an input of another type or none; kInputCount. Throws Failure if ONNX Runtime fails.
Result<Node> ReadNode(const Api& api, const OrtNode* node);

/// The names of a node's inputs, "" for one that is left out.
std::vector<std::string> InputNames(const Api& api, const OrtNode* node);

/// The type of ONNX Runtime's tensors, if it is one of ours.
std::optional<DType> DTypeOf(ONNXTensorElementDataType type);

}  // namespace supremum::onnxruntime

#endif  // SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_NODE_H_
