// Whether a model is made of graphs at all, whatever its operators are.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_WELL_FORMED_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_WELL_FORMED_H_

#include <string_view>

#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// Checks the main graph, all subgraphs and the bodies of functions:
///
/// - initializers and graph inputs have names, and different ones; no tensor has an extent below zero;
/// - every name has at most one producer in its graph (static single assignment), and a node of a subgraph
///   gives no output a name that is visible from a graph around it;
/// - what a node reads, and every graph output, was given or produced before: by the same graph, or by a
///   graph around it;
/// - every node has an operator, and a call that names an overload has its function; no two functions have
///   one domain, name and overload; no function calls itself, directly or through others.
///
/// Errors: kMalformedFile, with the node and the place of its graph.
/// Cost: linear in the model, times the depth of a subgraph for names from outside.
Result<void> CheckWellFormed(const onnx::ModelProto& model, std::string_view source);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_WELL_FORMED_H_
