// The parts of reading a graph from JSON.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_GRAPH_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_GRAPH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "frontends/onednn/graph.h"
#include "io/json/json.h"
#include "supremum/onednn_graph.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Reads a tensor; `where` names its place in error texts.
///
/// Errors: kMalformedFile; kUnsupportedFormat for an opaque layout.
Result<OneDnnTensor> ReadTensor(const JsonValue& json, const std::string& where);

/// Adds to `known` what `again`, a second description of the same tensor, states.
///
/// Errors: kMalformedFile, with both descriptions, if they contradict each other.
Result<void> Merge(const OneDnnTensor& again, const std::string& where, OneDnnTensor* known);

/// Reads `attrs` of an op of `kind`. `where` names the op: "g.json: op 0 'r' (ReduceMax)". Attributes of
/// other kinds are not read.
///
/// Errors: kMalformedFile for an attribute that the kind does not have, since it could change the meaning of
///   the op, and for an invalid type or value.
Result<OneDnnAttributes> ReadAttributes(Kind kind, const JsonValue& attrs, const std::string& where);

/// Completes a graph whose ops and tensors have been read: producers of tensors, order of execution, inputs
/// and outputs. The ports are those in the file; empty if the file has none.
///
/// Errors: kMalformedFile for two ops with the same id, a tensor with two producers, a cycle, ports that
///   occur twice, name no tensor, or are on the wrong side, and an input that is read but not listed.
/// Cost: linear in the ops and their tensors.
Result<void> Wire(const std::vector<std::uint64_t>& input_ports,
                  const std::vector<std::uint64_t>& output_ports, Graph* graph);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_READ_GRAPH_H_
