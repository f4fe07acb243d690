#include "frontends/onnx/static_loops.h"

#include <cstddef>
#include <cstdint>

#include "core/align.h"
#include "ops/loop_nest.h"
#include "supremum/tensor_view.h"

namespace supremum::onnx_front {

Result<void> SetMaxLoops(std::span<const StaticValue> values, StaticNode& node) {
  const DimsView output = values[node.output].shape;
  LoopNest nest;
  if (auto ok = nest.Init(output, RowMajorStrides(output), node.inputs.size()); !ok) return ok;
  for (std::size_t m = 0; m < node.inputs.size(); ++m) {
    TensorView view;
    view.shape = values[node.inputs[m]].shape;
    nest.SetStrides(m, AlignedStrides(view, output.size()));
  }
  nest.Merge();
  for (std::size_t d = 0; d < nest.rank(); ++d) {
    StaticLoop& loop = node.loops.emplace_back(StaticLoop{nest.extents()[d], nest.DrivingSteps()[d], {}});
    for (std::size_t m = 0; m < node.inputs.size(); ++m) loop.input_steps.push_back(nest.Steps(m)[d]);
  }
  return {};
}

Result<void> SetReduceMaxLoops(DimsView source, AxisSet reduced, StaticNode& node) {
  const Shape output = ReducedShape(source, reduced, true);
  node.of_nothing = ElementCount(source) == 0;
  if (node.of_nothing) {
    const std::int64_t elements = *ElementCount(output);
    if (elements > 1) node.loops.push_back({elements, 1, {0}});
    return {};
  }
  Shape output_strides = RowMajorStrides(output);
  for (std::size_t d = 0; d < source.size(); ++d) {
    if (reduced.Has(d)) output_strides[d] = 0;
  }
  LoopNest nest;
  if (auto ok = nest.Init(source, RowMajorStrides(source), 1); !ok) return ok;
  nest.SetStrides(0, output_strides);
  nest.Merge();
  for (std::size_t d = 0; d < nest.rank(); ++d) {
    const StaticLoop loop{nest.extents()[d], nest.Steps(0)[d], {nest.DrivingSteps()[d]}};
    (loop.output_step == 0 ? node.reduced_loops : node.loops).push_back(loop);
  }
  return {};
}

}  // namespace supremum::onnx_front
