#include "io/formats/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "core/operand_errors.h"
#include "core/quote.h"
#include "io/files/messages.h"
#include "io/json/json.h"

namespace supremum::io {
namespace {

using Kind = JsonValue::Kind;

constexpr std::int64_t kLengthBytes = 8;
// In bytes: about 2,000 for each of kMaxSafetensors tensors, doubled.
constexpr std::int64_t kMaxJsonBytes = std::int64_t{256} << 20;
constexpr std::string_view kRewriteSafetensors = "; write the file again with the program that made it";

// In the order of DType.
constexpr std::array<std::string_view, kAllDTypes.size()> kNames = {
    "BF16", "F16", "F32", "F64", "I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64", "BOOL"};

std::optional<DType> DTypeOf(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return kAllDTypes[static_cast<std::size_t>(found - kNames.begin())];
}

// The format's other types, with the bits of an element.
constexpr std::array<std::pair<std::string_view, std::int64_t>, 9> kOtherTypes = {{{"C64", 64},
                                                                                   {"F8_E4M3", 8},
                                                                                   {"F8_E5M2", 8},
                                                                                   {"F8_E8M0", 8},
                                                                                   {"F8_E4M3FNUZ", 8},
                                                                                   {"F8_E5M2FNUZ", 8},
                                                                                   {"F6_E2M3", 6},
                                                                                   {"F6_E3M2", 6},
                                                                                   {"F4", 4}}};

// The bits of an element of any type of the format; 0 for a name that it does not define.
std::int64_t BitsOf(std::string_view name) {
  if (const std::optional<DType> dtype = DTypeOf(name)) {
    return 8 * static_cast<std::int64_t>(ByteWidth(*dtype));
  }
  for (const auto& [other, bits] : kOtherTypes) {
    if (other == name) return bits;
  }
  return 0;
}

// The bytes of `count` elements of `bits` bits; nullopt if they are not a whole number of bytes, at most
// 2^63 - 1.
std::optional<std::int64_t> BytesOf(std::optional<std::int64_t> count, std::int64_t bits) {
  if (!count) return std::nullopt;
  if (bits % 8 == 0) {
    return *count <= INT64_MAX / (bits / 8) ? std::optional(*count * (bits / 8)) : std::nullopt;
  }
  if (*count > INT64_MAX / bits || *count * bits % 8 != 0) return std::nullopt;
  return *count * bits / 8;
}

// An entry with its range of bytes as the header states it, relative to the header's end.
struct Placed {
  SafetensorsEntry entry;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

class Reader {
 public:
  Reader(const InputFile& file, std::int64_t data_offset)
      : path_(Quote(file.path())), data_offset_(data_offset), data_size_(file.size() - data_offset) {}

  Result<std::vector<SafetensorsEntry>> Read(std::string_view text) {
    const std::string where = path_ + ": header";
    if (!text.starts_with('{')) {
      return MalformedAtByte(where, 0, "a header begins with '{'" + std::string(kRewriteSafetensors));
    }
    const Result<JsonValue> json = ParseJson(text, where, kMaxJsonBytes);
    if (!json) return json.error();
    // The format pads with spaces only; JSON would also accept line breaks.
    const std::size_t end = text.find_last_not_of(' ') + 1;
    if (text[end - 1] != '}') {
      return MalformedAtByte(where, static_cast<std::int64_t>(end - 1),
                             Quote(text.substr(end - 1, 1)) +
                                 " follows the header; only spaces (0x20) may pad it" +
                                 std::string(kRewriteSafetensors));
    }
    std::vector<Placed> placed;
    for (std::size_t i = 0; i < json->keys.size(); ++i) {
      if (json->keys[i] == kMetadata) {
        if (auto good = CheckMetadata(json->items[i]); !good) return good.error();
        continue;
      }
      if (placed.size() == kMaxSafetensors) {
        return ErrorAt(ErrorCode::kLimitExceeded, path_,
                       "the file has more than " + std::to_string(kMaxSafetensors) + " tensors: split it");
      }
      Result<Placed> one = ReadEntry(json->keys[i], json->items[i]);
      if (!one) return one.error();
      placed.push_back(*std::move(one));
    }
    if (auto whole = CheckPlaces(placed); !whole) return whole.error();
    std::vector<SafetensorsEntry> entries;
    for (Placed& one : placed) entries.push_back(std::move(one.entry));
    return entries;
  }

 private:
  static constexpr std::string_view kMetadata = "__metadata__";

  std::string Where(std::string_view tensor) const { return path_ + ": tensor " + Quote(tensor, 60); }

