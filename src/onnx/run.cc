#include "onnx/run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
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
#include "ops/enclose.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
namespace {

using formats::ErrorAt;

// One run of a graph: Prepare decides every shape, allocates all memory and makes every plan; Execute cannot
// fail. If a node computes axes, Prepare executes the nodes prepared so far, to read their values.
//
// A run with bounds has four layers: the values, their error bounds, and their lower and upper ends. A node
// does the same in each.
class GraphRun {
 public:
  GraphRun(const Graph& graph, const RunOptions& options, DimBindings bindings)
      : graph_(graph), options_(options), bindings_(std::move(bindings)), slots_(graph.values.size()) {
    for (const Node& node : graph.nodes) step_count_ += node.op != Operator::kConstant;
  }

  Result<void> Prepare(std::span<const NamedTensor> inputs,
                       std::optional<std::span<const NamedTensor>> bounds) {
    const auto given = BindInputs(graph_, inputs, bindings_);
    if (!given) return given.error();
    for (std::size_t value = 0; value < slots_.size(); ++value) slots_[value][kValue].given = (*given)[value];
    if (auto ok = BindConstants(); !ok) return ok;
    if (bounds) {
      if (auto ok = EncloseGiven(*bounds); !ok) return ErrorAt(graph_.source, ok.error());
    }
    for (const Node& node : graph_.nodes) {
      if (auto ok = PrepareNode(node); !ok)
        return ErrorAt(graph_.source + ": " + Describe(node.info), ok.error());
    }
    if (negative_bound_) return ErrorAt(graph_.source, *negative_bound_);
    return PrepareOutputs();
  }

  // Runs the steps that are prepared and have not run.
  void Execute() {
    for (; executed_ < steps_.size(); ++executed_) {
      if (options_.progress) options_.progress(executed_, step_count_);
      for (const Work& work : steps_[executed_]) std::visit([](const auto& one) { one.Run(); }, work);
    }
    if (options_.progress && executed_ == step_count_) options_.progress(executed_, step_count_);
  }

