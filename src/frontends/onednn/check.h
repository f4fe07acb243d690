// Checks of a graph and its inputs that need no computed shape, and the strides of its tensors.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_

#include <span>
#include <string>
#include <vector>

#include "frontends/onednn/graph.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum::onednn_front {

/// Errors: kUnsupportedOperator for the first op, in the file's order, that supremum does not execute.
Result<void> CheckKinds(const Graph& graph);

/// For each tensor of the graph, the given tensor, or null. Ensures: the shapes are those that the graph
/// states.
///
/// Errors: kInvalidArgument.
Result<std::vector<const Tensor*>> MatchInputs(const Graph& graph, std::span<const NamedTensor> inputs);

/// Errors, for the first op in the order of execution: kInputCount, kTypeMismatch (TYP-2), kTypeNotAdmitted
/// (TYP-5).
Result<void> CheckTypes(const Graph& graph);

/// Errors: kTypeMismatch for a given tensor whose type is not the stated one.
Result<void> CheckGivenTypes(const Graph& graph, const std::vector<const Tensor*>& given);

/// True if `actual` is a shape that `stated` allows.
bool Fits(const OneDnnTensor& stated, DimsView actual);

/// The strides of a tensor of known shape: the stated ones, else row-major ones.
///
/// Errors: `mismatch` if the number of stated strides is not the rank. `who` names the tensor in error texts.
Result<Shape> StridesFor(const OneDnnTensor& stated, const std::string& who, DimsView shape,
                         ErrorCode mismatch);

/// "input '3'": the name in error texts of a tensor that is given, or that an op reads.
std::string InputName(const OneDnnTensor& tensor);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_
