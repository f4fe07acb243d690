// The findings of an audit as a page of documentation.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "audit/cells.h"
#include "audit/questions.h"
#include "audit/rules.h"
#include "audit/text.h"
#include "cli/output.h"
#include "cli/shell_quote.h"

namespace supremum::cli {
namespace {

std::string Title(const RunnerRun& run) {
  return fmt::format("{} {}, {}", TextCell(run.head.runtime), TextCell(run.head.version),
                     TextCell(run.head.interface));
}

std::string Inputs(const AuditCase& one) {
  if (one.invalid) return CodeCell(one.model);
  std::string text;
  // Of a case with a hundred inputs, the first few are enough.
  for (std::size_t i = 0; i < std::min<std::size_t>(one.inputs.size(), kShownInCell); ++i)
    text += (i == 0 ? "" : "<br>") + TensorCell(one.dtype, one.inputs[i]);
  if (std::cmp_greater(one.inputs.size(), kShownInCell))
    text += fmt::format("<br>and {} more", one.inputs.size() - kShownInCell);
  return text;
}

std::string RuntimesTable(const Audit& audit) {
  std::string text =
      "| runner | runtime | version | interface | passed | failed | unsupported | not answered |\n"
      "| --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n";
  for (const JudgedRun& judged : audit.judged) {
    const RunnerRun& run = *judged.run;
    if (run.status != RunnerRun::kRan) continue;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", TextCell(run.spec.name),
                        TextCell(run.head.runtime), TextCell(run.head.version), TextCell(run.head.interface),
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
    text += " " + TextCell(judged->run->spec.name) + " |";
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
    text += "| " + TextCell(audit.runs[r].spec.name) + " |";
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
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", TextCell(deviation.rule),
                        TextCell(deviation.op), InfoOf(deviation.letter).text, deviation.cases.size(),
                        TypesCell(audit, deviation.cases), CodeCell(one.id), Inputs(one),
                        AnswerCell(one, run.answers[deviation.smallest]),
                        one.invalid ? "refused, " + TextCell(one.code) : TensorCell(one.dtype, one.output));
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
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", TextCell(op), TypesCell(audit, cases));
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
