#include "frontends/onnx/run.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/quote.h"
#include "frontends/onnx/bind.h"
#include "frontends/onnx/check_proto.h"
#include "frontends/onnx/infer.h"
#include "frontends/onnx/infer_reduce_max.h"
#include "graph/execution.h"
#include "io/files/messages.h"
#include "ops/enclose.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
namespace {

using io::ErrorAt;

// The layers of a run with bounds: the values, then what is known of their errors.
constexpr std::size_t LayerOf(Known known) { return 1 + static_cast<std::size_t>(known); }
static_assert(1 + kAllKnown.size() == graph::Execution::kMaxLayers);

graph::ExecutionOptions ExecutionOptionsOf(const Graph& graph, const RunOptions& options) {
  const auto executed =
      std::ranges::count_if(graph.nodes, [](const Node& node) { return node.op != Operator::kConstant; });
  return {"nodes", options.max_bytes, options.progress, static_cast<std::size_t>(executed)};
}

// One run of a graph: Prepare decides every shape, allocates all memory and makes every plan; Execute cannot
// fail. If a node computes axes, Prepare executes the nodes prepared so far, to read their values.
//
// A run with bounds has four layers: the values, their error bounds, and their lower and upper ends.
class GraphRun {
 public:
  GraphRun(const Graph& graph, const RunOptions& options, DimBindings bindings)
      : graph_(graph),
        options_(options),
        bindings_(std::move(bindings)),
        execution_(graph.values.size(), ExecutionOptionsOf(graph, options)) {}

  Result<void> Prepare(std::span<const NamedTensor> inputs,
                       std::optional<std::span<const NamedTensor>> bounds) {
    const auto given = BindInputs(graph_, inputs, bindings_);
    if (!given) return given.error();
    for (std::size_t value = 0; value < given->size(); ++value) execution_.Give(value, (*given)[value]);
    if (auto ok = BindConstants(); !ok) return ok;
    if (bounds) {
      if (auto ok = EncloseGiven(*bounds); !ok) return ErrorAt(graph_.source, ok.error());
    }
    for (const Node& node : graph_.nodes) {
      if (auto ok = PrepareNode(node); !ok)
        return ErrorAt(graph_.source + ": " + Describe(node.info), ok.error());
    }
    if (negative_bound_) return ErrorAt(graph_.source, *negative_bound_);
    // An output that is an input or a constant is copied.
    for (std::size_t output : graph_.outputs) {
      if (auto ok = execution_.PrepareOutput(output, NameOf(output)); !ok) return ok;
    }
    return {};
  }

  void Execute() { execution_.Execute(); }

