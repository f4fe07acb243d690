#include "frontends/onnx/read/functions.h"

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
  if (OperatorOf(node) != Op::kUnknown) return std::nullopt;
  const auto found = positions_.find({DomainOf(node.domain()), node.op_type(), OverloadOf(node)});
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

std::string Functions::MissingOverload(const onnx::NodeProto& node) const {
  if (OperatorOf(node) != Op::kUnknown || Callee(node)) return "";
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
  return DefaultsIn(function, std::string(source) + ": " + TextOf(function), max_bytes);
}

}  // namespace supremum::onnx_front
