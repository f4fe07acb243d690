#include "command.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "supremum/target.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

int Status(ExitStatus status) { return static_cast<int>(status); }

/// The status of a command that ended with this error.
ExitStatus ExitStatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kIo:
    case ErrorCode::kOutOfMemory:
      return ExitStatus::kSystem;
    case ErrorCode::kInvalidArgument:
      return ExitStatus::kUsage;
    default:
      return ExitStatus::kRefused;
  }
}

int Fail(const Error& error) {
  PrintError(error.message);
  return Status(ExitStatusOf(error.code));
}

int PrintAndExit(const std::string& text) {
  const Result<void> printed = Print(text);
  return printed ? Status(ExitStatus::kSuccess) : Fail(printed.error());
}

/// The values of TYPE and DTYPE in the help of the verbs.
std::string TypesHelp() {
  std::string lines = " ";
  for (const DType dtype : kAllDTypes) {
    lines += (dtype == DType::kInt8 ? "\n  " : " ") + std::string(Name(dtype));
  }
  return lines + "\n  short forms: bf16, f16, f32, f64\n";
}

/// Raises the limit of open files to its maximum: all outputs of a run are complete before the first gets its
/// name, and each is open until then.
void AllowOpenFiles() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

/// SUPREMUM_TARGET forces the instruction set; the library itself never reads the environment.
Result<void> UseTargetOfEnvironment() {
  const char* const name = std::getenv("SUPREMUM_TARGET");
  Result<void> used = UseTarget(name == nullptr ? "" : name);
  if (!used) return Error{used.error().code, "SUPREMUM_TARGET: " + used.error().message};
  return used;
}

/// Adds the verb that the arguments name; without one, all of them, for help. Each has some
/// twenty options, and to add all would take a third of the time of a short call.
std::vector<Verb> AddVerbs(CLI::App& app, const std::string& program,
                           const std::vector<std::string>& arguments) {
  struct NamedVerb {
    std::string_view name;
    std::function<Verb(CLI::App&)> add;
  };
  const NamedVerb verbs[] = {
      {"run", AddRun},
      {"max", AddMax},
      {"reduce-max", AddReduceMax},
      {"inspect", AddInspect},
      {"check", AddCheck},
      {"annotate", AddAnnotate},
      {"extract", AddExtract},
      {"emit-c", AddEmitC},
      {"test", [&program](CLI::App& parent) { return AddTest(parent, program); }},
      {"compare", AddCompare},
      {"gen", AddGen},
      {"targets", AddTargets},
  };
  const std::string_view named = arguments.empty() ? "" : std::string_view(arguments.front());
  for (const NamedVerb& verb : verbs) {
    if (verb.name == named) return {verb.add(app)};
  }
  std::vector<Verb> added;
  for (const NamedVerb& verb : verbs) added.push_back(verb.add(app));
  return added;
}

int Main(const std::string& program, std::vector<std::string> arguments) {
  CLI::App app("The exact maximum operator: Max and ReduceMax of files, of ONNX models and of oneDNN graphs.",
               "supremum");
  app.footer(
      "supremum VERB --help shows a verb's options and examples.\n\n"
      "Types:\n" +
      TypesHelp() +
      "\nExit status:\n"
      "  0  success\n"
      "  1  a comparison or a check failed\n"
      "  2  the command line is invalid\n"
      "  3  an input is invalid, or is refused by a rule or a limit\n"
      "  4  a file could not be read or written, or memory ran out\n"
      "With 0 or 1 all outputs are complete. With any other status, or after a signal (128 + its\n"
      "number in a shell), no output file was changed.\n"
      "\nEnvironment:\n  SUPREMUM_TARGET  the instruction set to compute with, one of `supremum targets`;\n"
      "                   the fastest if unset or empty\n");
  app.require_subcommand(1);
  app.formatter(MakeHelpFormat());
  app.set_version_flag("--version", "supremum " + std::string(Version()), "print the version and exit");
  app.set_help_flag("-h,--help", "print this and exit");
  const std::vector<Verb> verbs = AddVerbs(app, program, arguments);
  try {
    // CLI11 takes the arguments in reverse order.
    arguments = AsCli11Reads(std::move(arguments));
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return PrintAndExit(app.help());
  } catch (const CLI::CallForVersion& version) {
    return PrintAndExit(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    PrintError(UsageText(app, arguments, error));
    return Status(ExitStatus::kUsage);
  }
  if (const Result<void> used = UseTargetOfEnvironment(); !used) return Fail(used.error());
  for (const Verb& verb : verbs) {
    if (!verb.app->parsed()) continue;
    const Result<ExitStatus> status = verb.execute();
    return status ? Status(*status) : Fail(status.error());
  }
  return Status(ExitStatus::kUsage);
}

}  // namespace

int RunCommand(int argc, char** argv) {
  IgnoreWriteSignals();
  ReserveStandardStreams();
  AllowOpenFiles();
  CleanUpWhenTerminated();
  CleanUpWhenInterrupted();
  try {
    const std::string program = argc > 0 ? argv[0] : "supremum";
    return Main(program, std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::bad_alloc&) {
    PrintError("out of memory: an allocation failed");
  } catch (const std::exception& error) {
    PrintError(std::string("internal error: ") + error.what());
  }
  return Status(ExitStatus::kSystem);
}

}  // namespace supremum::cli
