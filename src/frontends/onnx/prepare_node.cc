#include "frontends/onnx/prepare_node.h"

#include <algorithm>
#include <utility>

#include "core/quote.h"
#include "frontends/onnx/infer.h"
#include "frontends/onnx/operators.h"

namespace supremum::onnx_front {
namespace {

graph::ExecutionOptions ExecutionOptionsOf(const Graph& graph, const RunOptions& options) {
  const auto executed = std::ranges::count_if(
      graph.nodes, [](const Node& node) { return node.op == nullptr || node.op->prepare != nullptr; });
  return {"nodes", options.max_bytes, options.progress, static_cast<std::size_t>(executed)};
}

}  // namespace

NodePreparation::NodePreparation(const Graph& graph, const RunOptions& options, DimBindings bindings)
    : graph_(graph),
      options_(options),
      bindings_(std::move(bindings)),
      execution_(graph.values.size(), ExecutionOptionsOf(graph, options)) {}

Result<void> NodePreparation::CheckStatedType(std::size_t value, DType dtype) const {
  const ValueInfo& stated = graph_.values[value].stated.info;
  if (stated.type_name.empty() || stated.dtype == dtype) return {};
  return StatedTypeError(stated, Name(dtype));
}

void NodePreparation::DependsOn(std::size_t value) {
  const auto& constant = graph_.values[value].constant;
  if (constant == nullptr || execution_.View(value).data != constant->data()) depends_on_elements_ = true;
}

Result<void> NodePreparation::CreateOutput(std::size_t value, DType dtype, const Shape& shape) {
  const ValueInfo& stated = graph_.values[value].stated.info;
  if (stated.shape) {  // E2
    auto ok =
        bindings_.Bind("output " + Quote(stated.name), *stated.shape, shape, ErrorCode::kOutputShapeMismatch);
    if (!ok) return ok;
  }
  const bool is_output = graph_.values[value].is_output;
  for (std::size_t layer = 0; layer < execution_.layers(); ++layer) {
    if (auto ok = execution_.Create(value, layer, dtype, shape, is_output); !ok) return ok;
  }
  return {};
}

}  // namespace supremum::onnx_front
