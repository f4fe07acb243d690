// supremum audit: runs the conformance cases with every installed runtime.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "audit/gate.h"
#include "audit/issues.h"
#include "audit/report.h"
#include "audit/text.h"
#include "cli/embedded.h"
#include "cli/html_page.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/shell_quote.h"
#include "cli/temporary_folder.h"
#include "generate/conformance.h"
#include "io/files/atomic_file.h"
#include "verbs/case_folder.h"
#include "verbs/new_runner.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

struct AuditArguments {
  std::string report;
  std::string issues;
  std::string new_runner;
  std::vector<std::string> runners;
  std::vector<std::string> added_runners;
  std::vector<std::string> cases;
  std::string cases_folder;
  std::string runners_folder;
  std::string markdown;
  std::string json;
  std::uint64_t case_limit = 30;
  std::uint64_t runner_limit = 1800;
  std::string fail_on;
  std::string baseline;
  bool failed_only = false;
};

/// The folder of the runners relative to this program, in the build tree and in an installation.
fs::path RunnersFolder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "libexec" / "supremum" /
         "runners";
}

/// The files of a report, created before the first runner starts, so that a folder which cannot be written to
/// is reported at once.
struct ReportFiles {
  Outputs outputs;
  std::string issues;  ///< the folder of --issues; empty without it
  IssueCounts issue_counts;
  std::optional<io::AtomicFile> json, page, markdown;

  Result<void> Create(const std::string& option, const std::string& path,
                      std::optional<io::AtomicFile>* file) {
    if (Result<void> claimed = outputs.Claim(option, path, Outputs::Kind::kReport); !claimed) return claimed;
    Result<io::AtomicFile> created = io::AtomicFile::Create(path);
    if (!created) return created.error();
    file->emplace(std::move(*created));
    return {};
  }

  /// Writes the issues while the models of the cases exist.
  Result<void> WriteAllIssues(const Audit& audit, const fs::path& cases) {
    if (issues.empty()) return {};
    const Result<IssueCounts> written =
        WriteIssues(audit, cases, [&](const fs::path& path, std::string_view content) {
          return WriteNewFile(fs::path(issues) / path, content);
        });
    if (!written) return written.error();
    issue_counts = *written;
    return MakeDurable(issues);
  }

  Result<void> CreateAll(const AuditArguments& arguments) {
    if (!arguments.cases_folder.empty()) {
      for (const char* const name : {"cases.json", "invalid.json"})
        outputs.Reads((fs::path(arguments.cases_folder) / name).string());
    }
    issues = arguments.issues;
    if (!issues.empty()) {
      if (Result<void> made = outputs.MakeNewFolder("--issues", issues); !made) return made;
    }
    if (!arguments.report.empty()) {
      if (Result<void> made = outputs.MakeFolder(arguments.report); !made) return made;
      const fs::path folder = arguments.report;
      if (Result<void> made = Create("--report", (folder / "report.json").string(), &json); !made)
        return made;
      if (Result<void> made = Create("--report", (folder / "index.html").string(), &page); !made) return made;
    }
    if (!arguments.markdown.empty()) {
      if (Result<void> made = Create("--markdown", arguments.markdown, &markdown); !made) return made;
    }
    return outputs.ClaimJson(arguments.json);
  }

  /// Writes the files; they get their names together with the file of --json.
  Result<void> Deliver(const Audit& audit, nlohmann::ordered_json&& report, const std::string& text) {
    const auto write = [&](std::optional<io::AtomicFile>& file, const std::string& content) {
      if (!file) return Result<void>();
      Result<void> written = file->Write(std::as_bytes(std::span(content)));
      if (written) outputs.Add(*std::move(file));
      file.reset();
      return written;
    };
    if (Result<void> done = write(json, json ? JsonDocument(report, 1) : ""); !done) return done;
    const auto html = [&] { return HtmlPage(kAuditPageHtml, kAuditPageStyle, report, kAuditPageScript); };
    if (Result<void> done = write(page, page ? html() : ""); !done) return done;
    if (Result<void> done = write(markdown, markdown ? AuditMarkdown(audit) : ""); !done) return done;
    return outputs.Deliver(std::move(report), text);
  }
};

