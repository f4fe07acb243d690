// JSON as values with positions, from text that nobody vouches for: bounded depth and memory, every key once.
#ifndef SUPREMUM_SRC_JSON_JSON_H_
#define SUPREMUM_SRC_JSON_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum {

/// A JSON value. Integers are kept exactly: those that fit int64 as kInteger, those up to 2^64-1 as
/// kLargeInteger; whatever else is a number is kFraction.
struct JsonValue {
  enum class Kind : std::uint8_t {
    kNull,
    kBool,
    kInteger,
    kLargeInteger,
    kFraction,
    kString,
    kList,
    kObject
  };

  Kind kind = Kind::kNull;
  std::int64_t offset = 0;   ///< the byte that begins an object or a list; the last byte of anything else
  bool boolean = false;      ///< kBool
  std::int64_t integer = 0;  ///< kInteger
  std::uint64_t large = 0;   ///< kLargeInteger
  std::string text;          ///< kString: its characters; kFraction: as it is written
  std::vector<std::string> keys;  ///< kObject: keys[i] is that of items[i]
  std::vector<JsonValue> items;   ///< kList, kObject

  /// The value under `key`, or null if there is none, or this is no object.
  const JsonValue* Find(std::string_view key) const;
};

/// `text` as JSON writes it, in double quotes. Requires: it is UTF-8.
std::string JsonText(std::string_view text);

/// What an error text calls a value that is not what it must be: "the text 'x'", "-1", "a list".
std::string Describe(const JsonValue& value);

/// Objects and lists may be nested this deep; what is read here needs at most six levels.
inline constexpr std::size_t kMaxJsonDepth = 64;

/// Parses one JSON value that is all of `text`, but for JSON's white space before and after it; `where` is
/// what messages call the file.
///
/// Errors: kMalformedFile naming the byte, for what is not JSON, a zero byte anywhere, a second value, a
///   number that no double holds, a key that is twice in an object; kLimitExceeded for more levels than
///   kMaxJsonDepth, or if the values take more than `max_bytes`.
/// Cost: two passes; memory linear in the number of values.
Result<JsonValue> ParseJson(std::string_view text, const std::string& where, std::int64_t max_bytes);

}  // namespace supremum

#endif  // SUPREMUM_SRC_JSON_JSON_H_
