// Type and shape inference for Max and for whole graphs, with symbolic dimensions.
#ifndef SUPREMUM_SRC_ONNX_INFER_H_
#define SUPREMUM_SRC_ONNX_INFER_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/graph.h"
#include "supremum/model.h"
#include "supremum/opset.h"
#include "supremum/result.h"

namespace supremum::onnx_front {

/// What can be said of the common shape of shapes that are partly unknown.
struct CommonShape {
  std::optional<SymbolicShape> shape;  ///< empty if the rank of an input is not known
  /// Empty if every assignment of numbers to symbols and unknowns is compatible (BRO-2, or MAX-3 where the
  /// version does not broadcast); else what is missing to decide it.
  std::string undecided;
};

/// The common shape of a Max's inputs. In each dimension: the number other than 1, if an input states one
/// (the others are then 1 or it); else the symbol, if all that is not 1 is that symbol; 1 if all are 1; else
/// not known.
///
/// Errors: kNotBroadcastable (E1: BRO-2, MAX-3) if no assignment is compatible, kRank.
Result<CommonShape> InferCommonShape(std::span<const ValueInfo* const> inputs, MaxVersion version);

/// The one type of a Max's inputs, or empty if none of them is known. Errors: kTypeMismatch (TYP-2),
/// kTypeNotAdmitted (TYP-3), kSparseTensor (PRO-1).
Result<std::optional<DType>> InferMaxType(std::span<const ValueInfo* const> inputs, MaxVersion version);

/// PRO-1: an input is a sparse tensor.
Error SparseInputError(const ValueInfo& input);

/// TYP-2: an output is stated with a type that is not the computed one.
Error StatedTypeError(const ValueInfo& stated, std::string_view computed);

/// `stated` completed by `inferred`. Errors: kTypeMismatch, and kOutputShapeMismatch (E2) where both are
/// known and differ.
Result<ValueInfo> Complete(const ValueInfo& stated, const ValueInfo& inferred);

/// What is known of each value of the graph: stated, and inferred for Max, ReduceMax, Constant and
/// Identity. By the values' numbers.
///
/// Errors: those above and those of infer_reduce_max.h, with the node.
Result<std::vector<ValueInfo>> InferGraph(const Graph& graph);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_INFER_H_