  // In a run without bounds, only the values are filled in.
  std::vector<BoundedTensor> TakeOutputs() {
    std::vector<BoundedTensor> outputs;
    outputs.reserve(graph_.outputs.size());  // a model may have very many outputs, and each object is large
    for (std::size_t value : graph_.outputs) {
      BoundedTensor output;
      output.name = NameOf(value);
      output.value = execution_.TakeOutput(value);
      if (execution_.layers() > 1) {
        output.bound = execution_.TakeOutput(value, LayerOf(Known::kBound));
        output.lower = execution_.TakeOutput(value, LayerOf(Known::kLower));
        output.upper = execution_.TakeOutput(value, LayerOf(Known::kUpper));
      }
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

 private:
  const std::string& NameOf(std::size_t value) const { return graph_.values[value].stated.info.name; }

  // Initializers, and the outputs of Constant nodes. One that supremum does not support is an error only
  // here.
  Result<void> BindConstants() {
    for (std::size_t value = 0; value < graph_.values.size(); ++value) {
      if (execution_.Given(value) != nullptr) continue;
      if (graph_.values[value].refusal) return *graph_.values[value].refusal;
      if (graph_.values[value].constant) execution_.Give(value, &*graph_.values[value].constant);
    }
    return {};
  }

  // Fills the other layers of inputs and constants; values without a bound are exact. A negative bound is
  // reported only after all other errors (section 7); until then only the values are used.
  Result<void> EncloseGiven(std::span<const NamedTensor> named_bounds) {
    const auto bounds = BindBounds(graph_, named_bounds);
    if (!bounds) return bounds.error();
    const std::uint64_t zero = 0;
    std::vector<TensorView> bound_of(graph_.values.size());
    for (std::size_t value = 0; value < graph_.values.size(); ++value) {
      if (execution_.Given(value) == nullptr) continue;
      const TensorView given = execution_.View(value);
      const Tensor* const stated = (*bounds)[value];
      bound_of[value] = stated != nullptr ? stated->View() : TensorView{given.dtype, {}, {}, &zero};
      const std::string_view name = NameOf(value);
      const OperandNames names{{&name, 1}, {}};
      if (auto ok = CheckBounds({&given, 1}, {&bound_of[value], 1}, names); !ok) return ok;
      auto not_negative = CheckNotNegative({&bound_of[value], 1}, names);
      if (!not_negative && !negative_bound_) negative_bound_ = std::move(not_negative).error();
    }
    if (negative_bound_) return {};
    execution_.SetLayers(graph::Execution::kMaxLayers);
    for (std::size_t value = 0; value < graph_.values.size(); ++value) {
      const Tensor* const given = execution_.Given(value);
      if (given == nullptr) continue;
      for (Known known : kAllKnown) {
        const std::size_t layer = LayerOf(known);
        if (auto ok = execution_.Create(value, layer, given->dtype(), given->shape()); !ok) return ok;
        Enclose(known, given->View(), bound_of[value], options_.threads,
                execution_.MutableView(value, layer).data);
      }
    }
    return {};
  }

  Result<void> PrepareNode(const Node& node) {
    switch (node.op) {
      case Operator::kMax:
        return PrepareMax(node);
      case Operator::kReduceMax:
        return PrepareReduceMax(node);
      case Operator::kIdentity:
        return PrepareIdentity(node);
      case Operator::kConstant:
      case Operator::kOther:  // CheckOperators has refused it
        break;
    }
    return {};
  }

  Result<void> PrepareMax(const Node& node) {
    std::vector<TensorView> views;
    std::vector<std::string_view> names;
    for (std::size_t input : node.inputs) {
      views.push_back(execution_.View(input));
      names.push_back(NameOf(input));
    }
    MaxOptions options;
    options.version = *MaxVersionForOpset(graph_.opset);
    options.identical_shapes_only = options_.identical_shapes_only;
    options.threads = options_.threads;
    options.input_names = names;
    options.output_name = NameOf(node.outputs[0]);

    if (auto ok = CheckStatedType(node.outputs[0], views[0].dtype); !ok) return ok;
    const Result<CheckedMax> checked = CheckMax(views, nullptr, options);
    if (!checked) return checked.error();
    if (auto ok = CreateOutput(node.outputs[0], checked->dtype, checked->shape); !ok) return ok;
    return execution_.AddMax(*checked, node.inputs, node.outputs[0], options);
  }

  Result<void> PrepareReduceMax(const Node& node) {
    const TensorView source = execution_.View(node.inputs[0]);
    ReduceMaxOptions options;
    options.version = *ReduceMaxVersionForOpset(graph_.opset);
    options.keepdims = node.reduce_max.keepdims.value_or(true);
    options.threads = options_.threads;
    options.source_name = NameOf(node.inputs[0]);
    options.output_name = NameOf(node.outputs[0]);

    if (auto ok = CheckStatedType(node.outputs[0], source.dtype); !ok) return ok;
    std::optional<std::span<const std::int64_t>> axes;
    if (node.reduce_max.axes) axes = *node.reduce_max.axes;
    if (node.inputs.size() > 1) {
      const Tensor& elements = execution_.Dense(node.inputs[1]);
      if (auto ok = CheckAxes(NameOf(node.inputs[1]), elements, source, options); !ok) return ok;
      if (execution_.Given(node.inputs[1]) == nullptr) Execute();  // nodes of the graph compute them
      if (auto ok = CheckAxesExact(node.inputs[1]); !ok) return ok;
      axes = elements.Elements<std::int64_t>();
    }
    options.axes = AxesOfOnnx(axes, node.reduce_max.noop_with_empty_axes.value_or(false));

    const Result<CheckedReduceMax> checked = CheckReduceMax(source, nullptr, options);
    if (!checked) return checked.error();
    if (auto ok = CreateOutput(node.outputs[0], checked->dtype, checked->shape); !ok) return ok;
    return execution_.AddReduceMax(*checked, node.inputs[0], node.outputs[0], options,
                                   LayerOf(Known::kBound));
  }

  // Shapes depend on axes: if axes had errors, no bound of an output's error would be valid.
  Result<void> CheckAxesExact(std::size_t value) const {
    if (execution_.layers() == 1) return {};
    const std::span<const std::byte> bound = execution_.Dense(value, LayerOf(Known::kBound)).bytes();
    if (std::ranges::all_of(bound, [](std::byte byte) { return byte == std::byte{0}; })) return {};
    return MakeError(
        ErrorCode::kInvalidArgument, "ACC-2",
        "input " + Quote(NameOf(value)) + " holds the axes, and the bound of its errors is not 0",
        "; axes are exact: leave "
        "out the bounds of the inputs that they come from");
  }

  // Checks the type and shape of an axes input. Errors of the source's type come first.
  static Result<void> CheckAxes(const std::string& name, const Tensor& axes, const TensorView& source,
                                ReduceMaxOptions options) {
    ValueInfo info{name, std::string(Name(axes.dtype())), axes.dtype(), SymbolicShape()};
    for (std::int64_t extent : axes.shape()) info.shape->push_back(Dim{extent, ""});
    if (auto ok = CheckAxesType(info, options.version); !ok) return ok;
    options.axes.emplace();
    if (auto ok = CheckReduceMax(source, nullptr, options); !ok) return std::move(ok).error();
    return CheckAxesRank(info, options.version);
  }

  Result<void> PrepareIdentity(const Node& node) {
    const Tensor& from = execution_.Dense(node.inputs[0]);
    if (auto ok = CheckStatedType(node.outputs[0], from.dtype()); !ok) return ok;
    if (auto ok = CreateOutput(node.outputs[0], from.dtype(), from.shape()); !ok) return ok;
    return execution_.AddCopy(node.inputs[0], node.outputs[0]);
  }

  Result<void> CheckStatedType(std::size_t value, DType dtype) const {
    const ValueInfo& stated = graph_.values[value].stated.info;
    if (stated.type_name.empty() || stated.dtype == dtype) return {};
    return StatedTypeError(stated, Name(dtype));
  }

  Result<void> CreateOutput(std::size_t value, DType dtype, const Shape& shape) {
    const ValueInfo& stated = graph_.values[value].stated.info;
    if (stated.shape) {  // E2
      auto ok = bindings_.Bind("output " + Quote(stated.name), *stated.shape, shape,
                               ErrorCode::kOutputShapeMismatch);
      if (!ok) return ok;
    }
    for (std::size_t layer = 0; layer < execution_.layers(); ++layer) {
      if (auto ok = execution_.Create(value, layer, dtype, shape); !ok) return ok;
    }
    return {};
  }

  const Graph& graph_;
  const RunOptions& options_;
  DimBindings bindings_;
  graph::Execution execution_;
  std::optional<Error> negative_bound_;
};

Result<void> CheckOperators(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op != Operator::kOther) continue;
    const std::string domain = IsOnnxDomain(node.info.domain) ? "" : " of domain " + Quote(node.info.domain);
    return ErrorAt(
        ErrorCode::kUnsupportedOperator, graph.source,
        Describe(node.info) + ": the operator " + Quote(node.info.op_type) + domain +
            (domain.empty() ? " of opset " + std::to_string(graph.opset) : "") +
            " is not executed, only Max, ReduceMax, Constant and Identity are; `supremum check` judges the "
            "Max and ReduceMax nodes of any model");
  }
  return {};
}

Result<std::vector<BoundedTensor>> RunAll(const Graph& graph, const onnx::ModelProto& proto,
                                          std::span<const NamedTensor> inputs,
                                          std::optional<std::span<const NamedTensor>> bounds,
                                          const RunOptions& options) {
  if (Result<void> ok = CheckOperators(graph); !ok) return std::move(ok).error();
  if (options.profile == Profile::kSonnx) {
    CheckOptions check;
    check.profile = options.profile;
    check.identical_shapes_only = options.identical_shapes_only;
    const Result<CheckReport> report = CheckProto(proto, graph.source, check);
    if (!report) return report.error();
    if (std::optional<Error> error = FirstError(*report)) return *std::move(error);
  }
  Result<DimBindings> bindings = DimBindings::Make(graph, options.dims);
  if (!bindings) return std::move(bindings).error();
  GraphRun run(graph, options, *std::move(bindings));
  if (Result<void> ok = run.Prepare(inputs, bounds); !ok) return std::move(ok).error();
  run.Execute();
  return run.TakeOutputs();
}

}  // namespace

Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, const onnx::ModelProto& proto,
                                          std::span<const NamedTensor> inputs, const RunOptions& options) {
  Result<std::vector<BoundedTensor>> outputs = RunAll(graph, proto, inputs, std::nullopt, options);
  if (!outputs) return std::move(outputs).error();
  std::vector<NamedTensor> values;
  values.reserve(outputs->size());
  for (BoundedTensor& output : *outputs) values.push_back({std::move(output.name), std::move(output.value)});
  return values;
}

Result<std::vector<BoundedTensor>> RunGraphWithBounds(const Graph& graph, const onnx::ModelProto& proto,
                                                      std::span<const NamedTensor> inputs,
                                                      std::span<const NamedTensor> bounds,
                                                      const RunOptions& options) {
  return RunAll(graph, proto, inputs, bounds, options);
}

}  // namespace supremum::onnx_front