  // Texts by name, with no effect on elements.
  Result<void> CheckMetadata(const JsonValue& json) const {
    const std::string where = path_ + ": '__metadata__'";
    if (json.kind != Kind::kObject) return WrongKind(where, "it", json, "an object of texts");
    for (std::size_t i = 0; i < json.keys.size(); ++i) {
      if (json.items[i].kind != Kind::kString)
        return WrongKind(where, Quote(json.keys[i], 60), json.items[i], "a text");
    }
    return {};
  }

  Result<Placed> ReadEntry(const std::string& name, const JsonValue& json) const {
    const std::string where = Where(name);
    if (json.kind != Kind::kObject) return WrongKind(where, "it", json, "an object");
    for (const std::string& key : json.keys) {
      if (key != "dtype" && key != "shape" && key != "data_offsets") {
        return ErrorAt(ErrorCode::kMalformedFile, where,
                       "the key " + Quote(key, 60) + " is none of 'dtype', 'shape' and 'data_offsets'" +
                           std::string(kRewriteSafetensors));
      }
    }
    Placed placed;
    placed.entry.name = name;
    Result<std::string> type = ReadType(where, json.Find("dtype"));
    if (!type) return type.error();
    placed.entry.dtype = DTypeOf(*type);
    placed.entry.type_name = *std::move(type);
    const Result<std::vector<std::int64_t>> extents = ReadIntegers(where, "shape", json.Find("shape"));
    if (!extents) return extents.error();
    const std::optional<Shape> shape = Shape::FromSpan(*extents);
    if (!shape) return RankError(where + ": 'shape'", extents->size(), "saving");
    placed.entry.shape = *shape;
    const Result<std::vector<std::int64_t>> offsets =
        ReadIntegers(where, "data_offsets", json.Find("data_offsets"));
    if (!offsets) return offsets.error();
    if (offsets->size() != 2) {
      return ErrorAt(ErrorCode::kMalformedFile, where,
                     "'data_offsets' has " + std::to_string(offsets->size()) +
                         " entries; it has two, where the elements begin and where they end" +
                         std::string(kRewriteSafetensors));
    }
    placed.begin = (*offsets)[0];
    placed.end = (*offsets)[1];
    if (auto good = CheckPlace(where, placed); !good) return good.error();
    placed.entry.offset = data_offset_ + placed.begin;
    return placed;
  }

  Result<std::string> ReadType(const std::string& where, const JsonValue* json) const {
    if (json == nullptr) return Missing(where, "dtype");
    if (json->kind != Kind::kString) return WrongKind(where, "'dtype'", *json, "a text");
    if (BitsOf(json->text) != 0) return json->text;
    return SafetensorsTypeError(where, json->text);
  }

  // A list of integers from 0 to 2^63 - 1.
  Result<std::vector<std::int64_t>> ReadIntegers(const std::string& where, std::string_view key,
                                                 const JsonValue* json) const {
    if (json == nullptr) return Missing(where, key);
    const std::string name = "'" + std::string(key) + "'";
    if (json->kind != Kind::kList) return WrongKind(where, name, *json, "a list");
    std::vector<std::int64_t> integers;
    for (std::size_t i = 0; i < json->items.size(); ++i) {
      const JsonValue& item = json->items[i];
      if (item.kind != Kind::kInteger || item.integer < 0) {
        return WrongKind(where, name + "[" + std::to_string(i) + "]", item, "a number from 0 to 2^63 - 1");
      }
      integers.push_back(item.integer);
    }
    return integers;
  }

  // Checks one tensor's range of bytes against its type, its shape and the file.
  Result<void> CheckPlace(const std::string& where, const Placed& placed) const {
    const std::string offsets =
        "'data_offsets' [" + std::to_string(placed.begin) + "," + std::to_string(placed.end) + "] ";
    const std::optional<std::int64_t> bytes =
        BytesOf(ElementCount(placed.entry.shape), BitsOf(placed.entry.type_name));
    std::string details;
    if (placed.begin > placed.end) {
      details = offsets + "end before they begin";
    } else if (placed.end > data_size_) {
      details = offsets + "end beyond the file, which has " + std::to_string(data_size_) +
                " bytes after its header";
    } else if (bytes != placed.end - placed.begin) {
      const std::string type(placed.entry.dtype ? Name(*placed.entry.dtype) : placed.entry.type_name);
      details = offsets + "are " + std::to_string(placed.end - placed.begin) + " bytes; " + type +
                " of shape " + ToString(placed.entry.shape) + " takes " +
                (bytes                                                     ? std::to_string(*bytes)
                 : ElementCount(placed.entry.shape) && !placed.entry.dtype ? "no whole number of bytes"
                                                                           : "more than 2^63 - 1");
    } else {
      return {};
    }
    return ErrorAt(ErrorCode::kMalformedFile, where, details + std::string(kRewriteSafetensors));
  }

