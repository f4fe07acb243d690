// oneDNN graphs of one op, written.
#ifndef SUPREMUM_TOOLS_ONEDNN_TEXT_H_
#define SUPREMUM_TOOLS_ONEDNN_TEXT_H_

#include <string>

#include "formats/model_proto.h"

namespace supremum::cli {

/// True if oneDNN graph has what the node does: its types (TYP-5), and a Maximum of two inputs.
bool OneDnnHas(const formats::OneNodeModel& model);

/// The graph that does what the node does, in the JSON that oneDNN writes: inputs 0, 1, output the next
/// number, row-major; axes as an attribute, an empty list for the identity (RED-4).
///
/// Requires: OneDnnHas(model); the output's shape is set.
std::string OneDnnGraphText(const std::string& name, const formats::OneNodeModel& model);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_ONEDNN_TEXT_H_
