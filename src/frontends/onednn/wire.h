// Connects a graph: producers of tensors, order of execution, inputs and outputs.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_WIRE_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_WIRE_H_

#include <cstdint>
#include <vector>

#include "frontends/onednn/graph.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Completes a graph whose ops and tensors have been read. The ports are those in the file; empty if the file
/// has none.
///
/// Errors: kMalformedFile for two ops with the same id, a tensor with two producers, a cycle, ports that
///   occur twice, name no tensor, or are on the wrong side, and an input that is read but not listed.
/// Cost: linear in the ops and their tensors.
Result<void> Wire(const std::vector<std::uint64_t>& input_ports,
                  const std::vector<std::uint64_t>& output_ports, Graph* graph);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_WIRE_H_
