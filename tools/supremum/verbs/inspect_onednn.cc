// supremum inspect, for oneDNN graphs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
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
std::string ShapeText(const OneDnnTensor& tensor) {
  return tensor.shape ? ToString(tensor).substr(tensor.dtype_name.size()) : "?";
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

std::string GraphText(const OneDnnGraph& graph, const Terminal& terminal) {
  std::string text = fmt::format("oneDNN graph, version {}\n", Printable(graph.version()));
  text += TensorsText("inputs", graph.inputs(), terminal);
  text += TensorsText("outputs", graph.outputs(), terminal);
  text += TensorsText("tensors", graph.tensors(), terminal);
  Table ops({{"id", Table::kRight},
             {"name", Table::kLeft, 16},
             {"op", Table::kLeft, 16},
             {"inputs", Table::kLeft, 16},
             {"outputs", Table::kLeft, 16}});
  for (const OneDnnOp& op : graph.ops()) {
    ops.Add({fmt::format("{}", op.id), op.name, op.kind, fmt::format("{}", fmt::join(op.inputs, ", ")),
             fmt::format("{}", fmt::join(op.outputs, ", "))});
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
  const Result<OneDnnGraph> graph = LoadOneDnn(file, max_bytes);
  if (!graph) return graph.error();
  progress.Hide();
  nlohmann::ordered_json document = JsonHead("inspect");
  document["graph"] = file;
  document["version"] = graph->version();
  document["inputs"] = TensorsJson(graph->inputs());
  document["outputs"] = TensorsJson(graph->outputs());
  document["tensors"] = TensorsJson(graph->tensors());
  document["ops"] = nlohmann::ordered_json::array();
  for (const OneDnnOp& op : graph->ops()) {
    document["ops"].push_back({{"id", op.id},
                               {"name", op.name},
                               {"kind", op.kind},
                               {"inputs", op.inputs},
                               {"outputs", op.outputs}});
  }
  const std::string text = GraphText(*graph, Terminal::OfStdout());
  if (Result<void> delivered = outputs.Deliver(document, text); !delivered) return delivered.error();
  return ExitStatus::kSuccess;
}

}  // namespace supremum::cli
