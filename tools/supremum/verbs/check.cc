// supremum check: checks every Max and ReduceMax node of a model against the rules.
#include "supremum/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/sha256.h"
#include "cli/terminal.h"
#include "core/messages.h"
#include "core/quote.h"
#include "io/files/atomic_file.h"
#include "io/files/file_bytes.h"
#include "io/formats/parse_message.h"
#include "io/formats/tensor_file.h"
#include "verbs/inspect.h"
#include "verbs/run.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct CheckArguments {
  std::string model;
  Strictness strictness;
  std::map<std::string, std::int64_t> dims;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  std::string only = "all";
  bool require_nodes = false;
  std::string sarif;
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

/// True if the status of the command is 0.
bool Accepted(const CheckReport& report, const CheckArguments& arguments) {
  return report.Holds() && !(arguments.require_nodes && report.nodes.empty());
}

/// With `only_failing`, without the rules that hold.
std::string CheckText(const CheckReport& report, bool only_failing, bool require_nodes,
                      const Terminal& terminal) {
  const auto is_shown = [&](const Finding& finding) {
    return !only_failing || finding.verdict != Verdict::kHolds;
  };
  std::string text;
  for (const NodeReport& node : report.nodes) {
    if (std::ranges::none_of(node.findings, is_shown)) continue;
    std::string title = Describe(node.node);
    if (!node.scope.empty()) title += " in " + node.scope;
    text += terminal.Paint(Color::kBold, Printable(title)) + '\n';
    for (const Finding& finding : node.findings) {
      if (is_shown(finding)) text += FindingText(finding, terminal);
    }
    text += '\n';
  }
  for (const std::string& note : report.notes) text += "note: " + Printable(note) + '\n';
  if (report.inference == InferenceSandbox::kLimitsAlone) {
    text +=
        "note: shapes were inferred in a subprocess with resource limits only: this system cannot filter "
        "system calls\n";
  }
  const std::string others =
      report.not_judged.empty() ? "" : fmt::format("{}: not judged\n", CountsText(report.not_judged));
  if (report.nodes.empty()) {
    const std::string none = "the model has neither a Max nor a ReduceMax node: there is nothing to check";
    return text + (require_nodes ? terminal.Paint(Color::kRed, none) : none) + '\n' + others;
  }
  const std::string counts = fmt::format("{}: {} checks passed, {} failed, {} undecided", NodeCounts(report),
                                         report.Count(Verdict::kHolds), report.Count(Verdict::kFails),
                                         report.Count(Verdict::kUndecided));
  return text + terminal.Paint(report.Holds() ? Color::kGreen : Color::kRed, counts) + '\n' + others;
}

/// `digest` is the SHA-256 of the model's file.
nlohmann::ordered_json CheckJson(const CheckReport& report, const CheckArguments& arguments,
                                 const std::string& digest) {
  nlohmann::ordered_json json = JsonHead("check");
  json["model"] = arguments.model;
  json["sha256"] = digest;
  json["dims"] = arguments.dims;
  json["profile"] = arguments.strictness.profile;
  json["producer"] = report.producer;
  json["opset"] = nullptr;
  if (report.opset != 0) json["opset"] = report.opset;
  json["require_nodes"] = arguments.require_nodes;
  json["holds"] = Accepted(report, arguments);
  json["totals"] = {{"nodes", report.nodes.size()},
                    {"holds", report.Count(Verdict::kHolds)},
                    {"fails", report.Count(Verdict::kFails)},
                    {"undecided", report.Count(Verdict::kUndecided)}};
  json["not_judged"] = nlohmann::ordered_json::array();
  for (const auto& [op, nodes] : report.not_judged)
    json["not_judged"].push_back({{"op", op}, {"nodes", nodes}});
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
                             {"op", fmt::format("{}-{}", node.node.op_type, node.node.version)},
                             {"inputs", node.node.inputs},
                             {"outputs", node.node.outputs},
                             {"index", node.node.index},
                             {"scope", node.scope},
                             {"findings", std::move(findings)}});
  }
  json["notes"] = report.notes;
  json["inference"] = nullptr;
  if (report.inference) json["inference"] = ToString(*report.inference);
  return json;
}

