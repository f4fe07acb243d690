// JSON as values with positions, from untrusted text: bounded depth and memory, every key once.
#ifndef SUPREMUM_SRC_IO_JSON_JSON_H_
#define SUPREMUM_SRC_IO_JSON_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/result.h"

namespace supremum {

/// A JSON value. Integers are exact: those that fit int64 are kInteger, those up to 2^64-1 kLargeInteger;
/// every other number is kFraction.
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
  std::string text;          ///< kString: its characters; kFraction: as written in the file
  std::vector<std::string> keys;  ///< kObject: keys[i] is that of items[i]
  std::vector<JsonValue> items;   ///< kList, kObject

  /// The value of `key`; null if there is none, or this is not an object.
  const JsonValue* Find(std::string_view key) const;
};

/// `text` as JSON writes it, in double quotes. Requires: it is UTF-8.
std::string JsonText(std::string_view text);

/// The description of a value in an error text: "the text 'x'", "-1", "a list".
std::string Describe(const JsonValue& value);

/// Objects and lists may be nested this deep; the files read here need at most six levels.
inline constexpr std::size_t kMaxJsonDepth = 64;

/// Parses `text`, which must be one JSON value with optional white space before and after it; `where` is the
/// name of the file in error texts.
///
/// Errors: kMalformedFile, with the byte, for text that is not JSON, a zero byte, a second value, a number
///   outside double, a key that occurs twice in an object. More levels than kMaxJsonDepth, or values of more
///   than `max_bytes`, are kLimitExceeded; the text of the latter ends in `advice`.
/// Cost: two passes; memory linear in the number of values.
Result<JsonValue> ParseJson(std::string_view text, const std::string& where, std::int64_t max_bytes,
                            std::string_view advice = "; use a smaller file");

}  // namespace supremum

#endif  // SUPREMUM_SRC_IO_JSON_JSON_H_
