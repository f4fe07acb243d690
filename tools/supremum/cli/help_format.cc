#include "cli/help_format.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace supremum::cli {
namespace {

// Its description begins in the same column in every line, below where the term is too long.
std::string Entry(std::string term, const std::string& description) {
  constexpr std::size_t kColumn = 30;
  term.insert(0, "  ");
  if (description.empty()) return term + "\n";
  if (term.size() >= kColumn) return fmt::format("{}\n{:{}}{}\n", term, "", kColumn, description);
  return fmt::format("{:{}}{}\n", term, kColumn, description);
}

std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of('\n');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of('\n') + 1 - begin);
}

}  // namespace

std::string HelpFormat::List(const char* heading, const std::vector<const CLI::Option*>& options) const {
  if (options.empty()) return "";
  std::string text = fmt::format("\n{}:\n", heading);
  for (const CLI::Option* option : options) {
    const bool positional = option->get_positional();
    text += Entry(make_option_name(option, positional) + make_option_opts(option), make_option_desc(option));
  }
  return text;
}

std::string HelpFormat::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  const std::string usage = Trimmed(make_usage(app, std::move(name)));
  std::string text =
      app->get_description() + "\n" + (usage.starts_with("Usage: ") ? "" : "Usage: ") + usage + "\n";
  text += List("Positionals",
               app->get_options([](const CLI::Option* option) { return option->get_positional(); }));
  text +=
      List("Options", app->get_options([](const CLI::Option* option) { return option->nonpositional(); }));
  const std::vector<const CLI::App*> verbs = app->get_subcommands({});
  if (!verbs.empty()) text += "\n" + verbs[0]->get_group() + ":\n";
  for (const CLI::App* verb : verbs) text += Entry(verb->get_name(), verb->get_description());
  const std::string footer = app->get_footer();
  return footer.empty() ? text : text + "\n" + footer + "\n";
}

}  // namespace supremum::cli
