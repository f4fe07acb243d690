// The text of --help, which is the same with every version of CLI11.
#ifndef SUPREMUM_TOOLS_SUPREMUM_CLI_HELP_FORMAT_H_
#define SUPREMUM_TOOLS_SUPREMUM_CLI_HELP_FORMAT_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace supremum::cli {

/// CLI11's own format has other headings and breaks lines of a text in newer versions.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  std::string List(const char* heading, const std::vector<const CLI::Option*>& options) const;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_SUPREMUM_CLI_HELP_FORMAT_H_