  // Checks all tensors together: every byte after the header belongs to exactly one.
  Result<void> CheckPlaces(const std::vector<Placed>& placed) const {
    std::vector<const Placed*> ordered;
    for (const Placed& one : placed) ordered.push_back(&one);
    std::ranges::sort(ordered, [](const Placed* a, const Placed* b) {
      return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
    });
    std::int64_t end = 0;
    for (const Placed* one : ordered) {
      if (one->begin < end) {
        return ErrorAt(ErrorCode::kMalformedFile, Where(one->entry.name),
                       "it begins at byte " + std::to_string(one->begin) +
                           " of the elements, before another tensor ends, at byte " + std::to_string(end) +
                           std::string(kRewriteSafetensors));
      }
      if (one->begin > end) return Hole(end, one->begin);
      end = one->end;
    }
    if (end < data_size_) return Hole(end, data_size_);
    return {};
  }

  Error Hole(std::int64_t begin, std::int64_t end) const {
    return ErrorAt(ErrorCode::kMalformedFile, path_,
                   "bytes " + std::to_string(begin) + " to " + std::to_string(end - 1) +
                       " of the elements belong to no tensor" + std::string(kRewriteSafetensors));
  }

  Error Missing(const std::string& where, std::string_view key) const {
    return ErrorAt(ErrorCode::kMalformedFile, where,
                   "'" + std::string(key) + "' is missing" + std::string(kRewriteSafetensors));
  }

  Error WrongKind(const std::string& where, const std::string& what, const JsonValue& json,
                  std::string_view expected) const {
    return ErrorAt(ErrorCode::kMalformedFile, where,
                   what + " is " + Describe(json) + "; it must be " + std::string(expected) +
                       std::string(kRewriteSafetensors));
  }

  std::string path_;
  std::int64_t data_offset_;
  std::int64_t data_size_;
};

}  // namespace

Result<std::vector<SafetensorsEntry>> ReadSafetensorsHeader(const InputFile& file) {
  // bytes   0..7                              8..8+N-1   from 8+N on
  //         N, the header's length, little-   JSON       elements
  //         endian
  const std::string where = Quote(file.path());
  if (file.size() < kLengthBytes) {
    return MalformedAtByte(where, file.size(),
                           "the file ends here; a .safetensors file begins with 8 bytes that say how long "
                           "its header is" +
                               std::string(kRewriteSafetensors));
  }
  std::array<std::byte, kLengthBytes> start = {};
  if (auto done = file.ReadAt(0, start); !done) return done.error();
  std::uint64_t length = 0;
  for (std::size_t i = start.size(); i-- > 0;)
    length = length << 8 | std::to_integer<std::uint64_t>(start[i]);
  if (length > static_cast<std::uint64_t>(file.size() - kLengthBytes)) {
    return MalformedAtByte(where, 0,
                           "the header is said to have " + std::to_string(length) +
                               " bytes, and the file has " + std::to_string(file.size() - kLengthBytes) +
                               " after this" + std::string(kRewriteSafetensors));
  }
  if (length > static_cast<std::uint64_t>(kMaxSafetensorsHeader)) {
    return ErrorAt(ErrorCode::kLimitExceeded, where,
                   "the header has " + std::to_string(length) + " bytes; at most " +
                       std::to_string(kMaxSafetensorsHeader) + " are read: split the file");
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  if (auto done = file.ReadAt(kLengthBytes, std::as_writable_bytes(std::span(text))); !done) {
    return done.error();
  }
  return Reader(file, kLengthBytes + static_cast<std::int64_t>(length)).Read(text);
}

Error SafetensorsTypeError(std::string_view where, std::string_view type_name) {
  std::string known;
  for (std::string_view name : kNames) known += (known.empty() ? "" : ", ") + std::string(name);
  return ErrorAt(ErrorCode::kTypeNotAdmitted, where,
                 "'dtype' is " + Quote(type_name, 40) + ", which is none of " + known +
                     "; convert the tensor to one of them");
}

std::string SafetensorsHeaderBytes(std::string_view name, DType dtype, DimsView shape) {
  std::string text = "{" + JsonText(name) + ":{\"dtype\":\"" +
                     std::string(kNames[static_cast<std::size_t>(dtype)]) + "\",\"shape\":[";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d > 0 ? "," : "") + std::to_string(shape[d]);
  const auto width = static_cast<std::int64_t>(ByteWidth(dtype));
  text += "],\"data_offsets\":[0," + std::to_string(ElementCount(shape).value_or(0) * width) + "]}}";
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes;
  for (std::size_t i = 0, rest = text.size(); i < kLengthBytes; ++i, rest >>= 8) {
    bytes += static_cast<char>(rest & 0xFF);
  }
  return bytes + text;
}

}  // namespace supremum::io
