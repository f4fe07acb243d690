// supremum run: computes the outputs of a model or a graph.
#include "verbs/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "cli/file_name.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/sha256.h"
#include "io/files/file_bytes.h"
#include "io/formats/external_data.h"
#include "io/formats/parse_message.h"
#include "io/formats/tensor_file.h"
#include "supremum/model.h"
#include "verbs/run_inputs.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

/// --bound for the inputs of a model, by name.
Result<std::vector<NamedTensor>> BoundsOf(const RunArguments& arguments, const Model& model,
                                          const GatheredInputs& inputs, Progress& progress,
                                          std::vector<StatedBound>* stated) {
  std::vector<BoundedInput> bounded;
  for (const auto* list : {&model.inputs(), &model.optional_inputs()}) {
    for (const ValueInfo& input : *list) {
      const auto given = std::ranges::find(inputs.tensors, input.name, &NamedTensor::name);
      bounded.push_back(
          {{input.name}, given == inputs.tensors.end() ? DType::kFloat32 : given->tensor.dtype()});
    }
  }
  auto read = ReadBounds(arguments.bounds, bounded, arguments.inputs.max_bytes, progress, stated);
  if (!read) return read.error();
  std::vector<NamedTensor> bounds;
  for (std::size_t i = 0; i < bounded.size(); ++i) {
    if ((*read)[i]) bounds.push_back({bounded[i].names.front(), *std::move((*read)[i])});
  }
  return bounds;
}

/// The outputs, and with bounds, the bounds of the outputs.
Result<std::vector<NamedTensor>> RunModel(const Model& model, const std::vector<NamedTensor>& inputs,
                                          const std::vector<NamedTensor>& bounds, const RunOptions& options) {
  if (bounds.empty()) return model.Run(inputs, options);
  Result<std::vector<BoundedTensor>> outputs = model.RunWithBounds(inputs, bounds, options);
  if (!outputs) return std::move(outputs).error();
  return Listed(*std::move(outputs));
}

/// The names of the tensors that RunModel returns.
std::vector<std::string> NamesOf(const Model& model, const RunArguments& arguments) {
  std::vector<BoundedTensor> outputs;
  for (const ValueInfo& output : model.outputs()) {
    BoundedTensor& one = outputs.emplace_back();
    one.name = output.name;
  }
  const bool bounded = !arguments.bounds.empty();
  std::vector<std::string> names;
  if (!bounded) {
    for (const BoundedTensor& one : outputs) names.push_back(one.name);
    return names;
  }
  for (const NamedTensor& one : Listed(std::move(outputs))) names.push_back(one.name);
  return names;
}

/// The values that ReduceMax nodes of the model take their axes from.
std::set<std::string> AxesOf(const Model& model) {
  std::set<std::string> axes;
  for (const NodeInfo& node : model.nodes()) {
    if (node.op_type == "ReduceMax" && node.inputs.size() > 1) axes.insert(node.inputs[1]);
  }
  return axes;
}

Result<ComputedRun> ComputeModel(const RunArguments& arguments, Progress& progress) {
  Result<std::vector<std::byte>> bytes = io::ReadFileBytes(arguments.model, io::kMaxMessageBytes);
  if (!bytes) return bytes.error();
  const Result<std::string> digest = arguments.json.empty() ? std::string() : Sha256Of(*bytes);
  if (!digest) return digest.error();
  const Result<Model> model = Model::Parse(*bytes, arguments.model,
                                           {.max_bytes = arguments.inputs.max_bytes,
                                            .allow_external_data = arguments.external.allow,
                                            .folder = io::FolderOfFile(arguments.model),
                                            .external_data_root = arguments.external.root});
  if (!model) return model.error();
  bytes = std::vector<std::byte>();  // the tensors have been read
  RunOptions options;
  options.profile = arguments.strictness.AsProfile();
  options.identical_shapes_only = arguments.strictness.no_broadcast;
  // An error that no input can mend is reported before inputs are asked for.
  if (const Result<void> runs = model->CheckRun(options); !runs) return runs.error();
  if (arguments.before) {
    const Result<void> may_run = arguments.before(NamesOf(*model, arguments));
    if (!may_run) return may_run.error();
  }
  Result<GatheredInputs> inputs =
      GatherInputs({model->inputs(), model->optional_inputs(), AxesOf(*model)}, arguments.inputs, progress);
  if (!inputs) return inputs.error();
  std::vector<StatedBound> stated;
  const auto bounds = BoundsOf(arguments, *model, *inputs, progress, &stated);
  if (!bounds) return bounds.error();
  options.threads = arguments.threads;
  options.dims = arguments.inputs.dims;
  options.max_bytes = arguments.inputs.max_bytes;
  options.progress = [&](std::size_t done, std::size_t total) {
    progress.Phase(fmt::format("node {} of {}", done + 1, total));
  };
  Result<TimedOutputs> timed = RunTimed([&] { return RunModel(*model, inputs->tensors, *bounds, options); });
  if (!timed) return timed.error();
  Result<nlohmann::ordered_json> external = nlohmann::ordered_json::array();
  if (!arguments.json.empty())
    external = ExternalDataJson(model->contents(), arguments.model, arguments.external);
  if (!external) return external.error();
  return ComputedRun{*std::move(inputs),           std::move(timed->outputs), timed->seconds,      *digest,
                     arguments.strictness.profile, std::move(stated),         *std::move(external)};
}

}  // namespace

