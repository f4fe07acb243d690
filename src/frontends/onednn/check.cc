#include "frontends/onednn/check.h"

#include <unordered_map>

#include "core/messages.h"
#include "core/quote.h"
#include "supremum/opset.h"

namespace supremum::onednn_front {
namespace {

constexpr ReduceMaxVersion kOneDnn = ReduceMaxVersion::kOneDnn;

std::string ListInputs(const Graph& graph) {
  std::string list;
  for (std::size_t input : graph.inputs) {
    if (!list.empty()) list += ", ";
    if (list.size() > 500) return list + "...";
    const OneDnnTensor& stated = graph.tensors[input].stated;
    list += std::to_string(stated.id) + " (" + ToString(stated) + ")";
  }
  return list.empty() ? "it has no inputs" : "its inputs are " + list;
}

Error InvalidInput(const Graph& graph, const std::string& details) {
  return ErrorAt(ErrorCode::kInvalidArgument, graph.source, details);
}

Result<void> CheckCount(const GraphOp& op) {
  const bool reduces = op.kind == Kind::kReduceMax;
  const std::size_t least = reduces ? 1 : 2;
  if (op.inputs.size() < least || op.inputs.size() > 2) {
    return MakeError(ErrorCode::kInputCount,
                     std::string(reduces ? "ReduceMax takes 1 or 2 inputs, src and axes,"
                                         : "Maximum takes 2 inputs, src_0 and src_1,") +
                         " and has " + std::to_string(op.inputs.size()));
  }
  return {};
}

Result<void> CheckTypesOf(const Graph& graph, const GraphOp& op) {
  const OneDnnTensor& first = graph.tensors[op.inputs[0]].stated;
  const auto same_type = [&](const std::string& who, std::size_t number) -> Result<void> {
    const OneDnnTensor& tensor = graph.tensors[number].stated;
    if (tensor.dtype_name == first.dtype_name) return {};
    return MakeError(ErrorCode::kTypeMismatch, "TYP-2",
                     who + " '" + std::to_string(tensor.id) + "' has type " + Printable(tensor.dtype_name) +
                         " and " + InputName(first) + " has type " + Printable(first.dtype_name) +
                         "; an op's tensors must have one type, nothing is converted");
  };
  if (op.kind == Kind::kMaximum) {
    if (Result<void> ok = same_type("input", op.inputs[1]); !ok) return ok;
  }
  if (Result<void> ok = same_type("output", op.outputs[0]); !ok) return ok;
  if (!first.dtype || !Admits(kOneDnn, *first.dtype)) {
    return MakeError(ErrorCode::kTypeNotAdmitted, "TYP-5",
                     InputName(first) + " has type " + Printable(first.dtype_name) + ", which oneDNN's " +
                         op.info.kind + " does not have",
                     "; it has f32, bf16 and f16");
  }
  if (op.kind == Kind::kMaximum || op.inputs.size() < 2) return {};
  const OneDnnTensor& axes = graph.tensors[op.inputs[1]].stated;
  if (axes.dtype == DType::kInt32) return {};
  return MakeError(
      ErrorCode::kTypeNotAdmitted, "TYP-5",
      InputName(axes) + ", the axes, has type " + Printable(axes.dtype_name) + "; an axes input is s32");
}

Result<void> CheckKinds(const Graph& graph) {
  for (const GraphOp& op : graph.ops) {
    if (op.kind != Kind::kOther) continue;
    return ErrorAt(ErrorCode::kUnsupportedOperator, graph.source,
                   Describe(op.info) + ": the kind " + Quote(op.info.kind) +
                       " is not executed, only ReduceMax and Maximum are; cut out the part of the graph that "
                       "consists of these");
  }
  return {};
}

Result<std::vector<const Tensor*>> MatchInputs(const Graph& graph, std::span<const NamedTensor> inputs) {
  std::unordered_map<std::string, std::size_t> by_name;
  for (std::size_t input : graph.inputs)
    by_name.emplace(std::to_string(graph.tensors[input].stated.id), input);
  std::vector<const Tensor*> given(graph.tensors.size(), nullptr);
  for (const NamedTensor& input : inputs) {
    const auto known = by_name.find(input.name);
    if (known == by_name.end()) {
      return InvalidInput(graph, "it has no input " + Quote(input.name) + "; " + ListInputs(graph));
    }
    if (given[known->second] != nullptr) {
      return InvalidInput(graph, "input " + Quote(input.name) + " is given twice; give each input once");
    }
    given[known->second] = &input.tensor;
  }
  for (std::size_t input : graph.inputs) {
    const OneDnnTensor& stated = graph.tensors[input].stated;
    if (given[input] == nullptr) {
      return InvalidInput(
          graph, InputName(stated) + ", " + ToString(stated) + ", is not given; " + ListInputs(graph));
    }
    if (!Fits(stated, given[input]->shape())) {
      return InvalidInput(graph, InputName(stated) + " has shape " + ToString(given[input]->shape()) +
                                     " and the graph states " + ToString(stated) +
                                     "; give a tensor of the stated shape");
    }
  }
  return given;
}

Result<void> CheckTypes(const Graph& graph) {
  for (std::size_t i : graph.order) {
    const GraphOp& op = graph.ops[i];
    Result<void> ok = CheckCount(op);
    if (ok) ok = CheckTypesOf(graph, op);
    if (!ok) return ErrorAt(graph.source + ": " + Describe(op.info), ok.error());
  }
  return {};
}

Result<void> CheckGivenTypes(const Graph& graph, const std::vector<const Tensor*>& given) {
  for (std::size_t input : graph.inputs) {
    const OneDnnTensor& stated = graph.tensors[input].stated;
    if (stated.dtype == given[input]->dtype()) continue;
    const std::string type = stated.dtype ? " (" + std::string(Name(*stated.dtype)) + ")" : "";
    return ErrorAt(ErrorCode::kTypeMismatch, graph.source, "TYP-2",
                   InputName(stated) + " has type " + std::string(Name(given[input]->dtype())) +
                       " and the graph states " + Printable(stated.dtype_name) + type +
                       "; nothing is converted");
  }
  return {};
}

}  // namespace

std::string InputName(const OneDnnTensor& tensor) { return "input '" + std::to_string(tensor.id) + "'"; }

bool Fits(const OneDnnTensor& stated, DimsView actual) {
  if (!stated.shape) return true;
  if (stated.shape->size() != actual.size()) return false;
  for (std::size_t d = 0; d < actual.size(); ++d) {
    if ((*stated.shape)[d] != kUnknownExtent && (*stated.shape)[d] != actual[d]) return false;
  }
  return true;
}

Result<std::vector<const Tensor*>> CheckRun(const Graph& graph, std::span<const NamedTensor> inputs) {
  if (Result<void> ok = CheckKinds(graph); !ok) return std::move(ok).error();
  Result<std::vector<const Tensor*>> given = MatchInputs(graph, inputs);
  Result<void> ok = given ? CheckTypes(graph) : given.error();
  if (ok) ok = CheckGivenTypes(graph, *given);
  if (!ok) return std::move(ok).error();
  return given;
}

}  // namespace supremum::onednn_front
