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

constexpr int kSeveral = -1;
constexpr int kDefaultsField = 11;  // FunctionProto.attribute_proto

std::string_view DomainOf(std::string_view domain) { return IsOnnxDomain(domain) ? "" : domain; }

}  // namespace

Functions::Functions(const onnx::ModelProto& model) {
  for (int i = 0; i < model.functions_size(); ++i) {
    const onnx::FunctionProto& function = model.functions(i);
    const auto [known, is_new] =
        positions_.emplace(std::pair(DomainOf(function.domain()), std::string_view(function.name())), i);
    if (!is_new) known->second = kSeveral;
  }
}

std::optional<int> Functions::Callee(const onnx::NodeProto& node) const {
  if (OperatorOf(node) != nullptr) return std::nullopt;
  const auto found = positions_.find({DomainOf(node.domain()), node.op_type()});
  if (found == positions_.end() || found->second == kSeveral) return std::nullopt;
  return found->second;
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
    const std::string where = std::string(source) + ": function " + Quote(function.name());
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
