// The installed runners.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "audit/runner.h"
#include "supremum/target.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

/// The runner with an option for the target.
constexpr std::string_view kRunnerOfTargets = "supremum-cpp";

bool IsProgram(const fs::directory_entry& entry) {
  std::error_code ignored;
  return entry.is_regular_file(ignored) && entry.path().filename().string().find('.') == std::string::npos &&
         ::access(entry.path().c_str(), X_OK) == 0;
}

void Add(const fs::path& program, std::vector<RunnerSpec>* found) {
  const std::string name = program.filename().string();
  if (name != kRunnerOfTargets) {
    found->push_back({name, program, {}});
    return;
  }
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    found->push_back(
        {fmt::format("{}:{}", name, target.name), program, {"--target", std::string(target.name)}});
  }
}

bool Names(const std::string& wanted, const RunnerSpec& spec) {
  return spec.name == wanted || spec.name.starts_with(wanted + ":");
}

}  // namespace

Result<std::vector<RunnerSpec>> FindRunners(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<fs::path> programs;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (IsProgram(*entry)) programs.push_back(fs::absolute(entry->path()));
  }
  if (error) {
    return MakeError(ErrorCode::kIo,
                     fmt::format("cannot list the runners in {}: {}; name their folder with --runners",
                                 folder.string(), error.message()));
  }
  std::ranges::sort(programs);
  std::vector<RunnerSpec> found;
  for (const fs::path& program : programs) Add(program, &found);
  std::ranges::stable_partition(found, [](const RunnerSpec& spec) { return spec.IsOwn(); });
  if (names.empty()) return found;
  for (const std::string& name : names) {
    if (std::ranges::any_of(found, [&](const RunnerSpec& spec) { return Names(name, spec); })) continue;
    std::string known;
    for (const RunnerSpec& spec : found) known += (known.empty() ? "" : ", ") + spec.name;
    return MakeError(ErrorCode::kInvalidArgument,
                     fmt::format("--runner '{}': there is no such runner in {}; known: {}", name,
                                 folder.string(), known.empty() ? "none" : known));
  }
  std::erase_if(found, [&](const RunnerSpec& spec) {
    return std::ranges::none_of(names, [&](const std::string& name) { return Names(name, spec); });
  });
  return found;
}

}  // namespace supremum::cli