/// The folder that is passed to the runners: with all cases, or with those that --case names.
Result<fs::path> PrepareCases(const AuditArguments& arguments, const TemporaryFolder& temporary, Audit* audit,
                              Progress& progress) {
  fs::path whole = arguments.cases_folder;
  if (whole.empty()) {
    whole = temporary.path() / "cases";
    std::error_code error;
    fs::create_directory(whole, error);
    const auto wants = [&](const std::string& id) {
      return arguments.cases.empty() ||
             std::ranges::any_of(arguments.cases, [&](const std::string& one) { return NamesCase(one, id); });
    };
    if (Result<void> written = WriteConformance(whole, wants, progress); !written) return written.error();
  }
  progress.Phase("reading the cases");
  Result<AuditCases> read = ReadAuditCases(whole);
  if (!read) return read.error();
  audit->cases = *std::move(read);
  if (arguments.cases.empty()) return whole;
  const Result<std::set<std::string>> ids = ChooseCases(audit->cases, arguments.cases);
  if (!ids) return ids.error();
  const fs::path chosen = temporary.path() / "chosen";
  std::error_code error;
  fs::create_directory(chosen, error);
  if (Result<void> written = WriteChosenCases(whole, *ids, chosen); !written) return written.error();
  read = ReadAuditCases(chosen);
  if (!read) return read.error();
  audit->cases = *std::move(read);
  return chosen;
}

std::string ReproducingCommand(const AuditArguments& arguments) {
  std::string command = "supremum audit";
  if (!arguments.cases_folder.empty()) command += " --cases " + ShellQuotePath(arguments.cases_folder);
  if (!arguments.runners_folder.empty()) command += " --runners " + ShellQuotePath(arguments.runners_folder);
  return command;
}

/// What --fail-on and --baseline ask for.
struct Gate {
  std::set<std::string> rules;  ///< that no runner may violate
  Baseline baseline;
};

Result<Gate> ReadGate(const AuditArguments& arguments, ReportFiles* files) {
  Gate gate;
  if (!arguments.baseline.empty()) {
    files->outputs.Reads(arguments.baseline);
    Result<Baseline> baseline = ReadBaseline(arguments.baseline);
    if (!baseline) return baseline.error();
    gate.baseline = *std::move(baseline);
  }
  if (arguments.fail_on.empty() && arguments.baseline.empty()) return gate;
  Result<std::set<std::string>> rules = ParseRules(arguments.fail_on.empty() ? "all" : arguments.fail_on);
  if (!rules) return rules.error();
  gate.rules = *std::move(rules);
  return gate;
}

Result<ExitStatus> Report(const AuditArguments& arguments, const Audit& audit, const Gate& gate,
                          ReportFiles* files) {
  nlohmann::ordered_json report = AuditJson(audit);
  const Terminal terminal = Terminal::OfStdout();
  std::string text;
  if (!arguments.cases.empty()) {
    for (std::size_t i = 0; i < audit.cases.all.size(); ++i) text += CaseText(audit, i, terminal) + "\n";
  }
  text += AuditSummary(audit, arguments.failed_only, terminal);
  const std::vector<GateFailure> failures = FailuresOf(audit, gate.rules, gate.baseline);
  text += FailuresText(audit, failures);
  if (!arguments.report.empty())
    text += Printable((fs::path(arguments.report) / "index.html").string()) + "\n";
  if (!files->issues.empty()) {
    const auto& [count, programs] = files->issue_counts;
    text += fmt::format("{} {}, {} with a program, in {}\n", count, count == 1 ? "issue" : "issues", programs,
                        Printable(arguments.issues));
  }
  if (Result<void> delivered = files->Deliver(audit, std::move(report), text); !delivered)
    return delivered.error();
  const bool any =
      std::ranges::any_of(audit.runs, [](const RunnerRun& run) { return run.status == RunnerRun::kRan; });
  if (!any) PrintError("no runtime was audited: none of these runners found its runtime");
  return any && audit.OwnPassed() && failures.empty() ? ExitStatus::kSuccess : ExitStatus::kDoesNotHold;
}

