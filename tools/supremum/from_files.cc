#include "from_files.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>

#include "formats/tensor_file.h"
#include "output.h"
#include "progress.h"
#include "report.h"

namespace supremum::cli {
namespace {

/// The names that `--dtype` may call the input at `position`: its place, its path, its file's name.
struct InputNames {
  std::string position;
  std::string path;
  std::string file;
};

InputNames NamesOf(const FileArguments& arguments, std::size_t position) {
  const std::string& path = arguments.inputs[position];
  return {fmt::format("{}", position), path, std::filesystem::path(path).filename().string()};
}

Result<void> CheckDTypeNames(const FileArguments& arguments) {
  std::set<std::string> known;
  for (std::size_t i = 0; i < arguments.inputs.size(); ++i) {
    const InputNames names = NamesOf(arguments, i);
    known.insert({names.position, names.path, names.file});
  }
  return CheckStated(arguments.dtypes, known,
                     "which is no input; name one by its file, or by its position from 0");
}

Result<std::vector<Tensor>> ReadInputs(const FileArguments& arguments, Progress& progress) {
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < arguments.inputs.size(); ++i) {
    const InputNames names = NamesOf(arguments, i);
    progress.Phase("reading " + names.path);
    formats::ReadOptions options;
    options.stated_dtype = StatedFor(arguments.dtypes, {names.position, names.path, names.file});
    options.max_bytes = arguments.max_bytes;
    Result<NamedTensor> read = formats::ReadTensor(names.path, options);
    if (!read) return read.error();
    tensors.push_back(std::move(read->tensor));
  }
  return tensors;
}

}  // namespace

void AddFileOptions(CLI::App& verb, const std::string& name, FileArguments* arguments) {
  AddRequiredText(verb, "-o,--output", "FILE", &arguments->output,
                  "the result: .npy, .npz, .pb, .safetensors or .bin, by its ending");
  AddDTypes(verb, name, &arguments->dtypes);
  AddThreads(verb, &arguments->threads);
  AddMaxBytes(verb, &arguments->max_bytes);
  AddJson(verb, &arguments->json);
}

Result<ExitStatus> ComputeFromFiles(std::string_view verb, const FileArguments& arguments,
                                    const Computation& compute) {
  const Result<formats::TensorFormat> format = formats::FormatOfPath(arguments.output);
  if (!format) return format.error();
  if (Result<void> checked = CheckDTypeNames(arguments); !checked) return checked.error();

  Progress progress;
  const Result<std::vector<Tensor>> inputs = ReadInputs(arguments, progress);
  if (!inputs) return inputs.error();
  progress.Phase("computing the maximum");
  const auto start = std::chrono::steady_clock::now();
  const Result<Tensor> output = compute(*inputs);
  if (!output) return output.error();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

  progress.Phase("summarizing " + arguments.output);
  const std::string name = std::filesystem::path(arguments.output).stem().string();
  Result<TensorReport> report = ReportOf(name, *output);
  if (!report) return report.error();
  report->file = arguments.output;
  progress.Phase("writing " + arguments.output);
  if (Result<void> written = formats::WriteTensor(arguments.output, *format, name, *output); !written) {
    return written.error();
  }
  progress.Hide();

  nlohmann::ordered_json json = JsonHead(verb);
  json["inputs"] = arguments.inputs;
  json["outputs"] = ToJson(std::span(&*report, 1));
  json["time_s"] = time.count();
  const std::string table = TensorTable(std::span(&*report, 1), time.count(), Terminal::OfStdout());
  if (Result<void> delivered = Deliver(arguments.json, json, table); !delivered) return delivered.error();
  return ExitStatus::kSuccess;
}

}  // namespace supremum::cli
