// ONNX models made of Max, ReduceMax, Constant and Identity nodes: loading, describing, running.
#ifndef SUPREMUM_MODEL_H_
#define SUPREMUM_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace supremum {

/// An extent as a model states it: a number, a name (a symbolic dimension), or nothing at all.
struct Dim {
  std::optional<std::int64_t> value;
  std::string symbol;  ///< empty unless symbolic

  bool operator==(const Dim&) const = default;
};

/// "4", "batch" or "?". A symbol comes from a file: what a terminal might obey is escaped, and of a long one
/// the beginning is shown.
std::string ToString(const Dim& dim);

/// A tensor's shape as far as it is known.
using SymbolicShape = std::vector<Dim>;

/// "[batch,3,?]".
std::string ToString(const SymbolicShape& shape);

/// What a model states, or what was inferred, about a value of its graph.
struct ValueInfo {
  std::string name;
  std::string type_name;  ///< "float32", or what ONNX calls a type that supremum has not; empty: not known
  std::optional<DType> dtype;          ///< empty if not known or none of supremum's
  std::optional<SymbolicShape> shape;  ///< empty if not known; a scalar has a shape of rank 0

  bool operator==(const ValueInfo&) const = default;
};

/// "float32[2,3]"; "?" stands for what is not known.
std::string ToString(const ValueInfo& info);

/// An attribute of a node, as a run takes it: an INT, an INTS, or neither for axes that are left out, which
/// means all dimensions (RED-5).
struct AttributeInfo {
  std::string name;                                   ///< "keepdims"
  std::optional<std::int64_t> integer;                ///< of an INT
  std::optional<std::vector<std::int64_t>> integers;  ///< of an INTS
  bool is_default = false;                            ///< the node leaves it out

  bool operator==(const AttributeInfo&) const = default;
};

/// "axes=[0,-1]", "keepdims=1 (default)", "axes=all (default)".
std::string ToString(const AttributeInfo& attribute);

/// A node as far as people want to see it.
struct NodeInfo {
  std::size_t index = 0;  ///< its position in the graph, from 0
  std::string name;       ///< may be empty: ONNX does not ask for one
  std::string op_type;
  std::string domain;  ///< "" is ONNX's own
  int version =
      0;  ///< the operator's version that the opset selects; 0 if supremum does not execute the operator
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<AttributeInfo> attributes;  ///< of a ReduceMax: all that its version has
};

/// "node 'fuse' (Max)" or, for a node without a name, "node #3 (Max, output 'y')": what every message calls a
/// node.
std::string Describe(const NodeInfo& node);

struct LoadOptions {
  /// The most memory that the file's tensors may take together, and the most that its messages may take
  /// beside.
  std::int64_t max_bytes = kDefaultMaxBytes;
  /// Whether Load may read tensors whose elements lie in other files, inside the folder of the model. Nothing
  /// else is ever opened: no location that is absolute or has "..", no link of either kind.
  bool allow_external_data = false;
};

struct RunOptions {
  Profile profile = Profile::kOnnx;
  bool identical_shapes_only = false;  ///< PRO-6
  /// At most this many threads compute each node; 0: as many as the process may run at once. See MaxOptions.
  std::size_t threads = 1;
  /// Values for symbolic dimensions, beyond those that the inputs give. One that contradicts an input is an
  /// error.
  std::map<std::string, std::int64_t> dims;
  /// The most memory that the tensors of a run take, and its plans, if that is more than 1 MiB. Together all
  /// nodes read and write at most 128 times as much.
  std::int64_t max_bytes = kDefaultMaxBytes;
  /// Called before node `done` of `total` runs, if set.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// An output of a run, and what is known of the true one: bounds.h says what each means (ACC-2, ACC-3).
struct BoundedTensor {
  std::string name;
  Tensor value;
  Tensor bound = {};
  Tensor lower = {};
  Tensor upper = {};
};

/// An ONNX model that has been read and found to be well-formed.
class Model {
 public:
  /// Reads a model from a file. Any operator is accepted here; Run says which one it does not execute.
  ///
  /// Errors: kIo; kMalformedFile (not a model, names produced twice or never, nodes not in topological order,
  /// tensors whose
  ///   data does not fit their type and shape, ...); kLimitExceeded; kOutOfMemory. What keeps a model from
  ///   being run alone is an error of Run: external data that is not allowed, or that no place allows.
  ///
  ///   Result<Model> model = Model::Load("fuse.onnx");
  ///   if (!model) return model.error();
  ///   auto outputs = model->Run(inputs);
  static Result<Model> Load(const std::string& path, const LoadOptions& options = {});

