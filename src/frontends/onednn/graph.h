// A oneDNN graph without JSON: tensors have numbers, ops refer to tensors by number, and the connections have
// been checked.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_GRAPH_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/json/json.h"
#include "supremum/onednn_graph.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::onednn_front {

enum class Kind : std::uint8_t { kReduceMax, kMaximum, kOther };

inline constexpr std::size_t kNoOp = SIZE_MAX;

struct GraphTensor {
  OneDnnTensor stated;
  std::size_t producer = kNoOp;  ///< kNoOp: an input of the graph
  bool consumed = false;
  bool is_axes = false;
};

struct GraphOp {
  OneDnnOp info;
  Kind kind = Kind::kOther;
  std::vector<std::size_t> inputs;  ///< numbers of tensors
  std::vector<std::size_t> outputs;
};

struct Graph {
  std::string source;  ///< the name of the file in error texts
  std::string version;
  std::vector<GraphTensor> tensors;
  std::unordered_map<std::uint64_t, std::size_t> tensor_by_id;
  std::vector<GraphOp> ops;
  std::vector<std::size_t> order;   ///< of execution: numbers of ops
  std::vector<std::size_t> inputs;  ///< numbers of tensors
  std::vector<std::size_t> outputs;
};

/// Reads the whole graph; `source` names the file in error texts. Errors: those of OneDnnGraph::Parse.
Result<Graph> ReadGraph(const JsonValue& json, const std::string& source);

/// What OneDnnGraph::Run does.
Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, std::span<const NamedTensor> inputs,
                                          const OneDnnRunOptions& options);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_GRAPH_H_
