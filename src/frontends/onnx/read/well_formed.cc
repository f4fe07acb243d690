#include "frontends/onnx/read/well_formed.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/functions.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/value_info.h"

namespace supremum::onnx_front {
namespace {

constexpr int kGiven = -1;  // an input or an initializer

// The names of one graph, each with the position of the node that produces it, and the node that is looked
// at.
struct Names {
  std::unordered_map<std::string_view, int> producers;
  int node = 0;
  const Names* outer = nullptr;

  bool IsProducedBefore(std::string_view name) const {
    const auto found = producers.find(name);
    return found != producers.end() && found->second < node;
  }
  bool IsVisible(std::string_view name) const {
    for (const Names* names = this; names != nullptr; names = names->outer) {
      if (names->IsProducedBefore(name)) return true;
    }
    return false;
  }
};

std::string DescribeAt(const onnx::NodeProto& node, int position) {
  return Describe(DescribeNode(node, static_cast<std::size_t>(position)));
}

// Empty if the tensor states no extent below zero.
std::string NegativeExtentIn(const onnx::TensorProto& tensor) {
  const auto negative = std::ranges::find_if(tensor.dims(), [](std::int64_t extent) { return extent < 0; });
  if (negative == tensor.dims().end()) return "";
  return "its shape has the extent " + std::to_string(*negative) + " in dimension " +
         std::to_string(negative - tensor.dims().begin()) + "; a tensor has the extents of its elements";
}

// Where a graph is: the main graph, a function, or an attribute of a node in another place. The text is made
// only for an error: names may be long, and places many.
struct Place {
  const Place* outer = nullptr;
  const onnx::FunctionProto* function = nullptr;
  const onnx::NodeProto* node = nullptr;
  int position = 0;  // of the node
  const onnx::AttributeProto* attribute = nullptr;

  bool in_function() const { return function != nullptr || (outer != nullptr && outer->in_function()); }

  std::string text() const {
    if (function != nullptr) return TextOf(*function);
    if (node == nullptr) return "";
    const std::string around = outer->text();
    return around + (around.empty() ? "" : ", ") + DescribeAt(*node, position) + ", attribute " +
           Quote(attribute->name());
  }
};

class FormChecker {
 public:
  FormChecker(std::string_view source, const Functions& functions) : source_(source), functions_(functions) {}

  Result<void> CheckGraph(const onnx::GraphProto& graph, const Names* outer, const Place& place) const {
    Names names;
    names.outer = outer;
    if (auto ok = TakeInitializers(graph, place, names); !ok) return ok;
    if (auto ok = TakeInputs(graph, place, names); !ok) return ok;
    if (auto ok = CheckNodes(graph.node(), place, names); !ok) return ok;
    for (const onnx::ValueInfoProto& output : graph.output()) {
      if (names.IsVisible(output.name())) continue;
      return Malformed(place, "graph output " + Quote(output.name()), "nothing in the graph produces it");
    }
    return {};
  }

  Result<void> CheckFunction(const onnx::FunctionProto& function) const {
    const Place place{.function = &function};
    if (const std::int64_t opset = OpsetOf(function, 1); opset < 1)
      return Malformed(place, "", "it imports opset " + std::to_string(opset) + "; the first is 1");
    Names names;
    for (const std::string& input : function.input()) {
      if (names.producers.emplace(input, kGiven).second) continue;
      return Malformed(place, "input " + Quote(input), "this name is given to two inputs");
    }
    if (auto ok = CheckNodes(function.node(), place, names); !ok) return ok;
    for (const std::string& output : function.output()) {
      if (names.IsVisible(output)) continue;
      return Malformed(place, "output " + Quote(output), "nothing in the function produces it");
    }
    return {};
  }

