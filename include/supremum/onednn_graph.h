// Reads, describes and runs oneDNN graphs of ReduceMax and Maximum, in the JSON format that oneDNN writes.
#ifndef SUPREMUM_ONEDNN_GRAPH_H_
#define SUPREMUM_ONEDNN_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum {

/// The value of an extent that a graph does not state.
inline constexpr std::int64_t kUnknownExtent = -1;

/// The graph's description of a tensor: oneDNN's logical tensor.
struct OneDnnTensor {
  std::uint64_t id = 0;
  std::string dtype_name;      ///< as in the file: "f32"
  std::optional<DType> dtype;  ///< empty for an unsupported type
  /// Extents, kUnknownExtent for one that is not stated. Empty if no shape is stated, which oneDNN writes as
  /// the list [-1].
  std::optional<std::vector<std::int64_t>> shape;
  /// In elements, one for each extent; empty if none are stated. They have no effect on a run.
  std::optional<std::vector<std::int64_t>> strides;
  std::string property_type = "undef";
};

/// "f32[1,128,?]"; "f32" where no shape is stated.
std::string ToString(const OneDnnTensor& tensor);

/// The attributes of a ReduceMax or a Maximum, with oneDNN's defaults where the graph states none.
struct OneDnnAttributes {
  std::optional<std::vector<std::int64_t>> axes;  ///< of ReduceMax; empty: they are its second input (RED-4)
  bool keep_dims = false;                         ///< of ReduceMax
  bool broadcast = true;                          ///< of Maximum: auto_broadcast is "numpy", not "none"

  bool operator==(const OneDnnAttributes&) const = default;
};

/// An operation of the graph. Tensors are named by their ids.
struct OneDnnOp {
  std::uint64_t id = 0;
  std::string name;
  std::string kind;
  std::vector<std::uint64_t> inputs;
  std::vector<std::uint64_t> outputs;
  OneDnnAttributes attributes = {};  ///< only those of ReduceMax and Maximum are read
};

/// "op 0 'REDUCTION_0' (ReduceMax)": the form of an op in every message.
std::string Describe(const OneDnnOp& op);

struct OneDnnRunOptions {
  bool identical_shapes_only = false;  ///< PRO-6: refuse a Maximum of different shapes
  /// The maximum number of threads that compute an op; 0: as many as the process may run. See MaxOptions.
  std::size_t threads = 1;
  /// Maximum memory of all tensors that a run allocates, in bytes.
  std::int64_t max_bytes = kDefaultMaxBytes;
  /// Called before op `done` of `total` runs, if set.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// A graph that has been read and found to be well-formed. docs/onednn.md states everything that is read.
class OneDnnGraph {
 public:
  /// Reads a graph. Any kind of op is accepted here; Run reports one that it does not execute. `source` is
  /// the file's name in messages.
  ///
  /// Errors: kMalformedFile; kUnsupportedFormat for an opaque layout or a version before 3; kLimitExceeded if
  ///   the graph needs more than `max_bytes` of memory; kOutOfMemory. Malformed are: text that is not JSON, a
  ///   repeated key, a value of the wrong type. Malformed ReduceMax and Maximum ops have an unknown
  ///   attribute, an attribute of another type, or a second output. Malformed graphs have a tensor with two
  ///   different descriptions or two producers, ops in a cycle, or ports that are no inputs or outputs. The
  ///   text states the byte, or the ops by id, name and kind, and the tensor by id.
  ///
  ///   Result<OneDnnGraph> graph = OneDnnGraph::Parse(text, "graph.json");
  ///   if (!graph) return graph.error();
  ///   auto outputs = graph->Run(inputs);    // inputs named "0", "1", ...: by the tensors' ids
  static Result<OneDnnGraph> Parse(std::string_view json, const std::string& source,
                                   std::int64_t max_bytes = kDefaultMaxBytes);

  OneDnnGraph(OneDnnGraph&&) noexcept;
  OneDnnGraph& operator=(OneDnnGraph&&) noexcept;
  ~OneDnnGraph();

  /// "3.0.0", as the graph states it.
  const std::string& version() const;

  /// The ops, in the graph's order, which need not be the order of execution.
  std::vector<OneDnnOp> ops() const;

  /// Every tensor once, in the order in which the ops first name them.
  std::vector<OneDnnTensor> tensors() const;

  /// The inputs and outputs of a run: the ports that the graph lists, in its order. If it lists none: the
  /// tensors that no op produces, and those that no op consumes.
  std::vector<OneDnnTensor> inputs() const;
  std::vector<OneDnnTensor> outputs() const;

  /// True if the tensor is read as the `axes` of a ReduceMax.
  bool IsAxes(std::uint64_t id) const;

  /// Computes the graph's outputs. `inputs` are named by the decimal ids of their tensors. All tensors of a
  /// run are row-major, whatever strides the graph states. All checks are made and all memory is allocated
  /// before the first op runs.
  ///
  /// Errors: kUnsupportedOperator for an op other than ReduceMax and Maximum; kInvalidArgument for an input
  ///   that is missing, unknown, given twice, or of another shape than stated.
  ///   Errors of an op: kInputCount; kTypeMismatch (TYP-2); kTypeNotAdmitted (TYP-5); kBroadcastRefused
  ///   (PRO-6); kRank; kAxis (RED-2); kAxesGiven (RED-4); kNotBroadcastable (E1). A stated shape
  ///   that is not the computed one is kOutputShapeMismatch (E2). Otherwise kLimitExceeded or kOutOfMemory.
  /// Returns: the outputs, row-major, named by their ids, in the order of outputs().
  /// Cost: that of the ops.
  Result<std::vector<NamedTensor>> Run(std::span<const NamedTensor> inputs,
                                       const OneDnnRunOptions& options = {}) const;

 private:
  struct State;
  explicit OneDnnGraph(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace supremum

#endif  // SUPREMUM_ONEDNN_GRAPH_H_
