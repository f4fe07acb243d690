#include "frontends/onnx/run.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/quote.h"
#include "frontends/onnx/bind.h"
#include "frontends/onnx/check_proto.h"
#include "frontends/onnx/infer.h"
#include "frontends/onnx/operators.h"
#include "frontends/onnx/prepare_node.h"
#include "graph/execution.h"
#include "io/files/messages.h"
#include "ops/enclose.h"

namespace supremum::onnx_front {
namespace {

using io::ErrorAt;

// One run of a graph: Prepare decides every shape, allocates all memory and makes every plan; Execute cannot
// fail. If a node computes axes, Prepare executes the nodes prepared so far, to read their values.
//
// A run with bounds has four layers: the values, their error bounds, and their lower and upper ends.
class ModelRun {
 public:
  ModelRun(const Graph& graph, const RunOptions& options, DimBindings bindings)
      : graph_(graph), options_(options), run_(graph, options, std::move(bindings)) {}

  Result<void> Prepare(std::span<const NamedTensor> inputs,
                       std::optional<std::span<const NamedTensor>> bounds) {
    const auto given = BindInputs(graph_, inputs, run_.bindings());
    if (!given) return given.error();
    for (std::size_t value = 0; value < given->size(); ++value) execution_.Give(value, (*given)[value]);
    if (auto ok = BindConstants(); !ok) return ok;
    if (bounds) {
      if (auto ok = EncloseGiven(*bounds); !ok) return ErrorAt(graph_.source, ok.error());
    }
    for (const Node& node : graph_.nodes) {
      if (auto ok = PrepareNode(node); !ok) return ErrorAt(PlaceOf(graph_, node), ok.error());
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
  const std::string& NameOf(std::size_t value) const { return run_.NameOf(value); }

  // Initializers, and the outputs of Constant nodes.
  Result<void> BindConstants() {
    for (std::size_t value = 0; value < graph_.values.size(); ++value) {
      if (execution_.Given(value) != nullptr) continue;
      if (const Error* const refusal = RefusalOf(graph_.values[value])) return *refusal;
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
    if (node.op == nullptr || node.op->prepare == nullptr) return {};  // CheckExecuted refused the others
    return node.op->prepare(run_, node);
  }

  const Graph& graph_;
  const RunOptions& options_;
  NodePreparation run_;
  graph::Execution& execution_ = run_.execution();
  std::optional<Error> negative_bound_;
};

Result<void> CheckModelOfRun(const Graph& graph, const onnx::ModelProto& proto, const RunOptions& options) {
  if (Result<void> ok = CheckExecuted(graph); !ok) return ok;
  if (options.profile != Profile::kSonnx) return {};
  CheckOptions check;
  check.profile = options.profile;
  check.identical_shapes_only = options.identical_shapes_only;
  const Result<CheckReport> report = CheckProto(proto, graph.source, check);
  if (!report) return report.error();
  if (std::optional<Error> error = FirstError(*report)) return *std::move(error);
  return {};
}

Result<std::vector<BoundedTensor>> RunAll(const Graph& graph, const onnx::ModelProto& proto,
                                          std::span<const NamedTensor> inputs,
                                          std::optional<std::span<const NamedTensor>> bounds,
                                          const RunOptions& options) {
  if (Result<void> ok = CheckModelOfRun(graph, proto, options); !ok) return std::move(ok).error();
  Result<DimBindings> bindings = DimBindings::Make(graph, options.dims);
  if (!bindings) return std::move(bindings).error();
  ModelRun run(graph, options, *std::move(bindings));
  if (Result<void> ok = run.Prepare(inputs, bounds); !ok) return std::move(ok).error();
  run.Execute();
  return run.TakeOutputs();
}

}  // namespace

Result<void> CheckRun(const Graph& graph, const onnx::ModelProto& proto, const RunOptions& options) {
  if (Result<void> ok = CheckModelOfRun(graph, proto, options); !ok) return ok;
  for (const Value& value : graph.values) {
    if (value.is_input) continue;  // a caller's tensor may replace it
    if (const Error* const refusal = RefusalOf(value)) return *refusal;
  }
  if (const auto inferred = InferGraph(graph); !inferred) return inferred.error();
  return {};
}

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
