// Reads the members of a JSON object, and checks their types.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_FIELDS_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_FIELDS_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/messages.h"
#include "core/quote.h"
#include "io/json/json.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Keeps what was read in `field`, if there was no error.
template <class Value, class Field>
Result<void> Store(Result<Value> value, Field* field) {
  if (!value) return std::move(value).error();
  *field = *std::move(value);
  return {};
}

/// The members of an object; `where` names the object in error texts. All errors are kMalformedFile, with the
/// byte and the key.
class Fields {
 public:
  /// Errors: kMalformedFile if `value` is no object.
  static Result<Fields> Of(const JsonValue& value, std::string where) {
    if (value.kind == JsonValue::Kind::kObject) return Fields(value, std::move(where));
    return MalformedAtByte(where, value.offset, "it is " + Describe(value) + "; it must be an object");
  }

  const std::string& where() const { return where_; }
  void set_where(std::string where) { where_ = std::move(where); }

  /// Errors if a key is not in `known`: a misspelt key would silently have no effect.
  Result<void> Only(std::initializer_list<std::string_view> known) const {
    for (std::size_t i = 0; i < object_->keys.size(); ++i) {
      bool found = false;
      std::string list;
      for (std::string_view key : known) {
        found = found || key == object_->keys[i];
        list.append(list.empty() ? "" : ", ").append(key);
      }
      if (found) continue;
      return MalformedAtByte(where_, object_->items[i].offset,
                             "the key " + Quote(object_->keys[i]) + " is not known; the keys are " + list);
    }
    return {};
  }

  /// The member, or null.
  const JsonValue* Find(std::string_view key) const { return object_->Find(key); }

  Result<const JsonValue*> Required(std::string_view key) const {
    if (const JsonValue* value = Find(key)) return value;
    return MalformedAtByte(where_, object_->offset,
                           "the object has no '" + std::string(key) + "'; add it, or write the file again");
  }

  /// A text. If the key is absent: `otherwise`, or an error if that is null.
  Result<std::string> Text(std::string_view key, const char* otherwise = nullptr) const {
    if (otherwise != nullptr && Find(key) == nullptr) return std::string(otherwise);
    const Result<const JsonValue*> value = Required(key);
    if (!value) return value.error();
    if ((*value)->kind == JsonValue::Kind::kString) return (*value)->text;
    return WrongType(key, **value, "a text");
  }

  Result<std::uint64_t> Id(std::string_view key) const {
    const Result<const JsonValue*> value = Required(key);
    if (!value) return value.error();
    return IdOf(key, **value);
  }

  Result<std::uint64_t> IdOf(std::string_view key, const JsonValue& value) const {
    if (value.kind == JsonValue::Kind::kLargeInteger) return value.large;
    if (value.kind == JsonValue::Kind::kInteger && value.integer >= 0) {
      return static_cast<std::uint64_t>(value.integer);
    }
    return WrongType(key, value, "a whole number from 0 to 2^64-1");
  }

  /// The items of a list.
  Result<const std::vector<JsonValue>*> List(std::string_view key) const {
    const Result<const JsonValue*> value = Required(key);
    if (!value) return value.error();
    if ((*value)->kind == JsonValue::Kind::kList) return &(*value)->items;
    return WrongType(key, **value, "a list");
  }

  Result<std::vector<std::uint64_t>> Ids(std::string_view key) const {
    const auto items = List(key);
    if (!items) return items.error();
    std::vector<std::uint64_t> ids;
    for (const JsonValue& item : **items) {
      const Result<std::uint64_t> id = IdOf(std::string(key) + "[" + std::to_string(ids.size()) + "]", item);
      if (!id) return id.error();
      ids.push_back(*id);
    }
    return ids;
  }

  Result<std::vector<std::int64_t>> Integers(std::string_view key) const {
    const auto items = List(key);
    if (!items) return items.error();
    std::vector<std::int64_t> integers;
    for (const JsonValue& item : **items) {
      if (item.kind != JsonValue::Kind::kInteger) {
        return WrongType(std::string(key) + "[" + std::to_string(integers.size()) + "]", item,
                         "an integer of 64 bits");
      }
      integers.push_back(item.integer);
    }
    return integers;
  }

  Error WrongType(std::string_view key, const JsonValue& value, std::string_view expected) const {
    return MalformedAtByte(
        where_, value.offset,
        "'" + std::string(key) + "' is " + Describe(value) + "; it must be " + std::string(expected));
  }

 private:
  Fields(const JsonValue& object, std::string where) : object_(&object), where_(std::move(where)) {}

  const JsonValue* object_;
  std::string where_;
};

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_FIELDS_H_
