#include "audit/report.h"

#include <sys/utsname.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "audit/questions.h"
#include "audit/rules.h"
#include "cli/element.h"
#include "cli/output.h"
#include "cli/shell_quote.h"

namespace supremum::cli {
namespace {

using nlohmann::ordered_json;

/// How many elements of a tensor are shown.
constexpr std::size_t kShown = 64;

std::string_view StatusName(RunnerRun::Status status) {
  return status == RunnerRun::kRan ? "ran" : status == RunnerRun::kNotInstalled ? "not installed" : "broken";
}

ordered_json CountsJson(const Counts& counts) {
  return {
      {"passed", counts[0]}, {"failed", counts[1]}, {"unsupported", counts[2]}, {"unanswered", counts[3]}};
}

ordered_json CaseJson(const AuditCase& one) {
  if (one.invalid) return {{"id", one.id}, {"rules", one.rules}, {"invalid", one.fails}};
  return {{"id", one.id}, {"rules", one.rules}, {"operator", one.op}, {"type", Name(one.dtype)}};
}

ordered_json RunnerJson(const JudgedRun& judged) {
  const RunnerRun& run = *judged.run;
  ordered_json json = {
      {"name", run.spec.name},          {"own", run.spec.IsOwn()},     {"status", StatusName(run.status)},
      {"reason", run.reason},           {"runtime", run.head.runtime}, {"version", run.head.version},
      {"interface", run.head.interface}};
  if (run.status != RunnerRun::kRan) return json;
  json["counts"] = CountsJson(judged.counts);
  json["failed_by"] = {{"onnx", judged.failed_by_origin[2]},
                       {"sonnx", judged.failed_by_origin[1]},
                       {"supremum", judged.failed_by_origin[0]}};
  json["rules"] = ordered_json::object();
  for (const RuleText& rule : Rules()) {
    const auto counts = judged.rules.find(rule.id);
    if (counts != judged.rules.end()) json["rules"][rule.id] = CountsJson(counts->second);
  }
  json["restarts"] = run.restarts;
  json["stray_lines"] = run.stray_lines;
  json["first_stray"] = run.first_stray;
  json["time_s"] = run.seconds;
  json["verdicts"] = judged.letters;
  return json;
}

ordered_json AnswerJson(const AuditCase& one, const Answer& answer) {
  if (answer.kind == Answer::kResult) return ToJson(one.dtype, answer.result, kShown);
  return {{"text", answer.kind == Answer::kAccepted ? "accepted" : answer.text}};
}

ordered_json DeviationJson(const Audit& audit, const Deviation& deviation) {
  const RunnerRun& run = audit.runs[deviation.run];
  const AuditCase& one = audit.cases.all[deviation.smallest];
  std::map<std::string_view, std::size_t> types;
  for (std::size_t i : deviation.cases) {
    if (!audit.cases.all[i].invalid) ++types[Name(audit.cases.all[i].dtype)];
  }
  ordered_json smallest = {{"case", deviation.smallest}, {"id", one.id}, {"reason", one.reason}};
  if (one.invalid) {
    smallest["model"] = one.model;
    smallest["fails"] = one.fails;
    smallest["right"] = {{"text", "refused: " + one.code}};
  } else {
    smallest["opset"] = one.opset;
    smallest["attributes"] = one.attributes;
    smallest["inputs"] = ordered_json::array();
    for (const TensorBits& input : one.inputs) smallest["inputs"].push_back(ToJson(one.dtype, input, kShown));
    smallest["right"] = ToJson(one.dtype, one.output, kShown);
  }
  smallest["came_out"] = AnswerJson(one, run.answers[deviation.smallest]);
  smallest["reproduce"] = audit.Reproduce(run, one);
  return {{"runner", run.spec.name},
          {"rule", deviation.rule},
          {"origin", ToString(OriginOf(deviation.letter, deviation.rule))},
          {"operator", deviation.op},
          {"verdict", std::string(1, deviation.letter)},
          {"what", InfoOf(deviation.letter).text},
          {"types", types},
          {"count", deviation.cases.size()},
          {"smallest", std::move(smallest)},
          {"cases", deviation.cases}};
}

ordered_json QuestionsJson(const Audit& audit) {
  ordered_json json = ordered_json::array();
  for (const Question& question : Questions(audit.cases)) {
    ordered_json answers = ordered_json::object();
    for (std::size_t r = 0; r < audit.runs.size(); ++r) {
      if (audit.runs[r].status == RunnerRun::kRan)
        answers[audit.runs[r].spec.name] = ShortAnswer(audit, r, question);
    }
    json.push_back(
        {{"text", question.text}, {"case", question.index}, {"right", question.right}, {"answers", answers}});
  }
  return json;
}

/// Unsupported cases and cases without an answer, by runner, operator, letter and text.
ordered_json GapsJson(const Audit& audit) {
  using Key = std::tuple<std::size_t, char, std::string, std::string>;
  std::map<Key, std::vector<std::size_t>> gaps;
  for (std::size_t r = 0; r < audit.judged.size(); ++r) {
    const std::string& letters = audit.judged[r].letters;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const Score score = InfoOf(letters[i]).score;
      if (score != Score::kUnsupported && score != Score::kUnanswered) continue;
      gaps[{r, letters[i], audit.cases.all[i].op, audit.runs[r].answers[i].text}].push_back(i);
    }
  }
  ordered_json json = ordered_json::array();
  for (const auto& [key, cases] : gaps) {
    const auto& [r, letter, op, text] = key;
    json.push_back({{"runner", audit.runs[r].spec.name},
                    {"operator", op},
                    {"verdict", std::string(1, letter)},
                    {"text", text},
                    {"count", cases.size()},
                    {"reproduce", audit.Reproduce(audit.runs[r], audit.cases.all[cases.front()])},
                    {"cases", cases}});
  }
  return json;
}

}  // namespace

