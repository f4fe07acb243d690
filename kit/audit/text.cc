#include "audit/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "audit/rules.h"
#include "cli/element.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/values.h"

namespace supremum::cli {
namespace {

/// How many elements of a tensor are shown.
constexpr std::int64_t kShown = 256;

/// "1 case", "2 cases"
std::string Count(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string NameOf(const RunnerRun& run) {
  return run.head.runtime.empty()
             ? run.spec.name
             : fmt::format("{} {} ({})", run.head.runtime, run.head.version, run.head.interface);
}

Color ColorOf(Score score) {
  return score == Score::kPassed ? Color::kGreen : score == Score::kFailed ? Color::kRed : Color::kYellow;
}

/// The actual and the expected output, element by element.
std::string Beside(const Tensor& actual, const Tensor& expected, const Terminal& terminal) {
  Table table(
      {{"element"}, {"actual", Table::kRight}, {"bits"}, {"expected", Table::kRight}, {"bits"}, {""}});
  for (std::int64_t i = 0; i < std::min(expected.size(), kShown); ++i) {
    const ElementText a = TextOf(actual, i), b = TextOf(expected, i);
    table.Add(
        {IndexText(expected.shape(), i), a.value, a.bits, b.value, b.bits, a.bits == b.bits ? "" : "<-"});
  }
  std::string text = table.Text(terminal, 2);
  if (expected.size() > kShown)
    text += fmt::format("  the first {} of {} elements\n", kShown, expected.size());
  return text;
}

std::string ResultText(const AuditCase& one, const TensorBits& bits, const Terminal& terminal) {
  const Result<Tensor> expected = TensorOf(one.dtype, one.output), actual = TensorOf(one.dtype, bits);
  if (!actual) return fmt::format("  {}\n", Printable(actual.error().message));
  if (expected && expected->shape() == actual->shape()) return Beside(*actual, *expected, terminal);
  return fmt::format("  shape {}, expected {}\n", ToString(actual->shape()), ToString(expected->shape())) +
         ValuesText("actual", *actual, kShown, terminal);
}

std::string AnswerText(const AuditCase& one, const JudgedRun& judged, std::size_t index,
                       const Terminal& terminal) {
  const RunnerRun& run = *judged.run;
  if (run.status != RunnerRun::kRan)
    return fmt::format("\n{}: {}\n", Printable(NameOf(run)), Printable(run.reason));
  const VerdictInfo& info = InfoOf(judged.letters[index]);
  std::string broken;
  for (const std::string& rule : BrokenRules(one, info.letter))
    broken += (broken.empty() ? ", violates " : " and ") + rule;
  std::string text = fmt::format("\n{}: {}{}\n", Printable(NameOf(run)),
                                 terminal.Paint(ColorOf(info.score), info.text), Printable(broken));
  const Answer& answer = run.answers[index];
  if (!answer.text.empty()) text += fmt::format("  {}\n", Printable(answer.text));
  if (answer.kind == Answer::kResult) text += ResultText(one, answer.result, terminal);
  return text;
}

std::string TensorText(const std::string& name, DType dtype, const TensorBits& bits,
                       const Terminal& terminal) {
  const Result<Tensor> tensor = TensorOf(dtype, bits);
  if (!tensor) return "";
  return ValuesText(fmt::format("{} {}{}", name, Name(dtype), ToString(tensor->shape())), *tensor, kShown,
                    terminal);
}

}  // namespace

namespace {

std::string DeviationsText(const Audit& audit, const Terminal& terminal) {
  Table table({{"runner"},
               {"rule"},
               {"violates"},
               {"operator"},
               {"what", Table::kLeft, 24},
               {"cases", Table::kRight},
               {"smallest", Table::kLeft, 24}});
  for (const Deviation& deviation : audit.deviations) {
    table.Add({audit.runs[deviation.run].spec.name, deviation.rule,
               std::string(ToString(OriginOf(deviation.letter, deviation.rule))), deviation.op,
               std::string(InfoOf(deviation.letter).text), std::to_string(deviation.cases.size()),
               audit.cases.all[deviation.smallest].id});
  }
  return audit.deviations.empty() ? "" : "\n" + table.Text(terminal) + "\n";
}

}  // namespace

std::string FailuresText(const Audit& audit, std::span<const GateFailure> failures) {
  constexpr std::size_t kMostShown = 20;
  std::string text;
  for (const GateFailure& failure : failures.first(std::min(failures.size(), kMostShown))) {
    const JudgedRun& judged = audit.judged[failure.run];
    text += fmt::format("{}: {}: {} ({})\n", Printable(judged.run->spec.name),
                        Printable(audit.cases.all[failure.one].id), InfoOf(judged.letters[failure.one]).text,
                        failure.rule);
  }
  if (failures.empty()) return "";
  if (failures.size() > kMostShown) text += fmt::format("and {} more\n", failures.size() - kMostShown);
  return text + fmt::format("{} that must not occur\n", Count(failures.size(), "failed case"));
}

std::string AuditSummary(const Audit& audit, bool only_failed, const Terminal& terminal) {
  Table table({{"runner"},
               {"runtime", Table::kLeft, 16},
               {"passed", Table::kRight},
               {"failed", Table::kRight},
               {"of ONNX", Table::kRight},
               {"of SONNX", Table::kRight},
               {"own", Table::kRight},
               {"unsupported", Table::kRight},
               {"unanswered", Table::kRight},
               {"time", Table::kRight}});
  std::string missing;
  for (const JudgedRun& judged : audit.judged) {
    const RunnerRun& run = *judged.run;
    if (run.status != RunnerRun::kRan) {
      missing += fmt::format("{}: {}: {}\n", Printable(run.spec.name),
                             run.status == RunnerRun::kNotInstalled ? "not installed" : "broken",
                             Printable(run.reason));
      continue;
    }
    if (judged.NoneApplied()) {
      missing += fmt::format(
          "{}: no case applies to it: it does not read these models, or only the SONNX profile refuses "
          "them\n",
          Printable(run.spec.name));
    }
    if (only_failed && judged.counts[1] == 0) continue;
    std::vector<std::string> cells = {run.spec.name, NameOf(run)};
    for (std::size_t count : judged.counts) cells.push_back(std::to_string(count));
    for (std::size_t count : judged.failed_by_origin) cells.insert(cells.begin() + 4, std::to_string(count));
    cells.push_back(fmt::format("{:.1f} s", run.seconds));
    table.Add(std::move(cells));
    if (run.stray_lines > 0)
      missing += fmt::format("{}: {} lines were not answers; the first: {}\n", Printable(run.spec.name),
                             run.stray_lines, Printable(run.first_stray));
  }
  return table.Text(terminal) + missing + (only_failed ? DeviationsText(audit, terminal) : "") +
         fmt::format("{}, {}, {}\n", Count(audit.cases.valid_count, "case"),
                     Count(audit.cases.all.size() - audit.cases.valid_count, "invalid model"),
                     Count(audit.deviations.size(), "deviation"));
}

std::string CaseText(const Audit& audit, std::size_t index, const Terminal& terminal) {
  const AuditCase& one = audit.cases.all[index];
  std::string text = terminal.Paint(Color::kBold, Printable(one.id)) + "\n" + Printable(one.reason) + "\n";
  if (one.invalid) {
    text += fmt::format("\n{}\nexpected: refused, {}\n", Printable(one.model), Printable(one.code));
  } else {
    text += fmt::format("{}, opset {}{}\n", Printable(one.op), one.opset,
                        one.attributes.empty() ? "" : ", " + Printable(one.attributes));
    for (std::size_t i = 0; i < one.inputs.size(); ++i)
      text += TensorText(fmt::format("input {}", i), one.dtype, one.inputs[i], terminal);
    text += TensorText("expected", one.dtype, one.output, terminal);
  }
  for (const JudgedRun& judged : audit.judged) text += AnswerText(one, judged, index, terminal);
  text += "\n";
  for (const std::string& rule : one.rules)
    text += fmt::format("{}: {}\n", Printable(rule), TextOfRule(rule));
  for (const JudgedRun& judged : audit.judged) {
    for (const std::string& rule : BrokenRules(one, judged.letters[index])) {
      if (std::ranges::find(one.rules, rule) == one.rules.end() &&
          text.find("\n" + rule + ": ") == std::string::npos)
        text += fmt::format("{}: {}\n", rule, TextOfRule(rule));
    }
  }
  return text;
}

}  // namespace supremum::cli
