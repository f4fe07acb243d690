// supremum gen: a model of one node, inputs, and the expected outputs by the specification.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/random.h"
#include "cli/report.h"
#include "generate/model_proto.h"
#include "io/formats/raw.h"
#include "supremum/model.h"
#include "verbs/case_folder.h"
#include "verbs/one_node.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;

struct GenArguments {
  std::string op = "Max";
  std::uint64_t opset = 13;
  std::string dtype = "float32";
  std::vector<std::string> shapes;
  std::optional<std::vector<std::int64_t>> axes;
  std::string keepdims = "1";
  bool noop_with_empty_axes = false;
  std::string values = "random";
  std::uint64_t seed = 1;
  std::string output;
  std::int64_t max_bytes = kDefaultMaxBytes;
  std::string json;
};

Error Invalid(std::string_view details) { return MakeError(ErrorCode::kInvalidArgument, details); }

/// The requested model, without the output's shape.
Result<io::OneNodeModel> ModelOf(const GenArguments& arguments) {
  const bool reduces = arguments.op == "ReduceMax";
  const std::optional<DType> dtype = ParseDType(arguments.dtype);
  if (!dtype) return Invalid(fmt::format("--dtype: '{}' is none of {}", arguments.dtype, io::KnownTypes()));
  if (arguments.shapes.empty()) return Invalid("--shape is missing; give it once for each input");
  if (reduces && arguments.shapes.size() != 1) {
    return Invalid(fmt::format("--shape is given {} times; ReduceMax has one input: give it once",
                               arguments.shapes.size()));
  }
  if (!reduces && (arguments.axes || arguments.noop_with_empty_axes)) {
    return Invalid(
        "--axes and --noop-with-empty-axes are for ReduceMax; leave them out, or add --op ReduceMax");
  }
  if (arguments.noop_with_empty_axes && arguments.opset < 18) {
    return Invalid(fmt::format("--noop-with-empty-axes needs opset 18 or later (RED-5), and --opset is {}",
                               arguments.opset));
  }
  if (arguments.opset < 1 || arguments.opset > 1'000'000) {
    return Invalid(fmt::format("--opset {}: there is no such opset", arguments.opset));
  }
  io::OneNodeModel model;
  model.op_type = arguments.op;
  model.opset = static_cast<std::int64_t>(arguments.opset);
  model.dtype = *dtype;
  model.producer_version = Version();
  for (const std::string& text : arguments.shapes) {
    const Result<Shape> shape = io::ParseShape(text, fmt::format("--shape '{}'", text),
                                               "; the form is 2,3 or 2x3, and '' for a scalar");
    if (!shape) return shape.error();
    model.inputs.push_back(*shape);
  }
  if (reduces) {
    model.axes = arguments.axes;
    model.keepdims = arguments.keepdims == "1";
    if (arguments.opset >= 18) model.noop_with_empty_axes = arguments.noop_with_empty_axes;
  }
  return model;
}

/// Checks types, shapes and axes against the opset, by the reader of models.
Result<void> CheckAdmitted(const io::OneNodeModel& model) {
  const std::string bytes = io::ModelBytes(model);
  const Result<Model> read = Model::Parse(std::as_bytes(std::span(bytes)), "model.onnx");
  if (!read) return read.error();
  const Result<std::vector<ValueInfo>> inferred = read->Infer();
  if (!inferred) return inferred.error();
  return {};
}

Result<std::vector<NamedTensor>> MakeInputs(const io::OneNodeModel& model, const GenArguments& arguments,
                                            Progress& progress) {
  std::vector<NamedTensor> inputs;
  SplitMix64 seeds(arguments.seed);
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    std::string name = fmt::format("x{}", i);
    progress.Phase("filling " + name);
    Result<Tensor> input =
        TensorOf(arguments.values, model.dtype, model.inputs[i], seeds.Next(), arguments.max_bytes);
    if (!input) return input.error();
    inputs.push_back({std::move(name), *std::move(input)});
  }
  return inputs;
}

