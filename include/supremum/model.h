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

/// An extent as a model states it: a number, a name (a symbolic dimension), or neither (unknown).
struct Dim {
  std::optional<std::int64_t> value;
  std::string symbol;  ///< empty unless symbolic

  bool operator==(const Dim&) const = default;
};

/// "4", "batch" or "?". A symbol comes from a file: terminal control characters are escaped, and a long
/// symbol is shortened.
std::string ToString(const Dim& dim);

/// A tensor's shape as far as it is known.
using SymbolicShape = std::vector<Dim>;

/// "[batch,3,?]".
std::string ToString(const SymbolicShape& shape);

/// The stated or inferred type and shape of a value of a model's graph.
struct ValueInfo {
  std::string name;
  std::string type_name;       ///< "float32", or ONNX's name of an unsupported type; empty if not known
  std::optional<DType> dtype;  ///< empty if not known or not supported
  std::optional<SymbolicShape> shape;  ///< empty if not known; a scalar has a shape of rank 0

  bool operator==(const ValueInfo&) const = default;
};

/// "float32[2,3]", with "?" for an unknown type or shape.
std::string ToString(const ValueInfo& info);

/// An attribute of a node, as a run uses it: an INT, an INTS, or neither for absent axes, which mean all
/// dimensions (RED-5).
struct AttributeInfo {
  std::string name;                                   ///< "keepdims"
  std::optional<std::int64_t> integer;                ///< the value of an INT
  std::optional<std::vector<std::int64_t>> integers;  ///< the value of an INTS
  bool is_default = false;                            ///< true if the node does not state it

  bool operator==(const AttributeInfo&) const = default;
};

/// "axes=[0,-1]", "keepdims=1 (default)", "axes=all (default)".
std::string ToString(const AttributeInfo& attribute);

/// A description of a node, for people.
struct NodeInfo {
  std::size_t index = 0;  ///< its position in the graph, from 0
  std::string name;       ///< may be empty: ONNX does not require one
  std::string op_type;
  std::string domain;  ///< "" is ONNX's own
  int version =
      0;  ///< the operator's version that the opset selects; 0 if supremum does not execute the operator
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<AttributeInfo> attributes;  ///< of a ReduceMax: all attributes of its version
  /// In Model::nodes, of a node of a function: "function 'f', called by node #2 (f, output 'y')".
  std::string scope;
};

/// "node 'fuse' (Max)" or, for a node without a name, "node #3 (Max, output 'y')": the form of a node in
/// every message.
std::string Describe(const NodeInfo& node);

/// One entry of a model's opset imports.
struct OpsetImport {
  std::string domain;  ///< "" is ONNX's own
  std::int64_t version = 0;
};

/// A function that a model defines.
struct FunctionInfo {
  std::string domain;
  std::string name;
  std::size_t nodes = 0;    ///< of the function itself, without those of its subgraphs
  std::size_t checked = 0;  ///< of these, Max and ReduceMax nodes
  std::size_t calls = 0;    ///< nodes of the model that call it, in graphs and functions
  std::string overload;     ///< IR version 10 and later; several functions of one name differ in it
};

/// A graph inside a node, such as the body of a Loop.
struct SubgraphInfo {
  std::string place;        ///< "node 'loop' (Loop), attribute 'body'"; outer places come first
  std::size_t nodes = 0;    ///< of the graph itself, without those of graphs inside it
  std::size_t checked = 0;  ///< of these, Max and ReduceMax nodes
};

/// A file that has elements of a model's tensors.
struct ExternalData {
  std::string location;  ///< as the model states it, relative to the model's folder
  std::size_t tensors = 0;
};

/// The parts of a model besides the values and nodes of its main graph.
struct ModelContents {
  std::string producer;  ///< name and version
  std::vector<OpsetImport> opsets;
  std::vector<FunctionInfo> functions;
  std::vector<SubgraphInfo> subgraphs;
  std::vector<ExternalData> external_data;
  std::vector<std::string> notes;  ///< how a part that ONNX does not define was read, as an extent of -1
};

struct LoadOptions {
  /// Maximum memory of all tensors of the file, and, separately, maximum memory of its messages, in bytes.
  std::int64_t max_bytes = kDefaultMaxBytes;
  /// True: Load may read external data, that is, tensors whose elements are in other files inside the model's
  /// folder. No other file is ever opened: not at a location that is absolute or has "..", not through a hard
  /// link, not through a symbolic link unless external_data_root permits it.
  bool allow_external_data = false;
  /// For Parse: the folder of the model, for external data if they are allowed. Load takes that of its file.
  std::string folder = {};
  /// Values of symbolic dimensions, written in place of the symbols that the model states. See
  /// RunOptions::dims for those of one run.
  std::map<std::string, std::int64_t> dims = {};
  /// If not empty: allows external data, and symbolic links on the way to them as long as every step stays
  /// inside this folder, which must contain the model's. For caches whose files are links, such as that of
  /// Hugging Face; the folder is then the one that contains "blobs" and "snapshots".
  std::string external_data_root = {};
  /// For Load: if not null, receives the bytes of the file, from which Parse makes the same model again.
  std::vector<std::byte>* content = nullptr;
};

