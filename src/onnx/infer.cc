#include "onnx/infer.h"

#include <algorithm>
#include <utility>

#include "core/align.h"
#include "core/operand_errors.h"
#include "core/quote.h"
#include "formats/messages.h"
#include "onnx/infer_reduce_max.h"

namespace supremum::onnx_front {
namespace {

using formats::ErrorAt;

std::string Show(const ValueInfo& input) {
  return "input " + Quote(input.name) + " has shape " + ToString(*input.shape);
}

ClashingOperand Clashing(const ValueInfo& input, std::int64_t extent) {
  return {"input " + Quote(input.name), ToString(*input.shape), extent};
}

// What the inputs say of one dimension of the common shape.
struct DimSummary {
  const ValueInfo* fixed_by = nullptr;  // the first input with a number other than 1
  std::int64_t fixed = 1;
  const ValueInfo* symbol_by = nullptr;  // the first with a symbol
  std::string symbol;
  bool several_symbols = false;
  const ValueInfo* unknown_by = nullptr;
};

// BRO-2 for one dimension whose extents are partly unknown.
Dim Summarise(const DimSummary& dim) {
  if (dim.fixed_by != nullptr) return Dim{dim.fixed, ""};
  if (dim.unknown_by != nullptr || dim.several_symbols) return Dim{};
  if (dim.symbol_by != nullptr) return Dim{std::nullopt, dim.symbol};
  return Dim{1, ""};
}

std::string WhyUndecided(const DimSummary& dim, std::size_t j) {
  const std::string here = "in dimension " + std::to_string(j) + " of the common shape ";
  if (dim.unknown_by != nullptr && (dim.fixed_by != nullptr || dim.symbol_by != nullptr)) {
    return here + "the extent of input " + Quote(dim.unknown_by->name) + " is not known";
  }
  if (dim.several_symbols) return here + "different symbols meet, which may stand for different numbers";
  if (dim.symbol_by != nullptr && dim.fixed_by != nullptr) {
    return here + "the symbol " + Quote(dim.symbol) + " of input " + Quote(dim.symbol_by->name) + " meets " +
           std::to_string(dim.fixed) + " of input " + Quote(dim.fixed_by->name);
  }
  return "";
}

// MAX-3: all shapes are one. Numbers must be equal; a symbol or an unknown may turn out to be.
Result<CommonShape> InferIdenticalShape(std::span<const ValueInfo* const> inputs, MaxVersion version) {
  CommonShape common;
  const ValueInfo* first = nullptr;
  for (const ValueInfo* input : inputs) {
    if (!input->shape) {
      if (inputs.size() > 1) common.undecided = "the shape of input " + Quote(input->name) + " is not known";
      continue;
    }
    if (first == nullptr) {
      first = input;
      common.shape = *input->shape;
      continue;
    }
    bool equal = common.shape->size() == input->shape->size();
    for (std::size_t d = 0; equal && d < common.shape->size(); ++d) {
      Dim& dim = (*common.shape)[d];
      const Dim& other = (*input->shape)[d];
      if (dim.value && other.value) {
        equal = *dim.value == *other.value;
      } else if (!(dim == other) || dim.symbol.empty()) {
        common.undecided = "dimension " + std::to_string(d) + " of input " + Quote(first->name) + " is " +
                           ToString(dim) + " and of input " + Quote(input->name) + " " + ToString(other);
        if (other.value) dim = other;
      }
    }
    if (!equal) {
      return DifferentShapesError(Show(*first) + " and " + Show(*input) + "; ", version);
    }
  }
  return common;
}

}  // namespace

Result<CommonShape> InferCommonShape(std::span<const ValueInfo* const> inputs, MaxVersion version) {
  if (!Broadcasts(version)) return InferIdenticalShape(inputs, version);

  CommonShape common;
  std::size_t rank = 0;
  bool all_ranks_known = true;
  for (const ValueInfo* input : inputs) {
    if (!input->shape) {
      all_ranks_known = false;
      if (inputs.size() > 1) common.undecided = "the shape of input " + Quote(input->name) + " is not known";
      continue;
    }
    if (input->shape->size() > kMaxRank)
      return RankError("input " + Quote(input->name), input->shape->size());
    rank = std::max(rank, input->shape->size());
  }
  std::vector<DimSummary> dims(rank);
  CommonExtents numbers(rank);
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const ValueInfo* const input = inputs[m];
    if (!input->shape) continue;
    for (std::size_t d = 0; d < input->shape->size(); ++d) {
      const Dim& dim = (*input->shape)[d];
      const std::size_t j = CommonDimension(d, input->shape->size(), rank);
      DimSummary& summary = dims[j];
      if (dim.value) {
        if (numbers.Add(j, *dim.value, m)) continue;
        return NotBroadcastableError(Clashing(*inputs[numbers.owner(j)], numbers.shape()[j]),
                                     Clashing(*input, *dim.value), j, rank);
      }
      if (dim.symbol.empty()) {
        // A second unknown may differ from the first; a single one beside ones is compatible whatever it is.
        if (summary.unknown_by != nullptr && summary.unknown_by != input) summary.several_symbols = true;
        summary.unknown_by = input;
      } else if (summary.symbol_by == nullptr) {
        summary.symbol_by = input;
        summary.symbol = dim.symbol;
      } else if (summary.symbol != dim.symbol) {
        summary.several_symbols = true;
      }
    }
  }
  if (all_ranks_known) common.shape.emplace();
  for (std::size_t j = 0; j < rank; ++j) {
    dims[j].fixed = numbers.shape()[j];
    if (dims[j].fixed != 1) dims[j].fixed_by = inputs[numbers.owner(j)];
    if (common.undecided.empty()) common.undecided = WhyUndecided(dims[j], j);
    if (all_ranks_known) common.shape->push_back(Summarise(dims[j]));
  }
  return common;
}

