// Checks of a graph and its inputs that need no computed shape, and the strides of its tensors.
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

/// The strides of a tensor of known shape: the stated ones, else row-major ones.
///
/// Errors: `mismatch` if the number of stated strides is not the rank. `who` names the tensor in error texts.
Result<Shape> StridesFor(const OneDnnTensor& stated, const std::string& who, DimsView shape,
                         ErrorCode mismatch);

/// "input '3'": the name in error texts of a tensor that is given, or that an op reads.
std::string InputName(const OneDnnTensor& tensor);

/// "output '3'": that of a tensor that an op computes.
std::string OutputName(const OneDnnTensor& tensor);

/// The shape as far as it is stated: "[1,?]". Requires: there is one.
std::string ShapeText(const OneDnnTensor& tensor);

// Errors whose shapes are numbers in a run, and may have unknown extents before one.

/// kRank: the axes of a ReduceMax have `shape`, which is no list.
Error AxesRankError(const OneDnnTensor& axes, std::string_view shape);

/// kNotBroadcastable: the inputs of a Maximum without broadcasting have different shapes.
Error BroadcastIsOffError(const OneDnnTensor& first, std::string_view first_shape, const OneDnnTensor& second,
                          std::string_view second_shape);

/// kOutputShapeMismatch (E2): the computed shape is `shape`.
Error StatedShapeError(const OneDnnTensor& stated, std::string_view shape);

/// `code`: the number of stated strides is not the rank of `shape`.
Error StridesError(const OneDnnTensor& stated, std::string_view who, std::string_view shape, ErrorCode code);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_