struct RunOptions {
  Profile profile = Profile::kOnnx;
  bool identical_shapes_only = false;  ///< PRO-6
  /// The maximum number of threads that compute a node; 0: as many as the process may run. See MaxOptions.
  std::size_t threads = 1;
  /// Values of symbolic dimensions, besides those that the inputs determine. A value that contradicts an
  /// input is an error.
  std::map<std::string, std::int64_t> dims;
  /// Maximum memory of the tensors of a run, in bytes; and, separately, of its plans, which may always take
  /// 1 MiB. All nodes together read and write at most 128 times as much.
  std::int64_t max_bytes = kDefaultMaxBytes;
  /// Called before node `done` of `total` runs, if set.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// An output of a run and the bounds of its true value, as BoundedOutput in bounds.h defines them (ACC-2,
/// ACC-3).
struct BoundedTensor {
  std::string name;
  Tensor value;
  Tensor bound = {};
  Tensor lower = {};
  Tensor upper = {};
};

/// A tensor of the caller that a model reads, and one that it writes.
struct NamedView {
  std::string name;
  TensorView view;
};
struct NamedMutableView {
  std::string name;
  MutableTensorView view;
};

struct StaticGraph;

/// A run of a model with tensors of fixed types, shapes and strides, from Model::Prepare. It reads the inputs
/// where they are. Memory for computed values is that of values that no later node reads.
///
///   auto plan = model->Prepare(inputs);                            // inputs[k].view, inputs[k].name
///   if (!plan) return plan.error();
///   plan->Run();
///   TensorView y = plan->output(0);                                // until the next run
class ModelPlan {
 public:
  ModelPlan(ModelPlan&&) noexcept;
  ModelPlan& operator=(ModelPlan&&) noexcept;
  ~ModelPlan();

  /// Computes the model's outputs from the current elements of the bound inputs. Axes of a ReduceMax that are
  /// no constants are those that Prepare has read or computed.
  ///
  /// Requires: the bound memory is still valid; no other thread runs this plan; RunOptions::progress does not
  /// throw.
  /// Cost: no allocation, unless RunOptions::progress makes one (MEM-3).
  void Run() noexcept;

  /// Binds the plan to other memory for tensors of the same types, shapes and strides. `inputs` are in the
  /// order in which Prepare was given them, `outputs` in the model's order. A null pointer for an output
  /// means memory of the plan, which it has unless Prepare was given the output. If axes are not constants,
  /// the inputs must stay where they are. After an error the plan must be bound again before it runs.
  ///
  /// Errors: kInputCount; kInvalidArgument (null data; axes that are no constants); kInvalidShape (elements
  ///   outside the address space); kOverlap, as Model::Prepare.
  Result<void> Rebind(std::span<const void* const> inputs, std::span<void* const> outputs);

  /// The outputs, in the model's order.
  std::size_t output_count() const;
  TensorView output(std::size_t k) const;

  /// The memory of this plan in bytes, that of values among it.
  std::size_t MemoryBytes() const noexcept;

