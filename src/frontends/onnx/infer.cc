#include "frontends/onnx/infer.h"

#include <utility>

#include "core/quote.h"
#include "frontends/onnx/infer_reduce_max.h"
#include "frontends/onnx/value_operands.h"
#include "io/files/messages.h"
#include "rules/max.h"

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

// What follows for the output of one node.
Result<ValueInfo> InferMax(const Graph& graph, const Node& node, const std::vector<ValueInfo>& infos) {
  const MaxVersion version = *MaxVersionForOpset(graph.opset);
  std::vector<const ValueInfo*> values;
  for (std::size_t input : node.inputs) values.push_back(&infos[input]);
  const ValueOperands inputs(values);
  const Result<std::optional<DType>> dtype = CheckTypes(inputs, version);
  if (!dtype) return dtype.error();
  const auto common = JudgeCommonShape(inputs, version);
  if (common.judgement.Fails()) return ShapeErrorOf(common.judgement, inputs, version);
  return ValueInfo{"", *dtype ? std::string(Name(**dtype)) : "", *dtype, SymbolicShapeOf(common.shape)};
}

// `constants` are the tensors of values that no caller can change, by number; null for the others.
Result<ValueInfo> InferReduceMax(const Graph& graph, const Node& node, const std::vector<ValueInfo>& infos,
                                 const std::vector<const Tensor*>& constants) {
  const ReduceMaxVersion version = *ReduceMaxVersionForOpset(graph.opset);
  const ValueInfo& source = infos[node.inputs[0]];
  const ValueInfo* axes_input = node.inputs.size() > 1 ? &infos[node.inputs[1]] : nullptr;
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
    const Tensor* constant = constants[node.inputs[1]];
    if (constant != nullptr) elements = constant->Elements<std::int64_t>();
  }
  const auto shape =
      InferReducedShape(operands, source.name, AxesBeforeRun(node.reduce_max, axes_input, elements),
                        node.reduce_max.keepdims.value_or(true), version);
  if (!shape) return shape.error();
  return ValueInfo{"", *dtype ? std::string(Name(**dtype)) : "", *dtype, SymbolicShapeOf(*shape)};
}

}  // namespace

Result<std::vector<ValueInfo>> InferGraph(const Graph& graph) {
  std::vector<ValueInfo> infos;
  std::vector<const Tensor*> constants;
  std::int64_t left = graph.max_bytes;
  for (const Value& value : graph.values) {
    left -= MemoryOf(value.stated.info);
    if (left < 0) return InferenceLimitError(graph.source, graph.max_bytes);
    infos.push_back(value.stated.info);
    constants.push_back(value.constant && !value.is_input ? &*value.constant : nullptr);
  }
  for (const Node& node : graph.nodes) {
    if (node.op == Operator::kConstant || node.op == Operator::kOther) continue;
    const std::size_t output = node.outputs[0];
    Result<ValueInfo> inferred = infos[node.inputs[0]];
    if (node.op == Operator::kMax) inferred = InferMax(graph, node, infos);
    if (node.op == Operator::kReduceMax) inferred = InferReduceMax(graph, node, infos, constants);
    if (node.op == Operator::kIdentity) constants[output] = constants[node.inputs[0]];
    if (inferred) inferred = Complete(infos[output], *inferred);
    if (!inferred) return io::ErrorAt(graph.source + ": " + Describe(node.info), inferred.error());
    left -= MemoryOf(*inferred);
    if (left < 0) return InferenceLimitError(graph.source, graph.max_bytes);
    infos[output] = *std::move(inferred);
  }
  return infos;
}

}  // namespace supremum::onnx_front
