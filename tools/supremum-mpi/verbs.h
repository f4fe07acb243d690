// The verbs of supremum-mpi, a file each.
#ifndef SUPREMUM_TOOLS_MPI_VERBS_H_
#define SUPREMUM_TOOLS_MPI_VERBS_H_

#include <functional>
#include <string>

#include "operands.h"
#include "ranks.h"
#include "supremum/result.h"

namespace CLI {
class App;
}

namespace supremum::cli {

struct Verb {
  CLI::App* app;
  /// Collective: success, or the same error, on every rank.
  std::function<Result<void>(const World&)> execute;
  Arguments* arguments;
};

inline constexpr const char* kInputHelp =
    "a .npy file, or NAME:DTYPE:SHAPE:FILE for a raw file; with {rank} in its name, one file for each rank, "
    "also "
    ".npz, .pb or .safetensors";

/// Adds -o, --dtype, --split, --threads, --max-bytes, --message-bytes and --json. `name` is the help's word
/// for the input that --dtype names; "" if there is only one input.
void AddCommonOptions(CLI::App& verb, const std::string& name, Arguments* arguments);

Verb AddMax(CLI::App& app);
Verb AddReduceMax(CLI::App& app);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_VERBS_H_
