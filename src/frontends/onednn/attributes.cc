#include <string_view>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onednn/fields.h"
#include "frontends/onednn/read_graph.h"

namespace supremum::onednn_front {
namespace {

// One attribute: {"type": "s64[]", "value": [1]}. Errors unless it has `type`.
Result<Fields> FieldsOf(const JsonValue& attribute, const std::string& type, const std::string& where) {
  Result<Fields> fields = Fields::Of(attribute, where);
  if (!fields) return fields;
  if (auto ok = fields->Only({"type", "value"}); !ok) return std::move(ok).error();
  const Result<std::string> stated = fields->Text("type");
  if (!stated) return stated.error();
  if (*stated != type) return fields->WrongType("type", *fields->Find("type"), "the text '" + type + "'");
  return fields;
}

// true, false, 1 or 0: oneDNN writes the numbers.
Result<bool> Truth(const Fields& attribute) {
  const Result<const JsonValue*> value = attribute.Required("value");
  if (!value) return value.error();
  const JsonValue& json = **value;
  if (json.kind == JsonValue::Kind::kBool) return json.boolean;
  if (json.kind == JsonValue::Kind::kInteger && (json.integer == 0 || json.integer == 1))
    return json.integer == 1;
  return attribute.WrongType("value", json, "true, false, 1 or 0");
}

Result<bool> Broadcast(const Fields& attribute) {
  const Result<std::string> value = attribute.Text("value");
  if (!value) return value.error();
  if (*value == "numpy" || *value == "none") return *value == "numpy";
  return attribute.WrongType("value", *attribute.Find("value"), "'none' or 'numpy'");
}

}  // namespace

Result<OneDnnAttributes> ReadAttributes(Kind kind, const JsonValue& attrs, const std::string& where) {
  OneDnnAttributes attributes;
  if (kind == Kind::kOther) return attributes;
  const bool reduces = kind == Kind::kReduceMax;
  for (std::size_t i = 0; i < attrs.keys.size(); ++i) {
    const std::string& name = attrs.keys[i];
    const auto read = [&](const std::string& type, auto value_of, auto* to) -> Result<void> {
      const Result<Fields> fields = FieldsOf(attrs.items[i], type, where + ": attribute " + Quote(name));
      return fields ? Store(value_of(*fields), to) : fields.error();
    };
    Result<void> stored;
    if (reduces && name == "axes") {
      const auto list = [](const Fields& attribute) { return attribute.Integers("value"); };
      stored = read("s64[]", list, &attributes.axes);
    } else if (reduces && name == "keep_dims") {
      stored = read("bool", Truth, &attributes.keep_dims);
    } else if (!reduces && name == "auto_broadcast") {
      stored = read("string", Broadcast, &attributes.broadcast);
    } else {
      stored = ErrorAt(ErrorCode::kMalformedFile, where,
                       std::string("the kind has no attribute ") + Quote(name) +
                           (reduces ? "; it has 'axes' and 'keep_dims'" : "; it has 'auto_broadcast'") +
                           ", and an unknown one could change the result: remove it");
    }
    if (!stored) return std::move(stored).error();
  }
  return attributes;
}

}  // namespace supremum::onednn_front
