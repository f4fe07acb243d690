#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/messages.h"
#include "frontends/onednn/read_graph.h"

namespace supremum::onednn_front {
namespace {

Error Malformed(const Graph& graph, const std::string& details) {
  return ErrorAt(ErrorCode::kMalformedFile, graph.source, details);
}

std::string TensorName(std::uint64_t id) { return "tensor " + std::to_string(id); }

Result<void> FindProducers(Graph* graph) {
  std::unordered_map<std::uint64_t, std::size_t> op_by_id;
  for (std::size_t i = 0; i < graph->ops.size(); ++i) {
    const GraphOp& op = graph->ops[i];
    const auto [known, is_new] = op_by_id.emplace(op.info.id, i);
    if (!is_new) {
      return Malformed(*graph, Describe(graph->ops[known->second].info) + " and " + Describe(op.info) +
                                   " have the same id; give each op its own");
    }
    for (std::size_t output : op.outputs) {
      GraphTensor& tensor = graph->tensors[output];
      if (tensor.producer != kNoOp) {
        return Malformed(*graph, TensorName(tensor.stated.id) + " is produced twice, by " +
                                     Describe(graph->ops[tensor.producer].info) + " and by " +
                                     Describe(op.info) + "; give each output its own id");
      }
      tensor.producer = i;
    }
    for (std::size_t m = 0; m < op.inputs.size(); ++m) {
      graph->tensors[op.inputs[m]].consumed = true;
      if (op.kind == Kind::kReduceMax && m == 1) graph->tensors[op.inputs[m]].is_axes = true;
    }
  }
  return {};
}

// Topological order, breadth-first: the ops that read only inputs come first, in the order of the file.
Result<void> Sort(Graph* graph) {
  std::vector<std::size_t> waiting_for(graph->ops.size(), 0);
  std::vector<std::vector<std::size_t>> readers(graph->ops.size());
  for (std::size_t i = 0; i < graph->ops.size(); ++i) {
    for (std::size_t input : graph->ops[i].inputs) {
      const std::size_t producer = graph->tensors[input].producer;
      if (producer == kNoOp) continue;
      ++waiting_for[i];
      readers[producer].push_back(i);
    }
  }
  for (std::size_t i = 0; i < graph->ops.size(); ++i) {
    if (waiting_for[i] == 0) graph->order.push_back(i);
  }
  for (std::size_t done = 0; done < graph->order.size(); ++done) {
    for (std::size_t reader : readers[graph->order[done]]) {
      if (--waiting_for[reader] == 0) graph->order.push_back(reader);
    }
  }
  const auto stuck = std::ranges::find_if(waiting_for, [](std::size_t inputs) { return inputs > 0; });
  if (stuck == waiting_for.end()) return {};
  const GraphOp& first = graph->ops[static_cast<std::size_t>(stuck - waiting_for.begin())];
  return Malformed(*graph, Describe(first.info) +
                               " needs the output of a cycle of ops, or is one of them; a graph must have no "
                               "cycle");
}

// The tensors of a list of ports. `fits` checks each.
template <class Fits>
Result<std::vector<std::size_t>> FindPorts(const Graph& graph, const std::vector<std::uint64_t>& ports,
                                           const std::string& list, Fits fits) {
  std::vector<std::size_t> found;
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t id : ports) {
    const std::string port = "'" + list + "' lists " + TensorName(id);
    const auto tensor = graph.tensor_by_id.find(id);
    if (tensor == graph.tensor_by_id.end()) {
      return Malformed(graph, port + ", which no op has; remove it from the list");
    }
    if (!seen.insert(id).second) return Malformed(graph, port + " twice; list it once");
    if (Result<void> ok = fits(port, graph.tensors[tensor->second]); !ok) return std::move(ok).error();
    found.push_back(tensor->second);
  }
  return found;
}

Result<void> SetInputs(const std::vector<std::uint64_t>& ports, Graph* graph) {
  const auto fits = [&](const std::string& port, const GraphTensor& tensor) -> Result<void> {
    if (tensor.producer == kNoOp) return {};
    return Malformed(*graph, port + ", which " + Describe(graph->ops[tensor.producer].info) +
                                 " produces; remove it from the list");
  };
  Result<std::vector<std::size_t>> inputs = FindPorts(*graph, ports, "input_ports", fits);
  if (!inputs) return std::move(inputs).error();
  std::vector<bool> listed(graph->tensors.size(), false);
  for (std::size_t input : *inputs) listed[input] = true;
  for (std::size_t i = 0; i < graph->tensors.size(); ++i) {
    if (graph->tensors[i].producer != kNoOp || listed[i]) continue;
    if (!ports.empty()) {
      return Malformed(*graph, TensorName(graph->tensors[i].stated.id) +
                                   " is produced by no op and is not in 'input_ports'; add it to the list");
    }
    inputs->push_back(i);
  }
  graph->inputs = *std::move(inputs);
  return {};
}

Result<void> SetOutputs(const std::vector<std::uint64_t>& ports, Graph* graph) {
  const auto fits = [&](const std::string& port, const GraphTensor& tensor) -> Result<void> {
    if (tensor.producer != kNoOp) return {};
    return Malformed(*graph, port + ", which no op produces; remove it from the list");
  };
  Result<std::vector<std::size_t>> outputs = FindPorts(*graph, ports, "output_ports", fits);
  if (!outputs) return std::move(outputs).error();
  for (std::size_t i = 0; ports.empty() && i < graph->tensors.size(); ++i) {
    if (graph->tensors[i].producer != kNoOp && !graph->tensors[i].consumed) outputs->push_back(i);
  }
  graph->outputs = *std::move(outputs);
  return {};
}

}  // namespace

Result<void> Wire(const std::vector<std::uint64_t>& input_ports,
                  const std::vector<std::uint64_t>& output_ports, Graph* graph) {
  if (Result<void> ok = FindProducers(graph); !ok) return ok;
  if (Result<void> ok = Sort(graph); !ok) return ok;
  if (Result<void> ok = SetInputs(input_ports, graph); !ok) return ok;
  return SetOutputs(output_ports, graph);
}

}  // namespace supremum::onednn_front
