// The findings of an audit as a page of documentation.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "audit/questions.h"
#include "audit/rules.h"
#include "audit/text.h"
#include "cli/element.h"
#include "cli/output.h"
#include "cli/shell_quote.h"

namespace supremum::cli {
namespace {

/// The most elements, and the most characters of a text, in a cell.
constexpr std::int64_t kShown = 8;
constexpr std::size_t kShownText = 160;

/// Untrusted text as code in a cell of a table, shortened to kShownText.
std::string Code(std::string_view text) { return MarkdownCode(Shortened(Printable(text), kShownText)); }

/// The same as text.
std::string Text(std::string_view text) { return MarkdownText(Shortened(Printable(text), kShownText)); }

std::string Title(const RunnerRun& run) {
  return fmt::format("{} {}, {}", Text(run.head.runtime), Text(run.head.version), Text(run.head.interface));
}

/// "float32[2] -0 (0x80000000), 1 (0x3f800000)"
std::string Elements(DType dtype, const TensorBits& bits) {
  const Result<Tensor> tensor = TensorOf(dtype, bits);
  if (!tensor) return Code("bits " + bits.bits);
  std::string text = ToString(tensor->shape());
  for (std::int64_t i = 0; i < std::min(tensor->size(), kShown); ++i) {
    const ElementText element = TextOf(*tensor, i);
    text += fmt::format("{} {} ({})", i == 0 ? "" : ",", element.value, element.bits);
  }
  return text + (tensor->size() > kShown ? ", ..." : "");
}

std::string Actual(const AuditCase& one, const Answer& answer) {
  if (answer.kind == Answer::kResult) return Elements(one.dtype, answer.result);
  return answer.kind == Answer::kAccepted ? "accepted" : Code(answer.text);
}

std::string Inputs(const AuditCase& one) {
  if (one.invalid) return Code(one.model);
  std::string text;
  // Of a case with a hundred inputs, the first few are enough.
  for (std::size_t i = 0; i < std::min<std::size_t>(one.inputs.size(), kShown); ++i)
    text += (i == 0 ? "" : "<br>") + Elements(one.dtype, one.inputs[i]);
  if (std::cmp_greater(one.inputs.size(), kShown))
    text += fmt::format("<br>and {} more", one.inputs.size() - kShown);
  return text;
}

/// "float32 12, float64 3"
std::string Types(const Audit& audit, std::span<const std::size_t> cases) {
  std::map<DType, std::size_t> types;
  for (std::size_t i : cases) {
    if (!audit.cases.all[i].invalid) ++types[audit.cases.all[i].dtype];
  }
  std::string text;
  for (const auto& [dtype, count] : types)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", Name(dtype), count);
  return text;
}

std::string RuntimesTable(const Audit& audit) {
  std::string text =
      "| runner | runtime | version | interface | passed | failed | unsupported | not answered |\n"
      "| --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n";
  for (const JudgedRun& judged : audit.judged) {
    const RunnerRun& run = *judged.run;
    if (run.status != RunnerRun::kRan) continue;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", Text(run.spec.name),
                        Text(run.head.runtime), Text(run.head.version), Text(run.head.interface),
                        judged.counts[0], judged.counts[1], judged.counts[2], judged.counts[3]);
  }
  return text;
}

std::string RulesTable(const Audit& audit) {
  std::vector<const JudgedRun*> others;
  for (const JudgedRun& judged : audit.judged) {
    if (!judged.run->spec.IsOwn() && judged.run->status == RunnerRun::kRan) others.push_back(&judged);
  }
  if (others.empty()) return "No other runtime was found.\n";
  std::string text = "| rule |", line = "| --- |";
  for (const JudgedRun* judged : others) {
    text += " " + Text(judged->run->spec.name) + " |";
    line += " ---: |";
  }
  text += "\n" + line + "\n";
  for (const RuleText& rule : Rules()) {
    std::string cells;
    bool any = false;
    for (const JudgedRun* judged : others) {
      const auto found = judged->rules.find(rule.id);
      const Counts counts = found == judged->rules.end() ? Counts{} : found->second;
      any = any || found != judged->rules.end();
      const std::size_t judged_count = counts[0] + counts[1];
      cells += judged_count == 0 ? (counts[2] + counts[3] > 0 ? " - |" : " |")
               : counts[1] == 0  ? fmt::format(" {} |", judged_count)
                                 : fmt::format(" **{}** of {} |", counts[1], judged_count);
    }
    if (any) text += "| " + rule.id + " |" + cells + "\n";
  }
  return text;
}

std::string QuestionsTable(const Audit& audit) {
  const std::vector<Question> questions = Questions(audit.cases);
  if (questions.empty()) return "";
  std::string text = "| float32 |", line = "| --- |", right = "| expected |";
  for (const Question& question : questions) {
    text += fmt::format(" {} |", question.text);
    line += " ---: |";
    right += fmt::format(" {} |", question.right);
  }
  text += "\n" + line + "\n" + right + "\n";
  for (std::size_t r = 0; r < audit.runs.size(); ++r) {
    if (audit.runs[r].status != RunnerRun::kRan) continue;
    text += "| " + Text(audit.runs[r].spec.name) + " |";
    for (const Question& question : questions) {
      const bool failed = InfoOf(audit.judged[r].letters[question.index]).score == Score::kFailed;
      const std::string answer = ShortAnswer(audit, r, question);
      text += failed ? " **" + answer + "** |" : " " + answer + " |";
    }
    text += "\n";
  }
  return "\n## Summary\n\nResults in bold are wrong.\n\n" + text;
}

std::string DeviationsOf(const Audit& audit, std::size_t index) {
  const RunnerRun& run = audit.runs[index];
  std::string text;
  for (const Deviation& deviation : audit.deviations) {
    if (deviation.run != index) continue;
    const AuditCase& one = audit.cases.all[deviation.smallest];
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", Text(deviation.rule),
                        Text(deviation.op), InfoOf(deviation.letter).text, deviation.cases.size(),
                        Types(audit, deviation.cases), Code(one.id), Inputs(one),
                        Actual(one, run.answers[deviation.smallest]),
                        one.invalid ? "refused, " + Text(one.code) : Elements(one.dtype, one.output));
  }
  if (text.empty()) return "No deviation.\n";
  const std::string command =
      fmt::format("{} --runner {} --case ID", audit.command, ShellQuote(run.spec.option));
  return MarkdownCode(command) +
         " shows a case in full.\n\n"
         "| rule | operator | what | cases | types | smallest case | its inputs | actual | expected |\n"
         "| --- | --- | --- | ---: | --- | --- | --- | --- | --- |\n" +
         text;
}

