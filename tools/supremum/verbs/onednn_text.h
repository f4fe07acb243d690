// Writes oneDNN graphs of one op.
#ifndef SUPREMUM_TOOLS_VERBS_ONEDNN_TEXT_H_
#define SUPREMUM_TOOLS_VERBS_ONEDNN_TEXT_H_

#include <string>

#include "generate/model_proto.h"

namespace supremum::cli {

/// True if oneDNN graph supports the node: its type (TYP-5), and for Max two inputs.
bool OneDnnSupports(const io::OneNodeModel& model);

/// The graph that is equivalent to the node, in oneDNN's JSON: the inputs have the ids 0, 1, the output the
/// next one; all are row-major; axes are an attribute, an empty list for no reduction (RED-4). keep_dims is
/// left out unless `states_keep_dims`.
///
/// Requires: OneDnnSupports(model); the output's shape is set.
std::string OneDnnGraphText(const std::string& name, const io::OneNodeModel& model,
                            bool states_keep_dims = true);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_ONEDNN_TEXT_H_
