// supremum max: the maximum of tensors in files.
#include "supremum/max.h"

#include <memory>
#include <string_view>
#include <vector>

#include "from_files.h"
#include "options.h"
#include "supremum/broadcast.h"
#include "verbs.h"

namespace supremum::cli {
namespace {

struct MaxArguments {
  FileArguments files;
  bool no_broadcast = false;
};

Result<Tensor> Compute(const MaxArguments& arguments, const std::vector<Tensor>& inputs) {
  std::vector<TensorView> views;
  std::vector<DimsView> shapes;
  for (const Tensor& input : inputs) {
    views.push_back(input.View());
    shapes.push_back(input.shape());
  }
  MaxOptions options;
  options.identical_shapes_only = arguments.no_broadcast;
  options.threads = arguments.files.threads;
  const std::vector<std::string_view> names(arguments.files.inputs.begin(), arguments.files.inputs.end());
  options.input_names = names;
  options.output_name = arguments.files.output;
  // Where there is no common shape, Max is still asked, with any output: it knows which error comes first.
  const Shape shape = BroadcastShapes(shapes).value_or(inputs.front().shape());
  Result<Tensor> output = Tensor::Create(inputs.front().dtype(), shape, arguments.files.max_bytes);
  if (!output) return output;
  if (Result<void> done = Max(views, output->MutableView(), options); !done) return done.error();
  return output;
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
  AddPositionals(*verb, "INPUT", &arguments->files.inputs, kInputHelp);
  AddNoBroadcast(*verb, &arguments->no_broadcast);
  AddFileOptions(*verb, "INPUT", &arguments->files);
  return {verb, [arguments] {
            return ComputeFromFiles("max", arguments->files, [&](const std::vector<Tensor>& inputs) {
              return Compute(*arguments, inputs);
            });
          }};
}

}  // namespace supremum::cli
