#include "audit/protocol.h"

#include <algorithm>
#include <utility>

#include "io/json/json.h"

namespace supremum::cli {
namespace {

using Kind = JsonValue::Kind;

// A line has at most Child::kMaxLine bytes; a list of extents takes more memory than text.
constexpr std::int64_t kMaxValueBytes = std::int64_t{256} << 20;
// Texts of runners are cut to this many bytes.
constexpr std::size_t kMaxText = 500;

Error Malformed(std::string_view details) { return MakeError(ErrorCode::kMalformedFile, details); }

Result<JsonValue> ParseObject(std::string_view line) {
  Result<JsonValue> value = ParseJson(line, "a runner's line", kMaxValueBytes);
  if (value && value->kind != Kind::kObject) return Malformed("a runner's line is not a JSON object");
  return value;
}

/// The text, cut to kMaxText bytes.
std::string ShortText(const std::string& text) {
  if (text.size() <= kMaxText) return text;
  std::size_t end = kMaxText;
  // Not within a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80) --end;
  return text.substr(0, end) + "...";
}

Result<std::string> TextUnder(const JsonValue& object, std::string_view key) {
  const JsonValue* const value = object.Find(key);
  if (value == nullptr || value->kind != Kind::kString)
    return Malformed("'" + std::string(key) + "' is missing, or is not a string");
  return ShortText(value->text);
}

Result<Answer> ParseResult(const JsonValue& object) {
  Answer answer;
  answer.kind = Answer::kResult;
  const JsonValue* const shape = object.Find("shape");
  const JsonValue* const bits = object.Find("bits");
  if (shape == nullptr || shape->kind != Kind::kList)
    return Malformed("'shape' is missing, or is not a list");
  if (bits == nullptr || bits->kind != Kind::kString)
    return Malformed("'bits' is missing, or is not a string");
  for (const JsonValue& extent : shape->items) {
    if (extent.kind != Kind::kInteger || extent.integer < 0)
      return Malformed("'shape' has an entry that is not an extent");
    answer.result.shape.push_back(extent.integer);
  }
  answer.result.bits = bits->text;
  for (char& c : answer.result.bits) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
      return Malformed("'bits' has a character that is not a hexadecimal digit");
  }
  return answer;
}

Result<Answer> ParseAnswer(const JsonValue& object, bool invalid) {
  constexpr std::pair<std::string_view, Answer::Kind> kTexts[] = {
      {"unsupported", Answer::kUnsupported}, {"failed", Answer::kFailed}, {"refused", Answer::kRefused}};
  for (const auto& [key, kind] : kTexts) {
    if (object.Find(key) == nullptr) continue;
    if (invalid != (kind == Answer::kRefused)) break;
    Result<std::string> text = TextUnder(object, key);
    if (!text) return text.error();
    Answer answer;
    answer.kind = kind;
    answer.text = *std::move(text);
    return answer;
  }
  if (!invalid) return ParseResult(object);
  const JsonValue* const accepted = object.Find("accepted");
  if (accepted == nullptr || accepted->kind != Kind::kBool || !accepted->boolean)
    return Malformed("neither 'refused' nor 'accepted'");
  Answer answer;
  answer.kind = Answer::kAccepted;
  return answer;
}

}  // namespace

Result<RunnerHead> ParseRunnerHead(std::string_view line) {
  const Result<JsonValue> object = ParseObject(line);
  if (!object) return object.error();
  Result<std::string> runtime = TextUnder(*object, "runtime");
  if (!runtime) return runtime.error();
  Result<std::string> version = TextUnder(*object, "version");
  if (!version) return version.error();
  Result<std::string> interface = TextUnder(*object, "interface");
  if (!interface) return interface.error();
  return RunnerHead{*std::move(runtime), *std::move(version), *std::move(interface)};
}

Result<RunnerLine> ParseRunnerLine(std::string_view line) {
  const Result<JsonValue> object = ParseObject(line);
  if (!object) return object.error();
  RunnerLine read;
  const JsonValue* index = object->Find("case");
  if (index == nullptr) {
    index = object->Find("invalid");
    read.invalid = true;
  }
  if (index == nullptr || index->kind != Kind::kInteger || index->integer < 0)
    return Malformed("neither 'case' nor 'invalid' has a number");
  read.index = index->integer;
  Result<std::string> id = TextUnder(*object, "id");
  if (!id) return id.error();
  read.id = *std::move(id);
  Result<Answer> answer = ParseAnswer(*object, read.invalid);
  if (!answer) return answer.error();
  read.answer = *std::move(answer);
  return read;
}

}  // namespace supremum::cli
