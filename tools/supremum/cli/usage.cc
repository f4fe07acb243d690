#include "cli/usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/escape.h"
#include "cli/suggest.h"

namespace supremum::cli {
namespace {

std::string DidYouMean(const std::string& nearest) {
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

std::vector<std::string> NamesOfVerbs(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

// "--axes", "-o", and so on.
std::vector<std::string> NamesOfOptions(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool LooksLikeOption(std::string_view argument) { return argument.size() > 1 && argument.starts_with('-'); }

std::string NoSuchOption(const CLI::App& verb, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  return fmt::format("there is no option '{}'{}", Printable(name),
                     DidYouMean(Nearest(name, NamesOfOptions(verb))));
}

// The option, of which `arguments` may give the value in the same argument, by '='; null if there is none.
const CLI::Option* OptionOf(const CLI::App& verb, const std::string& argument) {
  return LooksLikeOption(argument) ? verb.get_option_no_throw(argument.substr(0, argument.find('=')))
                                   : nullptr;
}

bool LooksLikeTruth(std::string_view argument) {
  const std::string_view values[] = {"0", "1", "true", "false", "True", "False", "yes", "no", "on", "off"};
  return std::ranges::find(values, argument) != std::end(values);
}

// An argument that is neither an option, nor a value of one, nor one of the files that the verb takes.
std::string NotExpected(const CLI::App& verb, const std::vector<std::string>& arguments,
                        const std::string& extra) {
  if (LooksLikeOption(extra)) return NoSuchOption(verb, extra);
  const std::string text = fmt::format("'{}' was not expected", Printable(extra));
  const auto at = std::ranges::find(arguments, extra);
  if (at == arguments.begin() || at == arguments.end()) return text;
  const auto is_flag = [&](const std::string& argument) {
    const CLI::Option* const option = OptionOf(verb, argument);
    return option != nullptr && option->get_expected_max() == 0;
  };
  if (is_flag(*(at - 1))) {
    return fmt::format("{}: {} takes no value; leave out '{}'", text, *(at - 1), Printable(extra));
  }
  // The value of a flag was taken for the file, and the file was left over.
  if (at - arguments.begin() > 1 && is_flag(*(at - 2)) && LooksLikeTruth(*(at - 1))) {
    return fmt::format("{}: {} takes no value; leave out '{}'", text, *(at - 2), *(at - 1));
  }
  if (at - arguments.begin() > 1 && *(at - 2) == "--axes") {
    return fmt::format("{}; axes are one list, with commas: --axes {},{}", text, Printable(*(at - 1)),
                       Printable(extra));
  }
  return text;
}

// The first argument that looks like an option of a name, and is none; null if there is none.
const std::string* UnknownOption(const CLI::App& verb, const std::vector<std::string>& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--") return nullptr;
    if (arguments[i].starts_with("--") && OptionOf(verb, arguments[i]) == nullptr) return &arguments[i];
  }
  return nullptr;
}

// An option in the place of another one's value; empty if there is none.
std::string MissingValue(const CLI::App& verb, const std::vector<std::string>& arguments) {
  for (std::size_t i = 1; i + 1 < arguments.size(); ++i) {
    const CLI::Option* const option = OptionOf(verb, arguments[i]);
    if (option == nullptr || option->get_expected_max() == 0 || arguments[i].find('=') != std::string::npos)
      continue;
    if (OptionOf(verb, arguments[i + 1]) != nullptr) {
      return fmt::format("{}: its value is missing: '{}' is an option", arguments[i], arguments[i + 1]);
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> WithoutHelpVerb(const CLI::App& app, std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  if (arguments.size() == 1) return {"--help"};
  if (std::ranges::count(NamesOfVerbs(app), arguments[1]) == 0) return {arguments[1]};
  return {arguments[1], "--help"};
}

std::string UsageText(const CLI::App& app, const std::vector<std::string>& arguments,
                      const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) {
    // CLI11 reports an unknown verb, or an option before it, as a missing subcommand.
    std::string text = "a verb is missing";
    if (!arguments.empty()) {
      const std::string& first = arguments.front();
      text = LooksLikeOption(first) ? NoSuchOption(app, first)
                                    : fmt::format("there is no verb '{}'{}", Printable(first),
                                                  DidYouMean(Nearest(first, NamesOfVerbs(app))));
    }
    return text + " (see supremum --help)";
  }
  const CLI::App& verb = *chosen.front();
  std::string text = error.what();
  const std::vector<std::string> extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !extras.empty()) {
    text = NotExpected(verb, arguments, extras.front());
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    // CLI11 reports what is missing before a misspelt name and, in newer versions, before a wrong value.
    const std::string* const unknown = UnknownOption(verb, arguments);
    const std::string missing = MissingValue(verb, arguments);
    if (unknown != nullptr) {
      text = NoSuchOption(verb, *unknown);
    } else if (!missing.empty()) {
      text = missing;
    }
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && !arguments.empty()) {
    const CLI::Option* const last = OptionOf(verb, arguments.back());
    if (last != nullptr && arguments.back().find('=') == std::string::npos) {
      text =
          fmt::format("{} needs a value: {} {}", arguments.back(), arguments.back(), last->get_option_text());
    }
  }
  return text + " (see supremum " + verb.get_name() + " --help)";
}

}  // namespace supremum::cli