/// Runs the cases with all runners, and checks the results. Temporary files, which issues have models of, are
/// removed afterwards.
Result<void> RunAll(const AuditArguments& arguments, const std::vector<RunnerSpec>& runners,
                    ReportFiles* files, Audit* audit, Progress& progress) {
  const Result<TemporaryFolder> temporary = TemporaryFolder::Create("supremum-audit");
  if (!temporary) return temporary.error();
  const Result<fs::path> folder = PrepareCases(arguments, *temporary, audit, progress);
  if (!folder) return folder.error();
  const RunnerLimits limits{std::chrono::seconds(arguments.case_limit),
                            std::chrono::seconds(arguments.runner_limit)};
  for (const RunnerSpec& runner : runners) {
    audit->runs.push_back(Run(runner, *folder, audit->cases, limits, progress));
    if (Interruption::Pending() != 0) return {};
  }
  progress.Phase("checking the results");
  for (const RunnerRun& run : audit->runs) audit->judged.push_back(JudgeRun(run, audit->cases));
  audit->deviations = Deviations(audit->judged, audit->cases);
  return files->WriteAllIssues(*audit, *folder);
}

Result<ExitStatus> Execute(const AuditArguments& arguments, int* signal) {
  Audit audit;
  audit.command = ReproducingCommand(arguments);
  const Result<std::vector<RunnerSpec>> runners =
      FindRunners(arguments.runners_folder.empty() ? RunnersFolder() : fs::path(arguments.runners_folder),
                  arguments.runners, arguments.added_runners);
  if (!runners) return runners.error();
  ReportFiles files;
  // No report replaces a runner that the command line names by its path.
  for (const RunnerSpec& runner : *runners) {
    if (runner.option != runner.name) files.outputs.Reads(runner.option);
  }
  const Result<Gate> gate = ReadGate(arguments, &files);
  if (!gate) return gate.error();
  if (Result<void> created = files.CreateAll(arguments); !created) return created.error();
  Progress progress;
  {
    // An interrupt ends the current runner, and temporary files are removed before this program ends.
    Interruption interruption;
    const Result<void> ran = RunAll(arguments, *runners, &files, &audit, progress);
    *signal = interruption.End();
    if (*signal != 0) return Error{ErrorCode::kIo, ""};
    if (!ran) return ran.error();
  }
  progress.Hide();
  return Report(arguments, audit, *gate, &files);
}

/// True if an option is given that has no effect with --new-runner.
bool AsksForAnAudit(const AuditArguments& arguments) {
  const auto given = [](const auto&... options) { return !(options.empty() && ...); };
  return arguments.failed_only ||
         given(arguments.report, arguments.issues, arguments.runners, arguments.added_runners,
               arguments.cases, arguments.cases_folder, arguments.runners_folder, arguments.markdown,
               arguments.fail_on, arguments.baseline);
}

/// Ends by a signal only after Execute has returned, which has then removed all temporary files.
Result<ExitStatus> ExecuteOrEnd(const AuditArguments& arguments) {
  if (!arguments.new_runner.empty()) {
    if (!AsksForAnAudit(arguments)) return WriteNewRunner(arguments.new_runner, arguments.json);
    return MakeError(ErrorCode::kInvalidArgument,
                     "--new-runner writes a runner and runs nothing: leave out the options of an audit");
  }
  int signal = 0;
  Result<ExitStatus> status = Execute(arguments, &signal);
  if (signal != 0) EndBy(signal);
  return status;
}

}  // namespace

