// supremum check: holds every Max and ReduceMax node of a model against the rules.
#include "supremum/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "interrupt.h"
#include "options.h"
#include "output.h"
#include "outputs.h"
#include "progress.h"
#include "run.h"
#include "terminal.h"
#include "verbs.h"

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
  // Padded before it is painted: the colour's bytes take no room on the screen.
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
        "note: shapes were inferred in a subprocess with limits alone: system calls cannot be filtered "
        "here\n";
  }
  if (report.nodes.empty()) {
    return text + "the model has neither a Max nor a ReduceMax node: there is nothing to check\n";
  }
  const std::string counts = fmt::format("{}: {} rules hold, {} fail, {} undecided", NodeCounts(report),
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
        fmt::format("check judges ONNX models, and {} is a oneDNN graph; `supremum run` holds it "
                    "against the rules before it computes, `supremum inspect` shows it",
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
      app, "check", "Holds every Max and ReduceMax node of a model against the rules.",
      "Exit status 0 only if every rule holds for every Max and ReduceMax node, and 1 otherwise. A\n"
      "model without such a node has nothing to break.\n\n"
      "Shapes behind other operators are inferred by the onnx library, in a subprocess that can\n"
      "compute and answer, and nothing else. Where the system cannot filter its system calls, limits\n"
      "of memory and time are all that confines it, and a note says so; in the JSON, inference is\n"
      "\"seccomp\", \"limits alone\", or null where no subprocess was needed.\n\n"
      "Examples:\n"
      "  supremum check fuse.onnx\n"
      "  supremum check fuse.onnx --profile sonnx --no-broadcast\n"
      "  supremum check net.onnx --json report.json\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model, whatever other operators it has");
  AddProfile(*verb, &arguments->strictness);
  AddNoBroadcast(*verb, &arguments->strictness.no_broadcast);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
