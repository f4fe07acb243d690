#include "frontends/onnx/check/check_model.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/check/check_node.h"
#include "frontends/onnx/check/check_scope.h"
#include "frontends/onnx/read/constant.h"
#include "frontends/onnx/read/fold.h"
#include "frontends/onnx/read/functions.h"
#include "frontends/onnx/read/inline_functions.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/value_info.h"
#include "io/formats/tensor_proto.h"

namespace supremum::onnx_front {
namespace {

class ModelChecker {
 public:
  ModelChecker(const onnx::ModelProto& model, const InlinedModel& inlined, const CheckOptions& options,
               CheckReport& report, const NodeVisitor& visit)
      : model_(model),
        inlined_(inlined),
        options_(options),
        report_(report),
        visit_(visit),
        account_(options.max_bytes) {}

  // `inferred` is the model without calls of functions after the onnx library's inference, or without it.
  Result<void> Check(const onnx::ModelProto& inferred) {
    const onnx::GraphProto& graph = inlined_.model->graph();
    for (const onnx::ValueInfoProto& input : graph.input()) {
      for (const auto& dim : input.type().tensor_type().shape().dim()) {
        if (!dim.dim_param().empty()) input_symbols_.insert(dim.dim_param());
      }
    }
    if (auto ok = CheckGraph(graph, inferred.graph(), nullptr, {"", report_.opset, {}}); !ok) return ok;
    for (int i = 0; i < model_.functions_size(); ++i) {
      if (inlined_.called.contains(i)) continue;
      const onnx::FunctionProto& function = model_.functions(i);
      Scope scope(nullptr, &account_);
      in_uncalled_ = true;
      auto ok = CheckNodes(function.node(), function.node(), scope,
                           {TextOf(function), OpsetOf(function, report_.opset), {}});
      if (!ok) return ok;
    }
    return {};
  }

  bool complete() const { return complete_; }

 private:
  // Where nodes are.
  struct Place {
    std::string text;  // "": in the main graph
    std::int64_t opset = 0;
    std::optional<int> call = {};  // of the function that they come from, in InlinedModel::calls
  };

  Result<void> CheckGraph(const onnx::GraphProto& graph, const onnx::GraphProto& inferred,
                          const Scope* parent, const Place& place) {
    Scope scope(parent, &account_);
    for (const auto* list : {&graph.input(), &graph.value_info(), &graph.output()}) {
      for (const onnx::ValueInfoProto& info : *list) scope.State(FromValueInfoProto(info));
    }
    for (const onnx::ValueInfoProto& input : graph.input()) scope.MarkInput(input.name());
    for (const onnx::TensorProto& tensor : graph.initializer()) {
      scope.State(FromTensorProto(tensor.name(), tensor));
      scope.MarkConstant(tensor.name(), io::TensorFromProto(tensor, "", kMostFoldedBytes), &tensor);
    }
    for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
      StatedValue value = FromSparseProto(sparse.values().name(), sparse);
      value.info.shape.reset();
      scope.State(value);
    }
    for (const onnx::ValueInfoProto& info : inferred.value_info()) {
      scope.Infer(FromValueInfoProto(info).info);
    }
    return CheckNodes(graph.node(), inferred.node(), scope, place);
  }

  // The place of the nodes that come from `call`, which the graph at `place` has.
  Place PlaceOfCall(int call, const Place& place) const {
    const InlinedCall& inlined = inlined_.calls[static_cast<std::size_t>(call)];
    return {(place.text.empty() ? "" : place.text + ", ") + inlined.text, inlined.opset, call};
  }

  template <class Nodes>
  Result<void> CheckNodes(const Nodes& nodes, const Nodes& inferred, Scope& scope, const Place& outer) {
    Place of_call = outer;  // of the last node; a text may be long, and nodes of one call follow each other
    for (int i = 0; i < nodes.size(); ++i) {
      const onnx::NodeProto& node = nodes.Get(i);
      const auto [index, call] = inlined_.OriginOf(node, i);
      if (call && call != outer.call && call != of_call.call) of_call = PlaceOfCall(*call, outer);
      const Place& place = call && call != outer.call ? of_call : outer;
      NodeInfo info = DescribeNode(node, index);
      const Op op = OperatorOf(node);
      info.version = VersionOf(op, place.opset);
      if (IsJudged(op)) {
        CheckNode(node, op, info, scope, place);
      } else if (op == Op::kConstant && node.output_size() == 1) {
        scope.State(FromConstantNode(node.output(0), node));
        const onnx::AttributeProto* const value = FindAttribute(node, "value");
        scope.MarkConstant(node.output(0), ConstantElements(node, place.opset, "", kMostFoldedBytes),
                           value == nullptr || !value->has_t() ? nullptr : &value->t());
      } else if (op == Op::kIdentity && node.input_size() == 1 && node.output_size() == 1) {
        scope.InferCopy(node.input(0), node.output(0));
      } else if (std::optional<Tensor> folded = Fold(
                     node, place.opset, [&](const std::string& name) { return scope.ElementsOf(name); })) {
        scope.InferConstant(node.output(0), *std::move(folded));
      }
      if (account_ < 0) return InferenceLimitError(report_.model, options_.max_bytes);
      for (int a = 0; a < node.attribute_size(); ++a) {
        const onnx::AttributeProto& attribute = node.attribute(a);
        const onnx::AttributeProto& inferred_attribute = inferred.Get(i).attribute(a);
        const auto inner = [&] {
          return Place{(place.text.empty() ? "" : place.text + ", ") + Describe(info) + ", attribute " +
                           Quote(attribute.name()),
                       place.opset, place.call};
        };
        const auto check = [&](const onnx::GraphProto& graph, const onnx::GraphProto& inferred_graph,
                               std::optional<int> position) -> Result<void> {
          if (!place.call) path_.push_back({static_cast<int>(index), a, position});
          auto ok = CheckGraph(graph, inferred_graph, &scope, inner());
          if (!place.call) path_.pop_back();
          return ok;
        };
        if (attribute.has_g()) {
          if (auto ok = check(attribute.g(), inferred_attribute.g(), {}); !ok) return ok;
        }
        for (int g = 0; g < attribute.graphs_size(); ++g) {
          if (auto ok = check(attribute.graphs(g), inferred_attribute.graphs(g), g); !ok) return ok;
        }
      }
    }
    return {};
  }

