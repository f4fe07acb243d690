// The checks of a run that need no computed shape.
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

/// Checks the graph's kinds and types, and the inputs. Returns the given tensor for each tensor of the graph,
/// or null. Ensures: types and shapes are those that the graph states.
///
/// Errors, in this order: kUnsupportedOperator for the first op, in the file's order, that supremum does not
///   execute; kInvalidArgument for the inputs; kInputCount, kTypeMismatch (TYP-2) and kTypeNotAdmitted
///   (TYP-5) for the first op in the order of execution; kTypeMismatch for a given tensor of another type.
Result<std::vector<const Tensor*>> CheckRun(const Graph& graph, std::span<const NamedTensor> inputs);

/// True if `actual` is a shape that `stated` allows.
bool Fits(const OneDnnTensor& stated, DimsView actual);

/// "input '3'": the name in error texts of a tensor that is given, or that an op reads.
std::string InputName(const OneDnnTensor& tensor);

}  // namespace supremum::onednn_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONEDNN_CHECK_H_
