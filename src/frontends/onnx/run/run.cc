#include "frontends/onnx/run/run.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/messages.h"
#include "core/operand_errors.h"
#include "core/quote.h"
#include "frontends/onnx/check/check_proto.h"
#include "frontends/onnx/infer/infer_graph.h"
#include "frontends/onnx/run/bind.h"
#include "ops/enclose.h"
#include "rules/views.h"

namespace supremum::onnx_front {
namespace {

constexpr std::string_view kApart =
    "a model's output may not share memory with another of its operands; give it memory of its own";

Result<void> CheckModelOfRun(const Graph& graph, const onnx::ModelProto& proto, const RunOptions& options) {
  if (Result<void> ok = CheckKnown(graph); !ok) return ok;
  if (options.profile != Profile::kSonnx) return {};
  CheckOptions check;
  check.profile = options.profile;
  check.identical_shapes_only = options.identical_shapes_only;
  const Result<CheckReport> report = CheckProto(proto, graph.source, check);
  if (!report) return report.error();
  if (std::optional<Error> error = FirstError(*report)) return *std::move(error);
  return {};
}

}  // namespace

TensorView ModelRun::Given::View() const {
  return {dtype, shape, strides ? DimsView(*strides) : DimsView(), data};
}

bool ModelRun::Given::Fits(const std::string& other_name, const TensorView& other) const {
  return name == other_name && dtype == other.dtype && SameDims(shape, other.shape) &&
         (strides ? SameDims(*strides, other.strides) : other.strides.empty());
}

ModelRun::Given ModelRun::GivenOf(const std::string& name, std::size_t value, const TensorView& view) {
  std::optional<Shape> strides;
  if (!view.strides.empty()) strides = *Shape::FromSpan(view.strides);
  return {name,    value,     view.dtype,         *Shape::FromSpan(view.shape),
          strides, view.data, *RangeOfView(view), true};
}

ModelRun::ModelRun(const Graph& graph, const RunOptions& options, DimBindings bindings)
    : graph_(graph), options_(options), preparation_(graph, options_, std::move(bindings)) {}

// Copies the description of the caller's tensors, and checks what no node does: all of them are given,
// whether a node reads them or not.
Result<void> ModelRun::Take(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs) {
  const auto take = [&](const std::string& name, std::size_t value, const TensorView& view, auto& list,
                        const OperandNames& names) -> Result<void> {
    if (!IsValid(view.dtype)) {
      return ErrorAt(graph_.source, NoSuchTypeError(view.dtype));
    }
    const Views one({&view, 1}, nullptr, names);
    for (const auto check :
         {&Views::CheckData, &Views::CheckRanks, &Views::CheckExtents, &Views::CheckReach}) {
      if (auto ok = (one.*check)(); !ok) return ErrorAt(graph_.source, ok.error());
    }
    list.push_back(GivenOf(name, value, view));
    return {};
  };
  for (const NamedView& input : inputs) {
    const std::string_view name = input.name;
    if (auto ok = take(input.name, 0, input.view, inputs_, {{&name, 1}, {}}); !ok) return ok;
  }
  const auto input_values = BindInputs(graph_, inputs, preparation_.bindings());
  if (!input_values) return input_values.error();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    inputs_[k].value = (*input_values)[k];
    execution_.Give(inputs_[k].value, inputs_[k].View());
  }
  // Nodes that compute axes run before all errors are known, and an error leaves outputs unchanged.
  const bool by_copy = std::ranges::any_of(graph_.nodes, [&](const Node& node) {
    return node.info.op_type == "ReduceMax" && node.inputs.size() > 1 &&
           graph_.values[node.inputs[1]].constant == nullptr && !graph_.values[node.inputs[1]].is_input;
  });
  const auto output_values = BindOutputs(graph_, outputs);
  if (!output_values) return output_values.error();
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const TensorView view = outputs[k].view;
    const std::string called = "output " + Quote(outputs[k].name);
    const OperandNames names{{}, outputs[k].name, false, {}, called};
    if (auto ok = take(outputs[k].name, (*output_values)[k], view, given_outputs_, names); !ok) return ok;
    const Given& kept = given_outputs_.back();
    execution_.GiveOutput(kept.value, {kept.dtype, kept.shape, kept.View().strides, outputs[k].view.data},
                          by_copy);
  }
  return {};
}