Result<nlohmann::ordered_json> ExternalDataJson(const ModelContents& contents, const std::string& model,
                                                const ExternalDataOptions& external) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const ExternalData& data : contents.external_data) {
    nlohmann::ordered_json digest = nullptr;
    if (external.allowed()) {
      const Result<io::InputFile> file =
          io::InputFile::OpenInside(io::FolderOfFile(model), data.location, external.root);
      if (!file) return file.error();
      const Result<std::string> sha256 = Sha256Of(*file);
      if (!sha256) return sha256.error();
      digest = *sha256;
    }
    json.push_back({{"file", data.location}, {"tensors", data.tensors}, {"sha256", std::move(digest)}});
  }
  return json;
}

Result<TimedOutputs> RunTimed(const std::function<Result<std::vector<NamedTensor>>()>& run) {
  const auto start = std::chrono::steady_clock::now();
  Result<std::vector<NamedTensor>> outputs = run();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (!outputs) return outputs.error();
  return TimedOutputs{*std::move(outputs), time.count()};
}

namespace {

/// Tells `outputs` which files the run reads.
void ReadsOfRun(const RunArguments& arguments, Outputs* outputs) {
  outputs->ReadsModel(arguments.model, arguments.external);
  outputs->Reads(arguments.inputs.files);
  outputs->Reads(arguments.bounds);
}

/// Sets the memory limit of the run from --max-bytes and the files.
void DecideMaxBytes(RunArguments* arguments) {
  std::vector<std::string> files = FilesOfModel(arguments->model, arguments->external);
  for (const auto* more : {&arguments->inputs.files, &arguments->bounds}) {
    files.insert(files.end(), more->begin(), more->end());
  }
  arguments->inputs.max_bytes = MaxBytesFor(arguments->max_bytes, files);
}

/// Reads the model or the graph and its inputs and computes its outputs.
Result<ComputedRun> Compute(const RunArguments& arguments, Progress& progress) {
  progress.Phase("reading " + arguments.model);
  return LooksLikeOneDnn(arguments.model) ? ComputeOneDnn(arguments, progress)
                                          : ComputeModel(arguments, progress);
}

/// The files of the outputs, in their order.
Result<std::vector<std::string>> PathsOf(const RunArguments& arguments,
                                         const std::vector<std::string>& names) {
  FileNames files("." + arguments.format);
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    const Result<std::string> file = files.For(name);
    if (!file) return file.error();
    paths.push_back((std::filesystem::path(arguments.output_dir) / *file).string());
  }
  return paths;
}

Result<void> ClaimOutputs(const RunArguments& arguments, const std::vector<std::string>& names,
                          Outputs* outputs) {
  const Result<std::vector<std::string>> paths = PathsOf(arguments, names);
  if (!paths) return paths.error();
  for (const std::string& path : *paths) {
    Result<void> claimed = outputs->Claim("--output-dir", path, Outputs::Kind::kTensor);
    if (!claimed) return claimed;
  }
  return {};
}

/// Writes each output to the folder and stores its file in `reports`. They get their names in Deliver.
Result<void> WriteOutputs(const RunArguments& arguments, const std::vector<NamedTensor>& tensors,
                          Progress& progress, Outputs* outputs, std::vector<TensorReport>* reports) {
  const io::TensorFormat format = arguments.format == "pb"            ? io::TensorFormat::kTensorProto
                                  : arguments.format == "safetensors" ? io::TensorFormat::kSafetensors
                                                                      : io::TensorFormat::kNpy;
  std::vector<std::string> names;
  for (const NamedTensor& tensor : tensors) names.push_back(tensor.name);
  const Result<std::vector<std::string>> paths = PathsOf(arguments, names);
  if (!paths) return paths.error();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    progress.Phase("writing " + (*paths)[i]);
    Result<io::AtomicFile> staged = io::StageTensor((*paths)[i], format, tensors[i].name, tensors[i].tensor);
    if (!staged) return staged.error();
    outputs->Add(*std::move(staged));
    (*reports)[i].file = (*paths)[i];
  }
  return {};
}

