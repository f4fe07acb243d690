// supremum-mpi: the two operators on files, over the ranks that mpirun starts.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "cli/exit_status.h"
#include "cli/help_format.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "leftover.h"
#include "output_file.h"
#include "supremum/target.h"
#include "verbs.h"

namespace supremum::cli {

void AddCommonOptions(CLI::App& verb, const std::string& name, Arguments* arguments) {
  AddRequiredText(verb, "-o,--output", "FILE", &arguments->output,
                  "the result: .npy, or .bin for the elements only");
  AddDTypes(verb, name, &arguments->dtypes);
  verb.add_option_function<std::string>(
          "--split",
          [arguments](const std::string& text) {
            std::int64_t split = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), split);
            if (error != std::errc() || end != text.data() + text.size()) {
              throw CLI::ValidationError("--split", fmt::format("'{}' is not a whole number", text));
            }
            arguments->split = split;
          },
          "the dimension to distribute; negative ones count from the end; if not given, the outermost with "
          "an "
          "element for each rank")
      ->option_text("DIM");
  AddNumber(verb, "--threads", "N", &arguments->threads,
            "compute with at most this many threads on each rank, 0 for all cores");
  AddMaxBytes(verb, &arguments->max_bytes);
  AddNumber(verb, "--message-bytes", "N", &arguments->message_bytes,
            "the largest size of a message or a file access");
  AddJson(verb, &arguments->json);
}

namespace {

// To standard error, from rank 0 only: all ranks have the same message.
void Tell(const World& world, const std::string& message) {
  if (world.rank != 0 || message.empty()) return;
  const std::string line = fmt::format("supremum-mpi: {}\n", Printable(message));
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
}

int Fail(const World& world, const Error& error) {
  Tell(world, error.message);
  return static_cast<int>(ExitStatusOf(error.code));
}

int Show(const World& world, const std::string& text) {
  const Result<void> printed = DoneByRank0(world, [&] { return Print(text); });
  return printed ? 0 : Fail(world, printed.error());
}

int Run(const World& world, std::vector<std::string> arguments) {
  CLI::App app("Max and ReduceMax of files over the ranks of MPI, bit for bit as in one process.",
               "supremum-mpi");
  app.footer(
      "mpirun -n RANKS supremum-mpi VERB ...; supremum-mpi VERB --help shows a verb's options and examples.\n"
      "Every rank ends with the same status; one of them prints the error.\n\n" +
      std::string(ExitStatusHelp()) +
      "\nEnvironment:\n  SUPREMUM_TARGET  the instruction set to compute with, one of `supremum targets`;\n"
      "                   the fastest if unset or empty\n");
  app.require_subcommand(1);
  const auto format = std::make_shared<HelpFormat>();
  format->label("SUBCOMMAND", "VERB");
  app.formatter(format);
  app.set_version_flag("--version", "supremum-mpi " + std::string(Version()), "print the version and exit");
  app.set_help_flag("-h,--help", "print this and exit");
  const std::vector<Verb> verbs = {AddMax(app), AddReduceMax(app)};
  try {
    arguments = AsCli11Reads(std::move(arguments));
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return Show(world, app.help());
  } catch (const CLI::CallForVersion& version) {
    return Show(world, std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const std::string verb = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    Tell(world, fmt::format("{} (see supremum-mpi {}--help)", error.what(), verb));
    return static_cast<int>(ExitStatus::kUsage);
  }
  const char* const target = std::getenv("SUPREMUM_TARGET");
  Result<void> ready = UseTarget(target == nullptr ? "" : target);
  if (!ready) ready = Error{ready.error().code, "SUPREMUM_TARGET: " + ready.error().message};
  for (const Verb& verb : verbs) {
    if (!verb.app->parsed()) continue;
    if (ready) ready = CheckOutputName(verb.arguments->output);
    // Ranks may run on different kinds of machines, so that one may fail alone.
    ready = mpi::Agree(world.comm, ready);
    if (ready) ready = ClaimOutputs(world, verb.arguments);
    if (ready) ready = verb.execute(world);
    return ready ? static_cast<int>(ExitStatus::kSuccess) : Fail(world, ready.error());
  }
  return static_cast<int>(ExitStatus::kUsage);
}

// For an error on one rank only: the others wait for this rank, and must be ended.
[[noreturn]] void Abort(const World& world, const std::string& message) {
  const std::string line = fmt::format("supremum-mpi: rank {}: {}\n", world.rank, Printable(message));
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
  RemoveLeftover();
  MPI_Abort(world.comm, static_cast<int>(ExitStatus::kSystem));
  std::abort();
}

}  // namespace
}  // namespace supremum::cli

int main(int argc, char** argv) {
  using supremum::cli::Abort;
  supremum::cli::IgnoreWriteSignals();
  supremum::cli::ReserveStandardStreams();
  MPI_Init(&argc, &argv);
  // MPI returns errors as statuses, which are translated to errors with a text.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const supremum::cli::World world = supremum::cli::World::Of(MPI_COMM_WORLD);
  supremum::cli::HandleSignals(world.rank);
  // Where a destructor allocates and there is no memory, no exception can be caught.
  std::set_terminate([] {
    supremum::cli::RemoveLeftover();
    std::abort();
  });
  int status = 0;
  try {
    status = supremum::cli::Run(world, std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::bad_alloc&) {
    Abort(world, "out of memory: an allocation failed");
  } catch (const std::exception& error) {
    Abort(world, std::string("internal error: ") + error.what());
  }
  supremum::cli::IgnoreSignals();
  MPI_Finalize();
  return status;
}
