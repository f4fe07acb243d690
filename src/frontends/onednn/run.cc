#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/messages.h"
#include "frontends/onednn/check.h"
#include "frontends/onednn/graph.h"
#include "graph/execution.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onednn_front {
namespace {

// One run of a graph: Prepare decides every shape, takes all memory and makes every plan; Execute cannot
// fail.
class OneDnnRun {
 public:
  OneDnnRun(const Graph& graph, const OneDnnRunOptions& options)
      : graph_(graph),
        options_(options),
        execution_(graph.tensors.size(), {"ops", options.max_bytes, options.progress, graph.order.size()}) {}

  Result<void> Prepare(std::span<const NamedTensor> inputs) {
    Result<std::vector<const Tensor*>> given = CheckRun(graph_, inputs);
    if (!given) return std::move(given).error();
    given_ = *std::move(given);
    for (std::size_t input : graph_.inputs) execution_.Give(input, given_[input]->View());
    for (std::size_t i : graph_.order) {
      const GraphOp& op = graph_.ops[i];
      Result<void> ok = op.kind == Kind::kReduceMax ? PrepareReduceMax(op) : PrepareMaximum(op);
      if (!ok) return ErrorAt(graph_.source + ": " + Describe(op.info), ok.error());
    }
    return {};
  }

  void Execute() { execution_.Execute(); }

  std::vector<NamedTensor> TakeOutputs() {
    std::vector<NamedTensor> outputs;
    for (std::size_t output : graph_.outputs) {
      outputs.push_back({NameOf(output), execution_.TakeOutput(output)});
    }
    return outputs;
  }

 private:
  const OneDnnTensor& StatedOf(std::size_t number) const { return graph_.tensors[number].stated; }
  std::string NameOf(std::size_t number) const { return std::to_string(StatedOf(number).id); }

  // The axes of `op` as numbers: an attribute or an input, and not both (RED-4).
  Result<std::vector<std::int64_t>> AxesOf(const GraphOp& op) const {
    const bool has_input = op.inputs.size() == 2;
    if (has_input == op.info.attributes.axes.has_value()) {
      return MakeError(
          ErrorCode::kAxesGiven, "RED-4",
          std::string("the axes are given ") +
              (has_input ? "twice, as attribute 'axes' and as " + InputName(StatedOf(op.inputs[1])) +
                               "; remove one of them"
                         : "neither as attribute 'axes' nor as a second input; add one of them"));
    }
    if (op.info.attributes.axes) return *op.info.attributes.axes;
    // The axes are given, not computed: no op has an s32 output.
    const Tensor& axes = *given_[op.inputs[1]];
    if (axes.shape().rank() != 1) {
      return MakeError(ErrorCode::kRank, InputName(StatedOf(op.inputs[1])) + ", the axes, has shape " +
                                             ToString(axes.shape()) + "; an axes input has one dimension");
    }
    const auto elements = axes.Elements<std::int32_t>();
    return std::vector<std::int64_t>(elements.begin(), elements.end());
  }

  Result<void> PrepareReduceMax(const GraphOp& op) {
    const Result<std::vector<std::int64_t>> axes = AxesOf(op);
    if (!axes) return axes.error();
    const TensorView source = execution_.View(op.inputs[0]);
    const std::string source_name = NameOf(op.inputs[0]), output_name = NameOf(op.outputs[0]);
    ReduceMaxOptions options;
    options.axes = std::span<const std::int64_t>(*axes);
    options.keepdims = op.info.attributes.keep_dims;
    options.version = ReduceMaxVersion::kOneDnn;
    options.threads = options_.threads;
    options.source_name = source_name;
    options.output_name = output_name;
    const Result<CheckedReduceMax> checked = CheckReduceMax(source, nullptr, options);
    if (!checked) return checked.error();
    if (auto ok = PlaceOutput(op.outputs[0], checked->dtype, checked->shape); !ok) return ok;
    return execution_.AddReduceMax(*checked, op.inputs[0], op.outputs[0], options);
  }

  Result<void> PrepareMaximum(const GraphOp& op) {
    const std::string names[] = {NameOf(op.inputs[0]), NameOf(op.inputs[1])};
    const std::string_view input_names[] = {names[0], names[1]};
    const TensorView views[] = {execution_.View(op.inputs[0]), execution_.View(op.inputs[1])};
    const std::string output_name = NameOf(op.outputs[0]);
    MaxOptions options;
    options.identical_shapes_only = options_.identical_shapes_only;
    options.threads = options_.threads;
    options.input_names = input_names;
    options.output_name = output_name;
    const Result<CheckedMax> checked = CheckMax(views, nullptr, options);
    if (!op.info.attributes.broadcast && !SameDims(views[0].shape, views[1].shape)) {
      if (!checked && checked.error().code < ErrorCode::kNotBroadcastable) return checked.error();
      return MakeError(ErrorCode::kNotBroadcastable,
                       "input '" + names[0] + "' has shape " + ToString(views[0].shape) + " and input '" +
                           names[1] + "' has shape " + ToString(views[1].shape) +
                           ", and the attribute 'auto_broadcast' is 'none'; give both one shape, or write "
                           "'numpy'");
    }
    if (!checked) return checked.error();
    if (auto ok = PlaceOutput(op.outputs[0], checked->dtype, checked->shape); !ok) return ok;
    return execution_.AddMax(*checked, op.inputs, op.outputs[0], options);
  }

  // E2: the stated shape must be that of the computed tensor.
  Result<void> PlaceOutput(std::size_t number, DType dtype, const Shape& shape) {
    const OneDnnTensor& stated = StatedOf(number);
    if (Fits(stated, shape)) return execution_.Create(number, 0, dtype, shape, true);
    return MakeError(ErrorCode::kOutputShapeMismatch, "output '" + NameOf(number) + "' is stated as " +
                                                          ToString(stated) + " and the computed shape is " +
                                                          ToString(shape) + "; state the computed shape");
  }

  const Graph& graph_;
  const OneDnnRunOptions& options_;
  std::vector<const Tensor*> given_;  // by number
  graph::Execution execution_;
};

}  // namespace

Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, std::span<const NamedTensor> inputs,
                                          const OneDnnRunOptions& options) {
  OneDnnRun run(graph, options);
  if (Result<void> ok = run.Prepare(inputs); !ok) return std::move(ok).error();
  run.Execute();
  return run.TakeOutputs();
}

}  // namespace supremum::onednn_front
