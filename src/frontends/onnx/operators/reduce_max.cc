// ReduceMax.
#include "rules/reduce_max.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <optional>
#include <span>

#include "core/axes.h"
#include "core/quote.h"
#include "frontends/onnx/operators.h"
#include "frontends/onnx/operators/check_reduce_max.h"
#include "frontends/onnx/operators/infer_reduce_max.h"
#include "frontends/onnx/operators/reduce_max_node.h"
#include "frontends/onnx/value_operands.h"
#include "io/files/messages.h"
#include "supremum/opset.h"
#include "supremum/reduce_max.h"

namespace supremum::onnx_front {
namespace {

ReduceMaxVersion VersionOf(const Node& node) { return static_cast<ReduceMaxVersion>(node.info.version); }

Result<void> Read(const onnx::NodeProto& proto, const std::string& where, Node& node) {
  const ReduceMaxVersion version = VersionOf(node);
  if (const auto fault = ReduceMaxInputFault(proto, version)) {
    return io::ErrorAt(ErrorCode::kInputCount, where, "RED-5", fault->text, "; " + fault->change);
  }
  std::vector<NodeFault> faults;
  node.reduce_max = ReadReduceMaxAttributes(proto, version, faults);
  if (!faults.empty()) return MalformedNode(where, faults[0].text + "; " + faults[0].change);
  if (!node.reduce_max.of_function.empty()) {
    return NotGivenByCall(where, node.reduce_max.of_function);
  }
  node.info.attributes = InfosOf(node.reduce_max, version);
  return {};
}

Result<Inferred> Infer(const KnownValues& known, const Node& node) {
  const ReduceMaxVersion version = VersionOf(node);
  const ValueInfo& source = known.infos[node.inputs[0]];
  const ValueInfo* axes_input = node.inputs.size() > 1 ? &known.infos[node.inputs[1]] : nullptr;
  if (axes_input != nullptr) {
    if (auto ok = CheckAxesType(*axes_input, version); !ok) return std::move(ok).error();
  }
  const ValueInfo* const values[] = {&source};
  const ValueOperands operands(values);
  const Result<std::optional<DType>> dtype = CheckTypes(operands, version);
  if (!dtype) return dtype.error();
  std::optional<std::span<const std::int64_t>> elements;
  if (axes_input != nullptr) {
    if (auto ok = CheckAxesRank(*axes_input, version); !ok) return std::move(ok).error();
    const Tensor* constant = known.constants[node.inputs[1]];
    if (constant != nullptr) elements = constant->Elements<std::int64_t>();
  }
  const auto shape =
      InferReducedShape(operands, source.name, AxesBeforeRun(node.reduce_max, axes_input, elements),
                        node.reduce_max.keepdims.value_or(true), version);
  if (!shape) return shape.error();
  return Inferred{InfoOf(*dtype, SymbolicShapeOf(*shape))};
}

Result<StaticForm> FormOf(const KnownValues& known, const Node& node) {
  const ValueInfo* axes_input = nullptr;
  std::optional<std::span<const std::int64_t>> elements;
  if (node.inputs.size() > 1) {
    axes_input = &known.infos[node.inputs[1]];
    const Tensor* const constant = known.constants[node.inputs[1]];
    if (constant != nullptr) elements = constant->Elements<std::int64_t>();
  }
  const KnownAxes axes = AxesBeforeRun(node.reduce_max, axes_input, elements);
  if (!axes.decided) {
    return MakeError(ErrorCode::kShapeNotExplicit, "PRO-2",
                     "the axes " + Quote(axes_input->name) + " are known only when the model runs",
                     "; give them as an initializer that is no graph input, or as a Constant node");
  }
  const ValueInfo& source = known.infos[node.inputs[0]];
  const Result<AxisSet> reduced =
      ResolveAxes(axes.values, source.shape->size(), VersionOf(node), source.name);
  if (!reduced) return reduced.error();
  return StaticForm{StaticNode::Operation::kReduceMax, *reduced};
}

// Checks the type and shape of an axes input. Errors of the source's type come first.
Result<void> CheckAxes(const std::string& name, const TensorView& axes, const TensorView& source,
                       ReduceMaxOptions options) {
  ValueInfo info{name, std::string(Name(axes.dtype)), axes.dtype, SymbolicShape()};
  for (std::int64_t extent : axes.shape) info.shape->push_back(Dim{extent, ""});
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

Result<void> Prepare(NodePreparation& run, const Node& node) {
  const std::size_t output = node.outputs[0];
  const TensorView source = run.execution().View(node.inputs[0]);
  ReduceMaxOptions options;
  options.version = VersionOf(node);
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

}  // namespace

constinit const Operator kReduceMaxOperator = {
    .name = "ReduceMax",
    .version =
        [](std::int64_t opset) {
          return static_cast<int>(ReduceMaxVersionForOpset(opset).value_or(ReduceMaxVersion::k1));
        },
    .read = Read,
    .infer = Infer,
    .prepare = Prepare,
    .static_form = FormOf,
    .check = CheckReduceMaxNode,
    .infer_checked = InferReduceMaxNode,
    .unwritten = UnwrittenOfReduceMax,
};

}  // namespace supremum::onnx_front