std::string Audit::Reproduce(const RunnerRun& run, const AuditCase& one) const {
  return command + " --runner " + ShellQuote(run.spec.option) + " --case " + ShellQuote(one.id);
}

bool Audit::OwnPassed() const {
  return std::ranges::all_of(judged,
                             [](const JudgedRun& one) { return !one.run->spec.IsOwn() || one.AllPassed(); });
}

std::string Machine() {
  utsname system = {};
  return ::uname(&system) == 0 ? std::string(system.sysname) + " " + system.machine : "unknown";
}

ordered_json ToJson(DType dtype, const TensorBits& bits, std::size_t limit) {
  ordered_json json = {{"shape", bits.shape}, {"bits", bits.bits.substr(0, limit * 2 * ByteWidth(dtype))}};
  const Result<Tensor> tensor = TensorOf(dtype, bits);
  if (!tensor) return json;
  json["size"] = tensor->size();
  json["elements"] = ordered_json::array();
  for (std::int64_t i = 0; i < std::min(tensor->size(), static_cast<std::int64_t>(limit)); ++i) {
    const ElementText text = TextOf(*tensor, i);
    json["elements"].push_back({text.value, text.bits});
  }
  return json;
}

ordered_json AuditJson(const Audit& audit) {
  ordered_json json = JsonHead("audit");
  json["machine"] = Machine();
  const bool own = std::ranges::any_of(audit.runs, [](const RunnerRun& run) { return run.spec.IsOwn(); });
  json["own_passed"] = own ? ordered_json(audit.OwnPassed()) : ordered_json(nullptr);
  json["valid"] = audit.cases.valid_count;
  json["invalid"] = audit.cases.all.size() - audit.cases.valid_count;
  json["rules"] = ordered_json::array();
  std::set<std::string_view> used;
  for (const AuditCase& one : audit.cases.all) used.insert(one.rules.begin(), one.rules.end());
  for (const JudgedRun& judged : audit.judged) {
    for (const auto& [rule, counts] : judged.rules) used.insert(rule);
  }
  for (const RuleText& rule : Rules()) {
    if (used.contains(rule.id))
      json["rules"].push_back({{"id", rule.id}, {"text", rule.text}, {"origin", ToString(rule.origin)}});
  }
  json["verdicts"] = ordered_json::array();
  constexpr std::array<std::string_view, 5> kScores = {"passed", "failed", "unsupported", "unanswered",
                                                       "not asked"};
  for (const VerdictInfo& info : kVerdicts) {
    json["verdicts"].push_back({{"letter", std::string(1, info.letter)},
                                {"score", kScores[static_cast<std::size_t>(info.score)]},
                                {"has_result", info.has_result},
                                {"text", info.text},
                                {"rules", info.rules}});
  }
  json["runners"] = ordered_json::array();
  for (const JudgedRun& judged : audit.judged) json["runners"].push_back(RunnerJson(judged));
  json["questions"] = QuestionsJson(audit);
  json["deviations"] = ordered_json::array();
  for (const Deviation& deviation : audit.deviations)
    json["deviations"].push_back(DeviationJson(audit, deviation));
  json["gaps"] = GapsJson(audit);
  json["cases"] = ordered_json::array();
  for (const AuditCase& one : audit.cases.all) json["cases"].push_back(CaseJson(one));
  return json;
}

}  // namespace supremum::cli