/// A path as the reference of a URI: every byte that may have a meaning in one is written as %XX.
std::string UriOf(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// The findings that do not hold, in the Static Analysis Results Interchange Format 2.1.0 of OASIS. There,
/// what is undecided is an open result.
nlohmann::ordered_json SarifOf(const CheckReport& report, const CheckArguments& arguments,
                               const std::string& digest) {
  const nlohmann::ordered_json file = {{"uri", UriOf(arguments.model)}};
  std::set<std::string> rules;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const NodeReport& node : report.nodes) {
    const std::string name = Describe(node.node) + (node.scope.empty() ? "" : " in " + node.scope);
    for (const Finding& finding : node.findings) {
      if (finding.verdict == Verdict::kHolds) continue;
      const bool fails = finding.verdict == Verdict::kFails;
      rules.insert(finding.rule);
      nlohmann::ordered_json location = {{"physicalLocation", {{"artifactLocation", file}}}};
      location["logicalLocations"] = nlohmann::ordered_json::array();
      location["logicalLocations"].push_back({{"fullyQualifiedName", name}, {"kind", "node"}});
      nlohmann::ordered_json result = {
          {"ruleId", finding.rule}, {"kind", fails ? "fail" : "open"}, {"level", fails ? "error" : "none"}};
      result["message"]["text"] = fmt::format("{}: {}; to do: {}", name, finding.text, finding.change);
      result["locations"] = nlohmann::ordered_json::array();
      result["locations"].push_back(std::move(location));
      results.push_back(std::move(result));
    }
  }
  nlohmann::ordered_json driver = {{"name", "supremum"}, {"version", Version()}};
  driver["rules"] = nlohmann::ordered_json::array();
  for (const std::string& rule : rules) driver["rules"].push_back({{"id", rule}});
  nlohmann::ordered_json run = nlohmann::ordered_json::object();
  run["tool"]["driver"] = std::move(driver);
  run["artifacts"] = nlohmann::ordered_json::array();
  run["artifacts"].push_back({{"location", file}, {"hashes", {{"sha-256", digest}}}});
  run["results"] = std::move(results);
  run["properties"] = {{"profile", arguments.strictness.profile}, {"notes", report.notes}};
  nlohmann::ordered_json sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                                  {"version", "2.1.0"}};
  sarif["runs"] = nlohmann::ordered_json::array();
  sarif["runs"].push_back(std::move(run));
  return sarif;
}

Result<ExitStatus> Execute(const CheckArguments& arguments) {
  Progress progress;
  progress.Phase("checking " + arguments.model);
  if (LooksLikeOneDnn(arguments.model)) return OneDnnRefused("check", arguments.model);
  if (io::LooksLikeTensor(arguments.model)) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        fmt::format("check takes ONNX models, and {0} is a tensor file by its name; `supremum inspect "
                    "{0}` shows it",
                    arguments.model));
  }
  Outputs outputs;
  outputs.ReadsModel(arguments.model);
  Result<void> claimed;
  if (!arguments.sarif.empty()) {
    claimed = outputs.Claim("--sarif", arguments.sarif, Outputs::Kind::kReport);
  }
  if (claimed) claimed = outputs.ClaimJson(arguments.json);
  if (!claimed) return claimed.error();
  CheckOptions options;
  options.profile = arguments.strictness.AsProfile();
  options.identical_shapes_only = arguments.strictness.no_broadcast;
  options.max_bytes = MaxBytesFor(arguments.max_bytes, {arguments.model});
  options.dims = arguments.dims;
  const Result<std::vector<std::byte>> bytes = io::ReadFileBytes(arguments.model, io::kMaxMessageBytes);
  if (!bytes) return bytes.error();
  const Result<CheckReport> report = CheckModel(*bytes, arguments.model, options);
  if (!report) return report.error();
  const Result<std::string> digest = Sha256Of(*bytes);
  if (!digest) return digest.error();
  progress.Hide();
  nlohmann::ordered_json json = CheckJson(*report, arguments, *digest);
  if (!arguments.sarif.empty()) {
    const Result<void> written =
        outputs.Write(arguments.sarif, JsonDocument(SarifOf(*report, arguments, *digest), 2));
    if (!written) return written.error();
  }
  const std::string text =
      CheckText(*report, arguments.only == "failing", arguments.require_nodes, Terminal::OfStdout());
  return outputs.Deliver(std::move(json), text,
                         Accepted(*report, arguments) ? ExitStatus::kSuccess : ExitStatus::kDoesNotHold);
}

}  // namespace

Verb AddCheck(CLI::App& app) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* verb = AddVerb(
      app, "check", "Checks every Max and ReduceMax node of a model against the rules.",
      "Exit status 0 if every rule holds for every Max and ReduceMax node, or if there is no such\n"
      "node, unless --require-nodes is given; otherwise 1. The other nodes are counted and not\n"
      "judged. A function is judged for each call. With --dim, numbers are written in\n"
      "place of symbols first, and the report is about that model.\n\n"
      "The onnx library infers the output shapes of other operators, in a subprocess whose system\n"
      "calls are filtered. If the system cannot filter them, only limits of memory and time confine\n"
      "the subprocess, and a note is printed; in the JSON, inference is \"seccomp\", \"limits alone\",\n"
      "or null if no subprocess was needed.\n\n"
      "Examples:\n"
      "  supremum check fuse.onnx\n"
      "  supremum check fuse.onnx --profile sonnx --no-broadcast\n"
      "  supremum check net.onnx --dim batch=1 --json report.json\n"
      "  supremum check net.onnx --require-nodes\n"
      "  supremum check net.onnx --only failing --sarif report.sarif\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model; it may have other operators");
  AddProfile(*verb, &arguments->strictness);
  AddNoBroadcast(*verb, &arguments->strictness.no_broadcast);
  AddDims(*verb, &arguments->dims);
  AddChoice(*verb, "--only", {"all", "failing"}, &arguments->only,
            "print only rules that fail or are undecided");
  AddFlag(*verb, "--require-nodes", &arguments->require_nodes,
          "status 1 if the model has neither a Max nor a ReduceMax node");
  AddText(*verb, "--sarif", "FILE", &arguments->sarif, "write what fails or is undecided as SARIF 2.1.0");
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