Result<nlohmann::ordered_json> RunJson(const RunArguments& arguments, const ComputedRun& run,
                                       const std::vector<TensorReport>& outputs) {
  nlohmann::ordered_json json = JsonHead("run");
  json["model"] = arguments.model;
  json["sha256"] = run.model_sha256;
  json["external_data"] = run.external_data;
  json["profile"] = nullptr;
  if (run.profile) json["profile"] = *run.profile;
  json["seed"] = nullptr;
  if (arguments.inputs.seed) json["seed"] = *arguments.inputs.seed;
  json["inputs"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < run.inputs.tensors.size(); ++i) {
    const auto& [name, tensor] = run.inputs.tensors[i];
    nlohmann::ordered_json sha256 = nullptr;
    if (arguments.sha256) {
      const Result<std::string> digest = Sha256Of(tensor);
      if (!digest) return digest.error();
      sha256 = *digest;
    }
    json["inputs"].push_back(
        {{"name", name},
         {"dtype", Name(tensor.dtype())},
         {"shape", std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end())},
         {"sha256", std::move(sha256)},
         {"source", run.inputs.sources[i]}});
  }
  if (!run.bounds.empty()) json["bounds"] = ToJson(run.bounds);
  json["outputs"] = ToJson(outputs);
  json["time_s"] = run.seconds;
  return json;
}

Result<ExitStatus> Execute(RunArguments arguments) {
  DecideMaxBytes(&arguments);
  Outputs outputs;
  ReadsOfRun(arguments, &outputs);
  if (!arguments.output_dir.empty()) {
    if (Result<void> made = outputs.MakeFolder(arguments.output_dir); !made) return made.error();
  }
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();
  arguments.before = [&](const std::vector<std::string>& names) {
    return arguments.output_dir.empty() ? Result<void>() : ClaimOutputs(arguments, names, &outputs);
  };
  Progress progress;
  const Result<ComputedRun> run = Compute(arguments, progress);
  if (!run) return run.error();

  std::vector<TensorReport> reports;
  for (const NamedTensor& output : run->outputs) {
    progress.Phase("summarizing " + output.name);
    Result<TensorReport> report = ReportOf(output.name, output.tensor, arguments.sha256);
    if (!report) return report.error();
    reports.push_back(std::move(*report));
  }
  if (!arguments.output_dir.empty()) {
    Result<void> written = WriteOutputs(arguments, run->outputs, progress, &outputs, &reports);
    if (!written) return written.error();
  }
  progress.Hide();

  std::string text = TensorTable(reports, run->seconds, Terminal::OfStdout());
  if (arguments.inputs.seed) text += fmt::format("seed {}\n", *arguments.inputs.seed);
  Result<nlohmann::ordered_json> json = nlohmann::ordered_json();
  if (!arguments.json.empty()) json = RunJson(arguments, *run, reports);
  if (!json) return json.error();
  return outputs.Deliver(*std::move(json), text);
}

}  // namespace

Verb AddRun(CLI::App& app) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = AddVerb(
      app, "run",
      "Computes the outputs of a model of Max, ReduceMax, Constant and Identity nodes, or of a oneDNN graph "
      "of ReduceMax and Maximum.",
      std::string(InputHelp()) + "\n" + std::string(BoundHelp()) +
          "\nAn output's file has the output's name; characters that are unsafe in file names become %XX.\n\n"
          "Examples:\n"
          "  supremum run fuse.onnx --random 1\n"
          "  supremum run fuse.onnx --input a=a.npy --input b=b.npy --output-dir out\n"
          "  supremum run fuse.onnx -i a.npy -i b:float32:2x3:b.bin -d out --format pb\n"
          "  supremum run batch.onnx --random 7 --dim N=4 --json report.json\n"
          "  supremum run brain.onnx --input v.npy --input w.npy --dtype bfloat16\n"
          "  supremum run fuse.onnx -i a.npy -i b.npy --bound a=e.npy --output-dir out\n"
          "  supremum run graph.json --input 0=a.npy --output-dir out\n");
  AddPositional(*verb, "MODEL", &arguments->model, "an ONNX model, or a oneDNN graph as JSON");
  AddRepeated(*verb, "-i,--input", "[NAME=]FILE", &arguments->inputs.files, "a file for an input, see below");
  AddBounds(*verb, "NAME", &arguments->bounds);
  AddSeed(*verb, &arguments->inputs.seed);
  AddDims(*verb, &arguments->inputs.dims);
  AddDTypes(*verb, "NAME", &arguments->inputs.dtypes);
  AddText(*verb, "-d,--output-dir", "DIR", &arguments->output_dir,
          "write each output to a file in DIR, which is created if missing");
  AddChoice(*verb, "--format", {"npy", "pb", "safetensors"}, &arguments->format, "the format of those files");
  AddProfile(*verb, &arguments->strictness);
  AddNoBroadcast(*verb, &arguments->strictness.no_broadcast);
  AddThreads(*verb, &arguments->threads);
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddExternalData(*verb, &arguments->external);
  AddSha256(*verb, &arguments->sha256);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