  void CheckNode(const onnx::NodeProto& proto, Op op, const NodeInfo& info, Scope& scope,
                 const Place& place) {
    CheckedNode node{proto, {}, {}, input_symbols_, inlined_.inner_names, in_uncalled_};
    for (const std::string& input : proto.input()) {
      if (input.empty()) continue;
      node.inputs.push_back(scope.Find(input));
      account_ -= 2 * onnx_front::MemoryOf(node.inputs.back().known);
      if (account_ < 0) return;  // the caller says so
    }
    for (const Operand& input : node.inputs) {
      complete_ = complete_ && (in_uncalled_ || (input.known.shape && !input.known.type_name.empty()));
    }
    // What follows from the inputs: for the advice about this node, and for the nodes behind it.
    if (proto.output_size() > 0 && !proto.output(0).empty()) {
      ValueInfo result = (op == Op::kMax ? InferMaxNode : InferReduceMaxNode)(node, info.version);
      result.name = proto.output(0);
      scope.Infer(result);
    }
    for (const std::string& output : proto.output()) {
      if (!output.empty()) node.outputs.push_back(scope.Find(output));
    }
    const auto check = op == Op::kMax ? CheckMaxNode : CheckReduceMaxNode;
    NodeReport report{info, place.text, check(node, info.version, options_)};
    if (visit_)
      visit_({node, op, info.version, place.opset, report, path_, in_uncalled_ || place.call.has_value()});
    account_ -= 2 * MemoryOf(report);  // and as much for whatever shows it
    report_.nodes.push_back(std::move(report));
  }

  static std::int64_t MemoryOf(const NodeReport& report) {
    std::size_t bytes = sizeof(NodeReport) + report.scope.size() + report.node.name.size();
    for (const auto* names : {&report.node.inputs, &report.node.outputs}) {
      for (const std::string& name : *names) bytes += sizeof(std::string) + name.size();
    }
    for (const Finding& finding : report.findings) {
      bytes += sizeof(Finding) + finding.text.size() + finding.change.size();
    }
    return static_cast<std::int64_t>(bytes);
  }

  const onnx::ModelProto& model_;
  const InlinedModel& inlined_;
  bool in_uncalled_ = false;  // the nodes are those of a function that is not called
  const CheckOptions& options_;
  CheckReport& report_;
  const NodeVisitor& visit_;
  std::vector<GraphStep> path_;
  std::set<std::string> input_symbols_;
  std::int64_t account_;  // the memory that names and findings may still take
  bool complete_ = true;
};

using Counts =
    std::map<std::pair<std::string_view, std::string_view>, std::size_t>;  // by domain and operator

// Returns the number of judged nodes, and counts the others.
template <class Nodes>
std::size_t CountOthers(const Nodes& nodes, Counts& counts) {
  std::size_t judged = 0;
  for (const onnx::NodeProto& node : nodes) {
    const std::string_view domain = IsOnnxDomain(node.domain()) ? std::string_view() : node.domain();
    if (IsJudged(OperatorOf(node))) {
      ++judged;
    } else {
      ++counts[{domain, node.op_type()}];
    }
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      for (const onnx::GraphProto* graph : GraphsOf(attribute)) judged += CountOthers(graph->node(), counts);
    }
  }
  return judged;
}

}  // namespace

NodeCounts CountNodes(const onnx::ModelProto& model) {
  Counts counts;
  NodeCounts counted;
  counted.judged = CountOthers(model.graph().node(), counts);
  for (const onnx::FunctionProto& function : model.functions()) {
    counted.judged += CountOthers(function.node(), counts);
  }
  for (const auto& [op, nodes] : counts) {
    const auto& [domain, name] = op;
    counted.others.push_back({(domain.empty() ? "" : std::string(domain) + ".") + std::string(name), nodes});
  }
  std::ranges::stable_sort(counted.others, std::greater<>(), &OperatorCount::nodes);
  return counted;
}

Result<bool> CheckNodes(const onnx::ModelProto& model, const InlinedModel& inlined,
                        const onnx::ModelProto& inferred, const CheckOptions& options, CheckReport& report,
                        const NodeVisitor& visit) {
  ModelChecker checker(model, inlined, options, report, visit);
  if (Result<void> ok = checker.Check(inferred); !ok) return std::move(ok).error();
  return checker.complete();
}

}  // namespace supremum::onnx_front
