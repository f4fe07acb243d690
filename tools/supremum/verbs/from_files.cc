#include "verbs/from_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "cli/bounds.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/formats/tensor_file.h"
#include "verbs/stream_files.h"

namespace supremum::cli {
namespace {

/// The bounds of the inputs' errors, one for each input, a scalar 0 for an exact one; an empty list if no
/// --bound is given. Sets `stated` to the given ones.
Result<std::vector<Tensor>> BoundsOf(const FileArguments& arguments, const std::vector<Tensor>& inputs,
                                     std::int64_t max_bytes, Progress& progress,
                                     std::vector<StatedBound>* stated) {
  std::vector<Tensor> bounds;
  if (arguments.bounds.empty()) return bounds;
  std::vector<BoundedInput> bounded;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const InputNames names = NamesOfInput(arguments.inputs, i);
    bounded.push_back({{names.path, names.position, names.file}, inputs[i].dtype()});
  }
  auto read = ReadBounds(arguments.bounds, bounded, max_bytes, progress, stated);
  if (!read) return read.error();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Result<Tensor> exact = Tensor::Create(inputs[i].dtype(), Shape{});
    if (!exact) return exact.error();
    std::ranges::fill(exact->bytes(), std::byte{0});
    bounds.push_back((*read)[i] ? *std::move((*read)[i]) : *std::move(exact));
  }
  return bounds;
}

/// y.npy, y.bound.npy and so on for the output's tensors, whose names begin with the output's own.
std::string PathOf(const FileArguments& arguments, const std::string& output_name, const std::string& name) {
  const std::filesystem::path path = arguments.output;
  const std::string known = name.substr(output_name.size());
  if (known.empty()) return arguments.output;
  return (path.parent_path() / (path.stem().string() + known + path.extension().string())).string();
}

/// An input may be replaced by the output, which is complete before it gets the name.
Result<void> ClaimOutputs(const FileArguments& arguments, Outputs* outputs) {
  outputs->Reads(arguments.inputs);
  outputs->Reads(arguments.bounds);
  const std::string name = std::filesystem::path(arguments.output).stem().string();
  std::vector<std::string> names = {name};
  if (!arguments.bounds.empty()) std::ranges::copy(BoundNames(name), std::back_inserter(names));
  for (const std::string& one : names) {
    Result<void> claimed = outputs->Claim("--output", PathOf(arguments, name, one), Outputs::Kind::kTensor);
    if (!claimed) return claimed;
  }
  return outputs->ClaimJson(arguments.json);
}

Result<std::vector<Tensor>> ReadInputs(const FileArguments& arguments, std::int64_t max_bytes,
                                       Progress& progress) {
  std::vector<Tensor> tensors;
  std::int64_t left = std::min(max_bytes, arguments.memory.value_or(INT64_MAX));
  for (std::size_t i = 0; i < arguments.inputs.size(); ++i) {
    progress.Phase("reading " + arguments.inputs[i]);
    const std::optional<DType> stated = StatedFor(arguments.dtypes, arguments.inputs, i);
    Result<NamedTensor> read =
        io::ReadTensor(arguments.inputs[i], {.stated_dtype = stated, .max_bytes = left});
    if (!read) return read.error();
    left -= static_cast<std::int64_t>(read->tensor.byte_size());
    tensors.push_back(std::move(read->tensor));
  }
  return tensors;
}

Result<ExitStatus> ComputeInMemory(std::string_view verb, const FileArguments& arguments,
                                   io::TensorFormat format, std::int64_t max_bytes,
                                   const Computation& compute, Outputs& outputs) {
  Progress progress;
  const Result<std::vector<Tensor>> inputs = ReadInputs(arguments, max_bytes, progress);
  if (!inputs) return inputs.error();
  std::vector<StatedBound> stated_bounds;
  const Result<std::vector<Tensor>> bounds =
      BoundsOf(arguments, *inputs, max_bytes, progress, &stated_bounds);
  if (!bounds) return bounds.error();
  progress.Phase("computing the maximum");
  const auto start = std::chrono::steady_clock::now();
  Result<BoundedTensor> output = compute({*inputs, *bounds, max_bytes});
  if (!output) return output.error();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

  const std::string name = std::filesystem::path(arguments.output).stem().string();
  output->name = name;
  std::vector<BoundedTensor> computed;
  computed.push_back(*std::move(output));
  std::vector<NamedTensor> tensors = Listed(std::move(computed));
  if (bounds->empty()) tensors.resize(1);
  std::vector<TensorReport> reports;
  for (const NamedTensor& tensor : tensors) {
    const std::string path = PathOf(arguments, name, tensor.name);
    progress.Phase("summarizing " + path);
    Result<TensorReport> report = ReportOf(tensor.name, tensor.tensor, arguments.sha256);
    if (!report) return report.error();
    report->file = path;
    reports.push_back(*std::move(report));
    progress.Phase("writing " + path);
    auto staged = io::StageTensor(path, format, tensor.name, tensor.tensor);
    if (!staged) return staged.error();
    outputs.Add(*std::move(staged));
  }
  progress.Hide();

  nlohmann::ordered_json stated;
  if (!stated_bounds.empty()) stated = ToJson(stated_bounds);
  return DeliverReports(verb, arguments, "bounds", std::move(stated), reports, time.count(), outputs);
}

}  // namespace

