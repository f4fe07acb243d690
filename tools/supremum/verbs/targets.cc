// supremum targets: the instruction sets that this build has, and which of them is in use.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "supremum/check.h"
#include "supremum/target.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

Result<ExitStatus> Execute(const std::string& json_path) {
  Outputs outputs;
  if (Result<void> claimed = outputs.ClaimJson(json_path); !claimed) return claimed.error();
  Table table({{"target"}, {"runs here"}, {"active"}});
  nlohmann::ordered_json json = JsonHead("targets");
  json["active"] = ActiveTarget();
  json["targets"] = nlohmann::ordered_json::array();
  for (const TargetInfo& target : Targets()) {
    const bool active = target.name == ActiveTarget();
    table.Add({std::string(target.name), target.runs_here ? "yes" : "no", active ? "yes" : ""});
    json["targets"].push_back({{"name", target.name}, {"runs_here", target.runs_here}});
  }
  const CacheSizes caches = AssumedCaches();
  json["caches"] = {{"core_bytes", caches.core_bytes}, {"shared_bytes", caches.shared_bytes}};
  json["left_out"] = nlohmann::ordered_json::array();
  for (const std::string& name : LeftOutTargets()) {
    table.Add({name, "left out", ""});
    json["left_out"].push_back(name);
  }
  const InferenceSandbox sandbox = InferenceSandboxHere();
  json["inference_sandbox"] = ToString(sandbox);
  std::string text = table.Text(Terminal::OfStdout()) +
                     fmt::format("caches, as assumed: {} bytes for each core, {} bytes shared\n",
                                 caches.core_bytes, caches.shared_bytes);
  if (sandbox == InferenceSandbox::kLimitsAlone) {
    text +=
        "check: the onnx library infers shapes in a subprocess with resource limits only: this system cannot "
        "filter system calls\n";
  }
  return outputs.Deliver(std::move(json), text);
}

}  // namespace

Verb AddTargets(CLI::App& app) {
  const auto json = std::make_shared<std::string>();
  CLI::App* verb = AddVerb(
      app, "targets", "Lists the instruction sets that supremum can compute with.",
      "The fastest is listed first. The fastest one that this processor supports is active, unless the\n"
      "environment variable SUPREMUM_TARGET names another. All of them give the same bits.\n"
      "\"left out\" marks instruction sets that the installed Highway supports but for which supremum\n"
      "has no kernels; a processor with one of them uses the fastest of the others.\n\n"
      "The JSON also has inference_sandbox: what confines the subprocess in which the onnx library\n"
      "infers shapes for `supremum check`: \"seccomp\", or \"limits alone\" if the system cannot filter\n"
      "system calls, which the text also reports.\n\n"
      "Examples:\n"
      "  supremum targets\n"
      "  supremum targets --json -\n"
      "  SUPREMUM_TARGET=portable supremum targets\n");
  AddJson(*verb, json.get());
  return {verb, [json] { return Execute(*json); }};
}

}  // namespace supremum::cli
