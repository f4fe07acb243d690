// supremum max: the maximum of tensors in files.
#include "supremum/max.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bounds.h"
#include "from_files.h"
#include "options.h"
#include "supremum/bounds.h"
#include "supremum/broadcast.h"
#include "verbs.h"

namespace supremum::cli {
namespace {

struct MaxArguments {
  FileArguments files;
  bool no_broadcast = false;
};

Result<BoundedTensor> Compute(const MaxArguments& arguments, const std::vector<Tensor>& inputs,
                              const std::vector<Tensor>& bounds) {
  std::vector<DimsView> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  MaxOptions options;
  options.identical_shapes_only = arguments.no_broadcast;
  options.threads = arguments.files.threads;
  const std::vector<std::string_view> names(arguments.files.inputs.begin(), arguments.files.inputs.end());
  options.input_names = names;
  options.output_name = arguments.files.output;
  // Where there is no common shape, Max is still asked, with any output: it knows which error comes first.
  const Shape shape = BroadcastShapes(shapes).value_or(inputs.front().shape());
  return MakeOutput(
      inputs, bounds, shape, MaxBytesFor(arguments.files),
      [&](std::span<const TensorView> values, MutableTensorView to) { return Max(values, to, options); },
      [&](std::span<const TensorView> values, std::span<const TensorView> bound_views,
          const BoundedOutput& to) { return MaxWithBounds(values, bound_views, to, options); });
}

}  // namespace

Verb AddMax(CLI::App& app) {
  const auto arguments = std::make_shared<MaxArguments>();
  CLI::App* verb =
      AddVerb(app, "max", "The element-wise maximum of tensors in files, with broadcasting.",
              "--dtype and --bound call an input by its file as it was given, by the file's name alone, or\n"
              "by its position from 0; --dtype without INPUT= means every input.\n\n" +
                  std::string(BoundHelp()) +
                  "\nExamples:\n"
                  "  supremum max a.npy b.npy -o y.npy\n"
                  "  supremum max a.npy b:float32:2x3:b.bin -o y.pb --no-broadcast\n"
                  "  supremum max v.npy w.npy --dtype bfloat16 -o vw.npy --json -\n"
                  "  supremum max a.npy b.npy --bound a.npy=e.npy -o y.npy\n");
  AddPositionals(*verb, "INPUT", &arguments->files.inputs, kInputHelp);
  AddNoBroadcast(*verb, &arguments->no_broadcast);
  AddFileOptions(*verb, "INPUT", &arguments->files);
  return {verb, [arguments] {
            return ComputeFromFiles("max", arguments->files, [&](const auto& inputs, const auto& bounds) {
              return Compute(*arguments, inputs, bounds);
            });
          }};
}

}  // namespace supremum::cli
