// What a ReduceMax node says of itself: its attributes and its inputs, as its version has them (RED-5).
#ifndef SUPREMUM_SRC_ONNX_REDUCE_MAX_NODE_H_
#define SUPREMUM_SRC_ONNX_REDUCE_MAX_NODE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "supremum/model.h"
#include "supremum/opset.h"

namespace onnx {
class NodeProto;
}

namespace supremum::onnx_front {

/// What is wrong with a node, and what to do.
struct NodeFault {
  std::string text;
  std::string change;
};

struct ReduceMaxAttributes {
  std::optional<std::vector<std::int64_t>> axes;  ///< versions before 18; nothing: all dimensions
  std::optional<bool> keepdims;                   ///< nothing: true
  std::optional<bool> noop_with_empty_axes;       ///< versions from 18 on; nothing: false

  /// The first attribute whose value is an attribute of the function around the node; empty: there is none.
  /// The node's own values then say too little.
  std::string of_function;
};

/// The attributes. What is wrong with them is appended to `faults`: one that the version does not have, one
/// that is given twice, one of another kind or with another number than the version has.
ReduceMaxAttributes ReadReduceMaxAttributes(const onnx::NodeProto& node, ReduceMaxVersion version,
                                            std::vector<NodeFault>& faults);

/// What is wrong with the number and the names of the inputs, if anything is: one input, and from version 18
/// on perhaps a second one, which may have an empty name.
std::optional<NodeFault> ReduceMaxInputFault(const onnx::NodeProto& node, ReduceMaxVersion version);

/// The attributes that the version has, those that are left to their defaults included.
std::vector<AttributeInfo> InfosOf(const ReduceMaxAttributes& attributes, ReduceMaxVersion version);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_REDUCE_MAX_NODE_H_
