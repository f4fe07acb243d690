// supremum gen-conformance: the conformance cases, as files that runtimes read.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "cli/folder_errors.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "core/quote.h"
#include "generate/case_list.h"
#include "generate/conformance.h"
#include "generate/conformance_cases.h"
#include "io/files/file_bytes.h"
#include "io/json/json.h"
#include "supremum/opset.h"
#include "verbs/case_folder.h"
#include "verbs/one_node.h"
#include "verbs/onednn_text.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments {
  std::string folder;
  std::string cases;
  bool further = false;
  bool check = false;
  std::string json;
};

struct Counts {
  std::size_t cases = 0, onnx = 0, onednn = 0, invalid = 0;
  std::map<std::string, std::size_t> lists;  ///< further lists, with their numbers of cases
};

/// The folder of the further cases, inside that of the cases.
constexpr const char* kFurther = "further";

/// The first element in which two tensors of one type and shape differ.
std::size_t FirstDifference(const std::string& a, const std::string& b, std::size_t digits) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()) / digits;
}

/// Checks that the two oracles agree in every bit: the expected output in the case file, and the reference.
Result<void> CheckByReference(const ConformanceCase& one) {
  const auto disagree = [&](const std::string& details) {
    return MakeError(ErrorCode::kMalformedFile,
                     fmt::format("case '{}': the reference and the case file disagree: {}", one.id, details));
  };
  const Result<std::vector<std::int64_t>> extents = OutputExtents(one.model);
  if (!extents) return disagree(extents.error().message);
  if (!std::ranges::equal(*extents, *one.model.output)) {
    return disagree(fmt::format("the shape is {}, the case file states {}", ToString(DimsView(*extents)),
                                ToString(*one.model.output)));
  }
  const Result<Tensor> output = ReferenceOutput(one.model, one.inputs);
  if (!output) return output.error();
  const std::string computed = HexDigits(*output), stated = HexDigits(one.output);
  if (computed == stated) return {};
  const std::size_t digits = 2 * ByteWidth(one.model.dtype);
  const std::size_t at = FirstDifference(computed, stated, digits);
  return disagree(fmt::format("element {} is {}, the case file states {}", at,
                              computed.substr(at * digits, digits), stated.substr(at * digits, digits)));
}

bool OnnxSupports(const io::OneNodeModel& model) {
  if (model.op_type == "Max") return Admits(MaxVersionForOpset(model.opset).value(), model.dtype);
  return Admits(ReduceMaxVersionForOpset(model.opset).value(), model.dtype);
}

/// Writes the files of all cases, and the two lists of cases.
class Writer {
 public:
  explicit Writer(PutFile put) : put_(std::move(put)) {}

  Result<void> Add(const CaseGroup& group) {
    for (const ConformanceCase& one : group.cases) {
      if (Result<void> agree = CheckByReference(one); !agree) return agree;
      if (Result<void> written = Write(group, one); !written) return written;
    }
    for (const InvalidCase& one : group.invalid) {
      if (Result<void> written = Write(group, one); !written) return written;
    }
    return {};
  }

  Result<void> Finish() {
    Result<void> written = put_("cases.json", cases_.Text(), {});
    if (!written) return written;
    return put_("invalid.json", invalid_.Text(), {});
  }

  const Counts& counts() const { return counts_; }

 private:
  Result<void> Write(const CaseGroup& group, const ConformanceCase& one) {
    ListedCase listed{one.id, group.name, one.name, group.rules, group.reason, "", ""};
    if (OnnxSupports(one.model)) {
      listed.onnx = "onnx/" + one.id;
      auto written = PutCase(put_, listed.onnx, io::ModelBytes(one.model), one.inputs, one.output);
      if (!written) return written;
      ++counts_.onnx;
    }
    if (OneDnnSupports(one.model)) {
      listed.onednn = "onednn/" + one.id + ".json";
      auto written = put_(listed.onednn, OneDnnGraphText(one.name, one.model, !one.leaves_out_keep_dims), {});
      if (!written) return written;
      ++counts_.onednn;
    }
    cases_.Add(CaseJson(listed, one.model, one.inputs, one.output));
    ++counts_.cases;
    return {};
  }

