// supremum max: the maximum of tensors in files.
#include "supremum/max.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bounds.h"
#include "cli/options.h"
#include "supremum/bounds.h"
#include "supremum/broadcast.h"
#include "verbs/from_files.h"
#include "verbs/stream_files.h"
#include "verbs/verbs.h"

namespace supremum::cli {
namespace {

struct MaxArguments {
  FileArguments files;
  bool no_broadcast = false;
};

/// The options, and the names that they refer to.
struct NamedOptions {
  explicit NamedOptions(const MaxArguments& arguments)
      : names(arguments.files.inputs.begin(), arguments.files.inputs.end()) {
    options.identical_shapes_only = arguments.no_broadcast;
    options.threads = arguments.files.threads;
    options.input_names = names;
    options.output_name = arguments.files.output;
  }
  NamedOptions(const NamedOptions&) = delete;
  NamedOptions& operator=(const NamedOptions&) = delete;

  std::vector<std::string_view> names;
  MaxOptions options;
};

// Without a common shape, Max is called with any output shape: it reports the first of several errors.
Shape ShapeFor(const ReadFiles& files) {
  std::vector<DimsView> shapes;
  for (const Tensor& input : files.inputs) shapes.push_back(input.shape());
  return BroadcastShapes(shapes).value_or(files.inputs.front().shape());
}

Result<BoundedTensor> Compute(const MaxArguments& arguments, const ReadFiles& files) {
  const NamedOptions named(arguments);
  const MaxOptions& options = named.options;
  return MakeOutput(
      files, ShapeFor(files),
      [&](std::span<const TensorView> values, MutableTensorView to) { return Max(values, to, options); },
      [&](std::span<const TensorView> values, std::span<const TensorView> bound_views,
          const BoundedOutput& to) { return MaxWithBounds(values, bound_views, to, options); });
}

Streaming Streamed(const MaxArguments& arguments) {
  Streaming streaming;
  streaming.shape = [&](std::span<const TensorView> inputs) {
    return MaxOutputShape(inputs, NamedOptions(arguments).options);
  };
  streaming.least_buffer_bytes = stream::LeastBufferBytesOfMax(arguments.files.inputs.size());
  streaming.run = stream::StreamMax;
  return streaming;
}

}  // namespace

Verb AddMax(CLI::App& app) {
  const auto arguments = std::make_shared<MaxArguments>();
  CLI::App* verb =
      AddVerb(app, "max", "The element-wise maximum of tensors in files, with broadcasting.",
              "In --dtype and --bound, INPUT is the argument as it was given, the file's name without its\n"
              "folder, or the position from 0; --dtype without INPUT= applies to every input.\n\n" +
                  std::string(BoundHelp()) +
                  "\nExamples:\n"
                  "  supremum max a.npy b.npy -o y.npy\n"
                  "  supremum max a.npy b:float32:2x3:b.bin -o y.pb --no-broadcast\n"
                  "  supremum max v.npy w.npy --dtype bfloat16 -o vw.npy --json -\n"
                  "  supremum max a.npy b.npy --bound a.npy=e.npy -o y.npy\n"
                  "  supremum max huge.npy mask.npy -o y.npy --memory 1GiB\n");
  AddPositionals(*verb, "INPUT", &arguments->files.inputs, kInputHelp);
  AddNoBroadcast(*verb, &arguments->no_broadcast);
  AddFileOptions(*verb, "INPUT", &arguments->files);
  return {verb, [arguments] {
            return ComputeFromFiles(
                "max", arguments->files, [&](const ReadFiles& files) { return Compute(*arguments, files); },
                Streamed(*arguments));
          }};
}

}  // namespace supremum::cli
