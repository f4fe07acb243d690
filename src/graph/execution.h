// The execution of a graph of Max, ReduceMax and copies: the memory of its values, the plans of its nodes,
// and one limit for all of them. It knows no file format: a reader of ONNX or oneDNN calls it for each node.
#ifndef SUPREMUM_SRC_GRAPH_EXECUTION_H_
#define SUPREMUM_SRC_GRAPH_EXECUTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/strided_tensor.h"
#include "ops/prepare.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::graph {

struct ExecutionOptions {
  std::string_view nodes = "nodes";  ///< what error texts call the nodes of the graph
  std::int64_t max_bytes = 0;        ///< limit of all computed values together, and of all plans together

  /// Called before each node with the number of executed nodes and that of all, and once after the last.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  std::size_t node_count = 0;  ///< the number of nodes that will be added
};

/// Values have numbers. Each has up to kMaxLayers tensors, its layers: layer 0 holds the elements; the others
/// are the caller's, for example error bounds. A node does the same in each layer in use.
///
/// A front end calls, for each node in the order of execution: Create for the output, then the function that
/// adds the node, which makes its plans. Nothing is computed before Execute, which neither allocates nor
/// fails.
///
// clang-format off
///   value        layer 0        layer 1   ...        node 0: one step for each layer
///   0 (given)    caller's       created              Max(0, 1) -> 2    plan, plan, ...
///   1 (given)    caller's       created              node 1
///   2            created        created              ReduceMax(2) -> 3 plan, plan, ...
// clang-format on
class Execution {
 public:
  static constexpr std::size_t kMaxLayers = 4;

  /// The nodes together may read and write this many times max_bytes: one value may be an input of very many
  /// nodes, so that a small file could state unlimited work.
  static constexpr int kMaxPassesOverMemory = 128;

  /// Plans may take this many bytes even if max_bytes is less: a plan of a few elements takes some thousand.
  static constexpr std::int64_t kMinPlanLimitBytes = std::int64_t{1} << 20;

  Execution(std::size_t values, const ExecutionOptions& options);

  /// Nodes that are added from now on have this many layers. Requires: 1 <= count <= kMaxLayers.
  void SetLayers(std::size_t count) { layers_ = count; }
  std::size_t layers() const { return layers_; }

  /// Layer 0 of `value` is a tensor of the caller, which must exist as long as this object.
  void Give(std::size_t value, const Tensor* tensor) { slots_[value][0].given = tensor; }

  /// The given tensor of layer 0, or null.
  const Tensor* Given(std::size_t value) const { return slots_[value][0].given; }

  /// Makes a row-major tensor for one layer of `value`. Errors: kLimitExceeded, kOutOfMemory.
  Result<void> Create(std::size_t value, std::size_t layer, DType dtype, const Shape& shape);

  /// The same for layer 0 with any strides. `who` names the tensor in error texts.
  /// Requires: as StridedTensor::Create. Errors: kLimitExceeded, kOutOfMemory.
  Result<void> CreateStrided(std::size_t value, const std::string& who, DType dtype, const Shape& shape,
                             const Shape& strides);

  /// The tensor of a layer that was given or created. Views are valid as long as this object.
  TensorView View(std::size_t value, std::size_t layer = 0) const;
  MutableTensorView MutableView(std::size_t value, std::size_t layer = 0);

  /// The tensor of CreateStrided, or null if its strides are row-major.
  StridedTensor* Strided(std::size_t value) { return slots_[value][0].strided.get(); }

  /// The row-major tensor of a layer. Requires: the layer was given or created, and is not strided.
  const Tensor& Dense(std::size_t value, std::size_t layer = 0) const;

