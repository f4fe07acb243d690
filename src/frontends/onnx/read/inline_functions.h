// Calls of a model's functions, replaced by the functions' nodes.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_INLINE_FUNCTIONS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_INLINE_FUNCTIONS_H_

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "supremum/result.h"

namespace supremum::onnx_front {

/// Where a node of an inlined model was before.
struct NodeOrigin {
  std::size_t index = 0;         ///< its position in its graph or function
  std::optional<int> call = {};  ///< the call that it comes from, in InlinedModel::calls
};

/// A call of a function.
struct InlinedCall {
  std::string text;        ///< "function 'f', called by node #2 (f, output 'y')"
  std::int64_t opset = 0;  ///< that the function imports
};

/// A model without calls of its functions. A value of a function has the name of the caller's value, or, if
/// the caller has no name for it, "FUNCTION#N.NAME" with a number for each call.
struct InlinedModel {
  const onnx::ModelProto* model = nullptr;  ///< `copy`; the model itself if it calls no function
  std::shared_ptr<onnx::ModelProto> copy;
  std::vector<InlinedCall> calls;
  /// Of every node of `copy`, in subgraphs too. Keys are addresses, which must not change.
  std::unordered_map<const onnx::NodeProto*, NodeOrigin> origins;
  std::unordered_set<std::string> inner_names;  ///< the names with "#"
  std::set<int> called;                         ///< positions of the functions that are called
  bool one_opset = true;                        ///< every called function imports the opset of the model

  /// The origin of a node of any model, which has `position` in its graph.
  NodeOrigin OriginOf(const onnx::NodeProto& node, int position) const {
    const auto known = origins.find(&node);
    return known == origins.end() ? NodeOrigin{static_cast<std::size_t>(position)} : known->second;
  }
};

/// Replaces every call by the nodes of its function, those in functions and subgraphs too. An attribute that
/// refers to one of the caller gets the caller's value, or else the function's default. Without a default, it
/// is removed if the function lists the name. A reference that nothing declares stays.
///
/// Requires: CheckWellFormed(model), which outlives the result. `opset` is the model's.
/// Errors: kMalformedFile for a call with more inputs or outputs than the function, and for defaults that are
///   no attributes; kLimitExceeded if the nodes take more than `max_bytes`, or calls are nested deeper than
///   100.
Result<InlinedModel> InlineFunctions(const onnx::ModelProto& model, std::string_view source,
                                     std::int64_t opset, std::int64_t max_bytes);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_INLINE_FUNCTIONS_H_