std::string UnsupportedOf(const Audit& audit, std::size_t index) {
  std::map<std::string, std::vector<std::size_t>> by_operator;
  const std::string& letters = audit.judged[index].letters;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] == 'u') by_operator[audit.cases.all[i].op].push_back(i);
  }
  std::string text;
  for (const auto& [op, cases] : by_operator)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", Text(op), Types(audit, cases));
  return text.empty() ? "" : "\nUnsupported, by the number of cases: " + text + ".\n";
}

}  // namespace

std::string AuditMarkdown(const Audit& audit) {
  std::string text = fmt::format(
      "# Conformance of runtimes to the rules\n\n"
      "Written by `supremum audit --markdown`. Each runtime ran {} cases with an expected output and {} "
      "models\n"
      "that must be refused. [kit/README.md](../kit/README.md) describes the comparison,\n"
      "[semantics.md](semantics.md) the rules, and [kit/runners/README.md](../kit/runners/README.md) how to "
      "audit\nyour own runtime: `supremum audit --new-runner`.\n\n## Runtimes\n\n",
      audit.cases.valid_count, audit.cases.all.size() - audit.cases.valid_count);
  text += RuntimesTable(audit) + QuestionsTable(audit);
  text +=
      "\n## Rules\n\nFor each rule, the number of results that test it, or **how many** of them violate it; "
      "- if "
      "none was supported.\n\n";
  text += RulesTable(audit) + "\n## Deviations\n";
  for (std::size_t i = 0; i < audit.runs.size(); ++i) {
    if (audit.runs[i].status != RunnerRun::kRan) continue;
    if (audit.runs[i].spec.IsOwn() && audit.judged[i].AllPassed()) continue;
    text +=
        fmt::format("\n### {}\n\n", Title(audit.runs[i])) + DeviationsOf(audit, i) + UnsupportedOf(audit, i);
  }
  return text;
}

}  // namespace supremum::cli
