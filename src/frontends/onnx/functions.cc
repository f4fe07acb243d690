#include "frontends/onnx/functions.h"

#include <google/protobuf/unknown_field_set.h>

#include <span>
#include <string>

#include "core/quote.h"
#include "frontends/onnx/operators.h"
#include "frontends/onnx/parse_model.h"
#include "frontends/onnx/value_info.h"
#include "io/files/messages.h"
#include "io/formats/parse_message.h"

namespace supremum::onnx_front {
namespace {

constexpr int kNodeOverloadField = 8;       // NodeProto.overload
constexpr int kDefaultsField = 11;          // FunctionProto.attribute_proto
constexpr int kFunctionOverloadField = 13;  // FunctionProto.overload

std::string_view DomainOf(std::string_view domain) { return IsOnnxDomain(domain) ? "" : domain; }

// A text of a field that the onnx library may not know; it then keeps its bytes.
std::string TextField(const google::protobuf::Message& message, int number) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  if (const auto* field = message.GetDescriptor()->FindFieldByNumber(number))
    return reflection.GetString(message, field);
  const google::protobuf::UnknownFieldSet& fields = reflection.GetUnknownFields(message);
  std::string text;
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField& field = fields.field(i);
    if (field.number() == number && field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      text = field.length_delimited();
  }
  return text;
}

}  // namespace

std::string OverloadOf(const onnx::NodeProto& node) { return TextField(node, kNodeOverloadField); }
std::string OverloadOf(const onnx::FunctionProto& function) {
  return TextField(function, kFunctionOverloadField);
}

std::string TextOf(const onnx::FunctionProto& function) {
  const std::string overload = OverloadOf(function);
  return "function " + Quote(function.name()) +
         (overload.empty() ? "" : " (overload " + Quote(overload) + ")");
}

Functions::Functions(const onnx::ModelProto& model) {
  for (int i = 0; i < model.functions_size(); ++i) {
    const onnx::FunctionProto& function = model.functions(i);
    const bool is_new =
        positions_.try_emplace({DomainOf(function.domain()), function.name(), OverloadOf(function)}, i)
            .second;
    if (!is_new && !repeated_) repeated_ = i;
  }
}

std::optional<int> Functions::Callee(const onnx::NodeProto& node) const {
  if (OperatorOf(node) != nullptr) return std::nullopt;
  const auto found = positions_.find({DomainOf(node.domain()), node.op_type(), OverloadOf(node)});
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

std::string Functions::MissingOverload(const onnx::NodeProto& node) const {
  if (OperatorOf(node) != nullptr || Callee(node)) return "";
  const std::string overload = OverloadOf(node);
  const std::string_view domain = DomainOf(node.domain());
  constexpr std::size_t kListed = 5;
  std::size_t count = 0;
  std::string others;
  for (auto other = positions_.lower_bound({domain, node.op_type(), ""});
       other != positions_.end() && std::get<0>(other->first) == domain &&
       std::get<1>(other->first) == node.op_type();
       ++other) {
    if (++count <= kListed) others += (count == 1 ? "" : ", ") + Quote(std::get<2>(other->first));
  }
  // Without an overload it may be an operator that is no function: of ONNX, or of a runtime.
  if (overload.empty() && (count == 0 || domain.empty())) return "";
  if (count > kListed) others += " and " + std::to_string(count - kListed) + " more";
  return "it calls " + (overload.empty() ? "" : "overload " + Quote(overload) + " of ") + "function " +
         Quote(node.op_type()) + (overload.empty() ? " without an overload" : "") +
         (count == 0 ? ", and the model has no function of that name"
                     : ", and the model has only the overloads " + others);
}

std::int64_t OpsetOf(const onnx::FunctionProto& function, std::int64_t opset) {
  for (const onnx::OperatorSetIdProto& import : function.opset_import()) {
    if (IsOnnxDomain(import.domain())) opset = import.version();
  }
  return opset;
}

Result<std::vector<onnx::AttributeProto>> DefaultsOf(const onnx::FunctionProto& function,
                                                     std::string_view source, std::int64_t max_bytes) {
  const google::protobuf::Reflection& reflection = *function.GetReflection();
  std::vector<onnx::AttributeProto> defaults;
  if (const auto* field = function.GetDescriptor()->FindFieldByNumber(kDefaultsField)) {
    for (int i = 0; i < reflection.FieldSize(function, field); ++i) {
      defaults.emplace_back().CopyFrom(reflection.GetRepeatedMessage(function, field, i));
    }
    return defaults;
  }
  const google::protobuf::UnknownFieldSet& fields = reflection.GetUnknownFields(function);
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::UnknownField& field = fields.field(i);
    if (field.number() != kDefaultsField) continue;
    const std::string where = std::string(source) + ": " + TextOf(function);
    onnx::AttributeProto attribute;
    bool parsed = field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED;
    if (parsed) {
      const auto bytes = std::as_bytes(std::span(field.length_delimited()));
      auto fits = io::CheckExpansion(where, bytes, kMaxModelDepth, attribute, max_bytes);
      if (!fits) return std::move(fits).error();
      parsed = io::ParseMessage(bytes, kMaxModelDepth, &attribute);
    }
    if (!parsed) {
      return io::ErrorAt(ErrorCode::kMalformedFile, where,
                         "what it states as the default of an attribute is no attribute");
    }
    max_bytes -= static_cast<std::int64_t>(attribute.SpaceUsedLong());
    defaults.push_back(std::move(attribute));
  }
  return defaults;
}

}  // namespace supremum::onnx_front
