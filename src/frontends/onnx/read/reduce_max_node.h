// The attributes and inputs of a ReduceMax node, as its version has them (RED-5).
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_REDUCE_MAX_NODE_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_REDUCE_MAX_NODE_H_

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
  std::optional<std::vector<std::int64_t>> axes;  ///< versions before 18; absent: all dimensions
  std::optional<bool> keepdims;                   ///< absent: true
  std::optional<bool> noop_with_empty_axes;       ///< versions from 18 on; absent: false

  /// The first attribute whose value is an attribute of the enclosing function; empty: none. If there is one,
  /// the node alone does not have all values.
  std::string of_function;
};

/// Reads the attributes. Appends to `faults` each attribute that the version does not have, that occurs
/// twice, or that has the wrong kind or an invalid number.
ReduceMaxAttributes ReadReduceMaxAttributes(const onnx::NodeProto& node, ReduceMaxVersion version,
                                            std::vector<NodeFault>& faults);

/// The fault in the number or the names of the inputs, if there is one. Valid are one input and, from version
/// 18 on, an optional second one, which may have an empty name.
std::optional<NodeFault> ReduceMaxInputFault(const onnx::NodeProto& node, ReduceMaxVersion version);

/// The attributes that the version has, including those that have their default.
std::vector<AttributeInfo> InfosOf(const ReduceMaxAttributes& attributes, ReduceMaxVersion version);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_REDUCE_MAX_NODE_H_
