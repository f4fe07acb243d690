// Reads a graph from JSON.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_GRAPH_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_GRAPH_H_

#include <string>

#include "frontends/onednn/graph.h"
#include "io/json/json.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Reads the whole graph; `source` names the file in error texts. Errors: those of OneDnnGraph::Parse.
Result<Graph> ReadGraph(const JsonValue& json, const std::string& source);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_GRAPH_H_
