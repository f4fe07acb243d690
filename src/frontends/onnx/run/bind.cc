#include "frontends/onnx/run/bind.h"

#include <set>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/bind_symbols.h"

namespace supremum::onnx_front {
namespace {

std::string List(const Graph& graph, std::initializer_list<const std::vector<std::size_t>*> lists) {
  std::string list;
  for (const auto* values : lists) {
    for (std::size_t value : *values) {
      if (!list.empty()) list += ", ";
      if (list.size() > 500) return list + "...";
      list += Quote(graph.values[value].stated.info.name);
    }
  }
  return list.empty() ? "none" : list;
}

std::string ListInputs(const Graph& graph) { return List(graph, {&graph.inputs, &graph.optional_inputs}); }

Error SparseRefused(const Graph& graph, const std::string& who) {
  return ErrorAt(ErrorCode::kSparseTensor, graph.source, "PRO-1", who + " is stated as a sparse tensor",
                 "; state a dense one");
}

// The number of the value of the graph's input `name`, which must not be in `given` yet; `who` names the
// given tensor in error texts.
template <class Given>
Result<std::size_t> InputNumber(const Graph& graph, const std::string& name, const std::vector<Given>& given,
                                const std::string& who) {
  const auto known = graph.value_by_name.find(name);
  if (known == graph.value_by_name.end() || !graph.values[known->second].is_input) {
    return ErrorAt(ErrorCode::kInvalidArgument, graph.source,
                   "it has no input " + Quote(name) + "; its inputs are " + ListInputs(graph));
  }
  if (given[known->second]) {
    return ErrorAt(ErrorCode::kInvalidArgument, graph.source, who + " is given twice; give each input once");
  }
  return known->second;
}

}  // namespace

Result<DimBindings> DimBindings::Make(const Graph& graph, const std::map<std::string, std::int64_t>& dims) {
  DimBindings bindings;
  if (dims.empty()) return bindings;
  std::set<std::string> symbols;
  bool unknown = false;
  for (const Value& value : graph.values) {
    if (!value.stated.info.shape) continue;
    for (const Dim& dim : *value.stated.info.shape) {
      if (!dim.symbol.empty()) symbols.insert(dim.symbol);
      unknown = unknown || (dim.symbol.empty() && !dim.value);
    }
  }
  if (auto ok = CheckDims(dims, symbols, unknown, graph.source); !ok) return std::move(ok).error();
  for (const auto& [symbol, number] : dims) bindings.bindings_.emplace(symbol, Binding{number, "the caller"});
  return bindings;
}

Result<void> DimBindings::Bind(const std::string& who, const SymbolicShape& stated, DimsView actual,
                               ErrorCode mismatch) {
  const std::string shapes =
      who + " has shape " + ToString(actual) + " and the model states " + ToString(stated) + " for it";
  if (stated.size() != actual.size()) {
    return MakeError(mismatch, shapes + "; the ranks are " + std::to_string(actual.size()) + " and " +
                                   std::to_string(stated.size()));
  }
  for (std::size_t d = 0; d < stated.size(); ++d) {
    const std::string here = "; in dimension " + std::to_string(d);
    if (stated[d].value) {
      if (*stated[d].value == actual[d]) continue;
      return MakeError(mismatch, shapes + here + " the extents are " + std::to_string(actual[d]) + " and " +
                                     std::to_string(*stated[d].value));
    }
    if (stated[d].symbol.empty()) continue;
    const auto [bound, is_new] = bindings_.emplace(stated[d].symbol, Binding{actual[d], who});
    if (is_new || bound->second.value == actual[d]) continue;
    return MakeError(mismatch, shapes + here + " " + Quote(stated[d].symbol) + " would be " +
                                   std::to_string(actual[d]) + ", and " + bound->second.by +
                                   " gave it the value " + std::to_string(bound->second.value) +
                                   "; a symbolic dimension has one value in a run");
  }
  return {};
}

Result<std::vector<std::size_t>> BindInputs(const Graph& graph, std::span<const NamedView> inputs,
                                            DimBindings& bindings) {
  std::vector<const TensorView*> given(graph.values.size(), nullptr);
  std::vector<std::size_t> numbers;
  for (const NamedView& input : inputs) {
    const std::string who = "input " + Quote(input.name);
    const Result<std::size_t> value = InputNumber(graph, input.name, given, who);
    if (!value) return value.error();
    const StatedValue& stated = graph.values[*value].stated;
    if (stated.sparse) return SparseRefused(graph, who);
    if (!stated.info.type_name.empty() && stated.info.dtype != input.view.dtype) {
      return ErrorAt(ErrorCode::kTypeMismatch, graph.source, "TYP-2",
                     who + " has type " + std::string(Name(input.view.dtype)) + " and the model states " +
                         stated.info.type_name + "; nothing is converted");
    }
    given[*value] = &input.view;
    numbers.push_back(*value);
  }
  for (std::size_t value : graph.inputs) {
    if (given[value] != nullptr) continue;
    const StatedValue& stated = graph.values[value].stated;
    const std::string who = "input " + Quote(stated.info.name);
    if (stated.sparse) return SparseRefused(graph, who);
    return ErrorAt(
        ErrorCode::kInvalidArgument, graph.source,
        who + ", " + ToString(stated.info) + ", is not given; the model's inputs are " + ListInputs(graph));
  }
  // In the graph's order, so that the error does not depend on the caller's order.
  for (const auto* list : {&graph.inputs, &graph.optional_inputs}) {
    for (std::size_t value : *list) {
      const ValueInfo& stated = graph.values[value].stated.info;
      if (given[value] == nullptr || !stated.shape) continue;
      Result<void> bound = bindings.Bind("input " + Quote(stated.name), *stated.shape, given[value]->shape,
                                         ErrorCode::kInvalidArgument);
      if (!bound) return ErrorAt(graph.source, bound.error());
    }
  }
  return numbers;
}

Result<std::vector<std::size_t>> BindOutputs(const Graph& graph, std::span<const NamedMutableView> outputs) {
  std::vector<std::size_t> numbers;
  std::set<std::size_t> given;
  for (const NamedMutableView& output : outputs) {
    const auto known = graph.value_by_name.find(output.name);
    if (known == graph.value_by_name.end() || !graph.values[known->second].is_output) {
      return ErrorAt(
          ErrorCode::kInvalidArgument, graph.source,
          "it has no output " + Quote(output.name) + "; its outputs are " + List(graph, {&graph.outputs}));
    }
    if (!given.insert(known->second).second) {
      return ErrorAt(ErrorCode::kInvalidArgument, graph.source,
                     "output " + Quote(output.name) + " is given twice; give each output once");
    }
    numbers.push_back(known->second);
  }
  return numbers;
}

Result<std::vector<const Tensor*>> BindBounds(const Graph& graph, std::span<const NamedTensor> bounds) {
  std::vector<const Tensor*> given(graph.values.size(), nullptr);
  for (const NamedTensor& bound : bounds) {
    const Result<std::size_t> value =
        InputNumber(graph, bound.name, given, "the bound of input " + Quote(bound.name));
    if (!value) return value.error();
    given[*value] = &bound.tensor;
  }
  return given;
}

}  // namespace supremum::onnx_front
