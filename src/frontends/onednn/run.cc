#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/messages.h"
#include "core/overlap.h"
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
    Result<std::vector<const Tensor*>> given = MatchInputs(graph_, inputs);
    if (!given) return std::move(given).error();
    given_ = *std::move(given);
    if (Result<void> ok = CheckTypes(graph_); !ok) return ok;
    if (Result<void> ok = CheckGivenTypes(graph_, given_); !ok) return ok;
    for (std::size_t input : graph_.inputs) {
      if (Result<void> ok = PlaceInput(input, *given_[input]); !ok) return ErrorAt(graph_.source, ok.error());
    }
    for (std::size_t i : graph_.order) {
      const GraphOp& op = graph_.ops[i];
      Result<void> ok = op.kind == Kind::kReduceMax ? PrepareReduceMax(op) : PrepareMaximum(op);
      if (!ok) return ErrorAt(graph_.source + ": " + Describe(op.info), ok.error());
    }
    for (std::size_t output : graph_.outputs) {
      if (auto ok = execution_.PrepareOutput(output); !ok) {
        return ErrorAt(graph_.source + ": output '" + NameOf(output) + "'", ok.error());
      }
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

  Result<void> PlaceInput(std::size_t number, const Tensor& given) {
    const std::string who = InputName(StatedOf(number));
    const Result<Shape> strides = StridesFor(StatedOf(number), who, given.shape(), ErrorCode::kRank);
    if (!strides) return strides.error();
    execution_.Give(number, given.View());
    if (graph::IsRowMajor(given.shape(), *strides)) return {};
    auto created = execution_.CreateStrided(number, who, given.dtype(), given.shape(), *strides);
    if (!created) return created;
    graph::StridedTensor& stored = *execution_.Strided(number);
    graph::CopyElements(given.View(), stored.MutableView());
    const TensorView view = stored.View();
    if (OverlapsItself({view.data, ByteWidth(view.dtype), view.shape, view.strides}) == Overlap::kNone) {
      return {};
    }
    const std::optional<Shape> lost = stored.FirstDifference(given);
    if (!lost) return {};
    return MakeError(ErrorCode::kInvalidArgument,
                     who + " has the strides " + ToString(*strides) + ", with which its element " +
                         ToString(*lost) +
                         " shares its address with a later one, and the two differ; give them one value, or "
                         "state strides that keep them apart");
  }

  // The axes of `op` as numbers. Requires: CheckTypes succeeded.
  Result<std::vector<std::int64_t>> AxesOf(const GraphOp& op) const {
    if (Result<void> ok = CheckAxesGiven(graph_, op); !ok) return std::move(ok).error();
    if (op.info.attributes.axes) return *op.info.attributes.axes;
    // The axes are given, not computed: no op has an s32 output.
    const Tensor& axes = *given_[op.inputs[1]];
    if (axes.shape().rank() != 1) return AxesRankError(StatedOf(op.inputs[1]), ToString(axes.shape()));
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
      return BroadcastIsOffError(StatedOf(op.inputs[0]), ToString(views[0].shape), StatedOf(op.inputs[1]),
                                 ToString(views[1].shape));
    }
    if (!checked) return checked.error();
    if (auto ok = PlaceOutput(op.outputs[0], checked->dtype, checked->shape); !ok) return ok;
    return execution_.AddMax(*checked, op.inputs, op.outputs[0], options);
  }

  // E2: the stated shape and strides must be those of the computed tensor.
  Result<void> PlaceOutput(std::size_t number, DType dtype, const Shape& shape) {
    const OneDnnTensor& stated = StatedOf(number);
    const std::string who = OutputName(stated);
    if (!Fits(stated, shape)) return StatedShapeError(stated, ToString(shape));
    const Result<Shape> strides = StridesFor(stated, who, shape, ErrorCode::kOutputShapeMismatch);
    if (!strides) return strides.error();
    return execution_.CreateStrided(number, who, dtype, shape, *strides);
  }

  const Graph& graph_;
  const OneDnnRunOptions& options_;
  std::vector<const Tensor*> given_;  // by number
  graph::Execution execution_;
};

}  // namespace

Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, std::span<const NamedTensor> inputs,
                                          const OneDnnRunOptions& options) {
  if (Result<void> ok = CheckKinds(graph); !ok) return std::move(ok).error();
  OneDnnRun run(graph, options);
  if (Result<void> ok = run.Prepare(inputs); !ok) return std::move(ok).error();
  run.Execute();
  return run.TakeOutputs();
}

}  // namespace supremum::onednn_front
