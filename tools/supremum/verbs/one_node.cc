#include "verbs/one_node.h"

#include "supremum/reduce_max.h"
#include "supremum/reference.h"

namespace supremum::cli {

std::optional<std::vector<std::int64_t>> AxesOf(const io::OneNodeModel& model) {
  std::optional<std::span<const std::int64_t>> axes;
  if (model.axes) axes = *model.axes;
  axes = AxesOfOnnx(axes, model.noop_with_empty_axes.value_or(false));
  if (!axes) return std::nullopt;
  return std::vector<std::int64_t>(axes->begin(), axes->end());
}

Result<std::vector<std::int64_t>> OutputExtents(const io::OneNodeModel& model) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const Shape& shape : model.inputs) shapes.emplace_back(shape.begin(), shape.end());
  if (model.op_type == "Max") return reference::BroadcastShape(shapes);
  const Result<std::vector<bool>> reduced = reference::ReducedDimensions(AxesOf(model), shapes[0].size());
  if (!reduced) return reduced.error();
  std::vector<std::int64_t> extents;
  for (std::size_t d = 0; d < shapes[0].size(); ++d) {
    if (!(*reduced)[d]) {
      extents.push_back(shapes[0][d]);
    } else if (model.keepdims.value_or(true)) {
      extents.push_back(1);
    }
  }
  return extents;
}

Result<Tensor> ReferenceOutput(const io::OneNodeModel& model, std::span<const NamedTensor> inputs,
                               std::int64_t max_bytes) {
  Result<Tensor> output = Tensor::Create(model.dtype, *model.output, max_bytes);
  if (!output) return output;
  Result<void> done;
  if (model.op_type == "Max") {
    std::vector<TensorView> views;
    for (const NamedTensor& input : inputs) views.push_back(input.tensor.View());
    done = reference::Max(views, output->MutableView());
  } else {
    const std::optional<std::vector<std::int64_t>> axes = AxesOf(model);
    std::optional<std::span<const std::int64_t>> view;
    if (axes) view = *axes;
    done = reference::ReduceMax(inputs[0].tensor.View(), output->MutableView(), view,
                                model.keepdims.value_or(true));
  }
  if (!done) return done.error();
  return output;
}

}  // namespace supremum::cli