// A node may write an output before another reads an input, so that not even the same memory is allowed.
Result<void> ModelRun::CheckApart(const std::deque<Given>& outputs) const {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Given& output = outputs[k];
    if (!output.is_callers) continue;
    if (auto ok = CheckVisitsOnce({{}, output.name}, output.View()); !ok) {
      return ErrorAt(graph_.source, ok.error());
    }
    const auto check = [&](const Given& other, const char* kind) -> Result<void> {
      if (Apart(output.data, output.range, other.data, other.range)) return {};
      const Overlap overlap = OverlapOf(output.View(), other.View());
      if (overlap == Overlap::kNone) return {};
      return ErrorAt(graph_.source, SharedMemoryError("output " + Quote(output.name),
                                                      kind + Quote(other.name), overlap, kApart));
    };
    for (const Given& input : inputs_) {
      if (auto ok = check(input, "input "); !ok) return ok;
    }
    for (std::size_t other = 0; other < k; ++other) {
      if (!outputs[other].is_callers) continue;
      if (auto ok = check(outputs[other], "output "); !ok) return ok;
    }
  }
  return {};
}

Result<void> ModelRun::Prepare(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs,
                               std::optional<std::span<const NamedTensor>> bounds) {
  if (auto ok = Take(inputs, outputs); !ok) return ok;
  if (auto ok = BindConstants(); !ok) return ok;
  if (bounds) {
    if (auto ok = EncloseGiven(*bounds); !ok) return ErrorAt(graph_.source, ok.error());
  }
  if (auto ok = PrepareNodes(); !ok) return ok;
  if (negative_bound_) return ErrorAt(graph_.source, *negative_bound_);
  // An output that is an input or a constant is copied.
  for (std::size_t output : graph_.outputs) {
    if (auto ok = execution_.PrepareOutput(output); !ok) return ErrorAt(graph_.source, ok.error());
    outputs_.push_back(GivenOf(NameOf(output), output, execution_.OutputView(output)));
    outputs_.back().is_callers =
        std::ranges::any_of(given_outputs_, [&](const Given& given) { return given.value == output; });
  }
  return CheckApart(outputs_);
}

// The memory of a value is that of later ones once its last reader has been prepared.
Result<void> ModelRun::PrepareNodes() {
  std::vector<std::size_t> readers(graph_.values.size(), 0);
  for (const Node& node : graph_.nodes) {
    for (std::size_t input : node.inputs) ++readers[input];
  }
  for (const Node& node : graph_.nodes) {
    if (!IsExecuted(node.op)) continue;
    if (auto ok = PrepareNode(preparation_, node); !ok) return ErrorAt(PlaceOf(graph_, node), ok.error());
    for (std::size_t input : node.inputs) {
      if (--readers[input] == 0 && !graph_.values[input].is_output) execution_.Release(input);
    }
    for (std::size_t output : node.outputs) {
      if (readers[output] == 0 && !graph_.values[output].is_output) execution_.Release(output);
    }
  }
  return {};
}

bool ModelRun::Fits(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs,
                    const RunOptions& options) const {
  const auto same = [](const auto& given, const auto& others) {
    return std::equal(given.begin(), given.end(), others.begin(), others.end(),
                      [](const Given& one, const auto& other) { return one.Fits(other.name, other.view); });
  };
  return options.profile == options_.profile && options.threads == options_.threads &&
         options.identical_shapes_only == options_.identical_shapes_only &&
         options.max_bytes == options_.max_bytes && options.dims == options_.dims && !options.progress &&
         same(inputs_, inputs) && same(given_outputs_, outputs);
}

