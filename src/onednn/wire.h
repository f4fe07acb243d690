// Who produces what, in which order the ops run, and what the graph takes and gives.
#ifndef SUPREMUM_SRC_ONEDNN_WIRE_H_
#define SUPREMUM_SRC_ONEDNN_WIRE_H_

#include <cstdint>
#include <vector>

#include "onednn/graph.h"
#include "supremum/result.h"

namespace supremum::onednn_front {

/// Completes a graph whose ops and tensors have been read. The ports are those that the file lists; an empty
/// list stands for none.
///
/// Errors: kMalformedFile for two ops of one id, a tensor that is produced twice, ops in a cycle, ports that
///   are listed twice, belong to no tensor, or are on the wrong side, and an input that is read and not
///   listed.
/// Cost: linear in the ops and their tensors.
Result<void> Wire(const std::vector<std::uint64_t>& input_ports,
                  const std::vector<std::uint64_t>& output_ports, Graph* graph);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_ONEDNN_WIRE_H_
