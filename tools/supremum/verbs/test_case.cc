#include "verbs/test_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <utility>

#include "cli/compare.h"
#include "cli/options.h"
#include "io/files/file_bytes.h"
#include "io/formats/tensor_file.h"
#include "supremum/model.h"

namespace supremum::cli {
namespace {

/// True for an operator or a type that supremum does not support.
bool IsUnsupported(ErrorCode code) {
  return code == ErrorCode::kUnsupportedOperator || code == ErrorCode::kTypeNotAdmitted;
}

/// The reason why the model cannot be run; nullopt if it can.
std::optional<std::string> WhySkipped(const Model& model) {
  for (const NodeInfo& node : model.nodes()) {
    if (node.version == 0) return fmt::format("unsupported operator: {}", Describe(node));
  }
  const Result<std::vector<ValueInfo>> inferred = model.Infer();
  const std::vector<ValueInfo> all = inferred ? *inferred : std::vector<ValueInfo>();
  for (const auto& values :
       {model.inputs(), model.optional_inputs(), model.initializers(), model.outputs(), all}) {
    for (const ValueInfo& value : values) {
      if (!value.type_name.empty() && !value.dtype) {
        return fmt::format("unsupported type: '{}' is {}", value.name, value.type_name);
      }
    }
  }
  return std::nullopt;
}

/// Reads the files of a data set as the values of `infos`.
Result<std::vector<NamedTensor>> ReadValues(const std::vector<std::string>& files,
                                            const std::vector<ValueInfo>& infos, std::string_view what,
                                            std::int64_t max_bytes) {
  if (files.size() != infos.size()) {
    return MakeError(ErrorCode::kInvalidArgument,
                     fmt::format("{} {} files, but the model has {}", files.size(), what, infos.size()));
  }
  std::vector<NamedTensor> values;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Result<NamedTensor> read = io::ReadTensor(files[i], {.stated_dtype = {}, .max_bytes = max_bytes});
    if (!read) return read.error();
    values.push_back({infos[i].name, std::move(read->tensor)});
  }
  return values;
}

/// The word in refusal.txt: a rule or an error's name.
Result<std::string> ReadRefusal(const std::string& path) {
  Result<std::vector<std::byte>> bytes = io::ReadFileBytes(path, 100);
  if (!bytes) return bytes.error();
  std::string word(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  while (word.ends_with('\n') || word.ends_with('\r')) word.pop_back();
  if (word.empty()) {
    return MakeError(
        ErrorCode::kInvalidArgument,
        fmt::format("'{}' is empty; write the rule that is violated, such as BRO-2, or the error's "
                    "name, such as malformed_file",
                    path));
  }
  return word;
}

bool IsRefusal(const Error& error, std::string_view word) {
  return error.rule.text() == word || InfoOf(error.code).name == word;
}

/// How the run, which ended with `error`, differs from the refusal that the data set expects.
Result<std::vector<std::string>> CompareRefusal(const DataSet& data, const std::optional<Error>& error) {
  const Result<std::string> word = ReadRefusal(data.refusal);
  if (!word) return word.error();
  if (!data.outputs.empty())
    return std::vector{fmt::format("there are both output_*.pb and refusal.txt; remove one")};
  if (!error) return std::vector{fmt::format("expected to be refused by {}, but it was computed", *word)};
  if (IsRefusal(*error, *word)) return std::vector<std::string>();
  return std::vector{fmt::format("expected to be refused by {}, not: {}", *word, error->message)};
}

/// The differences between actual and expected outputs, one text for each output that differs.
Result<std::vector<std::string>> RunDataSet(const Model& model, const DataSet& data, std::int64_t max_bytes) {
  const auto inputs = ReadValues(data.inputs, model.inputs(), "input", max_bytes);
  if (!inputs) return inputs.error();
  if (!data.refusal.empty()) {
    RunOptions options;
    options.max_bytes = max_bytes;
    const auto refused = model.Run(*inputs, options);
    return CompareRefusal(data, refused ? std::nullopt : std::optional(refused.error()));
  }
  const auto expected = ReadValues(data.outputs, model.outputs(), "output", max_bytes);
  if (!expected) return expected.error();
  RunOptions options;
  options.max_bytes = max_bytes;
  const auto actual = model.Run(*inputs, options);
  // WhySkipped has checked that supremum supports the types: a type that the opset does not admit is an error
  // of the model, not a limit of supremum.
  if (!actual && actual.error().code == ErrorCode::kTypeNotAdmitted)
    return std::vector{actual.error().message};
  if (!actual) return actual.error();
  std::vector<std::string> differences;
  for (std::size_t i = 0; i < expected->size(); ++i) {
    const std::optional<std::string> difference = Difference((*actual)[i].tensor, (*expected)[i].tensor);
    if (difference) differences.push_back(fmt::format("output '{}': {}", (*actual)[i].name, *difference));
  }
  return differences;
}

/// The model and all other files of the case.
std::vector<std::string> FilesOf(const TestCase& test, const ExternalDataOptions& external) {
  std::vector<std::string> files = FilesOfModel(test.model, external);
  for (const DataSet& data : test.data_sets) {
    files.insert(files.end(), data.inputs.begin(), data.inputs.end());
    files.insert(files.end(), data.outputs.begin(), data.outputs.end());
    if (!data.refusal.empty()) files.push_back(data.refusal);
  }
  return files;
}

CaseResult Judge(const TestCase& test, std::int64_t max_bytes, const ExternalDataOptions& external) {
  const Result<Model> model = Model::Load(
      test.model,
      {.max_bytes = max_bytes, .allow_external_data = external.allow, .external_data_root = external.root});
  const bool refusals =
      std::ranges::any_of(test.data_sets, [](const DataSet& data) { return !data.refusal.empty(); });
  if (!refusals && !model) {
    return {IsUnsupported(model.error().code) ? Outcome::kSkipped : Outcome::kFailed,
            {model.error().message}};
  }
  if (!refusals) {
    if (const std::optional<std::string> reason = WhySkipped(*model)) return {Outcome::kSkipped, {*reason}};
  }
  if (test.data_sets.empty()) return {Outcome::kFailed, {"there is no test_data_set_* beside the model"}};
  CaseResult result;
  for (const DataSet& data : test.data_sets) {
    const bool refusal = !data.refusal.empty();
    Result<std::vector<std::string>> differences =
        model ? RunDataSet(*model, data, max_bytes)
              : (refusal ? CompareRefusal(data, model.error()) : model.error());
    if (!differences && !refusal && IsUnsupported(differences.error().code))
      return {Outcome::kSkipped, {differences.error().message}};
    if (!differences) differences = std::vector{differences.error().message};
    for (const std::string& difference : *differences) {
      result.outcome = Outcome::kFailed;
      result.reasons.push_back(data.name + ": " + difference);
    }
  }
  return result;
}

}  // namespace

CaseResult RunCase(const TestCase& test, const std::optional<std::int64_t>& max_bytes,
                   const ExternalDataOptions& external) {
  const auto start = std::chrono::steady_clock::now();
  CaseResult result = Judge(test, MaxBytesFor(max_bytes, FilesOf(test, external)), external);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace supremum::cli