  // In a run without bounds, only the values are filled in.
  std::vector<BoundedTensor> TakeOutputs() {
    std::vector<BoundedTensor> outputs;
    outputs.reserve(graph_.outputs.size());  // a model may have very many outputs, and each object is large
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      std::array<Slot, kMostLayers>& slot = slots_[graph_.outputs[i]];
      BoundedTensor output;
      output.name = NameOf(graph_.outputs[i]);
      output.value = std::move(copies_[i] ? *copies_[i] : *slot[kValue].computed);
      if (layers_ > 1) {
        output.bound = std::move(*slot[LayerOf(Known::kBound)].computed);
        output.lower = std::move(*slot[LayerOf(Known::kLower)].computed);
        output.upper = std::move(*slot[LayerOf(Known::kUpper)].computed);
      }
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

 private:
  // The elements of a value: in a tensor of the caller or of the model, or in one of this run.
  struct Slot {
    const Tensor* given = nullptr;
    std::unique_ptr<Tensor> computed;  // a model may have very many values, and a Tensor is large
    const Tensor* tensor() const { return given != nullptr ? given : computed.get(); }
  };

  // An Identity.
  struct Copy {
    const Tensor* from;
    Tensor* to;
    void Run() const {
      if (to->byte_size() > 0) std::memcpy(to->data(), from->data(), to->byte_size());
    }
  };
  // The error bound of a maximum of no elements (RED-6), in any type.
  struct Clear {
    Tensor* to;
    void Run() const { std::ranges::fill(to->bytes(), std::byte{0}); }
  };
  using Work = std::variant<MaxPlan, ReduceMaxPlan, Copy, Clear>;
  using Step = std::vector<Work>;  // of one node, one for each layer

  static constexpr int kPassesOverMemory = 128;
  static constexpr std::int64_t kPlansAtLeast = std::int64_t{1} << 20;
  static constexpr std::size_t kValue = 0, kMostLayers = 1 + kAllKnown.size();
  static constexpr std::size_t LayerOf(Known known) { return 1 + static_cast<std::size_t>(known); }

  TensorView ViewOf(std::size_t value, std::size_t layer = kValue) const {
    return slots_[value][layer].tensor()->View();
  }
  MutableTensorView ComputedView(std::size_t value, std::size_t layer) {
    return slots_[value][layer].computed->MutableView();
  }

  const std::string& NameOf(std::size_t value) const { return graph_.values[value].stated.info.name; }

  // Initializers, and the outputs of Constant nodes. One that supremum does not support is an error only
  // here.
  Result<void> BindConstants() {
    for (std::size_t value = 0; value < slots_.size(); ++value) {
      if (slots_[value][kValue].given != nullptr) continue;
      if (graph_.values[value].refusal) return *graph_.values[value].refusal;
      if (graph_.values[value].constant) slots_[value][kValue].given = &*graph_.values[value].constant;
    }
    return {};
  }

  // Fills the other layers of inputs and constants; values without a bound are exact. A negative bound is
  // reported only after all other errors (section 7); until then only the values are used.
  Result<void> EncloseGiven(std::span<const NamedTensor> named_bounds) {
    const auto bounds = BindBounds(graph_, named_bounds);
    if (!bounds) return bounds.error();
    const std::uint64_t zero = 0;
    std::vector<TensorView> bound_of(slots_.size());
    for (std::size_t value = 0; value < slots_.size(); ++value) {
      if (slots_[value][kValue].given == nullptr) continue;
      const TensorView given = ViewOf(value);
      const Tensor* const stated = (*bounds)[value];
      bound_of[value] = stated != nullptr ? stated->View() : TensorView{given.dtype, {}, {}, &zero};
      const std::string_view name = NameOf(value);
      const OperandNames names{{&name, 1}, {}};
      if (auto ok = CheckBounds({&given, 1}, {&bound_of[value], 1}, names); !ok) return ok;
      auto not_negative = CheckNotNegative({&bound_of[value], 1}, names);
      if (!not_negative && !negative_bound_) negative_bound_ = std::move(not_negative).error();
    }
    if (negative_bound_) return {};
    layers_ = kMostLayers;
    for (std::size_t value = 0; value < slots_.size(); ++value) {
      if (slots_[value][kValue].given == nullptr) continue;
      const TensorView given = ViewOf(value);
      for (Known known : kAllKnown) {
        if (auto ok = TakeLayer(value, LayerOf(known), given.dtype, given.shape); !ok) return ok;
        Enclose(known, given, bound_of[value], options_.threads,
                slots_[value][LayerOf(known)].computed->data());
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
      views.push_back(ViewOf(input));
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
    if (auto ok = TakeWork(*ElementCount(*shape), ByteWidth(views[0].dtype), 1 + views.size()); !ok)
      return ok;
    Step step;
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      for (std::size_t m = 0; m < views.size(); ++m) views[m] = ViewOf(node.inputs[m], layer);
      Result<MaxPlan> plan = MaxPlan::Prepare(views, ComputedView(node.outputs[0], layer), options);
      if (!plan) return std::move(plan).error();
      if (auto ok = TakePlan(plan->MemoryBytes()); !ok) return ok;
      step.emplace_back(*std::move(plan));
    }
    steps_.push_back(std::move(step));
    return {};
  }

  Result<void> PrepareReduceMax(const Node& node) {
    const TensorView source = ViewOf(node.inputs[0]);
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
      const Slot& slot = slots_[node.inputs[1]][kValue];
      if (auto ok = CheckAxes(NameOf(node.inputs[1]), *slot.tensor(), source, options); !ok) return ok;
      if (slot.given == nullptr) Execute();  // nodes of the graph compute them
      if (auto ok = CheckAxesExact(node.inputs[1]); !ok) return ok;
      axes = slot.tensor()->Elements<std::int64_t>();
    }
    options.axes = AxesOfOnnx(axes, node.reduce_max.noop_with_empty_axes.value_or(false));

    const Result<Shape> shape = ReduceMaxOutputShape(source, options);
    if (!shape) return shape.error();
    if (auto ok = TakeMemory(node.outputs[0], source.dtype, *shape); !ok) return ok;
    if (auto ok = TakeWork(*ElementCount(source.shape), ByteWidth(source.dtype), 1); !ok) return ok;
    Step step;
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      if (layer == LayerOf(Known::kBound) && ElementCount(source.shape) == 0) {
        step.emplace_back(Clear{&*slots_[node.outputs[0]][layer].computed});
        continue;
      }
      auto plan = ReduceMaxPlan::Prepare(ViewOf(node.inputs[0], layer), ComputedView(node.outputs[0], layer),
                                         options);
      if (!plan) return std::move(plan).error();
      if (auto ok = TakePlan(plan->MemoryBytes()); !ok) return ok;
      step.emplace_back(*std::move(plan));
    }
    steps_.push_back(std::move(step));
    return {};
  }