Result<void> ModelRun::Rebind(std::span<const void* const> inputs, std::span<void* const> outputs) {
  if (inputs.size() != inputs_.size() || outputs.size() != outputs_.size()) {
    return MakeError(ErrorCode::kInputCount,
                     "the plan has " + std::to_string(inputs_.size()) + " inputs and " +
                         std::to_string(outputs_.size()) + " outputs and was given memory for " +
                         std::to_string(inputs.size()) + " and " + std::to_string(outputs.size()));
  }
  const auto is_bound = [](const Given& given, const void* data) { return given.data == data; };
  if (DependsOnElements() && !std::equal(inputs_.begin(), inputs_.end(), inputs.begin(), is_bound)) {
    return ErrorAt(
        ErrorCode::kInvalidArgument, graph_.source,
        "the axes of a ReduceMax are not constant, and the plan has those of the inputs that it was "
        "prepared for; prepare another plan");
  }
  const auto bind = [&](Given& given, const void* data, const char* kind) -> Result<void> {
    if (data == nullptr && given.range.first != given.range.last) {
      return ErrorAt(graph_.source, NullDataError(kind + Quote(given.name)));
    }
    if (!FitsAddressSpace(data, given.range)) {
      return ErrorAt(graph_.source, AddressSpaceError(kind + Quote(given.name)));
    }
    given.data = data;
    return {};
  };
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (auto ok = bind(inputs_[k], inputs[k], "input "); !ok) return ok;
    execution_.Move(inputs_[k].value, inputs[k]);
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    outputs_[k].is_callers = outputs[k] != nullptr;
    if (outputs[k] != nullptr) {
      if (auto ok = bind(outputs_[k], outputs[k], "output "); !ok) return ok;
    }
    execution_.MoveOutput(outputs_[k].value, outputs[k]);
  }
  if (auto ok = CheckApart(outputs_); !ok) return ok;
  return execution_.Rebind();
}

void ModelRun::Execute() {
  execution_.Execute();
  execution_.Restart();
}

Tensor ModelRun::TakeOutput(std::size_t k, std::size_t layer) {
  return execution_.TakeOutput(graph_.outputs[k], layer);
}

// Initializers, and the outputs of Constant nodes.
Result<void> ModelRun::BindConstants() {
  for (std::size_t value = 0; value < graph_.values.size(); ++value) {
    if (execution_.IsGiven(value)) continue;
    if (const Error* const refusal = RefusalOf(graph_.values[value])) return *refusal;
    if (graph_.values[value].constant) execution_.Give(value, graph_.values[value].constant->View());
  }
  return {};
}

// Fills the other layers of inputs and constants; values without a bound are exact. A negative bound is
// reported only after all other errors (section 7); until then only the values are used.
Result<void> ModelRun::EncloseGiven(std::span<const NamedTensor> named_bounds) {
  const auto bounds = BindBounds(graph_, named_bounds);
  if (!bounds) return bounds.error();
  const std::uint64_t zero = 0;
  std::vector<TensorView> bound_of(graph_.values.size());
  for (std::size_t value = 0; value < graph_.values.size(); ++value) {
    if (!execution_.IsGiven(value)) continue;
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
    if (!execution_.IsGiven(value)) continue;
    const TensorView given = execution_.View(value);
    for (Known known : kAllKnown) {
      const std::size_t layer = LayerOf(known);
      if (auto ok = execution_.Create(value, layer, given.dtype, *Shape::FromSpan(given.shape)); !ok)
        return ok;
      Enclose(known, given, bound_of[value], options_.threads, execution_.MutableView(value, layer).data);
    }
  }
  return {};
}

Result<void> CheckRun(const Graph& graph, const onnx::ModelProto& proto, const RunOptions& options) {
  if (Result<void> ok = CheckModelOfRun(graph, proto, options); !ok) return ok;
  for (const Value& value : graph.values) {
    if (value.is_input) continue;  // a caller's tensor may replace it
    if (const Error* const refusal = RefusalOf(value)) return *refusal;
  }
  if (const auto inferred = InferGraph(graph); !inferred) return inferred.error();
  return {};
}

Result<std::unique_ptr<ModelRun>> PrepareRun(const Graph& graph, const onnx::ModelProto& proto,
                                             std::span<const NamedView> inputs,
                                             std::span<const NamedMutableView> outputs,
                                             const RunOptions& options,
                                             std::optional<std::span<const NamedTensor>> bounds) {
  if (Result<void> ok = CheckModelOfRun(graph, proto, options); !ok) return std::move(ok).error();
  Result<DimBindings> bindings = DimBindings::Make(graph, options.dims);
  if (!bindings) return std::move(bindings).error();
  auto run = std::make_unique<ModelRun>(graph, options, *std::move(bindings));
  if (Result<void> ok = run->Prepare(inputs, outputs, bounds); !ok) return std::move(ok).error();
  return run;
}

}  // namespace supremum::onnx_front
