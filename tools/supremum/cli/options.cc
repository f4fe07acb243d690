#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/formats/raw.h"
#include "io/formats/tensor_file.h"

namespace supremum::cli {
namespace {

/// A decimal number, all of `text`. CLI11's own conversion would read 010 as 8.
template <class T>
T ParseNumber(const std::string& option, std::string_view text) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || std::cmp_less(number, 0)) {
    throw CLI::ValidationError(
        option, fmt::format("'{}' is not a whole number from 0 to {}", text, std::numeric_limits<T>::max()));
  }
  return number;
}

/// A number and, if one follows, a unit: kB, MB, GB, TB by 1000, KiB, MiB, GiB, TiB by 1024.
std::int64_t ParseBytes(const std::string& option, std::string_view text) {
  constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
      {"kB", 1000},
      {"MB", 1000'000},
      {"GB", 1000'000'000},
      {"TB", 1000'000'000'000},
      {"KiB", std::int64_t{1} << 10},
      {"MiB", std::int64_t{1} << 20},
      {"GiB", std::int64_t{1} << 30},
      {"TiB", std::int64_t{1} << 40},
  };
  std::int64_t scale = 1, number = 0;
  std::string_view digits = text;
  for (const auto& [unit, bytes] : kUnits) {
    if (!text.ends_with(unit)) continue;
    digits.remove_suffix(unit.size());
    scale = bytes;
  }
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size() && number >= 0;
  if (!whole || number > std::numeric_limits<std::int64_t>::max() / scale) {
    throw CLI::ValidationError(
        option, fmt::format("'{}' is not a number of bytes; the form is 64MiB, 2GB or 1000000", text));
  }
  return number * scale;
}

std::vector<std::int64_t> ParseAxes(const std::string& text) {
  std::vector<std::int64_t> axes;
  if (text.empty()) return axes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string entry = text.substr(begin, end - begin);
    std::int64_t axis = 0;
    const auto [stop, error] = std::from_chars(entry.data(), entry.data() + entry.size(), axis);
    if (error != std::errc() || stop != entry.data() + entry.size()) {
      throw CLI::ValidationError(
          "--axes", fmt::format("entry {} of '{}' is '{}', not a whole number from -2^63 to 2^63 - 1; the "
                                "form is 0,-1",
                                axes.size(), text, entry));
    }
    axes.push_back(axis);
    begin = end + 1;
  }
  return axes;
}