Result<ExitStatus> Execute(const GenArguments& arguments) {
  Result<io::OneNodeModel> model = ModelOf(arguments);
  if (!model) return model.error();
  if (Result<void> admitted = CheckAdmitted(*model); !admitted) return admitted.error();
  const Result<std::vector<std::int64_t>> extents = OutputExtents(*model);
  if (!extents) return extents.error();
  model->output = Shape::FromSpan(*extents);
  Outputs outputs;
  if (Result<void> made = outputs.MakeNewFolder("--output", arguments.output); !made) return made.error();
  if (Result<void> claimed = outputs.ClaimJson(arguments.json); !claimed) return claimed.error();

  Progress progress;
  const Result<std::vector<NamedTensor>> inputs = MakeInputs(*model, arguments, progress);
  if (!inputs) return inputs.error();
  progress.Phase("computing the reference");
  const Result<Tensor> output = ReferenceOutput(*model, *inputs, arguments.max_bytes);
  if (!output) return output.error();
  std::vector<TensorReport> reports;
  for (std::size_t i = 0; i <= inputs->size(); ++i) {
    const bool last = i == inputs->size();
    Result<TensorReport> report =
        last ? ReportOf("y", *output, true) : ReportOf((*inputs)[i].name, (*inputs)[i].tensor, true);
    if (!report) return report.error();
    const std::string file = last ? "output_0.pb" : fmt::format("input_{}.pb", i);
    report->file = (fs::path(arguments.output) / kDataSet / file).string();
    reports.push_back(*std::move(report));
  }
  progress.Phase("writing " + arguments.output);
  Result<void> written = PutCase(WriteNewFile, arguments.output, io::ModelBytes(*model), *inputs, *output);
  if (written) written = MakeDurable(arguments.output);
  if (!written) return written.error();
  progress.Hide();

  nlohmann::ordered_json json = JsonHead("gen");
  json["folder"] = arguments.output;
  json["op"] = arguments.op;
  json["opset"] = arguments.opset;
  json["values"] = arguments.values;
  json["seed"] = arguments.seed;
  json["tensors"] = ToJson(reports);
  const std::string text =
      TensorTable(reports, std::nullopt, Terminal::OfStdout()) + fmt::format("seed {}\n", arguments.seed);
  return outputs.Deliver(std::move(json), text);
}

}  // namespace

Verb AddGen(CLI::App& app) {
  const auto arguments = std::make_shared<GenArguments>();
  CLI::App* verb = AddVerb(
      app, "gen", "Makes a test case: a model of one node, inputs, and the expected output.",
      "Writes model.onnx and test_data_set_0 with input_N.pb and output_0.pb into the folder, in the\n"
      "form that `supremum test` and test programs of other runtimes read. The expected output comes\n"
      "from the reference, never from the kernels. The same options and seed give the same bytes.\n\n"
      "--values\n"
      "  random   floats uniformly between -1 and 1; equally likely integers\n"
      "  edge     zeros, subnormals, 1 and its neighbours, the limits of the type, infinities, NaNs\n"
      "  bits     random bits: floats of every magnitude, infinities and NaNs\n\n"
      "Examples:\n"
      "  supremum gen --op Max --shape 2,3 --shape 3 --output made/max\n"
      "  supremum gen --op Max --dtype f16 --shape 64 --shape 64 --values edge --seed 7 --output made/edge\n"
      "  supremum gen --op ReduceMax --opset 18 --shape 4x5 --axes -1 --keepdims 0 --output made/rows\n");
  AddChoice(*verb, "--op", {"Max", "ReduceMax"}, &arguments->op, "the node's operator");
  AddNumber(*verb, "--opset", "N", &arguments->opset, "the opset that the model imports");
  AddText(*verb, "--dtype", "TYPE", &arguments->dtype, "the type of all tensors; float32 if not given");
  AddRepeated(*verb, "--shape", "SHAPE", &arguments->shapes,
              "the shape of an input, as 2,3 or 2x3; '' for a scalar");
  AddAxes(*verb, &arguments->axes);
  AddChoice(*verb, "--keepdims", {"0", "1"}, &arguments->keepdims, "of ReduceMax (RED-3)");
  AddFlag(*verb, "--noop-with-empty-axes", &arguments->noop_with_empty_axes,
          "of ReduceMax, from opset 18 on: reduce nothing if no axes are given (RED-5)");
  AddChoice(*verb, "--values", {"random", "edge", "bits"}, &arguments->values, "the elements of the inputs");
  AddNumber(*verb, "--seed", "N", &arguments->seed, "the seed of the elements");
  AddRequiredText(*verb, "-o,--output", "DIR", &arguments->output, "a new folder, or an empty one");
  AddMaxBytes(*verb, &arguments->max_bytes);
  AddJson(*verb, &arguments->json);
  return {verb, [arguments] { return Execute(*arguments); }};
}

}  // namespace supremum::cli
