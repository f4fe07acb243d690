// supremum check: checks every Max and ReduceMax node of a model against the rules.
#include "supremum/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "verbs/run.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct CheckArguments {
  std::string model;
  Strictness strictness;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  std::string json;
};

Color ColorOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return Color::kGreen;
    case Verdict::kFails:
      return Color::kRed;
    case Verdict::kUndecided:
      break;
  }
  return Color::kYellow;
}

std::string FindingText(const Finding& finding, const Terminal& terminal) {
  // Padded before it is coloured: the escape sequences have no width on the screen.
  const std::string verdict = fmt::format("{:<9}", ToString(finding.verdict));
  std::string text = fmt::format("  {:<6}  {}  {}\n", finding.rule,
                                 terminal.Paint(ColorOf(finding.verdict), verdict), Printable(finding.text));
  if (!finding.change.empty()) text += fmt::format("{:19}change: {}\n", "", Printable(finding.change));
  return text;
}

/// "1 Max node", "2 Max nodes and 1 ReduceMax node".
std::string NodeCounts(const CheckReport& report) {
  std::string text;
  for (const std::string_view op : {"Max", "ReduceMax"}) {
    const auto count =
        std::ranges::count_if(report.nodes, [&](const NodeReport& node) { return node.node.op_type == op; });
    if (count == 0) continue;
    if (!text.empty()) text += " and ";
    text += fmt::format("{} {} {}", count, op, count == 1 ? "node" : "nodes");
  }
  return text;
}

std::string CheckText(const CheckReport& report, const Terminal& terminal) {
  std::string text;
  for (const NodeReport& node : report.nodes) {
    std::string title = Describe(node.node);
    if (!node.scope.empty()) title += " in " + node.scope;
    text += terminal.Paint(Color::kBold, Printable(title)) + '\n';
    for (const Finding& finding : node.findings) text += FindingText(finding, terminal);
    text += '\n';
  }
  for (const std::string& note : report.notes) text += "note: " + Printable(note) + '\n';
  if (report.inference == InferenceSandbox::kLimitsAlone) {
    text +=
        "note: shapes were inferred in a subprocess with resource limits only: this system cannot filter "
        "system calls\n";
  }
  if (report.nodes.empty()) {
    return text + "the model has neither a Max nor a ReduceMax node: there is nothing to check\n";
  }
  const std::string counts = fmt::format("{}: {} checks passed, {} failed, {} undecided", NodeCounts(report),
                                         report.Count(Verdict::kHolds), report.Count(Verdict::kFails),
                                         report.Count(Verdict::kUndecided));
  return text + terminal.Paint(report.Holds() ? Color::kGreen : Color::kRed, counts) + '\n';
}

nlohmann::ordered_json CheckJson(const CheckReport& report, const CheckArguments& arguments) {
  nlohmann::ordered_json json = JsonHead("check");
  json["model"] = arguments.model;
  json["profile"] = arguments.strictness.profile;
  json["opset"] = report.opset;
  json["holds"] = report.Holds();
  json["nodes"] = nlohmann::ordered_json::array();
  for (const NodeReport& node : report.nodes) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const Finding& finding : node.findings) {
      findings.push_back({{"rule", finding.rule},
                          {"verdict", ToString(finding.verdict)},
                          {"text", finding.text},
                          {"change", finding.change}});
    }
    json["nodes"].push_back({{"node", Describe(node.node)},
                             {"name", node.node.name},
                             {"index", node.node.index},
                             {"scope", node.scope},
                             {"findings", std::move(findings)}});
  }
  json["notes"] = report.notes;
  json["inference"] = nullptr;
  if (report.inference) json["inference"] = ToString(*report.inference);
  return json;
}

Result<ExitStatus> Execute(const CheckArguments& arguments) {
  Progress progress;
  progress.Phase("checking " + arguments.model);
  if (LooksLikeOneDnn(arguments.model)) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        fmt::format("check takes ONNX models, and {} is a oneDNN graph; `supremum run` checks it against "
                    "the rules before it computes, `supremum inspect` shows it",
                    arguments.model));
  }
  Outputs outputs(BeginNaming);
  outputs.ReadsModel(arguments.model);
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  CheckOptions options;
  options.profile = arguments.strictness.AsProfile();
  options.identical_shapes_only = arguments.strictness.no_broadcast;
  options.max_bytes = MaxBytesFor(arguments.max_bytes, {arguments.model});
  const Result<CheckReport> report = CheckModel(arguments.model, options);
  if (!report) return report.error();
  progress.Hide();
  const std::string text = CheckText(*report, Terminal::OfStdout());
  Result<void> delivered = outputs.Deliver(CheckJson(*report, arguments), text);
  if (!delivered) return delivered.error();
  return report->Holds() ? ExitStatus::kSuccess : ExitStatus::kDoesNotHold;
}

}  // namespace

Verb AddCheck(CLI::App& app) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* verb = AddVerb(
      app, "check", "Checks every Max and ReduceMax node of a model against the rules.",
      "Exit status 0 if every rule holds for every Max and ReduceMax node, or if there is no such\n"
      "node; otherwise 1.\n\n"
      "The onnx library infers the output shapes of other operators, in a subprocess whose system\n"
      "calls are filtered. If the system cannot filter them, only limits of memory and time confine\n"
      "the subprocess, and a note is printed; in the JSON, inference is \"seccomp\", \"limits alone\",\n"
      "or null if no subprocess was needed.\n\n"
      "Examples:\n"
      "  supremum check fuse.onnx\n"
      "  supremum check fuse.onnx --profile sonnx --no-broadcast\n"
      "  supremum check net.onnx --json report.json\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model; it may have other operators");
  AddProfile(*verb, &arguments->strictness);
  AddNoBroadcast(*verb, &arguments->strictness.no_broadcast);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