/// The parts of NAME=VALUE, split at the last '=', since a name may contain one and a value cannot. Without
/// '=' the name is empty.
std::pair<std::string, std::string> Split(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {"", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

std::optional<DType> StatedFor(const std::vector<StatedDType>& stated,
                               std::initializer_list<std::string_view> names) {
  std::optional<DType> for_all;
  std::optional<DType> for_name;
  for (const StatedDType& one : stated) {
    if (one.name.empty()) for_all = one.dtype;
    for (std::string_view name : names) {
      if (!one.name.empty() && one.name == name) for_name = one.dtype;
    }
  }
  return for_name ? for_name : for_all;
}

Result<void> CheckStated(const std::vector<StatedDType>& stated, const std::set<std::string>& known,
                         std::string_view what) {
  for (const StatedDType& one : stated) {
    if (one.name.empty() || known.contains(one.name)) continue;
    return MakeError(ErrorCode::kInvalidArgument, fmt::format("--dtype names '{}', {}", one.name, what));
  }
  return {};
}

InputNames NamesOfInput(const std::vector<std::string>& inputs, std::size_t position) {
  const std::string& path = inputs[position];
  return {fmt::format("{}", position), path, std::filesystem::path(path).filename().string()};
}

std::optional<DType> StatedFor(const std::vector<StatedDType>& stated, const std::vector<std::string>& inputs,
                               std::size_t position) {
  const InputNames names = NamesOfInput(inputs, position);
  return StatedFor(stated, {names.position, names.path, names.file});
}

Result<void> CheckStated(const std::vector<StatedDType>& stated, const std::vector<std::string>& inputs) {
  std::set<std::string> known;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const InputNames names = NamesOfInput(inputs, i);
    known.insert({names.position, names.path, names.file});
  }
  return CheckStated(stated, known, "which is not an input; name one by its file, or by its position from 0");
}

namespace {

/// Refuses the name of another option of the verb as a value: `--json -o y.npy`. A file of that name is ./-o.
void RefuseOptionNames(const CLI::App& verb, CLI::Option* option) {
  option->check([&verb](const std::string& text) -> std::string {
    const bool is_option =
        text.size() > 1 && text.starts_with('-') && verb.get_option_no_throw(text) != nullptr;
    return is_option ? fmt::format("its value is missing: '{}' is an option", text) : "";
  });
}

}  // namespace

CLI::App* AddVerb(CLI::App& app, const std::string& name, const std::string& description,
                  const std::string& footer) {
  return app.add_subcommand(name, description)->group("Verbs")->footer(footer);
}

void AddPositional(CLI::App& verb, const std::string& shown, std::string* value, const std::string& help) {
  verb.add_option(shown, *value, help)->required()->option_text(" ");
}

void AddPositionals(CLI::App& verb, const std::string& shown, std::vector<std::string>* value,
                    const std::string& help) {
  verb.add_option(shown, *value, help)->required()->option_text("...");
}

void AddText(CLI::App& verb, const std::string& option, const std::string& shown, std::string* value,
             const std::string& help) {
  RefuseOptionNames(verb, verb.add_option(option, *value, help)->option_text(shown));
}

void AddRequiredText(CLI::App& verb, const std::string& option, const std::string& shown, std::string* value,
                     const std::string& help) {
  RefuseOptionNames(verb, verb.add_option(option, *value, help)->required()->option_text(shown));
}

void AddChoice(CLI::App& verb, const std::string& option, const std::vector<std::string>& choices,
               std::string* value, const std::string& help) {
  verb.add_option(option, *value, fmt::format("{}; {} if not given", help, *value))
      ->check(CLI::IsMember(choices))
      ->option_text(fmt::format("{}", fmt::join(choices, "|")));
}

void AddFlag(CLI::App& verb, const std::string& option, bool* value, const std::string& help) {
  verb.add_flag(option, *value, help);
}

void AddRepeated(CLI::App& verb, const std::string& option, const std::string& shown,
                 std::vector<std::string>* value, const std::string& help) {
  verb.add_option(option, *value, help + "; repeatable")->allow_extra_args(false)->option_text(shown);
}

void AddProfile(CLI::App& verb, Strictness* value) {
  AddChoice(verb, "--profile", {"onnx", "sonnx"}, &value->profile, "the rules to apply");
}

void AddNoBroadcast(CLI::App& verb, bool* value) {
  AddFlag(verb, "--no-broadcast", value, "refuse inputs of different shapes (PRO-6)");
}

void AddJson(CLI::App& verb, std::string* value) {
  AddText(verb, "--json", "FILE", value,
          "write the results to FILE as JSON; -: to standard output, in place of the text");
}

void AddExternalData(CLI::App& verb, ExternalDataOptions* value) {
  AddFlag(verb, "--allow-external-data", &value->allow,
          "read tensors of a model from other files, inside the model's folder and not through symbolic or "
          "hard links");
  AddText(
      verb, "--external-data-root", "DIR", &value->root,
      "the same, and follow symbolic links that stay inside DIR, which contains the model, as in the cache "
      "of Hugging Face");
}

namespace {

constexpr const char* kMaxBytesHelp = "refuse to use more memory than this, as 64MiB or 2GB; ";

template <class Value>
void AddMaxBytesOption(CLI::App& verb, Value* value, const std::string& help) {
  verb.add_option_function<std::string>(
          "--max-bytes", [value](const std::string& text) { *value = ParseBytes("--max-bytes", text); }, help)
      ->option_text("BYTES");
}

/// The disk space of the file that `text` names, as a whole or after a '=' or a ':', with or without a
/// tensor's name (FILE::NAME), at most its size; 0 if there is none. Disk space, since the size of a sparse
/// file can be large at no cost.
std::int64_t BytesOfNamed(const std::string& text) {
  constexpr std::int64_t kBlock = 512;  // the unit of st_blocks, whatever the file system's own is
  for (std::size_t begin = 0; begin != std::string::npos && begin < text.size();) {
    struct stat status = {};
    const std::string file = io::SplitTensorName(text.substr(begin)).file;
    if (::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      const std::int64_t blocks = std::min<std::int64_t>(status.st_blocks, INT64_MAX / kBlock);
      return std::min<std::int64_t>(status.st_size, blocks * kBlock);
    }
    begin = text.find_first_of("=:", begin);
    if (begin != std::string::npos) ++begin;
  }
  return 0;
}

}  // namespace

void AddMaxBytes(CLI::App& verb, std::optional<std::int64_t>* value) {
  AddMaxBytesOption(
      verb, value,
      std::string(kMaxBytesHelp) +
          "if not given, 64 MiB, or 64 times the disk space of the named files, if that is more");
}

void AddMaxBytes(CLI::App& verb, std::int64_t* value) {
  AddMaxBytesOption(verb, value, fmt::format("{}{} if not given", kMaxBytesHelp, *value));
}

void AddSha256(CLI::App& verb, bool* value) {
  AddFlag(verb, "--sha256", value, "also print the SHA-256 of the elements, which takes longer");
}

void AddMemory(CLI::App& verb, std::optional<std::int64_t>* value) {
  verb.add_option_function<std::string>(
          "--memory", [value](const std::string& text) { *value = ParseBytes("--memory", text); },
          "the most memory to use, as 64MiB or 2GB, for .npy, .safetensors and raw files, which are computed "
          "in parts, or for the inputs in other formats; if not given, 64MiB, with an input in Fortran order "
          "a quarter of the machine's, and for other formats as --max-bytes")
      ->option_text("LIMIT");
}

std::int64_t MaxBytesFor(const std::optional<std::int64_t>& stated, const std::vector<std::string>& files) {
  constexpr std::int64_t kLeast = std::int64_t{64} << 20, kForEachByte = 64;
  if (stated) return *stated;
  std::int64_t total = 0;
  for (const std::string& file : files) {
    const std::int64_t size = BytesOfNamed(file);
    total = size > INT64_MAX / kForEachByte - total ? INT64_MAX / kForEachByte : total + size;
  }
  return std::max(kLeast, kForEachByte * total);
}

std::vector<std::string> FilesOfModel(const std::string& model, const ExternalDataOptions& external) {
  std::vector<std::string> files = {model};
  if (!external.allowed()) return files;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(model).parent_path();
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? std::filesystem::path(".") : folder, ignored)) {
    if (entry.path().filename() != std::filesystem::path(model).filename()) files.push_back(entry.path());
  }
  return files;
}

