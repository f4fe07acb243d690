// Errors of the command line, in our own words.
#ifndef SUPREMUM_TOOLS_CLI_USAGE_H_
#define SUPREMUM_TOOLS_CLI_USAGE_H_

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace supremum::cli {

/// `help` becomes --help, and `help VERB` becomes VERB --help; VERB alone, which is an error, if there is no
/// such verb.
std::vector<std::string> WithoutHelpVerb(const CLI::App& app, std::vector<std::string> arguments);

/// What is wrong with the arguments, what may have been meant, and the help to read: "there is no option
/// '--axis'; did you mean --axes? (see supremum reduce-max --help)".
std::string UsageText(const CLI::App& app, const std::vector<std::string>& arguments,
                      const CLI::ParseError& error);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_USAGE_H_