  // "'m.onnx': place, what: details", without the parts that are empty.
  Error Malformed(const Place& place, const std::string& what, const std::string& details) const {
    const std::string around = place.text();
    std::string where(source_);
    if (!around.empty()) where += ": " + around;
    if (!what.empty()) where += (around.empty() ? ": " : ", ") + what;
    return ErrorAt(ErrorCode::kMalformedFile, where, details);
  }

 private:
  Result<void> TakeInitializers(const onnx::GraphProto& graph, const Place& place, Names& names) const {
    const auto take = [&](const std::string& name, const std::string& what, int position) -> Result<void> {
      if (name.empty()) return Malformed(place, "", what + " #" + std::to_string(position) + " has no name");
      if (names.producers.emplace(name, kGiven).second) return {};
      return Malformed(place, what + " " + Quote(name), "this name is given to two initializers");
    };
    for (int i = 0; i < graph.initializer_size(); ++i) {
      const onnx::TensorProto& tensor = graph.initializer(i);
      if (auto ok = take(tensor.name(), "initializer", i); !ok) return ok;
      if (const std::string fault = NegativeExtentIn(tensor); !fault.empty())
        return Malformed(place, "initializer " + Quote(tensor.name()), fault);
    }
    for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
      auto ok = take(graph.sparse_initializer(i).values().name(), "sparse initializer", i);
      if (!ok) return ok;
    }
    return {};
  }

  // An input may have the name of an initializer, which is then its default.
  Result<void> TakeInputs(const onnx::GraphProto& graph, const Place& place, Names& names) const {
    std::unordered_map<std::string_view, int> inputs;
    for (int i = 0; i < graph.input_size(); ++i) {
      const std::string& name = graph.input(i).name();
      if (name.empty()) return Malformed(place, "", "graph input #" + std::to_string(i) + " has no name");
      if (inputs.emplace(name, kGiven).second) continue;
      return Malformed(place, "graph input " + Quote(name), "this name is given to two graph inputs");
    }
    names.producers.merge(inputs);
    return {};
  }

  template <class Nodes>
  Result<void> CheckNodes(const Nodes& nodes, const Place& place, Names& names) const {
    // All producers first, to tell a name that is read too early from one that nothing produces.
    for (int i = 0; i < nodes.size(); ++i) {
      for (const std::string& output : nodes.Get(i).output()) {
        if (output.empty()) continue;
        if (!names.producers.emplace(output, i).second) {
          return Malformed(place, DescribeAt(nodes.Get(i), i),
                           "its output " + Quote(output) + " already names another value of the graph");
        }
        if (names.outer == nullptr || !names.outer->IsVisible(output)) continue;
        return Malformed(place, DescribeAt(nodes.Get(i), i),
                         "its output " + Quote(output) +
                             " already names a value of a graph around it; give it another name");
      }
    }
    for (names.node = 0; names.node < nodes.size(); ++names.node) {
      const onnx::NodeProto& node = nodes.Get(names.node);
      if (node.op_type().empty()) {
        return Malformed(place, DescribeAt(node, names.node), "it has no operator");
      }
      if (const std::string missing = functions_.MissingOverload(node); !missing.empty())
        return Malformed(place, DescribeAt(node, names.node), missing);
      for (const std::string& input : node.input()) {
        if (!input.empty() && !names.IsVisible(input)) return Missing(nodes, input, place, names);
      }
      if (auto ok = CheckAttributes(node, place, names); !ok) return ok;
    }
    return {};
  }

  template <class Nodes>
  Error Missing(const Nodes& nodes, const std::string& input, const Place& place, const Names& names) const {
    const std::string node = DescribeAt(nodes.Get(names.node), names.node);
    const auto later = names.producers.find(input);
    if (later == names.producers.end()) {
      return Malformed(place, node, "its input " + Quote(input) + " is produced by nothing in the graph");
    }
    return Malformed(place, node,
                     "its input " + Quote(input) + " is produced only later, by " +
                         DescribeAt(nodes.Get(later->second), later->second) +
                         "; nodes must be in topological order, without a cycle");
  }