Verb AddAudit(CLI::App& app) {
  const auto arguments = std::make_shared<AuditArguments>();
  CLI::App* verb = AddVerb(
      app, "audit", "Runs the conformance cases with every installed runtime and checks the results.",
      "Every runner computes every case of `supremum gen-conformance`: supremum itself, through each\n"
      "interface and with each target, and other runtimes. Results are compared by shape and bits, and\n"
      "each difference is reported with the rule that it violates. --report writes index.html, one page\n"
      "that needs no network, and report.json. If a runner crashes or hangs, the case fails, and the\n"
      "runner is started again with the next case.\n\n"
      "--issues writes what is needed to file each deviation with the authors of the runtime: its smallest\n"
      "case, the violated rule, and a program in the runtime's own language that needs no file of supremum\n"
      "and has status 0 if the result is the expected one.\n\n"
      "A runner is a program in any language. --new-runner writes a complete one in Python, which calls\n"
      "NumPy and has marks around the lines to replace for another runtime. --runner ./my-runner runs\n"
      "this program only, and --add-runner my-runner runs it, too: a text with a '/' is a path. Reports\n"
      "name a runner by its file name.\n\n"
      "A failed case violates ONNX or oneDNN, or only the SONNX profile, or only a rule of this project,\n"
      "such as the bits of a NaN: the columns after `failed` count them.\n\n"
      "Exit status 1 if supremum's own runners do not pass every case, or if no runtime was found;\n"
      "deviations of other runtimes are findings, not errors. With --fail-on they are errors if they\n"
      "violate one of the rules; with --baseline, if they are not in the JSON of an earlier audit.\n\n"
      "Examples:\n"
      "  supremum audit --report audit\n"
      "  supremum audit --runner numpy --runner onnx --markdown findings.md\n"
      "  supremum audit --runner numpy --issues issues\n"
      "  supremum audit --runner numpy --failed-only --fail-on ORD-3,RED-6\n"
      "  supremum audit --runner numpy --baseline accepted.json --json report.json\n"
      "  supremum audit --runner numpy --case 'max_signed_zeros/*/float32'\n"
      "  supremum audit --new-runner my-runner\n"
      "  supremum audit --add-runner my-runner --report audit\n");
  AddText(*verb, "--report", "DIR", &arguments->report, "the folder for index.html and report.json");
  AddText(*verb, "--issues", "DIR", &arguments->issues,
          "a new folder for issues to file with other runtimes: a page, a program and a model for each "
          "deviation");
  AddRepeated(*verb, "--runner", "NAME", &arguments->runners,
              "only this runner, or this program if it has a '/'; all installed ones if none is given");
  AddRepeated(*verb, "--add-runner", "FILE", &arguments->added_runners,
              "also this program, beside the installed runners or those of --runner");
  AddText(*verb, "--new-runner", "FILE", &arguments->new_runner,
          "write a runner in Python, to be changed for another runtime, to a new file; run nothing");
  AddRepeated(*verb, "--case", "ID", &arguments->cases,
              "only this case, or those that match a pattern; shows inputs, results and rules in full");
  AddText(*verb, "--cases", "DIR", &arguments->cases_folder,
          "a folder of `supremum gen-conformance` or `supremum extract`; a temporary one if not given");
  AddText(*verb, "--runners", "DIR", &arguments->runners_folder,
          "the folder of the runners; supremum's own if not given");
  AddText(*verb, "--markdown", "FILE", &arguments->markdown, "also write the findings as Markdown");
  AddText(*verb, "--fail-on", "RULE,...", &arguments->fail_on,
          "status 1 if any runner violates one of these rules; all means every rule");
  AddText(
      *verb, "--baseline", "FILE", &arguments->baseline,
      "the JSON of an earlier audit, whose failed cases are accepted; without --fail-on, all rules count");
  AddFlag(*verb, "--failed-only", &arguments->failed_only,
          "list runners that failed a case, and each deviation");
  AddNumber(*verb, "--case-limit", "SECONDS", &arguments->case_limit,
            "the time limit of a runner for one case");
  AddNumber(*verb, "--runner-limit", "SECONDS", &arguments->runner_limit,
            "the time limit of a runner for all cases");
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return ExecuteOrEnd(*arguments); }};
}

}  // namespace supremum::cli
