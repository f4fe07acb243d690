#include "audit/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "audit/rules.h"
#include "io/files/file_bytes.h"
#include "io/json/json.h"

namespace supremum::cli {
namespace {

using Kind = JsonValue::Kind;

constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 28;
constexpr std::int64_t kMaxValueBytes = std::int64_t{1} << 30;

Error NoAudit(const std::string& path, std::string_view details) {
  return MakeError(
      ErrorCode::kMalformedFile,
      fmt::format("{}: {}; give a file that `supremum audit --json` or --report has written", path, details));
}

/// The member `list` of an object; nullptr if it is no list.
const JsonValue* ListOf(const JsonValue& object, std::string_view list) {
  const JsonValue* const found = object.Find(list);
  return found != nullptr && found->kind == Kind::kList ? found : nullptr;
}

/// The member `key`; nullptr if it is no text.
const std::string* TextOf(const JsonValue& object, std::string_view key) {
  const JsonValue* const found = object.Find(key);
  return found != nullptr && found->kind == Kind::kString ? &found->text : nullptr;
}

bool IsFailure(char letter) {
  return std::ranges::any_of(kVerdicts, [&](const VerdictInfo& info) {
    return info.letter == letter && info.score == Score::kFailed;
  });
}

}  // namespace

Result<Baseline> ReadBaseline(const std::string& path) {
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(path, kMaxFileBytes);
  if (!bytes) return bytes.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const Result<JsonValue> document = ParseJson(text, path, kMaxValueBytes);
  if (!document) return document.error();
  if (document->kind != Kind::kObject) return NoAudit(path, "it is no object");
  const JsonValue* const cases = ListOf(*document, "cases");
  const JsonValue* const runners = ListOf(*document, "runners");
  if (cases == nullptr || runners == nullptr) return NoAudit(path, "'cases' or 'runners' is missing");
  std::vector<const std::string*> ids;
  for (const JsonValue& one : cases->items) {
    ids.push_back(TextOf(one, "id"));
    if (ids.back() == nullptr) return NoAudit(path, "a case has no 'id'");
  }
  Baseline baseline;
  for (const JsonValue& runner : runners->items) {
    const std::string* const name = TextOf(runner, "name");
    if (name == nullptr) return NoAudit(path, "a runner has no 'name'");
    const std::string* const letters = TextOf(runner, "verdicts");
    if (letters == nullptr) continue;  // it did not run
    if (letters->size() != ids.size()) {
      return NoAudit(path, fmt::format("the runner '{}' has {} verdicts for {} cases", *name, letters->size(),
                                       ids.size()));
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (IsFailure((*letters)[i])) baseline[{*name, *ids[i]}] = (*letters)[i];
    }
  }
  return baseline;
}

Result<std::set<std::string>> ParseRules(std::string_view text) {
  std::set<std::string> rules;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word == "all") {
      for (const RuleText& rule : Rules()) rules.insert(rule.id);
    } else if (!TextOfRule(word).empty()) {
      rules.emplace(word);
    } else {
      return MakeError(
          ErrorCode::kInvalidArgument,
          fmt::format("--fail-on: '{}' is no rule; give rules of docs/semantics.md, as ORD-3,RED-6, or all",
                      word));
    }
  }
  return rules;
}

std::vector<GateFailure> FailuresOf(const Audit& audit, const std::set<std::string>& rules,
                                    const Baseline& baseline) {
  std::vector<GateFailure> failures;
  for (std::size_t r = 0; r < audit.judged.size(); ++r) {
    const JudgedRun& judged = audit.judged[r];
    for (std::size_t i = 0; i < judged.letters.size(); ++i) {
      const AuditCase& one = audit.cases.all[i];
      const std::vector<std::string> broken = BrokenRules(one, judged.letters[i]);
      const auto rule =
          std::ranges::find_if(broken, [&](const std::string& id) { return rules.contains(id); });
      if (rule == broken.end()) continue;
      const auto known = baseline.find({judged.run->spec.name, one.id});
      if (known != baseline.end() && known->second == judged.letters[i]) continue;
      failures.push_back({r, i, *rule});
    }
  }
  return failures;
}

}  // namespace supremum::cli