Result<std::optional<DType>> InferMaxType(std::span<const ValueInfo* const> inputs, MaxVersion version) {
  const ValueInfo* first = nullptr;
  for (const ValueInfo* input : inputs) {
    if (input->type_name.empty()) continue;
    if (first == nullptr) first = input;
    if (first->type_name != input->type_name) {
      return TypeMismatchError("input " + Quote(input->name), input->type_name, "input " + Quote(first->name),
                               first->type_name);
    }
  }
  if (first == nullptr) return std::optional<DType>();
  if (first->type_name.starts_with("sparse ")) return SparseInputError(*first);
  if (!first->dtype || !Admits(version, *first->dtype)) {
    return TypeNotAdmittedError(
        "input " + Quote(first->name), first->type_name, version,
        first->dtype ? TypeAdvice(*first->dtype) : "convert it to one of the twelve types before");
  }
  return first->dtype;
}

Error SparseInputError(const ValueInfo& input) {
  return MakeError(ErrorCode::kSparseTensor, "PRO-1", "input " + Quote(input.name) + " is a sparse tensor",
                   "; store it as a dense one");
}

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
    if (dim.value && other.value) {
      agree = *dim.value == *other.value;
    } else if (other.value || (!dim.value && dim.symbol.empty())) {
      dim = other;
    }
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
  std::vector<const ValueInfo*> inputs;
  for (std::size_t input : node.inputs) inputs.push_back(&infos[input]);
  const Result<std::optional<DType>> dtype = InferMaxType(inputs, version);
  if (!dtype) return dtype.error();
  const Result<CommonShape> common = InferCommonShape(inputs, version);
  if (!common) return common.error();
  return ValueInfo{"", *dtype ? std::string(Name(**dtype)) : "", *dtype, common->shape};
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
  const Result<std::optional<DType>> dtype = InferReduceMaxType(source, version);
  if (!dtype) return dtype.error();
  std::optional<std::span<const std::int64_t>> elements;
  if (axes_input != nullptr) {
    if (auto ok = CheckAxesRank(*axes_input, version); !ok) return std::move(ok).error();
    const Tensor* constant = constants[node.inputs[1]];
    if (constant != nullptr) elements = constant->Elements<std::int64_t>();
  }
  const Result<std::optional<SymbolicShape>> shape =
      InferReduceMaxShape(source, AxesBeforeRun(node.reduce_max, axes_input, elements),
                          node.reduce_max.keepdims.value_or(true), version);
  if (!shape) return shape.error();
  return ValueInfo{"", *dtype ? std::string(Name(**dtype)) : "", *dtype, *shape};
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
    if (!inferred) return ErrorAt(graph.source + ": " + Describe(node.info), inferred.error());
    left -= MemoryOf(*inferred);
    if (left < 0) return InferenceLimitError(graph.source, graph.max_bytes);
    infos[output] = *std::move(inferred);
  }
  return infos;
}

}  // namespace supremum::onnx_front
