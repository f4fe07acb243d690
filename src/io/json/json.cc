#include "io/json/json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"

namespace supremum {
namespace {

using Kind = JsonValue::Kind;

// An iterator over the text that records how far the parser has read: parser events have no positions.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  Cursor operator++(int) {
    Cursor before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// The parser's message, without the parts that only its authors need.
std::string Reason(std::string_view what) {
  const std::size_t bracket = what.find("] ");
  if (bracket != std::string_view::npos) what.remove_prefix(bracket + 2);
  const std::size_t syntax = what.find("syntax error");
  if (syntax != std::string_view::npos) what.remove_prefix(syntax);
  return Printable(what, 300);
}

// Builds values from the parser's events; returning false stops the parser, and error() has the reason.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, const std::string& where, std::int64_t max_bytes, std::string_view advice)
      : text_(text), where_(where), max_bytes_(max_bytes), advice_(advice) {}

  const char** furthest() { return &furthest_; }
  const std::optional<Error>& error() const { return error_; }
  JsonValue TakeRoot() { return std::move(root_); }

  bool null() override { return Add(Scalar(Kind::kNull)) != nullptr; }
  bool boolean(bool value) override {
    JsonValue* added = Add(Scalar(Kind::kBool));
    if (added != nullptr) added->boolean = value;
    return added != nullptr;
  }
  bool number_integer(std::int64_t value) override {
    JsonValue* added = Add(Number(Kind::kInteger));
    if (added != nullptr) added->integer = value;
    return added != nullptr;
  }
  bool number_unsigned(std::uint64_t value) override {
    if (value <= INT64_MAX) return number_integer(static_cast<std::int64_t>(value));
    JsonValue* added = Add(Number(Kind::kLargeInteger));
    if (added != nullptr) added->large = value;
    return added != nullptr;
  }
  bool number_float(double, const std::string& written) override {
    JsonValue* added = Add(Number(Kind::kFraction), written.size());
    if (added != nullptr) added->text = written;
    return added != nullptr;
  }
  bool string(std::string& value) override {
    JsonValue* added = Add(Scalar(Kind::kString), value.size());
    if (added != nullptr) added->text = std::move(value);
    return added != nullptr;
  }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // never in text

  bool start_object(std::size_t) override { return Open(Kind::kObject); }
  bool start_array(std::size_t) override { return Open(Kind::kList); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(std::string& name) override {
    if (!open_.back().keys.insert(name).second) {
      return Fail(MalformedAtByte(where_, ReadBytes() - 1,
                                  "the key " + Quote(name) + " occurs twice in one object; keep one"));
    }
    if (!Charge(2 * name.size() + 64)) return false;
    open_.back().value.keys.push_back(std::move(name));
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& exception) override {
    const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
    return Fail(MalformedAtByte(where_, static_cast<std::int64_t>(at),
                                "it is not JSON from here on: " + Reason(exception.what()) +
                                    "; write the file again with the program that made it"));
  }

 private:
  // An object or a list that is not closed yet.
  struct Level {
    JsonValue value;
    std::set<std::string> keys;
  };

  bool Fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  std::int64_t ReadBytes() const { return furthest_ == nullptr ? 0 : furthest_ - text_.data(); }

  bool Charge(std::size_t bytes) {
    taken_ += static_cast<std::int64_t>(bytes);
    if (taken_ <= max_bytes_) return true;
    return Fail(ErrorAt(ErrorCode::kLimitExceeded, where_,
                        "its JSON values take more than the limit of " + std::to_string(max_bytes_) +
                            " bytes" + std::string(advice_)));
  }

  JsonValue Scalar(Kind kind) const {
    JsonValue value;
    value.kind = kind;
    value.offset = ReadBytes() - 1;
    return value;
  }

  // The parser finds the end of a number by reading one byte more.
  JsonValue Number(Kind kind) const {
    JsonValue value = Scalar(kind);
    if (ReadBytes() < static_cast<std::int64_t>(text_.size())) --value.offset;
    return value;
  }

  JsonValue* Add(JsonValue value, std::size_t more_bytes = 0) {
    if (!Charge(sizeof(JsonValue) + more_bytes)) return nullptr;
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    open_.back().value.items.push_back(std::move(value));
    return &open_.back().value.items.back();
  }

  bool Open(Kind kind) {
    if (open_.size() == kMaxJsonDepth) {
      return Fail(ErrorAt(ErrorCode::kLimitExceeded, where_,
                          "byte " + std::to_string(ReadBytes() - 1) +
                              ": objects and lists are nested more than " + std::to_string(kMaxJsonDepth) +
                              " deep; the files read here need six levels"));
    }
    open_.push_back({Scalar(kind), {}});
    return true;
  }

  bool Close() {
    JsonValue closed = std::move(open_.back().value);
    open_.pop_back();
    return Add(std::move(closed)) != nullptr;
  }

  std::string_view text_;
  const std::string& where_;
  std::int64_t max_bytes_;
  std::string_view advice_;
  std::int64_t taken_ = 0;
  const char* furthest_ = nullptr;
  std::vector<Level> open_;
  JsonValue root_;
  std::optional<Error> error_;
};

}  // namespace

const JsonValue* JsonValue::Find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

std::string Describe(const JsonValue& value) {
  switch (value.kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return value.boolean ? "true" : "false";
    case Kind::kInteger:
      return std::to_string(value.integer);
    case Kind::kLargeInteger:
      return std::to_string(value.large);
    case Kind::kFraction:
      return Printable(value.text, 40);
    case Kind::kString:
      return "the text " + Quote(value.text, 60);
    case Kind::kList:
      return "a list";
    case Kind::kObject:
      break;
  }
  return "an object";
}

std::string JsonText(std::string_view text) { return nlohmann::json(text).dump(); }

Result<JsonValue> ParseJson(std::string_view text, const std::string& where, std::int64_t max_bytes,
                            std::string_view advice) {
  // nlohmann-json treats a zero byte as the end of the text, so text with one is refused before.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return MalformedAtByte(where, static_cast<std::int64_t>(zero),
                           "it is not JSON from here on: a zero byte, which no JSON text has; write the file "
                           "again with the program that made it");
  }
  Builder builder(text, where, max_bytes, advice);
  const char** furthest = builder.furthest();
  const char* const end = text.data() + text.size();
  if (nlohmann::json::sax_parse(Cursor(text.data(), furthest), Cursor(end, furthest), &builder)) {
    return builder.TakeRoot();
  }
  if (builder.error()) return *builder.error();
  return ErrorAt(ErrorCode::kMalformedFile, where, "it is not JSON");
}

}  // namespace supremum
