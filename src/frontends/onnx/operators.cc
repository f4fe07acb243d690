#include "frontends/onnx/operators.h"

#include <onnx/onnx_pb.h>

#include <initializer_list>

#include "core/quote.h"
#include "frontends/onnx/reduce_max_node.h"
#include "frontends/onnx/value_info.h"
#include "io/files/messages.h"
#include "supremum/opset.h"

namespace supremum::onnx_front {
namespace {

using io::ErrorAt;

Error Malformed(const std::string& where, const std::string& details) {
  return ErrorAt(ErrorCode::kMalformedFile, where, details);
}

Result<void> CheckInputCount(const onnx::NodeProto& node, Operator op, int version,
                             const std::string& where) {
  const int inputs = node.input_size();
  if (op == Operator::kMax && inputs == 0) {
    return ErrorAt(ErrorCode::kInputCount, where, "MAX-1",
                   "Max takes 1 to 2147483647 inputs and this node has none");
  }
  if (op == Operator::kReduceMax) {
    const auto fault = ReduceMaxInputFault(node, static_cast<ReduceMaxVersion>(version));
    if (fault) return ErrorAt(ErrorCode::kInputCount, where, "RED-5", fault->text, "; " + fault->change);
  }
  if ((op == Operator::kConstant && inputs != 0) || (op == Operator::kIdentity && inputs != 1)) {
    return Malformed(where, node.op_type() + " takes " +
                                (op == Operator::kConstant ? "no input" : "one input") + ", this node has " +
                                std::to_string(inputs));
  }
  for (int m = 0; m < inputs; ++m) {
    if (!node.input(m).empty() || op == Operator::kReduceMax) continue;
    return Malformed(where, "its input " + std::to_string(m) + " has no name; " + node.op_type() +
                                " has no input that may be left out");
  }
  return {};
}

}  // namespace

Operator OperatorOf(const onnx::NodeProto& node) {
  if (!IsOnnxDomain(node.domain())) return Operator::kOther;
  if (node.op_type() == "Max") return Operator::kMax;
  if (node.op_type() == "ReduceMax") return Operator::kReduceMax;
  if (node.op_type() == "Constant") return Operator::kConstant;
  if (node.op_type() == "Identity") return Operator::kIdentity;
  return Operator::kOther;
}

int VersionOf(Operator op, std::int64_t opset) {
  const auto newest = [opset](std::initializer_list<int> versions) {
    int found = 0;
    for (int version : versions) found = version <= opset ? version : found;
    return found;
  };
  switch (op) {
    case Operator::kMax:
      return static_cast<int>(MaxVersionForOpset(opset).value_or(MaxVersion::k1));
    case Operator::kReduceMax:
      return static_cast<int>(ReduceMaxVersionForOpset(opset).value_or(ReduceMaxVersion::k1));
    case Operator::kConstant:
      return newest({1, 9, 11, 12, 13, 19, 21, 23, 24});
    case Operator::kIdentity:
      return newest({1, 13, 14, 16, 19, 21, 23, 24});
    case Operator::kOther:
      break;
  }
  return 0;
}

Result<void> CheckOperands(const onnx::NodeProto& node, Operator op, int version, const std::string& where) {
  if (op == Operator::kOther) return {};
  if (node.output_size() != 1 || node.output(0).empty()) {
    return Malformed(where, node.op_type() + " has exactly one output, this node has " +
                                std::to_string(node.output_size()));
  }
  if (auto ok = CheckInputCount(node, op, version, where); !ok) return ok;
  if (op != Operator::kMax && op != Operator::kIdentity) return {};
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    // MAX-3: Max-1 accepts consumed_inputs and ignores it; so does Identity-1.
    if (attribute.name() == "consumed_inputs" && version == 1) continue;
    return Malformed(where, node.op_type() + "-" + std::to_string(version) + " has no attribute " +
                                Quote(attribute.name()) + "; remove it");
  }
  return {};
}

}  // namespace supremum::onnx_front
