#include "supremum/onednn_graph.h"

#include <new>
#include <span>
#include <utility>

#include "core/foreign_content.h"
#include "core/messages.h"
#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onednn/graph.h"
#include "io/json/json.h"

namespace supremum {

struct OneDnnGraph::State {
  onednn_front::Graph graph;
};

namespace {

std::vector<OneDnnTensor> StatedOf(const onednn_front::Graph& graph,
                                   const std::vector<std::size_t>& tensors) {
  std::vector<OneDnnTensor> all;
  for (std::size_t tensor : tensors) all.push_back(graph.tensors[tensor].stated);
  return all;
}

}  // namespace

std::string ToString(const OneDnnTensor& tensor) {
  std::string text = Printable(tensor.dtype_name, 40);
  for (std::size_t d = 0; tensor.shape && d < tensor.shape->size(); ++d) {
    const std::int64_t extent = (*tensor.shape)[d];
    text += (d == 0 ? "[" : ",") + (extent == kUnknownExtent ? "?" : std::to_string(extent));
  }
  if (tensor.shape && tensor.shape->empty()) text += '[';
  return text + (tensor.shape ? "]" : "");
}

std::string Describe(const OneDnnOp& op) {
  const std::string name = op.name.empty() ? "" : " " + Quote(op.name);
  return "op " + std::to_string(op.id) + name + " (" + Printable(op.kind) + ")";
}

Result<OneDnnGraph> OneDnnGraph::Parse(std::string_view json, const std::string& source,
                                       std::int64_t max_bytes) {
  return OrOutOfMemory([&]() -> Result<OneDnnGraph> {
    const std::string name = Quote(source);
    try {
      const std::string foreign = ForeignContent(std::as_bytes(std::span(json)));
      const Result<JsonValue> value =
          OrContentError(name, foreign, ParseJson(json, name, max_bytes, kRaiseLimit));
      if (!value) return value.error();
      Result<onednn_front::Graph> graph =
          OrContentError(name, foreign, onednn_front::ReadGraph(*value, name));
      if (!graph) return std::move(graph).error();
      return OneDnnGraph(std::make_unique<State>(State{*std::move(graph)}));
    } catch (const std::bad_alloc&) {
      return ErrorAt(ErrorCode::kOutOfMemory, name, "no memory for reading the graph");
    }
  });
}

OneDnnGraph::OneDnnGraph(std::unique_ptr<State> state) : state_(std::move(state)) {}
OneDnnGraph::OneDnnGraph(OneDnnGraph&&) noexcept = default;
OneDnnGraph& OneDnnGraph::operator=(OneDnnGraph&&) noexcept = default;
OneDnnGraph::~OneDnnGraph() = default;

const std::string& OneDnnGraph::version() const { return state_->graph.version; }

std::vector<OneDnnOp> OneDnnGraph::ops() const {
  std::vector<OneDnnOp> all;
  for (const onednn_front::GraphOp& op : state_->graph.ops) all.push_back(op.info);
  return all;
}

std::vector<OneDnnTensor> OneDnnGraph::tensors() const {
  std::vector<OneDnnTensor> all;
  for (const onednn_front::GraphTensor& tensor : state_->graph.tensors) all.push_back(tensor.stated);
  return all;
}

std::vector<OneDnnTensor> OneDnnGraph::inputs() const {
  return StatedOf(state_->graph, state_->graph.inputs);
}

std::vector<OneDnnTensor> OneDnnGraph::outputs() const {
  return StatedOf(state_->graph, state_->graph.outputs);
}

bool OneDnnGraph::IsAxes(std::uint64_t id) const {
  const auto found = state_->graph.tensor_by_id.find(id);
  return found != state_->graph.tensor_by_id.end() && state_->graph.tensors[found->second].is_axes;
}

Result<std::vector<NamedTensor>> OneDnnGraph::Run(std::span<const NamedTensor> inputs,
                                                  const OneDnnRunOptions& options) const {
  return OrOutOfMemory([&]() -> Result<std::vector<NamedTensor>> {
    return onednn_front::RunGraph(state_->graph, inputs, options);
  });
}

}  // namespace supremum
