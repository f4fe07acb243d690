// The expected output of a model of one node, by the reference, which shares no code with the kernels.
#ifndef SUPREMUM_TOOLS_VERBS_ONE_NODE_H_
#define SUPREMUM_TOOLS_VERBS_ONE_NODE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "generate/model_proto.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// The axes that the node reduces: RED-5 applied to the axes in the model. Absent: all.
std::optional<std::vector<std::int64_t>> AxesOf(const io::OneNodeModel& model);

/// The output's extents. Errors: those of the reference for shapes and axes.
Result<std::vector<std::int64_t>> OutputExtents(const io::OneNodeModel& model);

/// The output. Requires: the model's output has OutputExtents; `inputs` are of its type and shapes.
/// Errors: kLimitExceeded, kOutOfMemory.
Result<Tensor> ReferenceOutput(const io::OneNodeModel& model, std::span<const NamedTensor> inputs,
                               std::int64_t max_bytes = kDefaultMaxBytes);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_VERBS_ONE_NODE_H_
