#include "verbs/new_runner.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "cli/embedded.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/shell_quote.h"
#include "io/files/atomic_file.h"

namespace supremum::cli {
namespace {

/// As --runner takes a path: with a '/'.
std::string RunnerOption(const std::string& path) {
  const bool is_path = path.find('/') != std::string::npos && !path.starts_with('-');
  return ShellQuote(is_path ? path : "./" + path);
}

std::string NextSteps(const std::string& path) {
  const std::string option = RunnerOption(path);
  return fmt::format(
      "{} is a runner that calls NumPy.\n"
      "For another runtime, replace the lines between RUNTIME and PROTOCOL.\n\n"
      "Its results, and those beside all installed runners:\n"
      "  supremum audit --runner {} --failed-only\n"
      "  supremum audit --add-runner {} --report audit\n",
      Printable(path), option, option);
}

}  // namespace

Result<ExitStatus> WriteNewRunner(const std::string& path, const std::string& json) {
  Outputs outputs;
  Result<void> claimed = outputs.Claim("--new-runner", path, Outputs::Kind::kReport);
  if (claimed) claimed = outputs.ClaimJson(json);
  if (!claimed) return claimed.error();
  Result<io::AtomicFile> file = io::AtomicFile::CreateProgram(path);
  if (!file) return file.error();
  if (Result<void> written = file->Write(std::as_bytes(std::span(kExampleRunner))); !written)
    return written.error();
  outputs.Add(*std::move(file));
  nlohmann::ordered_json document = JsonHead("audit");
  document["new_runner"] = path;
  if (Result<void> delivered = outputs.Deliver(std::move(document), NextSteps(path)); !delivered)
    return delivered.error();
  return ExitStatus::kSuccess;
}

}  // namespace supremum::cli
