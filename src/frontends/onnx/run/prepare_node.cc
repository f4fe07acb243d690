#include "frontends/onnx/run/prepare_node.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/infer/infer_graph.h"
#include "frontends/onnx/infer/infer_node.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
namespace {

graph::ExecutionOptions ExecutionOptionsOf(const Graph& graph, const RunOptions& options) {
  const auto executed = std::ranges::count_if(graph.nodes, IsExecuted, &Node::op);
  return {"nodes", options.max_bytes, options.progress, static_cast<std::size_t>(executed)};
}

Result<void> PrepareMax(NodePreparation& run, const Node& node) {
  std::vector<TensorView> views;
  std::vector<std::string_view> names;
  for (std::size_t input : node.inputs) {
    views.push_back(run.execution().View(input));
    names.push_back(run.NameOf(input));
  }
  const std::size_t output = node.outputs[0];
  MaxOptions options;
  options.version = static_cast<MaxVersion>(node.info.version);
  options.identical_shapes_only = run.options().identical_shapes_only;
  options.threads = run.options().threads;
  options.input_names = names;
  options.output_name = run.NameOf(output);

  if (auto ok = run.CheckStatedType(output, views[0].dtype); !ok) return ok;
  const Result<CheckedMax> checked = CheckMax(views, nullptr, options);
  if (!checked) return checked.error();
  if (auto ok = run.CreateOutput(output, checked->dtype, checked->shape); !ok) return ok;
  return run.execution().AddMax(*checked, node.inputs, output, options);
}

// Checks the type and shape of an axes input. Errors of the source's type come first.
Result<void> CheckAxes(const std::string& name, const TensorView& axes, const TensorView& source,
                       ReduceMaxOptions options) {
  const ValueInfo info = InfoOf(name, axes.dtype, axes.shape);
  if (auto ok = CheckAxesType(info, options.version); !ok) return ok;
  options.axes = DimsView();
  if (auto ok = CheckReduceMax(source, nullptr, options); !ok) return std::move(ok).error();
  return CheckAxesRank(info, options.version);
}

// Requires: CheckAxes has found a list of int64.
std::vector<std::int64_t> AxesIn(const TensorView& list) {
  std::vector<std::int64_t> axes(static_cast<std::size_t>(*ElementCount(list.shape)));
  graph::CopyElements(list, {list.dtype, list.shape, {}, axes.data()});
  return axes;
}

// Shapes depend on axes: if axes had errors, no bound of an output's error would be valid.
Result<void> CheckAxesExact(const NodePreparation& run, std::size_t value) {
  if (run.execution().layers() == 1) return {};
  const TensorView bound = run.execution().View(value, LayerOf(Known::kBound));  // of int64
  if (std::ranges::all_of(AxesIn(bound), [](std::int64_t axis) { return axis == 0; })) return {};
  return MakeError(
      ErrorCode::kInvalidArgument, "ACC-2",
      "input " + Quote(run.NameOf(value)) + " holds the axes, and the bound of its errors is not 0",
      "; axes are exact: leave "
      "out the bounds of the inputs that they come from");
}

Result<void> PrepareReduceMax(NodePreparation& run, const Node& node) {
  const std::size_t output = node.outputs[0];
  const TensorView source = run.execution().View(node.inputs[0]);
  ReduceMaxOptions options;
  options.version = static_cast<ReduceMaxVersion>(node.info.version);
  options.keepdims = node.reduce_max.keepdims.value_or(true);
  options.threads = run.options().threads;
  options.source_name = run.NameOf(node.inputs[0]);
  options.output_name = run.NameOf(output);

  if (auto ok = run.CheckStatedType(output, source.dtype); !ok) return ok;
  std::optional<std::span<const std::int64_t>> axes;
  std::vector<std::int64_t> elements;
  if (node.reduce_max.axes) axes = *node.reduce_max.axes;
  if (node.inputs.size() > 1) {
    const TensorView list = run.execution().View(node.inputs[1]);
    if (auto ok = CheckAxes(run.NameOf(node.inputs[1]), list, source, options); !ok) return ok;
    if (!run.execution().IsGiven(node.inputs[1])) run.execution().Execute();  // nodes compute them
    run.DependsOn(node.inputs[1]);
    if (auto ok = CheckAxesExact(run, node.inputs[1]); !ok) return ok;
    elements = AxesIn(list);
    axes = elements;
  }
  options.axes = AxesOfOnnx(axes, node.reduce_max.noop_with_empty_axes.value_or(false));

  const Result<CheckedReduceMax> checked = CheckReduceMax(source, nullptr, options);
  if (!checked) return checked.error();
  if (auto ok = run.CreateOutput(output, checked->dtype, checked->shape); !ok) return ok;
  return run.execution().AddReduceMax(*checked, node.inputs[0], output, options, LayerOf(Known::kBound));
}

Result<void> PrepareIdentity(NodePreparation& run, const Node& node) {
  const TensorView from = run.execution().View(node.inputs[0]);
  if (auto ok = run.CheckStatedType(node.outputs[0], from.dtype); !ok) return ok;
  if (auto ok = run.CreateOutput(node.outputs[0], from.dtype, *Shape::FromSpan(from.shape)); !ok) return ok;
  return run.execution().AddCopy(node.inputs[0], node.outputs[0]);
}

}  // namespace

Result<void> CheckKnown(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op != Op::kUnknown) continue;
    const std::string domain = IsOnnxDomain(node.info.domain) ? "" : " of domain " + Quote(node.info.domain);
    return ErrorAt(
        ErrorCode::kUnsupportedOperator, PlaceOf(graph, node),
        "the operator " + Quote(node.info.op_type) + domain +
            (domain.empty() && node.info.scope.empty() ? " of opset " + std::to_string(graph.opset) : "") +
            " is not executed, only Max, ReduceMax, Constant and Identity are; `supremum check` judges the "
            "Max and ReduceMax nodes of any model");
  }
  return {};
}

Result<void> PrepareNode(NodePreparation& run, const Node& node) {
  switch (node.op) {
    case Op::kMax:
      return PrepareMax(run, node);
    case Op::kReduceMax:
      return PrepareReduceMax(run, node);
    case Op::kIdentity:
      return PrepareIdentity(run, node);
    default:
      return {};
  }
}

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
