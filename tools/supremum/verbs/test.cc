// supremum test: ONNX test-case folders.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "verbs/test_case.h"
#include "verbs/test_find.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct TestArguments {
  std::vector<std::string> folders;
  std::string filter;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  ExternalDataOptions external;
  std::string json;
  std::string program;
};

struct OutcomeText {
  std::string_view label;
  std::string_view json;
  Color color;
};

constexpr std::array<OutcomeText, 3> kOutcomes = {{{"PASS", "passed", Color::kGreen},
                                                   {"FAIL", "failed", Color::kRed},
                                                   {"SKIP", "skipped", Color::kYellow}}};

const OutcomeText& TextOf(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

/// A line for the case, followed by the reasons of a failure and the command that reproduces it.
std::string CaseText(const TestCase& test, const CaseResult& result, const std::string& reproduce,
                     const Terminal& terminal) {
  const OutcomeText& outcome = TextOf(result.outcome);
  std::string text = fmt::format("{} {} ({})", terminal.Paint(outcome.color, outcome.label),
                                 Printable(test.path), TimeText(result.seconds));
  if (result.outcome == Outcome::kSkipped) text += ": " + Printable(result.reasons.front());
  text += '\n';
  if (result.outcome == Outcome::kFailed) {
    for (const std::string& reason : result.reasons) text += "  " + Printable(reason) + '\n';
    text += "  reproduce: " + reproduce + '\n';
  }
  return text;
}

Result<ExitStatus> Execute(const TestArguments& arguments) {
  Progress progress;
  progress.Phase("looking for test cases");
  Result<std::vector<TestCase>> found = FindTestCases(arguments.folders);
  if (!found) return found.error();
  std::erase_if(*found, [&](const TestCase& test) { return !FitsFilter(test.path, arguments.filter); });

  Outputs outputs;
  for (const TestCase& test : *found) {
    outputs.ReadsModel(test.model, arguments.external);
    for (const DataSet& data : test.data_sets) {
      outputs.Reads(data.inputs);
      outputs.Reads(data.outputs);
      if (!data.refusal.empty()) outputs.Reads(data.refusal);
    }
  }
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  const Terminal terminal = Terminal::OfStdout();
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  std::array<std::size_t, 3> counts = {};
  for (std::size_t i = 0; i < found->size(); ++i) {
    const TestCase& test = (*found)[i];
    progress.Phase(fmt::format("case {} of {}: {}", i + 1, found->size(), test.path));
    const CaseResult result = RunCase(test, arguments.max_bytes, arguments.external);
    ++counts[static_cast<std::size_t>(result.outcome)];
    const std::string reproduce = ShellQuote(arguments.program) + " test " + ShellQuotePath(test.path);
    cases.push_back({{"path", test.path},
                     {"outcome", TextOf(result.outcome).json},
                     {"reasons", result.reasons},
                     {"time_s", result.seconds}});
    if (result.outcome == Outcome::kFailed) cases.back()["reproduce"] = reproduce;
    if (arguments.json == "-") continue;
    progress.Hide();
    if (Result<void> printed = Print(CaseText(test, result, reproduce, terminal)); !printed)
      return printed.error();
  }
  progress.Hide();

  nlohmann::ordered_json json = JsonHead("test");
  json["cases"] = std::move(cases);
  for (std::size_t i = 0; i < counts.size(); ++i) json[std::string(kOutcomes[i].json)] = counts[i];
  const std::string summary =
      fmt::format("{} passed, {} failed, {} skipped\n", counts[0], counts[1], counts[2]);
  const Result<ExitStatus> delivered =
      outputs.Deliver(std::move(json), summary,
                      counts[1] > 0 || found->empty() ? ExitStatus::kDoesNotHold : ExitStatus::kSuccess);
  if (delivered && found->empty())
    PrintError("no test case was found: no folder with a model.onnx, or none that matches the filter");
  return delivered;
}

}  // namespace

Verb AddTest(CLI::App& app, const std::string& program) {
  const auto arguments = std::make_shared<TestArguments>();
  arguments->program = program;
  CLI::App* verb =
      AddVerb(app, "test", "Runs ONNX test-case folders and compares bit by bit.",
              "A case is a folder with model.onnx and test_data_set_*/input_N.pb and output_N.pb. Outputs\n"
              "must have the expected type and shape; elements are equal if both are NaN or their bits are\n"
              "the same, so that -0 is not +0. A case is skipped only for an operator or an element type\n"
              "that supremum does not support. Exit status 1 if a case fails, or if there is none. A filter\n"
              "with '*', '?' or '[' is a pattern for the path or for its last part.\n\n"
              "A data set that must be refused has refusal.txt in place of outputs: one word, the rule that\n"
              "is violated, such as BRO-2, or the error's name of docs/errors.md, such as malformed_file.\n\n"
              "Examples:\n"
              "  supremum test cases\n"
              "  supremum test cases --filter 'test_max_*' --json report.json\n");
  AddPositionals(*verb, "DIR", &arguments->folders, "a folder; cases are found in it and below it");
  AddText(*verb, "--filter", "TEXT", &arguments->filter,
          "only cases whose path contains this text, or matches this pattern");
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddExternalData(*verb, &arguments->external);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
