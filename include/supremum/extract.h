// Models and inputs to run each Max and ReduceMax node of an ONNX model on its own.
#ifndef SUPREMUM_EXTRACT_H_
#define SUPREMUM_EXTRACT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum {

/// A node with what is known of its operands.
struct ExtractedNode {
  NodeInfo node;
  std::string scope;              ///< the graph of the node, as in NodeReport
  std::int64_t opset = 0;         ///< of the model, or of the function that the node is in
  std::vector<ValueInfo> inputs;  ///< without the axes of a ReduceMax
  /// The elements of each input that the model stores and no caller can replace; null for the others, and in
  /// a model that calls functions for those above 4 KiB.
  std::vector<std::shared_ptr<const Tensor>> constants;
  std::optional<std::vector<std::int64_t>>
      axes;                                  ///< of a ReduceMax, from its attribute or its constant input
  std::optional<bool> keepdims;              ///< of a ReduceMax; empty: the default
  std::optional<bool> noop_with_empty_axes;  ///< of a ReduceMax; empty: the default
  /// Why the node cannot be run on its own: a rule that it breaks, or a type, an extent or axes that are not
  /// known. Empty if it can: then all types are known and all extents are numbers.
  std::string obstacle;
};

struct ExtractedNodes {
  std::vector<ExtractedNode> nodes;
  std::vector<std::string> notes;  ///< why something could not be inferred
};

struct ExtractOptions {
  /// Values of symbolic dimensions, written in place of the symbols.
  std::map<std::string, std::int64_t> dims = {};
  /// Maximum memory of the model's messages, of what is derived from them, and of `constants`, in bytes.
  std::int64_t max_bytes = kDefaultMaxBytes;
};

/// All Max and ReduceMax nodes of the model, in its order, with those in subgraphs and, for each call, in
/// functions.
///
/// Errors: those of CheckModel.
///
///   Result<ExtractedNodes> extracted = ExtractNodes(bytes, "net.onnx", {.dims = {{"batch", 1}}});
Result<ExtractedNodes> ExtractNodes(std::span<const std::byte> bytes, const std::string& source,
                                    const ExtractOptions& options = {});

}  // namespace supremum

#endif  // SUPREMUM_EXTRACT_H_
