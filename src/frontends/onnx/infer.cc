#include "frontends/onnx/infer.h"

#include <utility>

#include "core/quote.h"
#include "frontends/onnx/operators.h"
#include "frontends/onnx/value_operands.h"
#include "io/files/messages.h"
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
    if (node.op == nullptr || node.op->infer == nullptr) continue;
    const std::size_t output = node.outputs[0];
    const Result<Inferred> inferred = node.op->infer({infos, constants}, node);
    Result<ValueInfo> info = inferred ? Complete(infos[output], inferred->info) : inferred.error();
    if (!info) return io::ErrorAt(PlaceOf(graph, node), info.error());
    left -= MemoryOf(*info);
    if (left < 0) return InferenceLimitError(graph.source, graph.max_bytes);
    infos[output] = *std::move(info);
    constants[output] = inferred->constant;
  }
  return known;
}

}  // namespace supremum::onnx_front
