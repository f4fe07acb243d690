#include "audit/issues.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "audit/cells.h"
#include "audit/programs.h"
#include "audit/rules.h"
#include "audit/threads.h"
#include "cli/file_name.h"
#include "cli/output.h"
#include "io/files/file_bytes.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostModelBytes = std::int64_t{1} << 26;
constexpr std::size_t kMostOfName = 80;  // characters

/// An issue, and where its files are.
struct Issue {
  const Audit& audit;
  const Deviation& deviation;
  std::size_t example;  ///< index of its case
  fs::path folder;      ///< of the runner, below that of the issues
  std::string name;     ///< of the files, without ending
  std::string model;    ///< the ending of the model's file; "": the case has none
  std::optional<Program> program;

  const RunnerRun& run() const { return audit.runs[deviation.run]; }
  const AuditCase& one() const { return audit.cases.all[example]; }
};

std::string_view LabelOf(RuleOrigin origin) {
  constexpr std::array<std::string_view, 3> kLabels = {"only supremum's own rule",
                                                       "the SONNX profile, not ONNX", "ONNX (or oneDNN)"};
  return kLabels[static_cast<std::size_t>(origin)];
}

/// What is said of a label to those who file an issue.
std::string_view MeaningOf(RuleOrigin origin) {
  constexpr std::array<std::string_view, 3> kMeanings = {
      "No document but supremum's own decides this point: it is a difference, not a fault of the runtime.",
      "ONNX leaves this point open; the safety-related profile of ONNX decides it.",
      "The operator's specification decides this point. A library that does not claim to follow it differs, "
      "and has no fault."};
  return kMeanings[static_cast<std::size_t>(origin)];
}

RuleOrigin OriginOfIssue(const Issue& issue) {
  return OriginOf(issue.deviation.letter, issue.deviation.rule);
}

/// "Max: wrong sign of zero (ORD-2)", for a heading.
std::string TitleOf(const Deviation& deviation) {
  return fmt::format("{}: {} ({})", deviation.op.empty() ? "Model" : TextCell(deviation.op),
                     InfoOf(deviation.letter).text, TextCell(deviation.rule));
}

/// "07-ord-2-max-wrong-sign-of-zero"
std::string NameOf(std::size_t number, const Deviation& deviation) {
  std::string_view what = InfoOf(deviation.letter).text;
  if (what.starts_with("a ")) what.remove_prefix(2);
  std::string name = fmt::format("{:02}", number);
  for (const std::string_view part :
       {std::string_view(deviation.rule), std::string_view(deviation.op), what}) {
    if (!part.empty()) name += '-';
    for (char c : part) {
      const bool upper = c >= 'A' && c <= 'Z';
      const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      name += upper ? static_cast<char>(c - 'A' + 'a') : plain ? c : '-';
    }
  }
  return name.substr(0, kMostOfName);
}

/// The smallest case; of models that must be refused, the first that needs no other file.
std::size_t ExampleOf(const Audit& audit, const Deviation& deviation) {
  const auto found = std::ranges::find_if(deviation.cases, [&](std::size_t i) {
    return audit.cases.all[i].invalid && !audit.cases.all[i].needs_files;
  });
  return found == deviation.cases.end() ? deviation.smallest : *found;
}

std::string CaseTable(const Issue& issue) {
  const AuditCase& one = issue.one();
  std::string text = "| | |\n| --- | --- |\n";
  const auto row = [&](std::string_view key, const std::string& value) {
    text += fmt::format("| {} | {} |\n", key, value);
  };
  row("case", CodeCell(one.id));
  row("what it tests", TextCell(one.reason));
  const std::string result = AnswerCell(one, issue.run().answers[issue.example]);
  if (one.invalid) {
    row("model", CodeCell(one.model));
    row("expected", "refused, " + TextCell(one.code));
    row("result", result);
    return text;
  }
  row("operator", fmt::format("{}, opset {}", TextCell(one.op), one.opset));
  row("attributes", one.attributes.empty() ? "none" : CodeCell(one.attributes));
  row("type", std::string(Name(one.dtype)));
  for (std::size_t i = 0; i < std::min<std::size_t>(one.inputs.size(), kShownInCell); ++i)
    row(fmt::format("input {}", i), TensorCell(one.dtype, one.inputs[i]));
  if (std::cmp_greater(one.inputs.size(), kShownInCell))
    row("more inputs", std::to_string(one.inputs.size() - kShownInCell));
  row("expected", TensorCell(one.dtype, one.output));
  row("result", result);
  return text;
}

