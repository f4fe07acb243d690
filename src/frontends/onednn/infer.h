// The shapes that follow in a oneDNN graph before it runs.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_INFER_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_INFER_H_

#include <vector>

#include "frontends/onednn/graph.h"
#include "supremum/onednn_graph.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// What OneDnnGraph::Infer does.
Result<std::vector<OneDnnTensor>> InferGraph(const Graph& graph);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_INFER_H_