  /// The same from memory, where there is no folder and so no external data; `source` is what messages call
  /// it.
  static Result<Model> Parse(std::span<const std::byte> bytes, const std::string& source,
                             const LoadOptions& options = {});

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  const std::string& graph_name() const;
  std::int64_t ir_version() const;
  const std::string& producer() const;

  /// The opset of ONNX's own domain.
  std::int64_t opset() const;

  /// The graph's inputs that have no initializer: those a run must be given. In the graph's order.
  const std::vector<ValueInfo>& inputs() const;

  /// The graph's inputs that have an initializer, as IR versions below 4 list them: a run may be given them.
  const std::vector<ValueInfo>& optional_inputs() const;

  const std::vector<ValueInfo>& outputs() const;
  std::vector<ValueInfo> initializers() const;
  const std::vector<NodeInfo>& nodes() const;

  /// Everything that is known of each value in the graph, in the order inputs, initializers, nodes' outputs:
  /// what the model states, completed by type and shape inference for Max, ReduceMax, Constant and Identity
  /// nodes, symbolic dimensions included. Where the axes of a ReduceMax are known only when the model runs,
  /// of its output's shape no more is known than every list of axes gives.
  ///
  /// Errors: those that make the model invalid whatever its inputs are: kInputCount, kTypeMismatch (TYP-2),
  ///   kTypeNotAdmitted (TYP-3, TYP-4), kSparseTensor, kRank, kAxis (RED-2, RED-5), kNotBroadcastable (E1),
  ///   kOutputShapeMismatch (E2).
  Result<std::vector<ValueInfo>> Infer() const;

  /// Computes the graph's outputs. Symbolic dimensions are bound from the actual inputs, consistently; every
  /// type and shape that the model states is compared with what is computed. All shapes are checked and all
  /// memory is taken before the first node runs; only where nodes of the model compute the axes of a
  /// ReduceMax, the nodes before that one run first, since its output's shape follows from their result.
  ///
  /// Errors: kUnsupportedOperator for an operator other than Max, ReduceMax, Constant and Identity;
  ///   kInvalidArgument for an input that is missing, unknown or given twice, has another shape than stated,
  ///   or gives a symbolic dimension a second value; kSparseTensor; with Profile::kSonnx the first finding of
  ///   CheckModel; those of Infer, of Max and of ReduceMax.
  /// Returns: the graph's outputs, in the graph's order.
  Result<std::vector<NamedTensor>> Run(std::span<const NamedTensor> inputs,
                                       const RunOptions& options = {}) const;

  /// The same, with what bounds of the inputs' errors say of the outputs. `bounds` are named as the inputs
  /// whose errors they bound, and broadcast to them; inputs without one, and the model's constants, are
  /// exact. Bounds and enclosures go through every node as they are, so that the model's outputs have those
  /// that one Max or ReduceMax of all that reaches them would have.
  ///
  /// Errors: those of Run, and of MaxWithBounds for bounds; kInvalidArgument for a bound of an input that the
  ///   model does not have or that is given twice, and for a bound other than 0 of the axes of a ReduceMax.
  /// Cost: four times that of Run, in memory too, and three tensors for each input and constant.
  ///
  ///   auto outputs = model->RunWithBounds(inputs, bounds);    // bounds[k].name is an input's
  Result<std::vector<BoundedTensor>> RunWithBounds(std::span<const NamedTensor> inputs,
                                                   std::span<const NamedTensor> bounds,
                                                   const RunOptions& options = {}) const;

 private:
  struct State;
  explicit Model(std::unique_ptr<State> state);
  static Result<Model> Read(std::span<const std::byte> bytes, const std::string& source,
                            const LoadOptions& options, const std::optional<std::string>& folder);
  std::unique_ptr<State> state_;
};

}  // namespace supremum

#endif  // SUPREMUM_MODEL_H_
