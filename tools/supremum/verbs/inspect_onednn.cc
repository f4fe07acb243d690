// supremum inspect, for oneDNN graphs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "cli/table.h"
#include "supremum/onednn_graph.h"
#include "verbs/inspect.h"
#include "verbs/run.h"

namespace supremum::cli {
namespace {

std::string StridesText(const OneDnnTensor& tensor) {
  return tensor.strides ? fmt::format("[{}]", fmt::join(*tensor.strides, ",")) : "row-major";
}

/// "f32[1,?]" without the type.
std::string ShapeText(OneDnnTensor tensor) {
  tensor.dtype_name.clear();
  return tensor.shape ? ToString(tensor) : "?";
}

std::string TensorsText(const std::string& title, const std::vector<OneDnnTensor>& tensors,
                        const Terminal& terminal) {
  if (tensors.empty()) return "";
  Table table({{"id", Table::kRight},
               {"dtype"},
               {"shape", Table::kLeft, 16},
               {"strides", Table::kLeft, 16},
               {"property"}});
  for (const OneDnnTensor& tensor : tensors) {
    table.Add({fmt::format("{}", tensor.id), tensor.dtype_name, ShapeText(tensor), StridesText(tensor),
               tensor.property_type});
  }
  return "\n" + title + "\n" + table.Text(terminal, 2);
}

/// "axes=[0,1], keep_dims=true"; "" for an op that is not executed.
std::string AttributesText(const OneDnnOp& op) {
  const OneDnnAttributes& attributes = op.attributes;
  if (op.kind == "Maximum") return attributes.broadcast ? "auto_broadcast=numpy" : "auto_broadcast=none";
  if (op.kind != "ReduceMax") return "";
  const std::string axes = attributes.axes        ? fmt::format("[{}]", fmt::join(*attributes.axes, ","))
                           : op.inputs.size() > 1 ? fmt::format("tensor {}", op.inputs[1])
                                                  : "none";
  return fmt::format("axes={}, keep_dims={}", axes, attributes.keep_dims);
}

nlohmann::ordered_json AttributesJson(const OneDnnOp& op) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (op.kind == "Maximum") json["auto_broadcast"] = op.attributes.broadcast ? "numpy" : "none";
  if (op.kind != "ReduceMax") return json;
  json["axes"] = nullptr;
  if (op.attributes.axes) json["axes"] = *op.attributes.axes;
  json["keep_dims"] = op.attributes.keep_dims;
  return json;
}

/// Those of `some`, as they are in `known`.
std::vector<OneDnnTensor> Known(const std::vector<OneDnnTensor>& some,
                                const std::vector<OneDnnTensor>& known) {
  std::unordered_map<std::uint64_t, const OneDnnTensor*> by_id;
  for (const OneDnnTensor& tensor : known) by_id.emplace(tensor.id, &tensor);
  std::vector<OneDnnTensor> found;
  for (const OneDnnTensor& tensor : some) found.push_back(*by_id.at(tensor.id));
  return found;
}

std::string GraphText(const OneDnnGraph& graph, const std::vector<OneDnnTensor>& known,
                      const Terminal& terminal) {
  std::string text = fmt::format("oneDNN graph, version {}\n", Printable(graph.version()));
  text += TensorsText("inputs", Known(graph.inputs(), known), terminal);
  text += TensorsText("outputs", Known(graph.outputs(), known), terminal);
  text += TensorsText("tensors", known, terminal);
  Table ops({{"id", Table::kRight},
             {"name", Table::kLeft, 16},
             {"op", Table::kLeft, 16},
             {"inputs", Table::kLeft, 16},
             {"attributes", Table::kLeft, 24},
             {"outputs", Table::kLeft, 16}});
  for (const OneDnnOp& op : graph.ops()) {
    ops.Add({fmt::format("{}", op.id), op.name, op.kind, fmt::format("{}", fmt::join(op.inputs, ", ")),
             AttributesText(op), fmt::format("{}", fmt::join(op.outputs, ", "))});
  }
  return text + "\nops\n" + ops.Text(terminal, 2);
}

nlohmann::ordered_json TensorsJson(const std::vector<OneDnnTensor>& tensors) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const OneDnnTensor& tensor : tensors) {
    nlohmann::ordered_json one = {
        {"id", tensor.id}, {"dtype", tensor.dtype_name}, {"shape", nullptr}, {"strides", nullptr}};
    if (tensor.shape) {
      one["shape"] = nlohmann::ordered_json::array();
      for (std::int64_t extent : *tensor.shape) {
        nlohmann::ordered_json known = nullptr;
        if (extent != kUnknownExtent) known = extent;
        one["shape"].push_back(std::move(known));
      }
    }
    if (tensor.strides) one["strides"] = *tensor.strides;
    one["property"] = tensor.property_type;
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace

Result<ExitStatus> InspectOneDnn(const std::string& file, std::int64_t max_bytes, Outputs& outputs,
                                 Progress& progress) {
  std::string digest;
  const Result<OneDnnGraph> graph = LoadOneDnn(file, max_bytes, &digest);
  if (!graph) return graph.error();
  const Result<std::vector<OneDnnTensor>> inferred = graph->Infer();
  const std::vector<OneDnnTensor> known = inferred ? *inferred : graph->tensors();
  progress.Hide();
  nlohmann::ordered_json document = JsonHead("inspect");
  document["graph"] = file;
  document["sha256"] = digest;
  document["version"] = graph->version();
  document["inputs"] = TensorsJson(Known(graph->inputs(), known));
  document["outputs"] = TensorsJson(Known(graph->outputs(), known));
  document["tensors"] = TensorsJson(known);
  document["ops"] = nlohmann::ordered_json::array();
  for (const OneDnnOp& op : graph->ops()) {
    document["ops"].push_back({{"id", op.id},
                               {"name", op.name},
                               {"kind", op.kind},
                               {"inputs", op.inputs},
                               {"attributes", AttributesJson(op)},
                               {"outputs", op.outputs}});
  }
  document["error"] = nullptr;
  if (!inferred) document["error"] = inferred.error().message;
  const std::string text = GraphText(*graph, known, Terminal::OfStdout());
  if (Result<void> delivered = outputs.Deliver(std::move(document), text); !delivered)
    return delivered.error();
  if (!inferred) return inferred.error();
  return ExitStatus::kSuccess;
}

}  // namespace supremum::cli