void AddFileOptions(CLI::App& verb, const std::string& name, FileArguments* arguments) {
  AddRequiredText(verb, "-o,--output", "FILE", &arguments->output,
                  "the result: .npy, .npz, .pb, .safetensors or .bin, by its ending");
  AddDTypes(verb, name, &arguments->dtypes);
  AddBounds(verb, name.empty() ? "INPUT" : name, &arguments->bounds);
  AddMemory(verb, &arguments->memory);
  AddSha256(verb, &arguments->sha256);
  AddThreads(verb, &arguments->threads);
  AddMaxBytes(verb, &arguments->max_bytes);
  AddJson(verb, &arguments->json);
}

std::int64_t MaxBytesFor(const FileArguments& arguments) {
  std::vector<std::string> files = arguments.inputs;
  files.insert(files.end(), arguments.bounds.begin(), arguments.bounds.end());
  return MaxBytesFor(arguments.max_bytes, files);
}

Result<BoundedTensor> MakeOutput(
    const ReadFiles& files, const Shape& shape,
    const std::function<Result<void>(std::span<const TensorView>, MutableTensorView)>& compute,
    const std::function<Result<void>(std::span<const TensorView>, std::span<const TensorView>,
                                     const BoundedOutput&)>& compute_bounded) {
  const std::vector<Tensor>&inputs = files.inputs, &bounds = files.bounds;
  std::int64_t left = files.max_bytes;
  std::vector<TensorView> values, bound_views;
  for (const Tensor& input : inputs) values.push_back(input.View());
  for (const Tensor& bound : bounds) bound_views.push_back(bound.View());
  BoundedTensor output;
  for (Tensor* tensor : {&output.value, &output.bound, &output.lower, &output.upper}) {
    Result<Tensor> created = Tensor::Create(inputs.front().dtype(), shape, left);
    if (!created) return created.error();
    left -= static_cast<std::int64_t>(created->byte_size());
    *tensor = *std::move(created);
    if (bounds.empty()) break;
  }
  const Result<void> done = bounds.empty()
                                ? compute(values, output.value.MutableView())
                                : compute_bounded(values, bound_views,
                                                  {output.value.MutableView(), output.bound.MutableView(),
                                                   output.lower.MutableView(), output.upper.MutableView()});
  if (!done) return done.error();
  return output;
}

Result<ExitStatus> DeliverReports(std::string_view verb, const FileArguments& arguments,
                                  const std::string& key, nlohmann::ordered_json&& value,
                                  std::span<const TensorReport> reports, double seconds, Outputs& outputs) {
  nlohmann::ordered_json json = JsonHead(verb);
  json["inputs"] = arguments.inputs;
  if (!value.is_null()) json[key] = std::move(value);
  json["outputs"] = ToJson(reports);
  json["time_s"] = seconds;
  return outputs.Deliver(std::move(json), TensorTable(reports, seconds, Terminal::OfStdout()));
}

Result<ExitStatus> ComputeFromFiles(std::string_view verb, const FileArguments& arguments,
                                    const Computation& compute, const Streaming& streaming) {
  const Result<io::TensorFormat> format = io::FormatOfPath(arguments.output);
  if (!format) return format.error();
  if (Result<void> checked = CheckStated(arguments.dtypes, arguments.inputs); !checked)
    return checked.error();
  Outputs outputs;
  if (Result<void> claimed = ClaimOutputs(arguments, &outputs); !claimed) return claimed.error();
  const std::int64_t max_bytes = MaxBytesFor(arguments);
  return CanBeStreamed(arguments, *format)
             ? StreamFromFiles(verb, arguments, *format, max_bytes, streaming, outputs)
             : ComputeInMemory(verb, arguments, *format, max_bytes, compute, outputs);
}

}  // namespace supremum::cli
