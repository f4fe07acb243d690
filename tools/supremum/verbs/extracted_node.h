// Nodes that `extract` and `emit-c --node` take out of a model.
#ifndef SUPREMUM_TOOLS_VERBS_EXTRACTED_NODE_H_
#define SUPREMUM_TOOLS_VERBS_EXTRACTED_NODE_H_

#include <string>
#include <vector>

#include "generate/model_proto.h"
#include "supremum/extract.h"
#include "supremum/result.h"

namespace supremum::cli {

/// "node 'fuse' (Max)", or "node 'fuse' (Max) in function 'f', ...".
std::string TitleOf(const ExtractedNode& node);

/// Keeps the nodes that --node names: by their names, or as #N by their positions in their graphs. All of
/// them if `names` is empty. Errors: kInvalidArgument for a name that no node has.
Result<void> SelectNodes(const std::vector<std::string>& names, std::vector<ExtractedNode>* nodes);

/// The node as a model of its own, whose inputs are the node's. Requires: node.obstacle is empty.
/// Errors: those of OutputExtents.
Result<io::OneNodeModel> ModelOf(const ExtractedNode& node);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_EXTRACTED_NODE_H_