  /// Adds a node of any operator: `prepare(layer)` returns a Result of its plan for one layer, an object that
  /// can be moved and has `void Run() const` and `std::size_t MemoryBytes() const`. The node reads and writes
  /// `passes` times the bytes of `largest`.
  ///
  /// Errors: those of `prepare`; kLimitExceeded for the bytes that the nodes read and write, and for those of
  ///   the plans.
  template <class Prepare>
  Result<void> AddNode(const TensorView& largest, std::size_t passes, Prepare prepare) {
    if (auto ok = CountWork(largest, passes); !ok) return ok;
    Node node;
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      auto plan = prepare(layer);
      if (!plan) return std::move(plan).error();
      if (auto ok = CountPlan(plan->MemoryBytes()); !ok) return ok;
      node.emplace_back(*std::move(plan));
    }
    nodes_.push_back(std::move(node));
    return {};
  }

  /// Adds output = Max(inputs) in every layer in use.
  ///
  /// Requires: all operands have a tensor in each layer; `checked` is what CheckMax returned for the inputs,
  ///   and the output has that type and shape.
  /// Errors: those of PrepareChecked, and of AddNode.
  Result<void> AddMax(const CheckedMax& checked, std::span<const std::size_t> inputs, std::size_t output,
                      const MaxOptions& options);

  /// Adds output = ReduceMax(source). In `zero_layer`, the maximum of no elements is zero instead of the
  /// identity element: that is the bound of its error (RED-6). Requires, Errors: as AddMax.
  Result<void> AddReduceMax(const CheckedReduceMax& checked, std::size_t source, std::size_t output,
                            const ReduceMaxOptions& options,
                            std::optional<std::size_t> zero_layer = std::nullopt);

  /// Adds output = a copy of `source`, which is row-major. Errors: kLimitExceeded, as AddMax.
  Result<void> AddCopy(std::size_t source, std::size_t output);

  /// Computes the nodes that have been added and not been computed yet. More nodes may be added afterwards:
  /// axes may be computed by nodes.
  void Execute();

  /// Allocates what TakeOutput(value) needs: an output that is given, or whose strides are not row-major, is
  /// copied. `who` names the output in error texts. Errors: kLimitExceeded, kOutOfMemory.
  Result<void> PrepareOutput(std::size_t value, const std::string& who);

  /// A layer of an output, row-major. Requires: PrepareOutput succeeded before Execute; at most one call for
  /// each layer, and none of another function afterwards.
  Tensor TakeOutput(std::size_t value, std::size_t layer = 0);

 private:
  // A graph may have very many values, and a tensor is large.
  struct Slot {
    const Tensor* given = nullptr;
    std::unique_ptr<Tensor> created;  // row-major
    std::unique_ptr<StridedTensor> strided;
  };
  // A plan of any operator.
  class Work {
   public:
    template <class Plan>
    explicit Work(Plan plan) : plan_(std::make_unique<Holder<Plan>>(std::move(plan))) {}
    void Run() const { plan_->Run(); }

   private:
    struct Runnable {
      virtual ~Runnable() = default;
      virtual void Run() const = 0;
    };
    template <class Plan>
    struct Holder final : Runnable {
      explicit Holder(Plan held) : plan(std::move(held)) {}
      void Run() const override { plan.Run(); }
      Plan plan;
    };
    std::unique_ptr<Runnable> plan_;
  };
  using Node = std::vector<Work>;  // an element for each layer

  Result<void> CountWork(const TensorView& view, std::size_t times);
  Result<void> CountPlan(std::size_t bytes);

  ExecutionOptions options_;
  std::size_t layers_ = 1;
  std::vector<std::array<Slot, kMaxLayers>> slots_;  // never resized: plans point into it
  std::vector<Node> nodes_;
  std::size_t executed_ = 0;
  std::unordered_map<std::size_t, Tensor> copies_;  // of outputs, by value
  std::int64_t tensor_bytes_ = 0;
  std::int64_t plan_bytes_ = 0;
  double work_bytes_ = 0;  // read and written by all nodes; may exceed the range of int64
};

}  // namespace supremum::graph

#endif  // SUPREMUM_SRC_GRAPH_EXECUTION_H_
