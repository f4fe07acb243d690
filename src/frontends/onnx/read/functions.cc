#include "frontends/onnx/read/functions.h"

#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/operators.h"
#include "frontends/onnx/read/parse_model.h"
#include "frontends/onnx/read/value_info.h"
#include "io/formats/parse_message.h"

namespace supremum::onnx_front {
namespace {

constexpr int kDefaultsField = 11;  // FunctionProto.attribute_proto

std::string_view DomainOf(std::string_view domain) { return IsOnnxDomain(domain) ? "" : domain; }

// The bytes of each occurrence of a field that the onnx library does not know; null for a field of numbers.
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

template <class Message>
bool HasOverloadIn(const Message& message, int number) {
  if constexpr (requires { message.overload(); }) {
    return !message.overload().empty();
  } else {
    return std::ranges::any_of(UnknownFields(message, number),
                               [](const std::string* bytes) { return bytes != nullptr && !bytes->empty(); });
  }
}

template <class Function>
Result<std::vector<onnx::AttributeProto>> DefaultsIn(const Function& function, const std::string& where,
                                                     std::int64_t max_bytes) {
  std::vector<onnx::AttributeProto> defaults;
  if constexpr (requires { function.attribute_proto(); }) {
    defaults.assign(function.attribute_proto().begin(), function.attribute_proto().end());
  } else {
    for (const std::string* text : UnknownFields(function, kDefaultsField)) {
      onnx::AttributeProto& attribute = defaults.emplace_back();
      bool parsed = text != nullptr;
      if (parsed) {
        const auto bytes = std::as_bytes(std::span(*text));
        auto fits = io::CheckExpansion(where, bytes, kMaxModelDepth, attribute, max_bytes);
        if (!fits) return std::move(fits).error();
        parsed = io::ParseMessage(bytes, kMaxModelDepth, &attribute);
      }
      if (!parsed) {
        return ErrorAt(ErrorCode::kMalformedFile, where,
                       "what it states as the default of an attribute is no attribute");
      }
      max_bytes -= static_cast<std::int64_t>(io::MemoryOf(attribute));
    }
  }
  return defaults;
}

}  // namespace

bool HasOverload(const onnx::NodeProto& node) {
  constexpr int kField = 8;  // NodeProto.overload
  return HasOverloadIn(node, kField);
}
bool HasOverload(const onnx::FunctionProto& function) {
  constexpr int kField = 13;  // FunctionProto.overload
  return HasOverloadIn(function, kField);
}

std::string TextOf(const onnx::FunctionProto& function) { return "function " + Quote(function.name()); }

Functions::Functions(const onnx::ModelProto& model) {
  for (int i = 0; i < model.functions_size(); ++i) {
    const onnx::FunctionProto& function = model.functions(i);
    const bool is_new = positions_.try_emplace({DomainOf(function.domain()), function.name()}, i).second;
    if (!is_new && !repeated_) repeated_ = i;
  }
}

std::optional<int> Functions::Callee(const onnx::NodeProto& node) const {
  if (OperatorOf(node) != Op::kUnknown) return std::nullopt;
  const auto found = positions_.find({DomainOf(node.domain()), node.op_type()});
  if (found == positions_.end()) return std::nullopt;
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
  return DefaultsIn(function, std::string(source) + ": " + TextOf(function), max_bytes);
}

}  // namespace supremum::onnx_front
