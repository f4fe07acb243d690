#include "frontends/onnx/operators.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>

#include "core/quote.h"
#include "frontends/onnx/functions.h"
#include "frontends/onnx/value_info.h"
#include "io/files/messages.h"

namespace supremum::onnx_front {
namespace {

// Error texts and documentation name them in this order.
constexpr std::array kOperators = {&kMaxOperator, &kReduceMaxOperator, &kConstantOperator,
                                   &kIdentityOperator};

// "a, b and c", of the operators that are `listed`.
template <class Listed>
std::string Listing(Listed listed) {
  std::vector<std::string_view> names;
  for (const Operator* op : kOperators) {
    if (listed(*op)) names.push_back(op->name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

const Operator* OperatorOf(const onnx::NodeProto& node) {
  // An overload is one of a function.
  if (!IsOnnxDomain(node.domain()) || !OverloadOf(node).empty()) return nullptr;
  const auto found = std::ranges::find(kOperators, node.op_type(), &Operator::name);
  return found == kOperators.end() ? nullptr : *found;
}

std::string ExecutedOperators() {
  return Listing([](const Operator&) { return true; });
}

std::string CheckedOperators() {
  return Listing([](const Operator& op) { return op.check != nullptr; });
}

Result<void> ReadOperands(const onnx::NodeProto& proto, const std::string& where, Node& node) {
  if (node.op == nullptr) return {};
  if (proto.output_size() != 1 || proto.output(0).empty()) {
    return MalformedNode(where, proto.op_type() + " has exactly one output, this node has " +
                                    std::to_string(proto.output_size()));
  }
  return node.op->read(proto, where, node);
}

Result<void> CheckExecuted(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op != nullptr) continue;
    const std::string domain = IsOnnxDomain(node.info.domain) ? "" : " of domain " + Quote(node.info.domain);
    return io::ErrorAt(
        ErrorCode::kUnsupportedOperator, PlaceOf(graph, node),
        "the operator " + Quote(node.info.op_type) + domain +
            (domain.empty() && node.info.scope.empty() ? " of opset " + std::to_string(graph.opset) : "") +
            " is not executed, only " + ExecutedOperators() + " are; `supremum check` judges the " +
            CheckedOperators() + " nodes of any model");
  }
  return {};
}

Error MalformedNode(const std::string& where, const std::string& details) {
  return io::ErrorAt(ErrorCode::kMalformedFile, where, details);
}

Error NotGivenByCall(const std::string& where, const std::string& attribute) {
  return MalformedNode(where, "the attribute " + Quote(attribute) +
                                  " takes its value from a call of a function, and there is none that gives "
                                  "it; give it in the call, or write the value into the node");
}

Result<void> CheckInputsNamed(const onnx::NodeProto& proto, const std::string& where) {
  const auto nameless = std::ranges::find_if(proto.input(), &std::string::empty);
  if (nameless == proto.input().end()) return {};
  return MalformedNode(where, "its input " + std::to_string(nameless - proto.input().begin()) +
                                  " has no name; " + proto.op_type() + " has no input that may be left out");
}

Result<void> CheckNoAttributes(const onnx::NodeProto& proto, int version, const std::string& where) {
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    if (attribute.name() == "consumed_inputs" && version == 1) continue;
    return MalformedNode(where, proto.op_type() + "-" + std::to_string(version) + " has no attribute " +
                                    Quote(attribute.name()) + "; remove it");
  }
  return {};
}

int NewestVersion(std::span<const int> versions, std::int64_t opset) {
  int newest = 0;
  for (int version : versions) newest = version <= opset ? version : newest;
  return newest;
}

}  // namespace supremum::onnx_front
