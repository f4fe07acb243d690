// The installed runners, and programs of other folders.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "audit/runner.h"
#include "io/files/messages.h"
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
    found->push_back({name, name, program, {}});
    return;
  }
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    const std::string of_target = fmt::format("{}:{}", name, target.name);
    found->push_back({of_target, of_target, program, {"--target", std::string(target.name)}});
  }
}

bool Names(const std::string& wanted, const RunnerSpec& spec) {
  return spec.name == wanted || spec.name.starts_with(wanted + ":");
}

bool IsPath(const std::string& chosen) { return chosen.find('/') != std::string::npos; }

/// The runners of the folder.
Result<std::vector<RunnerSpec>> ListRunners(const fs::path& folder) {
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
  return found;
}

/// Those of `found` that `names` names; all of them if there are no names.
Result<void> Choose(const fs::path& folder, const std::vector<std::string>& names,
                    std::vector<RunnerSpec>* found) {
  for (const std::string& name : names) {
    if (std::ranges::any_of(*found, [&](const RunnerSpec& spec) { return Names(name, spec); })) continue;
    std::string known;
    for (const RunnerSpec& spec : *found) known += (known.empty() ? "" : ", ") + spec.name;
    return MakeError(
        ErrorCode::kInvalidArgument,
        fmt::format("--runner '{}': there is no such runner in {}; known: {}; a program elsewhere is given "
                    "by its path, ./{}",
                    name, folder.string(), known.empty() ? "none" : known, name));
  }
  if (names.empty()) return {};
  std::erase_if(*found, [&](const RunnerSpec& spec) {
    return std::ranges::none_of(names, [&](const std::string& name) { return Names(name, spec); });
  });
  return {};
}

/// The runner with that path.
Result<RunnerSpec> RunnerAt(const std::string& path) {
  struct stat status = {};
  int error = 0;
  if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), X_OK) != 0) {
    error = errno;
  } else if (!S_ISREG(status.st_mode)) {
    error = EACCES;  // as execve() says of a folder
  }
  if (error != 0) return io::IoError(path, "run", error, "name a program; chmod +x makes a script one");
  const fs::path program = fs::absolute(path);
  const bool as_given = IsPath(path) && !path.starts_with('-');
  return RunnerSpec{program.filename().string(), as_given ? path : "./" + path, program, {}};
}

}  // namespace

Result<std::vector<RunnerSpec>> FindRunners(const fs::path& folder, const std::vector<std::string>& chosen,
                                            const std::vector<std::string>& added) {
  std::vector<std::string> names, paths;
  for (const std::string& one : chosen) (IsPath(one) ? paths : names).push_back(one);
  std::vector<RunnerSpec> found;
  if (paths.empty() || !names.empty()) {
    Result<std::vector<RunnerSpec>> listed = ListRunners(folder);
    if (!listed) return listed.error();
    found = *std::move(listed);
    if (Result<void> named = Choose(folder, names, &found); !named) return named.error();
  }
  paths.insert(paths.end(), added.begin(), added.end());
  for (const std::string& path : paths) {
    Result<RunnerSpec> runner = RunnerAt(path);
    if (!runner) return runner.error();
    const auto same = std::ranges::find(found, runner->name, &RunnerSpec::name);
    if (same != found.end()) {
      // Reports and --baseline tell runners apart by their names.
      return MakeError(ErrorCode::kInvalidArgument,
                       fmt::format("{} and {} are two runners of the name '{}'; rename one, or leave it out",
                                   same->program.string(), path, runner->name));
    }
    found.push_back(*std::move(runner));
  }
  std::ranges::stable_partition(found, [](const RunnerSpec& spec) { return spec.IsOwn(); });
  return found;
}

}  // namespace supremum::cli
