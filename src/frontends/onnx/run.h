// Runs a graph: first all shapes, then all memory, then a loop over plans.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_RUN_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_RUN_H_

#include <span>
#include <vector>

#include "frontends/onnx/graph.h"
#include "supremum/model.h"

namespace supremum::onnx_front {

/// Implements Model::CheckRun.
Result<void> CheckRun(const Graph& graph, const onnx::ModelProto& proto, const RunOptions& options);

/// Implement Model::Run and Model::RunWithBounds. `proto` is the model that the graph was read from, for the
/// checks of the profile.
Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, const onnx::ModelProto& proto,
                                          std::span<const NamedTensor> inputs, const RunOptions& options);
Result<std::vector<BoundedTensor>> RunGraphWithBounds(const Graph& graph, const onnx::ModelProto& proto,
                                                      std::span<const NamedTensor> inputs,
                                                      std::span<const NamedTensor> bounds,
                                                      const RunOptions& options);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_RUN_H_
