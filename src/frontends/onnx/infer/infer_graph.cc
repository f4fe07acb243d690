#include "frontends/onnx/infer/infer_graph.h"

#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/infer/infer_node.h"
#include "frontends/onnx/infer/value_operands.h"
#include "rules/judge.h"

namespace supremum::onnx_front {
Error StatedTypeError(const ValueInfo& stated, std::string_view computed) {
  return MakeError(ErrorCode::kTypeMismatch, "TYP-2",
                   "output " + Quote(stated.name) + " is stated as " + stated.type_name +
                       " and computed as " + std::string(computed) + "; nothing is converted");
}

Result<ValueInfo> Complete(const ValueInfo& stated, const ValueInfo& inferred) {
  ValueInfo info = stated;
  if (info.type_name.empty()) {
    info.type_name = inferred.type_name;
    info.dtype = inferred.dtype;
  } else if (!inferred.type_name.empty() && inferred.type_name != info.type_name) {
    return StatedTypeError(info, inferred.type_name);
  }
  if (!inferred.shape) return info;
  if (!info.shape) {
    info.shape = inferred.shape;
    return info;
  }
  bool agree = info.shape->size() == inferred.shape->size();
  for (std::size_t d = 0; agree && d < info.shape->size(); ++d) {
    Dim& dim = (*info.shape)[d];
    const Dim& other = (*inferred.shape)[d];
    agree = JudgeEqual(ExtentOf(dim), ExtentOf(other)) != Verdict::kFails;
    if (other.value || ExtentOf(dim).IsUnknown()) dim = other;
  }
  if (agree) return info;
  return MakeError(ErrorCode::kOutputShapeMismatch,
                   "output " + Quote(stated.name) + " is stated with the shape " + ToString(*stated.shape) +
                       " and the computed shape is " + ToString(*inferred.shape) +
                       "; state the computed shape");
}

namespace {

Inferred InferNode(const Node& node, const InferredGraph& known) {
  std::vector<const ValueInfo*> inputs;
  for (std::size_t input : node.inputs) inputs.push_back(&known.infos[input]);
  if (node.op == Op::kIdentity) return {*inputs[0]};
  if (node.op == Op::kMax) return InferMax(inputs, static_cast<MaxVersion>(node.info.version));
  const bool has_axes = inputs.size() > 1;
  return InferReduceMax(*inputs[0], node.reduce_max, has_axes ? inputs[1] : nullptr,
                        has_axes ? known.constants[node.inputs[1]] : nullptr,
                        static_cast<ReduceMaxVersion>(node.info.version));
}

}  // namespace

Result<InferredGraph> InferGraph(const Graph& graph) {
  InferredGraph known;
  auto& [infos, constants] = known;
  std::int64_t left = graph.max_bytes;
  for (const Value& value : graph.values) {
    left -= MemoryOf(value.stated.info);
    if (left < 0) return InferenceLimitError(graph.source, graph.max_bytes);
    infos.push_back(value.stated.info);
    constants.push_back(value.constant && !value.is_input ? &*value.constant : nullptr);
  }
  for (const Node& node : graph.nodes) {
    if (!IsExecuted(node.op)) continue;
    const std::size_t output = node.outputs[0];
    const Inferred inferred = InferNode(node, known);
    Result<ValueInfo> info = inferred.error ? *inferred.error : Complete(infos[output], inferred.info);
    if (!info) return ErrorAt(PlaceOf(graph, node), info.error());
    left -= MemoryOf(*info);
    if (left < 0) return InferenceLimitError(graph.source, graph.max_bytes);
    infos[output] = *std::move(info);
    if (node.op == Op::kIdentity) constants[output] = constants[node.inputs[0]];
  }
  return known;
}

}  // namespace supremum::onnx_front
