#include "onnx/run.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "core/quote.h"
#include "formats/messages.h"
#include "onnx/bind.h"
#include "onnx/check_proto.h"
#include "onnx/infer.h"
#include "onnx/infer_reduce_max.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
namespace {

using formats::ErrorAt;

// One run of a graph: Prepare decides every shape, takes all memory and makes every plan; Execute cannot
// fail. Where a node computes axes, Prepare executes what it has prepared so far, to see their values.
class GraphRun {
 public:
  GraphRun(const Graph& graph, const RunOptions& options, DimBindings bindings)
      : graph_(graph), options_(options), bindings_(std::move(bindings)), slots_(graph.values.size()) {
    for (const Node& node : graph.nodes) step_count_ += node.op != Operator::kConstant;
  }

  Result<void> Prepare(std::span<const NamedTensor> inputs) {
    const auto given = BindInputs(graph_, inputs, bindings_);
    if (!given) return given.error();
    for (std::size_t value = 0; value < slots_.size(); ++value) slots_[value].given = (*given)[value];
    if (auto ok = BindConstants(); !ok) return ok;
    for (const Node& node : graph_.nodes) {
      if (auto ok = PrepareNode(node); !ok)
        return ErrorAt(graph_.source + ": " + Describe(node.info), ok.error());
    }
    return PrepareOutputs();
  }

  // Runs the steps that are prepared and have not run.
  void Execute() {
    for (; executed_ < steps_.size(); ++executed_) {
      if (options_.progress) options_.progress(executed_, step_count_);
      std::visit([](const auto& step) { step.Run(); }, steps_[executed_]);
    }
    if (options_.progress && executed_ == step_count_) options_.progress(executed_, step_count_);
  }

  std::vector<NamedTensor> TakeOutputs() {
    std::vector<NamedTensor> outputs;
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const std::size_t value = graph_.outputs[i];
      outputs.push_back({NameOf(value), std::move(copies_[i] ? *copies_[i] : *slots_[value].computed)});
    }
    return outputs;
  }

 private:
  // Where a value's elements are: in a caller's or the model's tensor, or in one of this run's own.
  struct Slot {
    const Tensor* given = nullptr;
    std::optional<Tensor> computed;
    const Tensor* tensor() const { return given != nullptr ? given : computed ? &*computed : nullptr; }
  };

  // An Identity.
  struct Copy {
    const Tensor* from;
    Tensor* to;
    void Run() const {
      if (to->byte_size() > 0) std::memcpy(to->data(), from->data(), to->byte_size());
    }
  };
  using Step = std::variant<MaxPlan, ReduceMaxPlan, Copy>;

  const std::string& NameOf(std::size_t value) const { return graph_.values[value].stated.info.name; }

  // Initializers, and the outputs of Constant nodes. One that supremum could not read matters only here.
  Result<void> BindConstants() {
    for (std::size_t value = 0; value < slots_.size(); ++value) {
      if (slots_[value].given != nullptr) continue;
      if (graph_.values[value].refusal) return *graph_.values[value].refusal;
      if (graph_.values[value].constant) slots_[value].given = &*graph_.values[value].constant;
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
      views.push_back(slots_[input].tensor()->View());
      names.push_back(NameOf(input));
    }
    MaxOptions options;
    options.version = *MaxVersionForOpset(graph_.opset);
    options.identical_shapes_only = options_.identical_shapes_only;
    options.threads = options_.threads;
    options.input_names = names;
    options.output_name = NameOf(node.outputs[0]);

    if (auto ok = CheckStatedType(node.outputs[0], views[0].dtype); !ok) return ok;
    const Result<Shape> shape = MaxOutputShape(views, options);
    if (!shape) return shape.error();
    if (auto ok = TakeMemory(node.outputs[0], views[0].dtype, *shape); !ok) return ok;
    Result<MaxPlan> plan = MaxPlan::Prepare(views, slots_[node.outputs[0]].computed->MutableView(), options);
    if (!plan) return std::move(plan).error();
    steps_.emplace_back(*std::move(plan));
    return {};
  }