  Result<void> Write(const CaseGroup& group, const InvalidCase& one) {
    const std::string path = "invalid/" + one.id;
    const std::string model = path + (one.model ? "/model.onnx" : "/graph.json");
    auto written = put_(model, one.model ? io::ModelBytes(*one.model) : one.graph->dump(1) + "\n", {});
    if (!written) return written;
    Json json = {{"id", one.id},
                 {"group", group.name},
                 {"rules", group.rules},
                 {"reason", group.reason},
                 {"model", model},
                 {"inputs", Json::array()},
                 {"no_broadcast", one.no_broadcast},
                 {"verdict", one.verdict}};
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      const std::string input = fmt::format("{}/input_{}.pb", path, i);
      written = PutTensor(put_, input, one.inputs[i].name, one.inputs[i].tensor);
      if (!written) return written;
      json["inputs"].push_back(input);
    }
    invalid_.Add(json);
    ++counts_.invalid;
    return {};
  }

  const PutFile put_;
  CaseList cases_, invalid_;
  Counts counts_;
};

/// Compares files with those of a folder, and writes nothing.
class Comparison {
 public:
  explicit Comparison(fs::path folder) : folder_(std::move(folder)) {}

  Result<void> Put(const fs::path& path, std::string_view head, std::string_view rest) {
    wanted_.insert(path.string());
    std::error_code error;
    if (!fs::is_regular_file(folder_ / path, error)) {
      differences_.push_back(fmt::format("'{}' is missing", path.string()));
      return {};
    }
    const auto bytes = io::ReadFileBytes((folder_ / path).string(), kDefaultMaxBytes);
    if (!bytes) return bytes.error();
    const std::string_view there(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (there.size() != head.size() + rest.size() || !there.starts_with(head) || !there.ends_with(rest)) {
      differences_.push_back(fmt::format("'{}' has different bytes", path.string()));
    }
    return {};
  }

  /// Adds the files that exist and do not belong to the set.
  Result<void> Finish() {
    std::error_code error;
    auto entry = fs::recursive_directory_iterator(folder_, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      const std::string path = entry->path().lexically_relative(folder_).string();
      if (entry->is_directory() || wanted_.contains(path)) continue;
      differences_.push_back(fmt::format("'{}' does not belong to the set", path));
    }
    if (!error) return {};
    return CannotListFolder(folder_, error);
  }

  const std::vector<std::string>& differences() const { return differences_; }

 private:
  const fs::path folder_;
  std::set<std::string> wanted_;
  std::vector<std::string> differences_;
};

/// The id of the case that a file belongs to; "" for the lists.
///
///   onnx/GROUP/NAME/TYPE/model.onnx   onednn/GROUP/NAME/TYPE.json   invalid/GROUP/NAME/model.onnx
std::string IdOf(const fs::path& path) {
  const std::vector<fs::path> parts(path.begin(), path.end());
  if (parts.size() < 4) return "";
  const bool graph = parts[0] == "onednn", invalid = parts[0] == "invalid";
  const fs::path id = parts[1] / parts[2];
  return (invalid ? id : id / (graph ? parts[3].stem() : parts[3])).string();
}

Result<Counts> PutAll(const std::vector<CaseFile>& files, PutFile put, Progress& progress) {
  Writer writer(std::move(put));
  for (const CaseFile& file : files) {
    progress.Phase("the cases of " + file.name);
    const Result<CaseGroup> group = ParseCaseFile(file);
    if (!group) return group.error();
    if (Result<void> added = writer.Add(*group); !added) return added.error();
  }
  if (Result<void> done = writer.Finish(); !done) return done.error();
  return writer.counts();
}

/// Puts the cases, and the further ones if they are asked for: the files of their groups, and the models and
/// graphs as a set of cases of their own.
Result<Counts> PutAsked(const Arguments& arguments, const std::vector<CaseFile>& files, const PutFile& put,
                        Progress& progress) {
  Result<Counts> counts = PutAll(files, put, progress);
  if (!counts || !arguments.further) return counts;
  std::vector<CaseFile> models;
  std::vector<CaseFile> further = FurtherCaseFiles();
  for (CaseFile& file : further) {
    const Result<FurtherList> list = FurtherListOf(file);
    if (!list) return list.error();
    if (Result<void> done = put(fs::path(kFurther) / file.name, file.text, {}); !done) return done.error();
    if (list->name.empty()) models.push_back(std::move(file));
    if (!list->name.empty()) counts->lists[list->name] += list->cases;
  }
  if (models.empty()) return counts;
  const Result<Counts> of_models = PutAll(
      models,
      [&](const fs::path& path, std::string_view head, std::string_view rest) {
        return put(kFurther / path, head, rest);
      },
      progress);
  if (!of_models) return of_models.error();
  counts->lists["models"] = of_models->cases;
  counts->lists["invalid"] = of_models->invalid;
  return counts;
}

Result<Counts> WriteAll(const std::vector<CaseFile>& files, const fs::path& folder, const WantsCase& wants,
                        Progress& progress) {
  return PutAll(
      files,
      [&](const fs::path& path, std::string_view head, std::string_view rest) -> Result<void> {
        const std::string id = IdOf(path);
        return id.empty() || wants(id) ? WriteNewFile(folder / path, head, rest) : Result<void>();
      },
      progress);
}

/// Fills the folder.
Result<Counts> Generate(const Arguments& arguments, const std::vector<CaseFile>& files, Progress& progress) {
  const Result<Counts> counts = PutAsked(
      arguments, files,
      [&](const fs::path& path, std::string_view head, std::string_view rest) {
        return WriteNewFile(fs::path(arguments.folder) / path, head, rest);
      },
      progress);
  if (!counts) return counts;
  progress.Phase("finishing " + arguments.folder);
  if (Result<void> done = MakeDurable(arguments.folder); !done) return done.error();
  return counts;
}

Result<Counts> Compare(const Arguments& arguments, Comparison& comparison, const std::vector<CaseFile>& files,
                       Progress& progress) {
  const Result<Counts> counts = PutAsked(
      arguments, files,
      [&](const fs::path& path, std::string_view head, std::string_view rest) {
        return comparison.Put(path, head, rest);
      },
      progress);
  if (!counts) return counts;
  if (Result<void> done = comparison.Finish(); !done) return done.error();
  return counts;
}

/// The parser of the case files ends at a zero byte, and takes the last of two equal keys: what it would read
/// in another way than other programs is refused.
Result<void> CheckJson(const std::vector<CaseFile>& files, const std::string& folder) {
  for (const CaseFile& file : files) {
    const Result<JsonValue> json =
        ParseJson(file.text, Quote((fs::path(folder) / file.name).string()), kDefaultMaxBytes);
    if (!json) return json.error();
  }
  return {};
}

Result<ExitStatus> Execute(const Arguments& arguments) {
  if (arguments.further && !arguments.cases.empty()) {
    return MakeError(ErrorCode::kInvalidArgument,
                     "--further is part of the built-in cases and --cases replaces these: leave out one");
  }
  const Result<std::vector<CaseFile>> files =
      arguments.cases.empty() ? BuiltInCaseFiles() : ReadCaseFiles(arguments.cases);
  if (!files) return files.error();
  if (!arguments.cases.empty()) {
    if (Result<void> checked = CheckJson(*files, arguments.cases); !checked) return checked.error();
  }
  Outputs outputs;
  for (const CaseFile& file : *files) {
    if (!arguments.cases.empty()) outputs.Reads((fs::path(arguments.cases) / file.name).string());
  }
  if (arguments.check) {
    outputs.ClaimFolder("DIR", arguments.folder);
  } else if (Result<void> made = outputs.MakeNewFolder("DIR", arguments.folder); !made) {
    return made.error();
  }
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  Progress progress;
  Comparison comparison(arguments.folder);
  const Result<Counts> counts = arguments.check ? Compare(arguments, comparison, *files, progress)
                                                : Generate(arguments, *files, progress);
  if (!counts) return counts.error();
  progress.Hide();

  const std::vector<std::string>& differences = comparison.differences();
  Json json = JsonHead("gen-conformance");
  json["folder"] = arguments.folder;
  json["cases"] = counts->cases;
  json["onnx"] = counts->onnx;
  json["onednn"] = counts->onednn;
  json["invalid"] = counts->invalid;
  if (arguments.further) json["further"] = counts->lists;
  if (arguments.check) json["differences"] = differences;
  std::string text =
      fmt::format("{} cases, {} of them as ONNX test cases and {} as oneDNN graphs; {} invalid models\n",
                  counts->cases, counts->onnx, counts->onednn, counts->invalid);
  if (arguments.further) {
    std::string lists;
    for (const auto& [name, count] : counts->lists)
      lists += fmt::format("{}{} {}", lists.empty() ? "" : ", ", count, name);
    text += fmt::format("further cases: {}\n", lists);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(differences.size(), 20); ++i) {
    text += Printable(differences[i]) + '\n';
  }
  if (arguments.check) {
    text += differences.empty() ? "the folder contains exactly these files\n"
                                : fmt::format("{} files differ\n", differences.size());
  }
  if (Result<void> delivered = outputs.Deliver(std::move(json), text); !delivered) return delivered.error();
  return differences.empty() ? ExitStatus::kSuccess : ExitStatus::kDoesNotHold;
}

}  // namespace

