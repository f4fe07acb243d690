// supremum reduce-max: the maximum of a tensor in a file along some of its dimensions.
#include "supremum/reduce_max.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/bounds.h"
#include "cli/options.h"
#include "supremum/bounds.h"
#include "verbs/from_files.h"
#include "verbs/stream_files.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct ReduceMaxArguments {
  std::string input;
  FileArguments files;
  std::optional<std::vector<std::int64_t>> axes;
  bool keepdims = false;
  bool noop_with_empty_axes = false;
  std::string semantics = "supremum";
};

ReduceMaxVersion VersionOf(const ReduceMaxArguments& arguments) {
  if (arguments.semantics == "onnx") return ReduceMaxVersion::k20;
  if (arguments.semantics == "onednn") return ReduceMaxVersion::kOneDnn;
  return ReduceMaxVersion::kSupremum;
}

/// RED-4: oneDNN has no default for its axes.
Error AxesMissing(const TensorView& source, ReduceMaxOptions options) {
  // Errors of the source come first.
  options.axes = DimsView();
  if (const Result<Shape> shape = ReduceMaxOutputShape(source, options); !shape) return shape.error();
  return MakeError(ErrorCode::kAxesGiven, "RED-4",
                   "oneDNN's ReduceMax is given its axes exactly once, and here neither as attribute nor as "
                   "input",
                   "; add --axes 0,-1, or --axes '' to reduce nothing");
}

/// The operator's options for a source with this description.
Result<ReduceMaxOptions> OptionsFor(const ReduceMaxArguments& arguments, const TensorView& source) {
  ReduceMaxOptions options;
  options.keepdims = arguments.keepdims;
  options.version = VersionOf(arguments);
  options.threads = arguments.files.threads;
  options.source_name = arguments.input;
  options.output_name = arguments.files.output;
  if (arguments.axes) options.axes = *arguments.axes;
  if (options.version != ReduceMaxVersion::kOneDnn) {
    options.axes = AxesOfOnnx(options.axes.list(), arguments.noop_with_empty_axes);
  } else if (!options.axes) {
    return AxesMissing(source, options);
  }
  return options;
}

Result<BoundedTensor> Compute(const ReduceMaxArguments& arguments, const ReadFiles& files) {
  const Tensor& source = files.inputs.front();
  const Result<ReduceMaxOptions> stated = OptionsFor(arguments, source.View());
  if (!stated) return stated.error();
  const ReduceMaxOptions& options = *stated;
  const Result<Shape> shape = ReduceMaxOutputShape(source.View(), options);
  if (!shape) return shape.error();
  return MakeOutput(
      files, *shape,
      [&](std::span<const TensorView> values, MutableTensorView to) {
        return ReduceMax(values[0], to, options);
      },
      [&](std::span<const TensorView> values, std::span<const TensorView> bound_views,
          const BoundedOutput& to) { return ReduceMaxWithBounds(values[0], bound_views[0], to, options); });
}

Streaming Streamed(const ReduceMaxArguments& arguments) {
  Streaming streaming;
  streaming.shape = [&](std::span<const TensorView> inputs) -> Result<Shape> {
    const Result<ReduceMaxOptions> options = OptionsFor(arguments, inputs[0]);
    if (!options) return options.error();
    return ReduceMaxOutputShape(inputs[0], *options);
  };
  streaming.least_buffer_bytes = stream::LeastBufferBytesOfReduceMax();
  streaming.run = [&](std::span<const stream::Source> sources, const Shape&, stream::Output& output,
                      const stream::StreamOptions& how) -> Result<void> {
    const Result<ReduceMaxOptions> options = OptionsFor(arguments, sources[0].Description());
    if (!options) return options.error();
    return stream::StreamReduceMax(sources[0], options->axes.list(), output, how);
  };
  return streaming;
}

Result<ExitStatus> Execute(const ReduceMaxArguments& arguments) {
  if (arguments.noop_with_empty_axes && VersionOf(arguments) == ReduceMaxVersion::kOneDnn) {
    return MakeError(
        ErrorCode::kInvalidArgument, "RED-4",
        "--noop-with-empty-axes is an attribute of ONNX; with --semantics onednn an empty list of "
        "axes always reduces nothing",
        ": leave it out");
  }
  return ComputeFromFiles(
      "reduce-max", arguments.files, [&](const ReadFiles& files) { return Compute(arguments, files); },
      Streamed(arguments));
}

}  // namespace

Verb AddReduceMax(CLI::App& app) {
  const auto arguments = std::make_shared<ReduceMaxArguments>();
  CLI::App* verb = AddVerb(
      app, "reduce-max", "The maximum of a tensor in a file along any of its dimensions.",
      "Without --axes, or with an empty list of them (--axes ''), all dimensions are reduced;\n"
      "--noop-with-empty-axes reduces none instead. The maximum of no elements is -inf, the least\n"
      "value of an integer type, or false.\n\n"
      "--semantics\n"
      "  supremum   every type\n"
      "  onnx       the types of ReduceMax-20: no int16, no uint16 (TYP-4)\n"
      "  onednn     float32, bfloat16 and float16 (TYP-5); --axes must be given, and an empty list\n"
      "             reduces nothing (RED-4)\n\n" +
          std::string(BoundHelp()) +
          "\nExamples:\n"
          "  supremum reduce-max a.npy -o highest.npy\n"
          "  supremum reduce-max a.npy --axes 0,-1 --keepdims -o y.npy\n"
          "  supremum reduce-max b:float32:2x3:b.bin --axes -1 -o y.pb --semantics onednn\n"
          "  supremum reduce-max v.npy --dtype bfloat16 --axes '' --noop-with-empty-axes -o v.npz --json -\n"
          "  supremum reduce-max a.npy --axes 0 --bound a.npy=e.npy -o y.npy\n"
          "  supremum reduce-max huge.npy --axes 0 -o y.npy --memory 1GiB\n");
  AddPositional(*verb, "INPUT", &arguments->input, kInputHelp);
  AddAxes(*verb, &arguments->axes);
  AddFlag(*verb, "--keepdims", &arguments->keepdims, "keep reduced dimensions, with extent 1 (RED-3)");
  AddFlag(*verb, "--noop-with-empty-axes", &arguments->noop_with_empty_axes,
          "reduce nothing if no axes are given (RED-5)");
  AddChoice(*verb, "--semantics", {"supremum", "onnx", "onednn"}, &arguments->semantics,
            "the rules to apply");
  AddFileOptions(*verb, "", &arguments->files);
  return {verb, [arguments] {
            arguments->files.inputs = {arguments->input};
            return Execute(*arguments);
          }};
}

}  // namespace supremum::cli
