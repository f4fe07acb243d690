// The verbs of the command, a file each. Each function adds one verb to `app`.
#ifndef SUPREMUM_TOOLS_VERBS_VERBS_H_
#define SUPREMUM_TOOLS_VERBS_VERBS_H_

#include <functional>
#include <string>

#include "cli/exit_status.h"
#include "supremum/result.h"

namespace CLI {
class App;
}

namespace supremum::cli {

struct Verb {
  CLI::App* app;
  /// Called after the command line has been parsed. Errors become the command's message and exit status.
  std::function<Result<ExitStatus>()> execute;
};

Verb AddRun(CLI::App& app);
Verb AddMax(CLI::App& app);
Verb AddReduceMax(CLI::App& app);
Verb AddInspect(CLI::App& app);
Verb AddCheck(CLI::App& app);
Verb AddAnnotate(CLI::App& app);
Verb AddExtract(CLI::App& app);
Verb AddEmitC(CLI::App& app);
Verb AddCompare(CLI::App& app);
Verb AddGen(CLI::App& app);
Verb AddTargets(CLI::App& app);

/// `program` is the name with which the command was called, for the commands that it prints.
Verb AddTest(CLI::App& app, const std::string& program);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_VERBS_H_
