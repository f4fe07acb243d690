#include "cli/usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string_view>
#include <utility>

#include "cli/escape.h"

namespace supremum::cli {
namespace {

bool LooksLikeOption(std::string_view argument) { return argument.size() > 1 && argument.starts_with('-'); }

std::string NoSuchOption(std::string_view argument) {
  return fmt::format("there is no option '{}'", Printable(argument.substr(0, argument.find('='))));
}

// The option, of which `arguments` may give the value in the same argument, by '='; null if there is none.
const CLI::Option* OptionOf(const CLI::App& verb, const std::string& argument) {
  return LooksLikeOption(argument) ? verb.get_option_no_throw(argument.substr(0, argument.find('=')))
                                   : nullptr;
}

// CLI11 reports what is missing before a misspelt name. Empty if there is none.
std::string UnknownOption(const CLI::App& verb, const std::vector<std::string>& arguments) {
  for (std::size_t i = 1; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i].starts_with("--") && OptionOf(verb, arguments[i]) == nullptr)
      return NoSuchOption(arguments[i]);
  }
  return "";
}

std::string TextFor(const CLI::App& verb, const std::vector<std::string>& arguments,
                    const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !verb.remaining().empty()) {
    const std::string extra = verb.remaining().front();
    if (LooksLikeOption(extra)) return NoSuchOption(extra);
    return fmt::format("'{}' was not expected; a flag takes no value, and axes are one list, with commas",
                       Printable(extra));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string unknown = UnknownOption(verb, arguments);
    if (!unknown.empty()) return unknown;
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const CLI::Option* const last = OptionOf(verb, arguments.back());
    if (last != nullptr)
      return fmt::format("{0} needs a value: {0} {1}", arguments.back(), last->get_option_text());
  }
  return error.what();
}

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

/// CLI11's own format has other headings and breaks lines of a text in newer versions.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
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

 private:
  std::string List(const char* heading, const std::vector<const CLI::Option*>& options) const {
    if (options.empty()) return "";
    std::string text = fmt::format("\n{}:\n", heading);
    for (const CLI::Option* option : options) {
      const bool positional = option->get_positional();
      text +=
          Entry(make_option_name(option, positional) + make_option_opts(option), make_option_desc(option));
    }
    return text;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> MakeHelpFormat() {
  const auto format = std::make_shared<HelpFormat>();
  format->label("SUBCOMMAND", "VERB");
  return format;
}

std::string UsageText(const CLI::App& app, const std::vector<std::string>& arguments,
                      const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (!chosen.empty()) {
    return fmt::format("{} (see supremum {} --help)", TextFor(*chosen.front(), arguments, error),
                       chosen.front()->get_name());
  }
  // CLI11 reports an unknown verb, or an option before it, as a missing subcommand.
  const std::string text = arguments.empty() ? "a verb is missing"
                           : LooksLikeOption(arguments.front())
                               ? NoSuchOption(arguments.front())
                               : fmt::format("there is no verb '{}'", Printable(arguments.front()));
  return text + " (see supremum --help)";
}

}  // namespace supremum::cli
