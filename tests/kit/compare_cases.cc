// compare_cases FOLDER CASES [FURTHER]: checks the files that `supremum-audit cases FOLDER` has written of
// the case files in CASES, and the further ones of those in FURTHER.
//
// Two implementations meet here. The expected outputs of the case files must be those of the reference, and
// every file must have the bytes that this program would write. Exit status 1 if a case or a file differs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "cli/folder_errors.h"
#include "cli/output.h"
#include "generate/case_list.h"
#include "generate/conformance_cases.h"
#include "io/files/file_bytes.h"
#include "supremum/opset.h"
#include "verbs/case_folder.h"
#include "verbs/one_node.h"
#include "verbs/onednn_text.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

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
  const std::size_t at =
      static_cast<std::size_t>(std::ranges::mismatch(computed, stated).in1 - computed.begin()) / digits;
  return disagree(fmt::format("element {} is {}, the case file states {}", at,
                              computed.substr(at * digits, digits), stated.substr(at * digits, digits)));
}

bool OnnxSupports(const io::OneNodeModel& model) {
  if (model.op_type == "Max") return Admits(MaxVersionForOpset(model.opset).value(), model.dtype);
  return Admits(ReduceMaxVersionForOpset(model.opset).value(), model.dtype);
}

/// Computes the files of all cases, and the two lists of cases.
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

 private:
  Result<void> Write(const CaseGroup& group, const ConformanceCase& one) {
    ListedCase listed{one.id, group.name, one.name, group.rules, group.reason, "", ""};
    if (OnnxSupports(one.model)) {
      listed.onnx = "onnx/" + one.id;
      auto written = PutCase(put_, listed.onnx, io::ModelBytes(one.model), one.inputs, one.output);
      if (!written) return written;
    }
    if (OneDnnSupports(one.model)) {
      listed.onednn = "onednn/" + one.id + ".json";
      auto written = put_(listed.onednn, OneDnnGraphText(one.name, one.model, !one.leaves_out_keep_dims), {});
      if (!written) return written;
    }
    cases_.Add(CaseJson(listed, one.model, one.inputs, one.output));
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
    return {};
  }

  const PutFile put_;
  CaseList cases_, invalid_;
};

/// Compares files with those of a folder.
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
    if (there.size() != head.size() + rest.size() || !there.starts_with(head) || !there.ends_with(rest))
      differences_.push_back(fmt::format("'{}' has different bytes", path.string()));
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

/// Puts the models and graphs of the case files in `cases`, below `prefix`, and with it the files themselves.
Result<void> PutAll(const std::string& cases, const fs::path& prefix, Comparison* comparison) {
  const Result<std::vector<CaseFile>> files = ReadCaseFiles(cases);
  if (!files) return files.error();
  Writer writer([&](const fs::path& path, std::string_view head, std::string_view rest) {
    return comparison->Put(prefix / path, head, rest);
  });
  for (const CaseFile& file : *files) {
    const Result<bool> of_models = !prefix.empty() ? StatesModels(file) : Result<bool>(true);
    if (!of_models) return of_models.error();
    if (!prefix.empty()) {
      if (Result<void> done = comparison->Put(prefix / file.name, file.text, {}); !done) return done;
    }
    if (!*of_models) continue;
    const Result<CaseGroup> group = ParseCaseFile(file);
    if (!group) return group.error();
    if (Result<void> added = writer.Add(*group); !added) return added;
  }
  return writer.Finish();
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments.size() > 3) {
    fmt::print(stderr, "usage: compare_cases FOLDER CASES [FURTHER]\n");
    return 2;
  }
  Comparison comparison(arguments[0]);
  Result<void> done = PutAll(arguments[1], "", &comparison);
  if (done && arguments.size() == 3) done = PutAll(arguments[2], "further", &comparison);
  if (done) done = comparison.Finish();
  if (!done) {
    fmt::print(stderr, "compare_cases: {}\n", Printable(done.error().message));
    return 1;
  }
  const std::vector<std::string>& differences = comparison.differences();
  for (std::size_t i = 0; i < std::min<std::size_t>(differences.size(), 20); ++i)
    fmt::print("{}\n", Printable(differences[i]));
  if (differences.empty()) {
    fmt::print("the folder contains exactly these files\n");
  } else {
    fmt::print("{} files differ\n", differences.size());
  }
  return differences.empty() ? 0 : 1;
}

}  // namespace
}  // namespace supremum::cli

int main(int argc, char** argv) { return supremum::cli::Main({argv + 1, argv + argc}); }
