// supremum compare: two tensors, or two folders of them.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "cli/compare.h"
#include "cli/element.h"
#include "cli/folder_errors.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/table.h"
#include "io/formats/tensor_file.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

struct CompareArguments {
  std::string a;
  std::string b;
  std::string mode = "bits";
  std::vector<StatedDType> dtypes;
  std::optional<std::int64_t> max_bytes;  ///< as --max-bytes states it
  std::string json;
};

/// Two files to be compared.
struct FilePair {
  std::string name;  ///< of both, below their folders; of two single files, that of A
  std::string a;
  std::string b;
};

struct Pairing {
  std::vector<FilePair> pairs;
  std::vector<std::string> missing;  ///< "b has no x.npy"
  std::set<std::string> others;      ///< files in formats that are not compared, in either folder
};

/// The content of the report.
struct ComparisonReport {
  std::string text;
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  std::vector<std::string> missing;
  std::size_t same = 0;
  std::size_t different = 0;
};

Error Invalid(std::string_view details) { return MakeError(ErrorCode::kInvalidArgument, details); }

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string FileName(const std::string& path) { return fs::path(path).filename().string(); }

/// The tensor files below the folder, by their relative names; adds all others to `others`.
Result<std::set<std::string>> TensorFiles(const std::string& folder, std::set<std::string>* others) {
  std::set<std::string> names;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) continue;
    const std::string name = entry->path().lexically_relative(folder).string();
    if (io::LooksLikeTensor(FileName(name))) {
      names.insert(name);
    } else {
      others->insert(name);
    }
  }
  if (!error) return names;
  return CannotListFolder(folder, error);
}

/// Adds to `missing` what is in `all` and not in `some`, the content of `owner`.
void AddMissing(const std::set<std::string>& all, const std::set<std::string>& some, const std::string& owner,
                std::vector<std::string>* missing) {
  for (const std::string& one : all) {
    if (!some.contains(one)) missing->push_back(fmt::format("{} has no {}", owner, one));
  }
}

Result<Pairing> PairFolders(const CompareArguments& arguments) {
  Pairing pairing;
  const Result<std::set<std::string>> a = TensorFiles(arguments.a, &pairing.others);
  if (!a) return a.error();
  const Result<std::set<std::string>> b = TensorFiles(arguments.b, &pairing.others);
  if (!b) return b.error();
  for (const std::string& name : *a) {
    if (!b->contains(name)) continue;
    pairing.pairs.push_back(
        {name, (fs::path(arguments.a) / name).string(), (fs::path(arguments.b) / name).string()});
  }
  AddMissing(*a, *b, arguments.b, &pairing.missing);
  AddMissing(*b, *a, arguments.a, &pairing.missing);
  if (!pairing.pairs.empty() || !pairing.missing.empty()) return pairing;
  return Invalid(
      fmt::format("neither {} nor {} has a .npy, .npz, .pb or .safetensors file; name other folders",
                  arguments.a, arguments.b));
}

Result<Pairing> PairFiles(const CompareArguments& arguments) {
  const bool folder = IsFolder(arguments.a);
  if (folder != IsFolder(arguments.b)) {
    return Invalid(fmt::format("{} is a folder and {} is not; name two files or two folders",
                               folder ? arguments.a : arguments.b, folder ? arguments.b : arguments.a));
  }
  if (folder) return PairFolders(arguments);
  return Pairing{{{arguments.a, arguments.a, arguments.b}}, {}, {}};
}

Result<std::vector<NamedTensor>> Read(const CompareArguments& arguments, const FilePair& pair,
                                      const std::string& path, Progress& progress) {
  progress.Phase("reading " + path);
  io::ReadOptions options;
  options.stated_dtype = StatedFor(arguments.dtypes, {path, pair.name, FileName(path)});
  options.max_bytes = MaxBytesFor(arguments.max_bytes, {path});
  return io::ReadTensors(path, options);
}

/// "2 of 6 elements differ: 1 NaN against a number, 1 -0 against +0".
std::string DifferencesText(const Comparison& result) {
  std::string classes;
  for (std::size_t i = 0; i < kDifferenceClasses; ++i) {
    if (result.counts[i] == 0) continue;
    classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", result.counts[i],
                           Describe(static_cast<DifferenceClass>(i)));
  }
  return fmt::format("{} of {} elements differ: {}", result.different, result.size, classes);
}