std::string RuntimeTable(const Issue& issue) {
  const RunnerHead& head = issue.run().head;
  const std::string types = TypesCell(issue.audit, issue.deviation.cases);
  return fmt::format(
      "| | |\n| --- | --- |\n| violates | **{}** |\n| runtime | {} {} |\n| interface | {} |\n| machine | {} "
      "|\n"
      "| cases that deviate in the same way | {}{}{} |\n| found by | supremum {} |\n",
      LabelOf(OriginOfIssue(issue)), TextCell(head.runtime), TextCell(head.version), TextCell(head.interface),
      TextCell(Machine()), issue.deviation.cases.size(), types.empty() ? "" : ": ", types, Version());
}

std::string ProgramText(const Issue& issue) {
  if (!issue.program) return "No program is written for this case: the command below shows it.\n";
  const Program& program = *issue.program;
  return fmt::format(
      "`{0}{1}`{2} shows it. Its exit status is 0 if the result is the expected one.\n\n```console\n$ "
      "{3}\n```\n\n"
      "```{4}\n{5}```\n",
      issue.name, program.ending,
      program.needs_model ? fmt::format(", with `{}.onnx` beside it,", issue.name) : "", program.command,
      program.language, program.text);
}

std::string ThreadsText(const Issue& issue) {
  std::string text;
  for (const Thread& thread : ThreadsOn(issue.run().head.runtime, issue.deviation.rule, issue.deviation.op)) {
    text += fmt::format("- {}: {} ({} in {})\n", thread.place, thread.subject, thread.state, kThreadsReadOn);
  }
  return text.empty() ? "" : "\n## Known threads\n\n" + text;
}

std::string PageOf(const Issue& issue) {
  const std::string_view rule = TextOfRule(issue.deviation.rule);
  return fmt::format("# {}\n\n{}\n## Example\n\n{}\n## Rule\n\n{}{}\n\n{}\n\n## Program\n\n",
                     TitleOf(issue.deviation), RuntimeTable(issue), CaseTable(issue),
                     TextCell(issue.deviation.rule), rule.empty() ? "" : ": " + MarkdownText(rule),
                     MeaningOf(OriginOfIssue(issue))) +
         ProgramText(issue) + "\nWith supremum, the same case is shown in full by\n\n" +
         MarkdownCode(issue.audit.Reproduce(issue.run(), issue.one())) + "\n" + ThreadsText(issue);
}

/// A file's name in the target of a link.
std::string LinkOf(const fs::path& path) {
  std::string link;
  for (char c : path.generic_string()) link += c == '%' ? "%25" : std::string(1, c);
  return link;
}

std::string ReadmeRow(const Issue& issue) {
  const RunnerHead& head = issue.run().head;
  const auto file = [&](std::string_view ending) {
    return fmt::format("[{}]({})", ending, LinkOf(issue.folder / (issue.name + std::string(ending))));
  };
  std::string files = file(".md");
  if (issue.program) files += " " + file(issue.program->ending);
  if (!issue.model.empty()) files += " " + file(issue.model);
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", TextCell(head.runtime), TextCell(head.version),
                     LabelOf(OriginOfIssue(issue)), TitleOf(issue.deviation), issue.deviation.cases.size(),
                     files);
}

