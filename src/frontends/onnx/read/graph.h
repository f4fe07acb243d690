// An ONNX graph without protobuf: values have numbers, nodes refer to values by number, and the connections
// have been checked.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_GRAPH_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/value_info.h"
#include "io/formats/external_data.h"
#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// A value of the graph: an input, an initializer or a node's output.
struct Value {
  StatedValue stated;  ///< everything that the model states of it
  /// The elements of an initializer or of a Constant node's output. A pointer, since a Tensor is large and a
  /// model may have very many values.
  std::shared_ptr<const Tensor> constant;
  /// Why there is no constant: a type or a storage that supremum does not read.
  std::optional<Error> refusal;
  bool refused_unread = false;  ///< refused even if nothing reads it: sparse, or its file may not be opened
  bool is_read = false;         ///< by a node of the graph
  bool is_input = false;        ///< of the graph
  bool is_output = false;       ///< of the graph
};

/// Why a run that is given no tensor for the value must refuse; null if it need not, which includes a
/// constant that cannot be computed and that nothing reads.
const Error* RefusalOf(const Value& value);

struct Graph {
  std::string name;
  std::string source;  ///< the name of the file in error texts
  std::string producer;
  std::int64_t ir_version = 0;
  std::int64_t opset = 0;
  std::int64_t max_bytes = 0;  ///< limit of the memory that inference may add
  std::vector<Value> values;
  std::unordered_map<std::string, std::size_t> value_by_name;
  std::vector<std::size_t> inputs;           ///< without initializer
  std::vector<std::size_t> optional_inputs;  ///< with initializer
  std::vector<std::size_t> initializers;
  std::vector<std::size_t> outputs;
  std::vector<Node> nodes;
  std::optional<std::string> sparse_initializer;  ///< the name of the first, if there is any (PRO-1)
};

/// The opset of ONNX's own domain that the model imports; 1 for IR versions below 3, which had no imports.
///
/// Errors: kMalformedFile if there is none, two different ones, or one below 1.
Result<std::int64_t> OnnxOpset(const onnx::ModelProto& model, std::string_view source);

/// Where a node is, for messages: "'m.onnx': node #0 (Max, output 'r') in function 'f', called by ...".
std::string PlaceOf(const Graph& graph, const Node& node);

/// Reads the main graph, with the nodes of functions in place of their calls. The elements of initializers
/// and constants may be in files inside `external`.
///
/// Errors: kMalformedFile for a name with two producers, without one, or used before its producer, for
///   attributes and numbers of inputs and outputs that Max, ReduceMax, Constant or Identity do not have, and
///   for tensors whose data does not have the size of their shape; those of InlineFunctions and of
///   ReadOperands; kLimitExceeded, kOutOfMemory.
Result<Graph> ReadGraph(const onnx::ModelProto& model, const std::string& source, std::int64_t max_bytes,
                        const io::ExternalFolder& external = std::nullopt);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_GRAPH_H_
