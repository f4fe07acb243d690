// What can be wrong with a graph or its inputs before any shape is computed, and what its strides are.
#ifndef SUPREMUM_SRC_ONEDNN_CHECK_H_
#define SUPREMUM_SRC_ONEDNN_CHECK_H_

#include <span>
#include <string>
#include <vector>

#include "onednn/graph.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::onednn_front {

/// Errors: kUnsupportedOperator for the first op, in the file's order, that supremum does not execute.
Result<void> CheckKinds(const Graph& graph);

/// For each tensor of the graph, the one that is given for it, or null; the shapes fit what the graph states.
///
/// Errors: kInvalidArgument.
Result<std::vector<const Tensor*>> MatchInputs(const Graph& graph, std::span<const NamedTensor> inputs);

/// Errors, for the first op in the order of execution: kInputCount, kTypeMismatch (TYP-2), kTypeNotAdmitted
/// (TYP-5).
Result<void> CheckTypes(const Graph& graph);

/// Errors: kTypeMismatch for a given tensor of another type than stated.
Result<void> CheckGivenTypes(const Graph& graph, const std::vector<const Tensor*>& given);

/// True if `actual` is a shape that `stated` allows.
bool Fits(const OneDnnTensor& stated, DimsView actual);

/// The strides of a tensor whose shape is known: those that are stated, or row-major ones.
///
/// Errors: `mismatch` if the stated strides are not as many as the extents. `who` is what messages call it.
Result<Shape> StridesFor(const OneDnnTensor& stated, const std::string& who, DimsView shape,
                         ErrorCode mismatch);

/// "input '3'": what messages call a tensor that is given, or that an op reads.
std::string InputName(const OneDnnTensor& tensor);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_ONEDNN_CHECK_H_
