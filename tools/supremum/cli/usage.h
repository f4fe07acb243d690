// The text of --help, the same with every version of CLI11, and errors of the command line.
#ifndef SUPREMUM_TOOLS_CLI_USAGE_H_
#define SUPREMUM_TOOLS_CLI_USAGE_H_

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class FormatterBase;
class ParseError;
}  // namespace CLI

namespace supremum::cli {

/// How the command shows its help.
std::shared_ptr<CLI::FormatterBase> MakeHelpFormat();

/// What is wrong with the arguments, and the help to read: "there is no option '--axis' (see supremum
/// reduce-max --help)".
std::string UsageText(const CLI::App& app, const std::vector<std::string>& arguments,
                      const CLI::ParseError& error);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_USAGE_H_