  Result<void> PrepareReduceMax(const Node& node) {
    const TensorView source = slots_[node.inputs[0]].tensor()->View();
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
      const Slot& slot = slots_[node.inputs[1]];
      if (auto ok = CheckAxes(NameOf(node.inputs[1]), *slot.tensor(), source, options); !ok) return ok;
      if (slot.given == nullptr) Execute();  // nodes of the graph compute them
      axes = slot.tensor()->Elements<std::int64_t>();
    }
    options.axes = AxesOfOnnx(axes, node.reduce_max.noop_with_empty_axes.value_or(false));

    const Result<Shape> shape = ReduceMaxOutputShape(source, options);
    if (!shape) return shape.error();
    if (auto ok = TakeMemory(node.outputs[0], source.dtype, *shape); !ok) return ok;
    auto plan = ReduceMaxPlan::Prepare(source, slots_[node.outputs[0]].computed->MutableView(), options);
    if (!plan) return std::move(plan).error();
    steps_.emplace_back(*std::move(plan));
    return {};
  }

  // What can be said of an axes input without its elements, after what is wrong with the source's type.
  static Result<void> CheckAxes(const std::string& name, const Tensor& axes, const TensorView& source,
                                ReduceMaxOptions options) {
    ValueInfo info{name, std::string(Name(axes.dtype())), axes.dtype(), SymbolicShape()};
    for (std::int64_t extent : axes.shape()) info.shape->push_back(Dim{extent, ""});
    if (auto ok = CheckAxesType(info, options.version); !ok) return ok;
    options.axes.emplace();
    if (auto shape = ReduceMaxOutputShape(source, options); !shape) return std::move(shape).error();
    return CheckAxesRank(info, options.version);
  }

  Result<void> PrepareIdentity(const Node& node) {
    const Tensor& from = *slots_[node.inputs[0]].tensor();
    if (auto ok = CheckStatedType(node.outputs[0], from.dtype()); !ok) return ok;
    if (auto ok = TakeMemory(node.outputs[0], from.dtype(), from.shape()); !ok) return ok;
    steps_.emplace_back(Copy{&from, &*slots_[node.outputs[0]].computed});
    return {};
  }

  Result<void> CheckStatedType(std::size_t value, DType dtype) const {
    const ValueInfo& stated = graph_.values[value].stated.info;
    if (stated.type_name.empty() || stated.dtype == dtype) return {};
    return StatedTypeError(stated, Name(dtype));
  }

  Result<void> TakeMemory(std::size_t value, DType dtype, const Shape& shape) {
    const ValueInfo& stated = graph_.values[value].stated.info;
    if (stated.shape) {  // E2
      auto ok = bindings_.Bind("output " + Quote(stated.name), *stated.shape, shape,
                               ErrorCode::kOutputShapeMismatch);
      if (!ok) return ok;
    }
    Result<Tensor> tensor = Tensor::Create(dtype, shape, options_.max_bytes - taken_);
    if (!tensor) return std::move(tensor).error();
    taken_ += static_cast<std::int64_t>(tensor->byte_size());
    slots_[value].computed = *std::move(tensor);
    return {};
  }

  // An output that is an input or a constant leaves as a copy of its own.
  Result<void> PrepareOutputs() {
    copies_.resize(graph_.outputs.size());
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Tensor* given = slots_[graph_.outputs[i]].given;
      if (given == nullptr) continue;
      Result<Tensor> copy = given->Clone();
      if (!copy) return std::move(copy).error();
      copies_[i] = *std::move(copy);
    }
    return {};
  }

  const Graph& graph_;
  const RunOptions& options_;
  DimBindings bindings_;
  std::vector<Slot> slots_;  // by value; never resized, so that plans and steps may point into it
  std::vector<Step> steps_;
  std::size_t step_count_ = 0;  // all that there will be
  std::size_t executed_ = 0;
  std::vector<std::optional<Tensor>> copies_;  // by output
  std::int64_t taken_ = 0;
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

}  // namespace

Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, const onnx::ModelProto& proto,
                                          std::span<const NamedTensor> inputs, const RunOptions& options) {
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
  if (Result<void> ok = run.Prepare(inputs); !ok) return std::move(ok).error();
  run.Execute();
  return run.TakeOutputs();
}

}  // namespace supremum::onnx_front