 private:
  friend class Model;
  struct State;
  explicit ModelPlan(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// An ONNX model that has been read and found to be well-formed.
class Model {
 public:
  /// Reads a model from a file. Any operator is accepted here; Run reports one that it does not execute.
  ///
  /// Errors: kIo; kMalformedFile (not a model, names produced twice or never, nodes not in topological order,
  ///   tensors whose data does not fit their type and shape, ...); kLimitExceeded; kOutOfMemory. A fault that
  ///   only prevents a run is an error of Run, such as external data that is not allowed.
  ///
  ///   Result<Model> model = Model::Load("fuse.onnx");
  ///   if (!model) return model.error();
  ///   auto outputs = model->Run(inputs);
  static Result<Model> Load(const std::string& path, const LoadOptions& options = {});

  /// The same from memory, with external data only if options.folder says where; `source` is its name in
  /// messages.
  static Result<Model> Parse(std::span<const std::byte> bytes, const std::string& source,
                             const LoadOptions& options = {});

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  /// Functions, subgraphs, external data and all opset imports. Subgraphs are not in nodes().
  const ModelContents& contents() const;

  const std::string& graph_name() const;
  std::int64_t ir_version() const;
  const std::string& producer() const;

  /// The opset of ONNX's own domain.
  std::int64_t opset() const;

  /// The graph's inputs that have no initializer, in the graph's order: the required inputs of a run.
  const std::vector<ValueInfo>& inputs() const;

  /// The graph's inputs that have an initializer, as IR versions below 4 list them: optional inputs of a run.
  const std::vector<ValueInfo>& optional_inputs() const;

  const std::vector<ValueInfo>& outputs() const;
  std::vector<ValueInfo> initializers() const;

  /// In the order in which they run. A call of a function is replaced by the function's nodes, with their
  /// positions in the function.
  const std::vector<NodeInfo>& nodes() const;

  /// The type and shape of each value of the graph, in the order inputs, initializers, nodes' outputs. They
  /// are stated by the model or inferred for Max, ReduceMax, Constant and Identity nodes, symbolic dimensions
  /// included. If the axes of a ReduceMax are known only at run time, the inferred shape of its output states
  /// only what is true for every list of axes.
  ///
  /// Errors: those that make the model invalid for all inputs: kInputCount, kTypeMismatch (TYP-2),
  ///   kTypeNotAdmitted (TYP-3, TYP-4), kSparseTensor, kRank, kAxis (RED-2, RED-5), kNotBroadcastable (E1),
  ///   kOutputShapeMismatch (E2).
  Result<std::vector<ValueInfo>> Infer() const;

  /// Checks what makes Run refuse whatever its inputs are, before a caller prepares them.
  ///
  /// Errors: kUnsupportedOperator; with Profile::kSonnx the first finding of CheckModel; kTypeNotAdmitted,
  ///   kUnsupportedFormat and kSparseTensor for a constant that Run refuses; those of Infer.
  Result<void> CheckRun(const RunOptions& options = {}) const;

  /// Computes the graph's outputs. A constant of a type that cannot be computed, or of external data that is
  /// not allowed, is refused only if a node or an output needs it. The actual inputs determine the values of
  /// symbolic dimensions and must agree on them. Every type and shape that the model states is compared with
  /// what is computed. All shapes are checked and all memory is allocated before the first node runs.
  /// Exception: where nodes compute the axes of a ReduceMax, those nodes run first, since the shape of its
  /// output depends on their result.
  ///
  /// Errors: kUnsupportedOperator for an operator other than Max, ReduceMax, Constant and Identity;
  ///   kSparseTensor. An input is kInvalidArgument if it is missing, unknown or given twice, has another
  ///   shape than stated, or gives a symbolic dimension a second value. With Profile::kSonnx also the first
  ///   finding of CheckModel. Those of Infer, of Max and of ReduceMax.
  /// Returns: the graph's outputs, in the graph's order. A model keeps the memory of one destroyed tensor for
  ///   each output, and the next run uses it.
  Result<std::vector<NamedTensor>> Run(std::span<const NamedTensor> inputs,
                                       const RunOptions& options = {}) const;

  /// Does everything that Run does before the first node runs. The caller's tensors are neither copied nor
  /// converted. `outputs` are memory for some or all of the model's outputs; the others are memory of the
  /// plan. A model keeps the plan that was destroyed last, with its memory. A call with the same names,
  /// types, shapes, strides and options only binds that plan to the given memory; Run does so too. Plans
  /// whose axes are not constants, and plans with a progress function, are not kept.
  ///
  /// Errors: those of Run. Also kInvalidArgument for a null pointer and for an output that is unknown or
  ///   given twice; kTypeMismatch and kOutputShapeMismatch (E2) for an output of another type or shape than
  ///   the computed one. Overlap of an output with itself (MEM-1), an input or another output is kOverlap.
  Result<ModelPlan> Prepare(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs = {},
                            const RunOptions& options = {}) const;

  /// The same, with bounds of the outputs' errors that follow from bounds of the inputs' errors. A bound has
  /// the name of its input and is broadcast to it. Inputs without a bound, and the model's constants, are
  /// exact. Every node propagates bounds and enclosures exactly, so that the model's outputs have those of
  /// one Max or ReduceMax over all elements that contribute to them.
  ///
  /// Errors: those of Run, and of MaxWithBounds for bounds. Also kInvalidArgument for a bound of an unknown
  ///   input, one that is given twice, and a bound other than 0 of the axes of a ReduceMax.
  /// Cost: four times the time and memory of Run, and memory for three tensors for each input and constant.
  ///
  ///   auto outputs = model->RunWithBounds(inputs, bounds);    // bounds[k].name is an input's
  Result<std::vector<BoundedTensor>> RunWithBounds(std::span<const NamedTensor> inputs,
                                                   std::span<const NamedTensor> bounds,
                                                   const RunOptions& options = {}) const;

 private:
  friend Result<StaticGraph> StaticGraphOf(const Model& model);  // static_graph.h
  friend class ModelPlan;
  struct State;
  explicit Model(std::shared_ptr<State> state);
  static Result<Model> Read(std::span<const std::byte> bytes, const std::string& source,
                            const LoadOptions& options, const std::optional<std::string>& folder);
  std::shared_ptr<State> state_;
};

}  // namespace supremum

#endif  // SUPREMUM_MODEL_H_
