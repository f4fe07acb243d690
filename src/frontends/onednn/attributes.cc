#include <string_view>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onednn/fields.h"
#include "frontends/onednn/read_graph.h"

namespace supremum::onednn_front {
namespace {

using JsonKind = JsonValue::Kind;

// One attribute: {"type": "s64[]", "value": [1]}.
class AttributeReader {
 public:
  AttributeReader(const std::string& name, const JsonValue& attribute, const std::string& where)
      : attribute_(attribute), where_(where + ": attribute " + Quote(name)) {}

  /// The value. Errors unless the attribute has `type`.
  Result<const JsonValue*> ValueOf(std::string_view type) const {
    if (attribute_.kind != JsonKind::kObject) {
      return Malformed(attribute_,
                       "it is " + Describe(attribute_) + "; it must be an object with 'type' and 'value'");
    }
    for (std::size_t i = 0; i < attribute_.keys.size(); ++i) {
      if (attribute_.keys[i] == "type" || attribute_.keys[i] == "value") continue;
      return Malformed(attribute_.items[i], "it has the key " + Quote(attribute_.keys[i]) +
                                                "; it must have 'type' and 'value' alone");
    }
    const JsonValue* stated = attribute_.Find("type");
    const JsonValue* value = attribute_.Find("value");
    if (stated == nullptr || value == nullptr) {
      return Malformed(attribute_, "it has no " + std::string(stated == nullptr ? "'type'" : "'value'") +
                                       "; it must have 'type' and 'value'");
    }
    if (stated->kind != JsonKind::kString || stated->text != type) {
      return Malformed(
          *stated, "'type' is " + Describe(*stated) + "; it must be the text '" + std::string(type) + "'");
    }
    return value;
  }

  /// A list of integers.
  Result<std::vector<std::int64_t>> Integers() const {
    const Result<const JsonValue*> value = ValueOf("s64[]");
    if (!value) return value.error();
    if ((*value)->kind != JsonKind::kList) {
      return Malformed(**value, "'value' is " + Describe(**value) + "; it must be a list of integers");
    }
    std::vector<std::int64_t> integers;
    for (const JsonValue& item : (*value)->items) {
      if (item.kind != JsonKind::kInteger) {
        return Malformed(item,
                         "'value' holds " + Describe(item) + "; it must be a list of integers of 64 bits");
      }
      integers.push_back(item.integer);
    }
    return integers;
  }

  /// true, false, 1 or 0: oneDNN writes the numbers.
  Result<bool> Truth() const {
    const Result<const JsonValue*> value = ValueOf("bool");
    if (!value) return value.error();
    if ((*value)->kind == JsonKind::kBool) return (*value)->boolean;
    if ((*value)->kind == JsonKind::kInteger && ((*value)->integer == 0 || (*value)->integer == 1)) {
      return (*value)->integer == 1;
    }
    return Malformed(**value, "'value' is " + Describe(**value) + "; write true, false, 1 or 0");
  }

  /// "none" or "numpy".
  Result<bool> Broadcast() const {
    const Result<const JsonValue*> value = ValueOf("string");
    if (!value) return value.error();
    if ((*value)->kind == JsonKind::kString) {
      if ((*value)->text == "numpy") return true;
      if ((*value)->text == "none") return false;
    }
    return Malformed(**value, "'value' is " + Describe(**value) + "; write 'none' or 'numpy'");
  }

 private:
  Error Malformed(const JsonValue& at, const std::string& details) const {
    return MalformedAtByte(where_, at.offset, details);
  }

  const JsonValue& attribute_;
  const std::string where_;
};

}  // namespace

Result<OneDnnAttributes> ReadAttributes(Kind kind, const JsonValue& attrs, const std::string& where) {
  OneDnnAttributes attributes;
  if (kind == Kind::kOther) return attributes;
  const bool reduces = kind == Kind::kReduceMax;
  for (std::size_t i = 0; i < attrs.keys.size(); ++i) {
    const std::string& name = attrs.keys[i];
    const AttributeReader reader(name, attrs.items[i], where);
    Result<void> stored;
    if (reduces && name == "axes") {
      stored = Store(reader.Integers(), &attributes.axes);
    } else if (reduces && name == "keep_dims") {
      stored = Store(reader.Truth(), &attributes.keep_dims);
    } else if (!reduces && name == "auto_broadcast") {
      stored = Store(reader.Broadcast(), &attributes.broadcast);
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
