// supremum max: the maximum of tensors in files.
#include "supremum/max.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "formats/tensor_file.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "supremum/broadcast.h"
#include "verbs.h"

namespace supremum::cli {
namespace {

struct MaxArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::vector<StatedDType> dtypes;
  bool no_broadcast = false;
  std::int64_t max_bytes = kDefaultMaxBytes;
  std::string json;
};

/// The names that `--dtype` may call the input at `position`: its place, its path, its file's name.
struct InputNames {
  std::string position;
  std::string path;
  std::string file;
};

InputNames NamesOf(const MaxArguments& arguments, std::size_t position) {
  const std::string& path = arguments.inputs[position];
  return {fmt::format("{}", position), path, std::filesystem::path(path).filename().string()};
}

/// A type stated for nothing would be silently without effect.
Result<void> CheckDTypeNames(const MaxArguments& arguments) {
  for (const StatedDType& stated : arguments.dtypes) {
    bool known = stated.name.empty();
    for (std::size_t i = 0; i < arguments.inputs.size() && !known; ++i) {
      const InputNames names = NamesOf(arguments, i);
      known = stated.name == names.position || stated.name == names.path || stated.name == names.file;
    }
    if (!known) {
      return MakeError(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "--dtype names '{}', which is no input; name one by its file, or by its position from 0",
              stated.name));
    }
  }
  return {};
}

Result<std::vector<Tensor>> ReadInputs(const MaxArguments& arguments, Progress& progress) {
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

Result<Tensor> Compute(const MaxArguments& arguments, const std::vector<Tensor>& inputs) {
  std::vector<TensorView> views;
  std::vector<DimsView> shapes;
  for (const Tensor& input : inputs) {
    views.push_back(input.View());
    shapes.push_back(input.shape());
  }
  MaxOptions options;
  options.identical_shapes_only = arguments.no_broadcast;
  const std::vector<std::string_view> names(arguments.inputs.begin(), arguments.inputs.end());
  options.input_names = names;
  options.output_name = arguments.output;
  // Where there is no common shape, Max is still asked, with any output: it knows which error comes first.
  const Shape shape = BroadcastShapes(shapes).value_or(inputs.front().shape());
  Result<Tensor> output = Tensor::Create(inputs.front().dtype(), shape, arguments.max_bytes);
  if (!output) return output;
  if (Result<void> done = Max(views, output->MutableView(), options); !done) return done.error();
  return output;
}

Result<ExitStatus> Execute(const MaxArguments& arguments) {
  const Result<formats::TensorFormat> format = formats::FormatOfPath(arguments.output);
  if (!format) return format.error();
  if (Result<void> checked = CheckDTypeNames(arguments); !checked) return checked.error();

  Progress progress;
  Result<std::vector<Tensor>> inputs = ReadInputs(arguments, progress);
  if (!inputs) return inputs.error();
  progress.Phase("computing the maximum");
  const auto start = std::chrono::steady_clock::now();
  Result<Tensor> output = Compute(arguments, *inputs);
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

  nlohmann::ordered_json json = JsonHead("max");
  json["inputs"] = arguments.inputs;
  json["outputs"] = ToJson(std::span(&*report, 1));
  json["time_s"] = time.count();
  const std::string table = TensorTable(std::span(&*report, 1), time.count(), Terminal::OfStdout());
  if (Result<void> delivered = Deliver(arguments.json, json, table); !delivered) return delivered.error();
  return ExitStatus::kSuccess;
}

}  // namespace

Verb AddMax(CLI::App& app) {
  const auto arguments = std::make_shared<MaxArguments>();
  CLI::App* verb =
      AddVerb(app, "max", "The element-wise maximum of tensors in files, with broadcasting.",
              "--dtype calls an input by its file as it was given, by the file's name alone, or by its\n"
              "position from 0; without INPUT= it means every input.\n\n"
              "Examples:\n"
              "  supremum max a.npy b.npy -o y.npy\n"
              "  supremum max a.npy b:float32:2x3:b.bin -o y.pb --no-broadcast\n"
              "  supremum max v.npy w.npy --dtype bfloat16 -o vw.npy --json -\n");
  AddPositionals(*verb, "INPUT", &arguments->inputs,
                 "a .npy, .npz or .pb file, or NAME:DTYPE:SHAPE:FILE for a raw file");
  AddRequiredText(*verb, "-o,--output", "FILE", &arguments->output,
                  "the result: .npy, .npz, .pb or .bin, by its ending");
  AddDTypes(*verb, "INPUT", &arguments->dtypes);
  AddNoBroadcast(*verb, &arguments->no_broadcast);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
