// The command, as a function that tests run without starting a program.
#ifndef SUPREMUM_TOOLS_COMMAND_H_
#define SUPREMUM_TOOLS_COMMAND_H_

namespace supremum::cli {

/// What main() does: parses the arguments, runs the verb and returns the exit status. It changes the signals,
/// the limits and the standard streams of the process.
int RunCommand(int argc, char** argv);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_COMMAND_H_