/// The distance in the order of the type; "-" for a NaN.
std::string DistanceText(const ElementPair& pair) {
  const bool nan = pair.difference == DifferenceClass::kNaN || pair.difference == DifferenceClass::kPayload;
  return nan ? "-" : fmt::format("{}", pair.ulps);
}

/// Two lines for the first difference and two for the worst.
std::string PairsText(const Comparison& result, const Tensor& a, const Tensor& b) {
  Table table({{""},
               {"element"},
               {"in"},
               {"value", Table::kRight},
               {"hex float", Table::kRight},
               {"bits"},
               {"ulp", Table::kRight}});
  const auto add = [&](const char* which, const ElementPair& pair) {
    const ElementText in_a = TextOf(a, pair.linear), in_b = TextOf(b, pair.linear);
    table.Add({which, IndexText(a.shape(), pair.linear), "A", in_a.value, in_a.hex_float, in_a.bits,
               DistanceText(pair)});
    table.Add({"", "", "B", in_b.value, in_b.hex_float, in_b.bits, ""});
  };
  add("first", *result.first);
  add("worst", *result.worst);
  return table.Text(Terminal::OfStdout(), 2);
}

nlohmann::ordered_json PairJson(const ElementPair& pair, const Tensor& a, const Tensor& b) {
  nlohmann::ordered_json json = {{"class", Describe(pair.difference)}, {"ulp", nullptr}};
  if (DistanceText(pair) != "-") json["ulp"] = pair.ulps;
  json["a"] = ElementJson(a, pair.linear);
  json["b"] = ElementJson(b, pair.linear);
  return json;
}

void AddTensors(const std::string& name, const Tensor& a, const Tensor& b, const CompareMode& mode,
                ComparisonReport* report) {
  const Comparison result = Compare(a, b, mode);
  const Terminal terminal = Terminal::OfStdout();
  ++(result.equal() ? report->same : report->different);
  nlohmann::ordered_json json = {{"name", name}, {"equal", result.equal()}, {"reason", nullptr}};
  const std::string verdict =
      result.equal() ? terminal.Paint(Color::kGreen, "SAME") : terminal.Paint(Color::kRed, "DIFFERENT");
  if (!result.form.empty()) {
    json["reason"] = result.form;
    report->text += fmt::format("{} {}: {}\n", verdict, Printable(name), result.form);
    report->tensors.push_back(std::move(json));
    return;
  }
  json["dtype"] = Name(a.dtype());
  json["shape"] = std::vector<std::int64_t>(a.shape().begin(), a.shape().end());
  json["elements"] = result.size;
  json["different"] = result.different;
  report->text += fmt::format("{} {}: {} {}", verdict, Printable(name), Name(a.dtype()), ToString(a.shape()));
  if (result.equal()) {
    report->text += '\n';
  } else {
    json["reason"] = DifferencesText(result);
    json["first"] = PairJson(*result.first, a, b);
    json["worst"] = PairJson(*result.worst, a, b);
    report->text += fmt::format(", {}\n{}", DifferencesText(result), PairsText(result, a, b));
  }
  report->tensors.push_back(std::move(json));
}

/// Two files with one tensor each are compared independent of the tensors' names; otherwise tensors are
/// matched by name.
void AddFiles(const FilePair& pair, const std::vector<NamedTensor>& a, const std::vector<NamedTensor>& b,
              const CompareMode& mode, ComparisonReport* report) {
  if (a.size() == 1 && b.size() == 1) {
    AddTensors(pair.name, a.front().tensor, b.front().tensor, mode, report);
    return;
  }
  std::set<std::string> names_a, names_b;
  std::map<std::string, const Tensor*> by_name;
  for (const NamedTensor& one : a) names_a.insert(one.name);
  for (const NamedTensor& one : b) {
    names_b.insert(one.name);
    by_name.emplace(one.name, &one.tensor);
  }
  for (const NamedTensor& one : a) {
    const auto found = by_name.find(one.name);
    if (found == by_name.end()) continue;
    AddTensors(fmt::format("{}: {}", pair.name, one.name), one.tensor, *found->second, mode, report);
  }
  AddMissing(names_a, names_b, pair.b, &report->missing);
  AddMissing(names_b, names_a, pair.a, &report->missing);
}

