// Checks of a graph and its inputs that need no computed shape.
#ifndef SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_
#define SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_

#include <span>
#include <string>
#include <string_view>
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

/// RED-4: the axes of a ReduceMax are an attribute or an input, and not both.
///
/// Errors: kAxesGiven.
Result<void> CheckAxesGiven(const Graph& graph, const GraphOp& op);

/// Errors: kTypeMismatch for a given tensor whose type is not the stated one.
Result<void> CheckGivenTypes(const Graph& graph, const std::vector<const Tensor*>& given);

/// True if `actual` is a shape that `stated` allows.
bool Fits(const OneDnnTensor& stated, DimsView actual);

/// "input '3'": the name in error texts of a tensor that is given, or that an op reads.
std::string InputName(const OneDnnTensor& tensor);

/// The shape as far as it is stated: "[1,?]". Requires: there is one.
std::string ShapeText(const OneDnnTensor& tensor);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_
