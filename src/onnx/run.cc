#include "onnx/run.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "core/quote.h"
#include "formats/messages.h"
#include "onnx/bind.h"
#include "onnx/check_proto.h"
#include "onnx/infer.h"
#include "supremum/max.h"

namespace supremum::onnx_front {
namespace {

using formats::ErrorAt;

// One run of a graph: Prepare decides every shape, takes all memory and makes every plan; Execute cannot
// fail.
class GraphRun {
 public:
  GraphRun(const Graph& graph, const RunOptions& options, DimBindings bindings)
      : graph_(graph), options_(options), bindings_(std::move(bindings)), slots_(graph.values.size()) {}

  Result<void> Prepare(std::span<const NamedTensor> inputs) {
    for (auto step : {&GraphRun::BindInputs, &GraphRun::BindConstants, &GraphRun::PrepareNodes}) {
      if (Result<void> ok = (this->*step)(inputs); !ok) return ok;
    }
    return PrepareOutputs();
  }

  void Execute() {
    std::size_t done = 0;
    for (const Step& step : steps_) {
      if (options_.progress) options_.progress(done++, steps_.size());
      if (step.plan) {
        step.plan->Run();
      } else if (step.to->byte_size() > 0) {
        std::memcpy(step.to->data(), step.from->data(), step.to->byte_size());
      }
    }
    if (options_.progress) options_.progress(done, steps_.size());
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

  // A Max, or a copy.
  struct Step {
    std::optional<MaxPlan> plan;
    const Tensor* from = nullptr;
    Tensor* to = nullptr;
  };

  const std::string& NameOf(std::size_t value) const { return graph_.values[value].stated.info.name; }

  Result<void> BindInputs(std::span<const NamedTensor> inputs) {
    for (const NamedTensor& input : inputs) {
      const std::string who = "input " + Quote(input.name);
      const auto known = graph_.value_by_name.find(input.name);
      if (known == graph_.value_by_name.end() || !graph_.values[known->second].is_input) {
        return ErrorAt(ErrorCode::kInvalidArgument, graph_.source,
                       "it has no " + who + "; its inputs are " + ListInputs());
      }
      Slot& slot = slots_[known->second];
      if (slot.given != nullptr) {
        return ErrorAt(ErrorCode::kInvalidArgument, graph_.source,
                       who + " is given twice; give each input once");
      }
      const StatedValue& stated = graph_.values[known->second].stated;
      if (stated.sparse) return SparseRefused(who);
      if (!stated.info.type_name.empty() && stated.info.dtype != input.tensor.dtype()) {
        return ErrorAt(ErrorCode::kTypeMismatch, graph_.source,
                       who + " has type " + std::string(Name(input.tensor.dtype())) +
                           " and the model states " + stated.info.type_name +
                           "; nothing is converted (TYP-2)");
      }
      slot.given = &input.tensor;
    }
    for (std::size_t value : graph_.inputs) {
      if (slots_[value].given != nullptr) continue;
      if (graph_.values[value].stated.sparse) return SparseRefused("input " + Quote(NameOf(value)));
      return ErrorAt(ErrorCode::kInvalidArgument, graph_.source,
                     "input " + Quote(NameOf(value)) + ", " + ToString(graph_.values[value].stated.info) +
                         ", is not given; the model's inputs are " + ListInputs());
    }
    // In the graph's order, whatever the caller's: the same texts for the same model.
    for (const auto* list : {&graph_.inputs, &graph_.optional_inputs}) {
      for (std::size_t value : *list) {
        const std::optional<SymbolicShape>& shape = graph_.values[value].stated.info.shape;
        if (slots_[value].given == nullptr || !shape) continue;
        Result<void> bound = bindings_.Bind("input " + Quote(NameOf(value)), *shape,
                                            slots_[value].given->shape(), ErrorCode::kInvalidArgument);
        if (!bound) return ErrorAt(graph_.source, bound.error());
      }
    }
    return {};
  }

  // Initializers, and the outputs of Constant nodes. One that supremum could not read matters only here.
  Result<void> BindConstants(std::span<const NamedTensor>) {
    for (std::size_t value = 0; value < slots_.size(); ++value) {
      if (slots_[value].given != nullptr) continue;
      if (graph_.values[value].refusal) return *graph_.values[value].refusal;
      if (graph_.values[value].constant) slots_[value].given = &*graph_.values[value].constant;
    }
    return {};
  }

  Result<void> PrepareNodes(std::span<const NamedTensor>) {
    for (const Node& node : graph_.nodes) {
      if (node.op == Operator::kConstant) continue;
      Result<void> ok = node.op == Operator::kMax ? PrepareMax(node) : PrepareIdentity(node);
      if (!ok) return ErrorAt(graph_.source + ": " + Describe(node.info), ok.error());
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
    options.input_names = names;
    options.output_name = NameOf(node.outputs[0]);

    if (auto ok = CheckStatedType(node.outputs[0], views[0].dtype); !ok) return ok;
    const Result<Shape> shape = MaxOutputShape(views, options);
    if (!shape) return shape.error();
    if (auto ok = TakeMemory(node.outputs[0], views[0].dtype, *shape); !ok) return ok;
    Result<MaxPlan> plan = MaxPlan::Prepare(views, slots_[node.outputs[0]].computed->MutableView(), options);
    if (!plan) return std::move(plan).error();
    steps_.push_back(Step{*std::move(plan), nullptr, nullptr});
    return {};
  }

  Result<void> PrepareIdentity(const Node& node) {
    const Tensor& from = *slots_[node.inputs[0]].tensor();
    if (auto ok = CheckStatedType(node.outputs[0], from.dtype()); !ok) return ok;
    if (auto ok = TakeMemory(node.outputs[0], from.dtype(), from.shape()); !ok) return ok;
    steps_.push_back(Step{std::nullopt, &from, &*slots_[node.outputs[0]].computed});
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

  std::string ListInputs() const {
    std::string list;
    for (const auto* inputs : {&graph_.inputs, &graph_.optional_inputs}) {
      for (std::size_t value : *inputs) {
        if (!list.empty()) list += ", ";
        if (list.size() > 500) return list + "...";
        list += Quote(NameOf(value));
      }
    }
    return list.empty() ? "none" : list;
  }

  Error SparseRefused(const std::string& who) const {
    return ErrorAt(ErrorCode::kSparseTensor, graph_.source,
                   who + " is stated as a sparse tensor (PRO-1); state a dense one");
  }

  const Graph& graph_;
  const RunOptions& options_;
  DimBindings bindings_;
  std::vector<Slot> slots_;  // by value; never resized, so that plans and steps may point into it
  std::vector<Step> steps_;
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
            " is not executed, only Max, Constant and Identity are; `supremum check` judges the Max nodes "
            "of any model");
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