std::string ReadmeOf(const std::string& rows) {
  std::string text = fmt::format(
      "# Issues of other runtimes\n\nWritten by `supremum audit --issues` of supremum {}, on {}: one issue "
      "for "
      "each rule that a runtime violates\nin the same way with the same operator, with its smallest "
      "case.\n\n",
      Version(), TextCell(Machine()));
  if (rows.empty()) return text + "There is none: no other runtime failed a case.\n";
  text +=
      "| runtime | version | violates | issue | cases | files |\n| --- | --- | --- | --- | ---: | --- |\n" +
      rows + "\n## What is violated\n\n| label | meaning |\n| --- | --- |\n";
  for (const RuleOrigin origin : {RuleOrigin::kOnnx, RuleOrigin::kSonnx, RuleOrigin::kProject})
    text += fmt::format("| {} | {} |\n", LabelOf(origin), MeaningOf(origin));
  return text +
         "\n## To run a program\n\nEach needs the runtime, no file of supremum, and the `.onnx` file beside "
         "it if "
         "it names one. Its exit status is\n0 if the result is the expected one; any other status, by an "
         "exception "
         "or a crash, too, shows the issue.\n\n"
         "| file | command |\n| --- | --- |\n"
         "| `NAME.py` | `python3 NAME.py` |\n"
         "| `NAME.cjs` | `node NAME.cjs`; `NODE_PATH` names the folder of npm's packages |\n"
         "| `NAME.cc` | its page has the command of the compiler |\n";
}

/// The content of the model's file.
Result<std::string> ModelOf(const AuditCase& one, const fs::path& cases) {
  const fs::path path = one.ModelPath();
  // What a case names is copied into a file that others are to read.
  if (path.is_absolute() || std::ranges::find(path, "..") != path.end()) {
    return MakeError(
        ErrorCode::kMalformedFile,
        fmt::format("case '{}': its model '{}' is not below the folder of the cases; write the cases "
                    "again with supremum gen-conformance",
                    one.id, path.string()));
  }
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes((cases / path).string(), kMostModelBytes);
  if (!bytes) return bytes.error();
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<void> WriteIssue(const Issue& issue, const fs::path& cases, const PutIssueFile& put) {
  const fs::path path = issue.folder / issue.name;
  const auto named = [&](std::string_view ending) { return path.string() + std::string(ending); };
  Result<void> done = put(named(".md"), PageOf(issue));
  if (done && issue.program) done = put(named(issue.program->ending), issue.program->text);
  if (!done || issue.model.empty()) return done;
  const Result<std::string> model = ModelOf(issue.one(), cases);
  return model ? put(named(issue.model), *model) : Result<void>(model.error());
}

}  // namespace

Result<IssueCounts> WriteIssues(const Audit& audit, const fs::path& cases, const PutIssueFile& put) {
  FileNames names("");
  // A runner may have this name, too.
  if (const Result<std::string> readme = names.For("README.md"); !readme) return readme.error();
  std::map<std::size_t, std::pair<fs::path, std::size_t>> runners;  // folders, and how many issues each has
  IssueCounts counts;
  std::string rows;
  for (const Deviation& deviation : audit.deviations) {
    const RunnerRun& run = audit.runs[deviation.run];
    if (run.spec.IsOwn()) continue;
    auto& [folder, number] = runners[deviation.run];
    if (++number == 1) {
      Result<std::string> name = names.For(run.spec.name);
      if (!name) return name.error();
      folder = *std::move(name);
    }
    Issue issue{audit, deviation, ExampleOf(audit, deviation), folder, NameOf(number, deviation), "", {}};
    if (const std::string model = issue.one().ModelPath(); !model.empty())
      issue.model = model.ends_with(".onnx") ? ".onnx" : ".json";
    issue.program = ProgramOf({run.head, issue.one(), issue.name});
    if (Result<void> written = WriteIssue(issue, cases, put); !written) return written.error();
    rows += ReadmeRow(issue);
    ++counts.issues;
    if (issue.program) ++counts.programs;
  }
  if (Result<void> written = put("README.md", ReadmeOf(rows)); !written) return written.error();
  return counts;
}

}  // namespace supremum::cli
