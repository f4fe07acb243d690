#include "frontends/onnx/check_model.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/quote.h"
#include "frontends/onnx/check_node.h"
#include "frontends/onnx/check_scope.h"
#include "frontends/onnx/graph.h"
#include "frontends/onnx/operators.h"
#include "frontends/onnx/value_info.h"
#include "io/files/messages.h"

namespace supremum::onnx_front {
namespace {

class ModelChecker {
 public:
  ModelChecker(const onnx::ModelProto& model, const CheckOptions& options, CheckReport& report)
      : model_(model), options_(options), report_(report), account_(options.max_bytes) {}

  // `inferred` is the model after the onnx library's inference, or the model itself.
  Result<void> Check(const onnx::ModelProto& inferred) {
    for (const onnx::ValueInfoProto& input : model_.graph().input()) {
      for (const auto& dim : input.type().tensor_type().shape().dim()) {
        if (!dim.dim_param().empty()) input_symbols_.insert(dim.dim_param());
      }
    }
    if (auto ok = CheckGraph(model_.graph(), inferred.graph(), nullptr, "", report_.opset); !ok) return ok;
    for (const onnx::FunctionProto& function : model_.functions()) {
      std::int64_t opset = report_.opset;
      for (const onnx::OperatorSetIdProto& import : function.opset_import()) {
        if (IsOnnxDomain(import.domain())) opset = import.version();
      }
      Scope scope(nullptr, &account_);
      auto ok =
          CheckNodes(function.node(), function.node(), scope, "function " + Quote(function.name()), opset);
      if (!ok) return ok;
    }
    return {};
  }

  bool complete() const { return complete_; }

 private:
  Result<void> CheckGraph(const onnx::GraphProto& graph, const onnx::GraphProto& inferred,
                          const Scope* parent, const std::string& where, std::int64_t opset) {
    Scope scope(parent, &account_);
    const std::string here = where.empty() ? report_.model : report_.model + ": " + where;
    for (const auto* list : {&graph.input(), &graph.value_info(), &graph.output()}) {
      for (const onnx::ValueInfoProto& info : *list) {
        Result<StatedValue> stated = FromValueInfoProto(info, here);
        if (!stated) return std::move(stated).error();
        scope.State(*stated);
      }
    }
    for (const onnx::ValueInfoProto& input : graph.input()) scope.MarkInput(input.name());
    for (const onnx::TensorProto& tensor : graph.initializer()) {
      scope.State(FromTensorProto(tensor.name(), tensor));
      scope.MarkConstant(tensor.name(), ShortList(tensor));
    }
    for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
      StatedValue value = FromTensorProto(sparse.values().name(), sparse.values());
      value.sparse = true;
      value.info.shape.reset();
      value.info.dtype.reset();
      value.info.type_name = "sparse " + value.info.type_name;
      scope.State(value);
    }
    for (const onnx::ValueInfoProto& info : inferred.value_info()) {
      if (Result<StatedValue> value = FromValueInfoProto(info, here)) scope.Infer(value->info);
    }
    return CheckNodes(graph.node(), inferred.node(), scope, where, opset);
  }

  template <class Nodes>
  Result<void> CheckNodes(const Nodes& nodes, const Nodes& inferred, Scope& scope, const std::string& where,
                          std::int64_t opset) {
    if (opset < 1) {
      return io::ErrorAt(ErrorCode::kMalformedFile, report_.model,
                         where + " imports opset " + std::to_string(opset) + "; the first is 1");
    }
    for (int i = 0; i < nodes.size(); ++i) {
      const onnx::NodeProto& node = nodes.Get(i);
      NodeInfo info = DescribeNode(node, static_cast<std::size_t>(i));
      const Operator* const op = OperatorOf(node);
      info.version = op != nullptr ? op->version(opset) : 0;
      if (op != nullptr && op->check != nullptr) {
        CheckNode(node, *op, info, scope, where);
      } else if (op == &kConstantOperator && node.output_size() == 1) {
        scope.State(FromConstantNode(node.output(0), node));
        scope.MarkConstant(node.output(0), ShortList(node, opset));
      } else if (op == &kIdentityOperator && node.input_size() == 1 && node.output_size() == 1) {
        scope.InferCopy(node.input(0), node.output(0));
      }
      if (account_ < 0) return InferenceLimitError(report_.model, options_.max_bytes);
      for (int a = 0; a < node.attribute_size(); ++a) {
        const onnx::AttributeProto& attribute = node.attribute(a);
        const onnx::AttributeProto& inferred_attribute = inferred.Get(i).attribute(a);
        const std::string inner =
            (where.empty() ? "" : where + ", ") + Describe(info) + ", attribute " + Quote(attribute.name());
        if (attribute.has_g()) {
          if (auto ok = CheckGraph(attribute.g(), inferred_attribute.g(), &scope, inner, opset); !ok)
            return ok;
        }
        for (int g = 0; g < attribute.graphs_size(); ++g) {
          auto ok = CheckGraph(attribute.graphs(g), inferred_attribute.graphs(g), &scope, inner, opset);
          if (!ok) return ok;
        }
      }
    }
    return {};
  }

  void CheckNode(const onnx::NodeProto& proto, const Operator& op, const NodeInfo& info, Scope& scope,
                 const std::string& where) {
    CheckedNode node{proto, {}, {}, input_symbols_};
    for (const std::string& input : proto.input()) {
      if (input.empty()) continue;
      node.inputs.push_back(scope.Find(input));
      account_ -= 2 * onnx_front::MemoryOf(node.inputs.back().known);
      if (account_ < 0) return;  // the caller says so
    }
    for (const Operand& input : node.inputs) {
      complete_ = complete_ && input.known.shape && !input.known.type_name.empty();
    }
    // What follows from the inputs: for the advice about this node, and for the nodes behind it.
    if (proto.output_size() > 0 && !proto.output(0).empty()) {
      ValueInfo result = op.infer_checked(node, info.version);
      result.name = proto.output(0);
      scope.Infer(result);
    }
    for (const std::string& output : proto.output()) {
      if (!output.empty()) node.outputs.push_back(scope.Find(output));
    }
    NodeReport report{info, where, op.check(node, info.version, options_)};
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
  const CheckOptions& options_;
  CheckReport& report_;
  std::set<std::string> input_symbols_;
  std::int64_t account_;  // the memory that names and findings may still take
  bool complete_ = true;
};

}  // namespace

Result<bool> CheckNodes(const onnx::ModelProto& model, const onnx::ModelProto& inferred,
                        const CheckOptions& options, CheckReport& report) {
  ModelChecker checker(model, options, report);
  if (Result<void> ok = checker.Check(inferred); !ok) return std::move(ok).error();
  return checker.complete();
}

}  // namespace supremum::onnx_front
