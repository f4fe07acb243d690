#include "frontends/onnx/read/operators.h"

#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/value_info.h"
#include "supremum/opset.h"

namespace supremum::onnx_front {
namespace {

struct Row {
  Op op;
  std::string_view name;
};
constexpr Row kOperators[] = {
    {Op::kMax, "Max"},
    {Op::kReduceMax, "ReduceMax"},
    {Op::kConstant, "Constant"},
    {Op::kIdentity, "Identity"},
};

constexpr int kConstantVersions[] = {1, 9, 11, 12, 13, 19, 21, 23, 24};
constexpr int kIdentityVersions[] = {1, 13, 14, 16, 19, 21, 23, 24};

// The greatest of `versions`, which ascend, that `opset` has.
int NewestVersion(std::span<const int> versions, std::int64_t opset) {
  int newest = 0;
  for (int version : versions) newest = version <= opset ? version : newest;
  return newest;
}

template <class Message>
std::string OverloadIn(const Message& message, int number) {
  if constexpr (requires { message.overload(); }) {
    return message.overload();
  } else {
    std::string overload;
    for (const std::string* bytes : UnknownFields(message, number)) {
      if (bytes != nullptr) overload = *bytes;
    }
    return overload;
  }
}

Error MalformedNode(const std::string& where, const std::string& details) {
  return ErrorAt(ErrorCode::kMalformedFile, where, details);
}

// No input may be left out, and there are no attributes; version 1 may have consumed_inputs, which is ignored
// (MAX-3).
Result<void> CheckInputsAlone(const onnx::NodeProto& proto, int version, const std::string& where) {
  const auto nameless = std::ranges::find_if(proto.input(), &std::string::empty);
  if (nameless != proto.input().end()) {
    return MalformedNode(where, "its input " + std::to_string(nameless - proto.input().begin()) +
                                    " has no name; " + proto.op_type() +
                                    " has no input that may be left out");
  }
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    if (attribute.name() == "consumed_inputs" && version == 1) continue;
    return MalformedNode(where, proto.op_type() + "-" + std::to_string(version) + " has no attribute " +
                                    Quote(attribute.name()) + "; remove it");
  }
  return {};
}

Result<void> ReadReduceMax(const onnx::NodeProto& proto, const std::string& where, Node& node) {
  const auto version = static_cast<ReduceMaxVersion>(node.info.version);
  if (const auto fault = ReduceMaxInputFault(proto, version)) {
    return ErrorAt(ErrorCode::kInputCount, where, "RED-5", fault->text, "; " + fault->change);
  }
  std::vector<NodeFault> faults;
  node.reduce_max = ReadReduceMaxAttributes(proto, version, faults);
  if (!faults.empty()) return MalformedNode(where, faults[0].text + "; " + faults[0].change);
  if (!node.reduce_max.of_function.empty()) return NotGivenByCall(where, node.reduce_max.of_function);
  node.info.attributes = InfosOf(node.reduce_max, version);
  return {};
}

}  // namespace

Op OperatorOf(const onnx::NodeProto& node) {
  // An overload is one of a function.
  if (!IsOnnxDomain(node.domain()) || !OverloadOf(node).empty()) return Op::kUnknown;
  const auto found = std::ranges::find(kOperators, node.op_type(), &Row::name);
  return found == std::end(kOperators) ? Op::kUnknown : found->op;
}

int VersionOf(Op op, std::int64_t opset) {
  switch (op) {
    case Op::kMax:
      return static_cast<int>(MaxVersionForOpset(opset).value_or(MaxVersion::k1));
    case Op::kReduceMax:
      return static_cast<int>(ReduceMaxVersionForOpset(opset).value_or(ReduceMaxVersion::k1));
    case Op::kConstant:
      return NewestVersion(kConstantVersions, opset);
    case Op::kIdentity:
      return NewestVersion(kIdentityVersions, opset);
    default:
      return 0;
  }
}

NodeInfo DescribeNode(const onnx::NodeProto& node, std::size_t index) {
  NodeInfo info;
  info.index = index;
  info.name = node.name();
  info.op_type = node.op_type();
  info.domain = node.domain();
  info.inputs.assign(node.input().begin(), node.input().end());
  info.outputs.assign(node.output().begin(), node.output().end());
  return info;
}

Result<void> ReadOperands(const onnx::NodeProto& proto, const std::string& where, Node& node) {
  if (node.op == Op::kUnknown || node.op == Op::kFolded) return {};
  if (proto.output_size() != 1 || proto.output(0).empty()) {
    return MalformedNode(where, proto.op_type() + " has exactly one output, this node has " +
                                    std::to_string(proto.output_size()));
  }
  const std::string inputs = std::to_string(proto.input_size());
  switch (node.op) {
    case Op::kReduceMax:
      return ReadReduceMax(proto, where, node);
    case Op::kConstant:
      if (proto.input_size() == 0) return {};
      return MalformedNode(where, "Constant takes no input, this node has " + inputs);
    case Op::kIdentity:
      if (proto.input_size() == 1) break;
      return MalformedNode(where, "Identity takes one input, this node has " + inputs);
    default:
      if (proto.input_size() > 0) break;
      return ErrorAt(ErrorCode::kInputCount, where, "MAX-1",
                     proto.op_type() + " takes 1 to 2147483647 inputs and this node has none");
  }
  return CheckInputsAlone(proto, node.info.version, where);
}

Error NotGivenByCall(const std::string& where, const std::string& attribute) {
  return MalformedNode(where, "the attribute " + Quote(attribute) +
                                  " takes its value from a call of a function, and there is none that gives "
                                  "it; give it in the call, or write the value into the node");
}

std::vector<const std::string*> UnknownFields(const google::protobuf::Message& message, int number) {
  std::vector<const std::string*> found;
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField& field = fields.field(i);
    if (field.number() != number) continue;
    const bool has_bytes = field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED;
    found.push_back(has_bytes ? &field.length_delimited() : nullptr);
  }
  return found;
}

std::string OverloadOf(const onnx::NodeProto& node) {
  constexpr int kField = 8;  // NodeProto.overload
  return OverloadIn(node, kField);
}
std::string OverloadOf(const onnx::FunctionProto& function) {
  constexpr int kField = 13;  // FunctionProto.overload
  return OverloadIn(function, kField);
}

}  // namespace supremum::onnx_front