Result<ComparisonReport> CompareAll(const CompareArguments& arguments, const Pairing& pairing,
                                    const CompareMode& mode) {
  std::set<std::string> known;
  for (const FilePair& pair : pairing.pairs) {
    known.insert({pair.name, pair.a, pair.b, FileName(pair.a), FileName(pair.b)});
  }
  Result<void> stated = CheckStated(arguments.dtypes, known, "which is not a compared file");
  if (!stated) return stated.error();
  Progress progress;
  ComparisonReport report;
  report.missing = pairing.missing;
  for (const FilePair& pair : pairing.pairs) {
    const Result<std::vector<NamedTensor>> a = Read(arguments, pair, pair.a, progress);
    if (!a) return a.error();
    const Result<std::vector<NamedTensor>> b = Read(arguments, pair, pair.b, progress);
    if (!b) return b.error();
    progress.Phase("comparing " + pair.name);
    AddFiles(pair, *a, *b, mode, &report);
  }
  return report;
}

Result<ExitStatus> Execute(const CompareArguments& arguments) {
  const std::optional<CompareMode> mode = ParseCompareMode(arguments.mode);
  if (!mode) {
    return Invalid(
        fmt::format("--mode '{}' is not one of bits, ulp:N and abs:X, with N a whole number and X a "
                    "finite number, both 0 or more",
                    arguments.mode));
  }
  const Result<Pairing> pairing = PairFiles(arguments);
  if (!pairing) return pairing.error();
  Outputs outputs;
  for (const FilePair& pair : pairing->pairs) {
    outputs.Reads(pair.a);
    outputs.Reads(pair.b);
  }
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  Result<ComparisonReport> report = CompareAll(arguments, *pairing, *mode);
  if (!report) return report.error();

  const bool equal = report->different == 0 && report->missing.empty();
  std::string text = report->text;
  for (const std::string& missing : report->missing) {
    text += fmt::format("{} {}\n", Terminal::OfStdout().Paint(Color::kRed, "MISSING"), Printable(missing));
  }
  text += fmt::format("{} same, {} different, {} missing, by {}\n", report->same, report->different,
                      report->missing.size(), ToString(*mode));
  if (!pairing->others.empty()) {
    const std::size_t count = pairing->others.size();
    text += fmt::format("not compared, not a tensor file: {}{}\n", Printable(*pairing->others.begin()),
                        count == 1 ? "" : fmt::format(", and {} more", count - 1));
  }
  nlohmann::ordered_json json = JsonHead("compare");
  json["a"] = arguments.a;
  json["b"] = arguments.b;
  json["mode"] = ToString(*mode);
  json["equal"] = equal;
  json["tensors"] = std::move(report->tensors);
  json["missing"] = report->missing;
  json["not_compared"] = pairing->others.size();
  return outputs.Deliver(std::move(json), text, equal ? ExitStatus::kSuccess : ExitStatus::kDoesNotHold);
}

}  // namespace

Verb AddCompare(CLI::App& app) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* verb = AddVerb(
      app, "compare", "Compares two tensors, or two folders of them.",
      "Types and shapes must be the same. Different elements are classified, the most severe class\n"
      "first: a NaN against a number, an infinity against another value, two numbers, -0 against +0,\n"
      "NaNs of different bits. The report shows the first element that differs, and the worst: the\n"
      "one with the greatest distance in the most severe class.\n\n"
      "--mode\n"
      "  bits    the same bits, including NaN payloads\n"
      "  ulp:N   a distance of at most N in the order of ORD-2, in which -0 and +0 are neighbours; for\n"
      "          integers, a difference of at most N. Any NaN equals any NaN, an infinity only itself\n"
      "  abs:X   |a - b| is at most X, computed without rounding, so that -0 equals +0; NaNs and\n"
      "          infinities as with ulp:N\n\n"
      "Files of two folders are matched by their names below the folder, tensors of two .npz or\n"
      ".safetensors files by theirs. Exit status 0 if all are equal, 1 if one differs or is missing.\n\n"
      "Examples:\n"
      "  supremum compare a.npy a.safetensors\n"
      "  supremum compare b.npy b:float32:2x3:b.bin --mode ulp:1\n"
      "  supremum compare cases cases --mode abs:1e-6 --json -\n");
  AddPositional(*verb, "A", &arguments->a,
                "a .npy, .npz, .pb or .safetensors file, FILE::NAME, NAME:DTYPE:SHAPE:FILE, or a folder");
  AddPositional(*verb, "B", &arguments->b, "the file or folder to compare it with");
  AddText(*verb, "--mode", "bits|ulp:N|abs:X", &arguments->mode,
          "when two elements are equal; bits if not given");
  AddDTypes(*verb, "FILE", &arguments->dtypes);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
