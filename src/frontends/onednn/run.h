// Running a oneDNN graph.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_RUN_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_RUN_H_

#include <span>
#include <vector>

#include "frontends/onednn/graph.h"
#include "supremum/onednn_graph.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::onednn_front {

/// What OneDnnGraph::Run does.
Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, std::span<const NamedTensor> inputs,
                                          const OneDnnRunOptions& options);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_RUN_H_