void AddThreads(CLI::App& verb, std::size_t* value) {
  verb.add_option_function<std::string>(
          "--threads",
          [value](const std::string& text) { *value = ParseNumber<std::size_t>("--threads", text); },
          "compute with at most this many threads; all cores if 0 or not given; results do not depend on it")
      ->option_text("N");
}

void AddNumber(CLI::App& verb, const std::string& option, const std::string& shown, std::uint64_t* value,
               const std::string& help) {
  verb.add_option_function<std::string>(
          option,
          [option, value](const std::string& text) { *value = ParseNumber<std::uint64_t>(option, text); },
          fmt::format("{}; {} if not given", help, *value))
      ->option_text(shown);
}

void AddSeed(CLI::App& verb, std::optional<std::uint64_t>* value) {
  verb.add_option_function<std::string>(
          "--random",
          [value](const std::string& text) { *value = ParseNumber<std::uint64_t>("--random", text); },
          "fill the inputs that are not given with random elements; the same seed gives the same bits")
      ->option_text("SEED");
}

void AddDims(CLI::App& verb, std::map<std::string, std::int64_t>* value) {
  const auto parse = [value](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      auto [name, extent] = Split(text);
      if (name.empty()) throw CLI::ValidationError("--dim", fmt::format("'{}' is not NAME=VALUE", text));
      if (!value->emplace(name, ParseNumber<std::int64_t>("--dim", extent)).second) {
        throw CLI::ValidationError("--dim", fmt::format("'{}' is given twice", name));
      }
    }
  };
  verb.add_option_function<std::vector<std::string>>("--dim", parse,
                                                     "the extent of a symbolic dimension; repeatable")
      ->allow_extra_args(false)
      ->option_text("NAME=VALUE");
}

void AddAxes(CLI::App& verb, std::optional<std::vector<std::int64_t>>* value) {
  verb.add_option_function<std::string>(
          "--axes", [value](const std::string& text) { *value = ParseAxes(text); },
          "the dimensions to reduce; negative ones count from the end (RED-2); all if not given")
      ->option_text("AXIS,...");
}

void AddDTypes(CLI::App& verb, const std::string& name, std::vector<StatedDType>* value) {
  const auto parse = [value](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      auto [input, type] = Split(text);
      const std::optional<DType> dtype = ParseDType(type);
      if (!dtype) {
        throw CLI::ValidationError("--dtype", fmt::format("'{}' is none of {}", type, io::KnownTypes()));
      }
      value->push_back({std::move(input), *dtype});
    }
  };
  verb.add_option_function<std::vector<std::string>>(
          "--dtype", parse, "the type where a file does not state it (bfloat16 in .npy); repeatable")
      ->allow_extra_args(false)
      ->option_text(name.empty() ? "TYPE" : fmt::format("[{}=]TYPE", name));
}

std::vector<std::string> AsCli11Reads(std::vector<std::string> arguments) {
  std::vector<std::string> readable;
  bool value_of_option = false;
  for (std::string& argument : arguments) {
    const bool option = argument.starts_with('-');
    if (!value_of_option && argument.starts_with('[') && argument.ends_with(']')) argument.insert(0, "./");
    value_of_option = option;
    const bool empty_value = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    if (empty_value) argument.pop_back();
    readable.push_back(std::move(argument));
    if (empty_value) readable.emplace_back();
  }
  return readable;
}

}  // namespace supremum::cli