  Result<void> CheckAttributes(const onnx::NodeProto& node, const Place& place, const Names& names) const {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.ref_attr_name().empty() && !place.in_function()) {
        return Malformed(place, DescribeAt(node, names.node),
                         "the attribute " + Quote(attribute.name()) +
                             " takes its value from a call of a function, and the node is in none; write the "
                             "value into the node");
      }
      if (const std::string fault = NegativeExtentIn(attribute.t()); !fault.empty()) {
        return Malformed(place, DescribeAt(node, names.node) + ", attribute " + Quote(attribute.name()),
                         fault);
      }
      const Place inner{&place, nullptr, &node, names.node, &attribute};
      for (const onnx::GraphProto* graph : GraphsOf(attribute)) {
        if (auto ok = CheckGraph(*graph, &names, inner); !ok) return ok;
      }
    }
    return {};
  }

  std::string_view source_;
  const Functions& functions_;
};

// The calls of functions that the model has, and whether one leads back to its caller.
class Calls {
 public:
  Calls(const onnx::ModelProto& model, const Functions& functions)
      : functions_(functions), callees_(static_cast<std::size_t>(model.functions_size())) {
    for (int i = 0; i < model.functions_size(); ++i) Collect(model.functions(i).node(), i);
  }

  // The calls that form a cycle: the function that calls, the one that is called.
  std::optional<std::pair<int, int>> FindCycle() const {
    enum class State : char { kNew, kOpen, kDone };
    std::vector<State> states(callees_.size(), State::kNew);
    for (std::size_t root = 0; root < callees_.size(); ++root) {
      if (states[root] != State::kNew) continue;
      // Without recursion: a chain of calls may be as long as the model.
      std::vector<std::pair<std::size_t, std::size_t>> open = {{root, 0}};
      states[root] = State::kOpen;
      while (!open.empty()) {
        auto& [caller, next] = open.back();
        if (next == callees_[caller].size()) {
          states[caller] = State::kDone;
          open.pop_back();
          continue;
        }
        const int callee = callees_[caller][next++];
        State& state = states[static_cast<std::size_t>(callee)];
        if (state == State::kOpen) return std::pair(static_cast<int>(caller), callee);
        if (state == State::kDone) continue;
        state = State::kOpen;
        open.emplace_back(callee, 0);
      }
    }
    return std::nullopt;
  }

 private:
  template <class Nodes>
  void Collect(const Nodes& nodes, int caller) {
    for (const onnx::NodeProto& node : nodes) {
      if (const std::optional<int> callee = functions_.Callee(node))
        callees_[static_cast<std::size_t>(caller)].push_back(*callee);
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        for (const onnx::GraphProto* graph : GraphsOf(attribute)) Collect(graph->node(), caller);
      }
    }
  }

  const Functions& functions_;
  std::vector<std::vector<int>> callees_;
};

}  // namespace

Result<void> CheckWellFormed(const onnx::ModelProto& model, std::string_view source) {
  const Functions functions(model);
  const FormChecker checker(source, functions);
  if (functions.repeated()) {
    return checker.Malformed({.function = &model.functions(*functions.repeated())}, "",
                             "two functions have this domain, name and overload; a call would not say which");
  }
  if (auto ok = checker.CheckGraph(model.graph(), nullptr, {}); !ok) return ok;
  for (const onnx::FunctionProto& function : model.functions()) {
    if (auto ok = checker.CheckFunction(function); !ok) return ok;
  }
  const auto cycle = Calls(model, functions).FindCycle();
  if (!cycle) return {};
  const auto& [caller, callee] = *cycle;
  return checker.Malformed({.function = &model.functions(caller)}, "",
                           "it calls the " + TextOf(model.functions(callee)) +
                               ", which leads back to it; a function must not call itself");
}

}  // namespace supremum::onnx_front
