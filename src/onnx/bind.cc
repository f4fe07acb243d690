#include "onnx/bind.h"

#include <set>

#include "core/quote.h"
#include "formats/messages.h"

namespace supremum::onnx_front {

Result<DimBindings> DimBindings::Make(const Graph& graph, const std::map<std::string, std::int64_t>& dims) {
  DimBindings bindings;
  if (dims.empty()) return bindings;
  std::set<std::string> symbols;
  for (const Value& value : graph.values) {
    if (!value.stated.info.shape) continue;
    for (const Dim& dim : *value.stated.info.shape) {
      if (!dim.symbol.empty()) symbols.insert(dim.symbol);
    }
  }
  for (const auto& [symbol, number] : dims) {
    if (!symbols.contains(symbol)) {
      std::string known;
      for (const std::string& name : symbols) known += (known.empty() ? "" : ", ") + Quote(name);
      return formats::ErrorAt(ErrorCode::kInvalidArgument, graph.source,
                              "it has no symbolic dimension " + Quote(symbol) +
                                  (known.empty() ? "; all its extents are numbers" : "; it has " + known));
    }
    if (number < 0) {
      return MakeError(ErrorCode::kInvalidArgument, "the symbolic dimension " + Quote(symbol) +
                                                        " was given the negative extent " +
                                                        std::to_string(number));
    }
    bindings.bindings_.emplace(symbol, Binding{number, "the caller"});
  }
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

}  // namespace supremum::onnx_front
