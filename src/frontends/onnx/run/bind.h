// Binds the caller's tensors to the inputs of a graph, and numbers to its symbolic dimensions, from the
// shapes of a run.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_RUN_BIND_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_RUN_BIND_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "frontends/onnx/read/graph.h"
#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum::onnx_front {

class DimBindings {
 public:
  /// Starts with the numbers that the caller gives. Errors: kInvalidArgument for a symbol that the graph does
  /// not have, and for a negative number.
  static Result<DimBindings> Make(const Graph& graph, const std::map<std::string, std::int64_t>& dims);

  /// Compares an actual shape with the stated one and binds the symbols in it. `who` names the tensor in
  /// error texts: "input 'x'".
  ///
  /// Errors: `mismatch` if the rank, a number, or a symbol that is already bound differs; the text shows both
  ///   shapes.
  Result<void> Bind(const std::string& who, const SymbolicShape& stated, DimsView actual, ErrorCode mismatch);

 private:
  struct Binding {
    std::int64_t value;
    std::string by;
  };
  std::map<std::string, Binding> bindings_;
};

/// The number of the value of each input. Ensures: types and shapes are those that the model states.
///
/// Errors: kInvalidArgument for an input that the graph does not have, that is given twice or not at all, or
///   has another shape; kTypeMismatch (TYP-2); kSparseTensor (PRO-1).
Result<std::vector<std::size_t>> BindInputs(const Graph& graph, std::span<const NamedView> inputs,
                                            DimBindings& bindings);

/// The same of the graph's outputs that the caller gives memory for. Errors: kInvalidArgument for an output
/// that the graph does not have, or that is given twice.
Result<std::vector<std::size_t>> BindOutputs(const Graph& graph, std::span<const NamedMutableView> outputs);

/// The error bounds of the inputs by value number, null for values without one.
///
/// Errors: kInvalidArgument for an input that the graph does not have, or whose bound is given twice.
Result<std::vector<const Tensor*>> BindBounds(const Graph& graph, std::span<const NamedTensor> bounds);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_RUN_BIND_H_