  // Shapes depend on axes: if axes had errors, no bound of an output's error would be valid.
  Result<void> CheckAxesExact(std::size_t value) const {
    if (layers_ == 1) return {};
    const std::span<const std::byte> bound = slots_[value][LayerOf(Known::kBound)].tensor()->bytes();
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
    if (auto shape = ReduceMaxOutputShape(source, options); !shape) return std::move(shape).error();
    return CheckAxesRank(info, options.version);
  }

  Result<void> PrepareIdentity(const Node& node) {
    const Tensor& from = *slots_[node.inputs[0]][kValue].tensor();
    if (auto ok = CheckStatedType(node.outputs[0], from.dtype()); !ok) return ok;
    if (auto ok = TakeMemory(node.outputs[0], from.dtype(), from.shape()); !ok) return ok;
    if (auto ok = TakeWork(from.size(), ByteWidth(from.dtype()), 2); !ok) return ok;
    Step step;
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      step.emplace_back(
          Copy{slots_[node.inputs[0]][layer].tensor(), &*slots_[node.outputs[0]][layer].computed});
    }
    steps_.push_back(std::move(step));
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
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      if (auto ok = TakeLayer(value, layer, dtype, shape); !ok) return ok;
    }
    return {};
  }

  // A plan takes some thousand bytes, which very many nodes with small tensors multiply.
  Result<void> TakePlan(std::size_t bytes) {
    plan_bytes_ += static_cast<std::int64_t>(bytes);
    if (plan_bytes_ <= std::max(options_.max_bytes, kPlansAtLeast)) return {};
    return MakeError(ErrorCode::kLimitExceeded,
                     "the plans of the nodes up to this one take more than the limit of " +
                         std::to_string(options_.max_bytes) +
                         " bytes; raise the limit if so many nodes are meant");
  }

  // The bytes that all nodes together read and write are limited too: one tensor may be an input of very many
  // nodes.
  Result<void> TakeWork(std::int64_t elements, std::size_t width, std::size_t times) {
    // In double: with broadcasting, a few operands can exceed the range of int64.
    work_ +=
        static_cast<double>(elements) * static_cast<double>(width) * static_cast<double>(times * layers_);
    const double most = static_cast<double>(options_.max_bytes) * kPassesOverMemory;
    if (work_ <= most) return {};
    return MakeError(ErrorCode::kLimitExceeded, "the nodes up to this one read and write more than " +
                                                    std::to_string(kPassesOverMemory) +
                                                    " times the limit of " +
                                                    std::to_string(options_.max_bytes) +
                                                    " bytes; raise the limit if this much work is meant");
  }

  Result<void> TakeLayer(std::size_t value, std::size_t layer, DType dtype, DimsView shape) {
    Result<Tensor> tensor = Tensor::Create(dtype, shape, options_.max_bytes - taken_);
    if (!tensor) return std::move(tensor).error();
    taken_ += static_cast<std::int64_t>(tensor->byte_size());
    slots_[value][layer].computed = std::make_unique<Tensor>(*std::move(tensor));
    return {};
  }

  // An output that is an input or a constant is copied.
  Result<void> PrepareOutputs() {
    copies_.resize(graph_.outputs.size());
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Tensor* given = slots_[graph_.outputs[i]][kValue].given;
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
  // By value number; never resized, since plans and steps point into it.
  std::vector<std::array<Slot, kMostLayers>> slots_;
  std::size_t layers_ = 1;
  std::optional<Error> negative_bound_;
  std::vector<Step> steps_;
  std::size_t step_count_ = 0;  // all steps of the run
  std::size_t executed_ = 0;
  std::vector<std::optional<Tensor>> copies_;  // by output
  std::int64_t taken_ = 0;
  std::int64_t plan_bytes_ = 0;
  double work_ = 0;  // bytes that the nodes read and write
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