Result<void> WriteConformance(const fs::path& folder, const WantsCase& wants, Progress& progress) {
  const Result<Counts> written = WriteAll(BuiltInCaseFiles(), folder, wants, progress);
  if (!written) return written.error();
  return {};
}

Verb AddGenConformance(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = AddVerb(
      app, "gen-conformance",
      "Writes the conformance cases: inputs, expected outputs and the rules that they test, for any runtime.",
      "Files in DIR:\n"
      "  cases.json    every valid case: its rules, operator, attributes, inputs and output, bit by bit\n"
      "  invalid.json  models that must be refused, each with the expected verdict of a checker\n"
      "  onnx/         the cases as ONNX test-case folders, as `supremum test` reads them\n"
      "  onednn/       the cases of f32, bf16 and f16 as oneDNN graphs\n"
      "  invalid/      the invalid models\n"
      "  further/      with --further: cases of memory, bounds, user types and large tensors, and models\n"
      "The expected outputs are in the case files, written by an oracle with exact rational numbers. The\n"
      "reference computes each of them again, but for the lists in further/, and a disagreement is an error\n"
      "that names the case. The same command always writes the same bytes.\n\n"
      "`supremum gen-conformance DIR` writes the built-in cases, some 50,000 small files. With --cases it\n"
      "writes others:\n\n"
      "Examples:\n"
      "  supremum gen-conformance made/own --cases my-cases\n"
      "  supremum gen-conformance made/own --cases my-cases --check\n");
  AddPositional(*verb, "DIR", &arguments->folder, "the folder, which must not exist or be empty");
  AddText(*verb, "--cases", "DIR", &arguments->cases,
          "a folder of case files, to be used instead of the built-in ones");
  AddFlag(*verb, "--further", &arguments->further,
          "also write the further cases, which kit/README.md describes, into DIR/further");
  AddFlag(*verb, "--check", &arguments->check,
          "write nothing; exit status 1 unless the folder contains exactly the files of the cases");
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
