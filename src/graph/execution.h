// The execution of a graph of Max, ReduceMax and copies: the memory of its values, the plans of its nodes,
// and one limit for all of them. It knows no file format: a reader of ONNX or oneDNN calls it for each node.
#ifndef SUPREMUM_SRC_GRAPH_EXECUTION_H_
#define SUPREMUM_SRC_GRAPH_EXECUTION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/tensor_home.h"
#include "ops/prepare.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"
#include "supremum/tensor_view.h"

namespace supremum::graph {

/// Copies the elements, bit by bit, to a tensor of the same type and shape. If several have the same address
/// in `to`, the last in row-major order is kept. No allocation.
void CopyElements(const TensorView& from, const MutableTensorView& to);

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
/// adds the node, which makes its plans, then Release for values that no later node reads. Nothing is
/// computed before Execute, which neither allocates nor fails, and which can be repeated after Rebind.
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

  /// Layer 0 of `value` is a tensor of the caller, which is read where it is: its shape, strides and elements
  /// must exist as long as this object.
  void Give(std::size_t value, const TensorView& view);

  /// True if layer 0 was given.
  bool IsGiven(std::size_t value) const { return slots_[value][0].is_given; }

  /// Output `value` is written to memory of the caller, which must exist as long as this object. Before the
  /// value is created. `by_copy`: a copy that comes after all nodes writes it, so that it is unchanged if
  /// nodes run before all errors are known.
  void GiveOutput(std::size_t value, const MutableTensorView& view, bool by_copy) {
    given_outputs_[value] = {view, by_copy};
  }

  /// Makes a row-major tensor for one layer of `value`, in memory of released values if there is enough, or
  /// takes the given output. `is_output`: TakeOutput can move it to the caller.
  ///
  /// Errors: kLimitExceeded, kOutOfMemory; kTypeMismatch, kOutputShapeMismatch (E2) for a given output.
  Result<void> Create(std::size_t value, std::size_t layer, DType dtype, const Shape& shape,
                      bool is_output = false);

  /// No node that is added from now on reads `value`: the memory that Create took for it can be that of other
  /// values. Requires: it is no output.
  void Release(std::size_t value);

  /// The tensor of a layer that was given or created, and not released. Views are valid as long as this
  /// object.
  TensorView View(std::size_t value, std::size_t layer = 0) const { return slots_[value][layer].view; }
  MutableTensorView MutableView(std::size_t value, std::size_t layer = 0);

  /// Adds a node of any operator, with `operands`, the output last. `prepare(layer)` returns a Result of its
  /// plan for one layer. A plan can be moved; it has `void Run() const`, `std::size_t MemoryBytes() const`
  /// and, for other addresses of the operands, `Result<void> Rebind(std::span<const void* const> data)`. The
  /// node reads and writes `passes` times the bytes of `largest`.
  ///
  /// Errors: those of `prepare`; kLimitExceeded for the bytes that the nodes read and write, and for those of
  ///   the plans.
  template <class Prepare>
  Result<void> AddNode(std::span<const std::size_t> operands, const TensorView& largest, std::size_t passes,
                       Prepare prepare) {
    if (auto ok = CountWork(largest, passes); !ok) return ok;
    Node node;
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      auto plan = prepare(layer);
      if (!plan) return std::move(plan).error();
      if (auto ok = CountPlan(plan->MemoryBytes()); !ok) return ok;
      node.layers.emplace_back(*std::move(plan));
    }
    AddNode(operands, std::move(node));
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

  /// Adds output = a copy of `source`, bit by bit. Errors: kLimitExceeded, as AddMax.
  Result<void> AddCopy(std::size_t source, std::size_t output);

  /// Computes the nodes that have been added and not been computed yet. More nodes may be added afterwards:
  /// axes may be computed by nodes.
  void Execute();

  /// Allocates what TakeOutput(value) needs: an output that is given is copied by another node. Errors: as
  /// Create and AddCopy.
  Result<void> PrepareOutput(std::size_t value);

  /// The tensor to which output `value` is written. Requires: PrepareOutput succeeded.
  TensorView OutputView(std::size_t value) const { return View(SlotOfOutput(value)); }

  /// A layer of an output, row-major. Requires: PrepareOutput succeeded before Execute, and the output is not
  /// the caller's; at most one call for each layer before the next Rebind. When it is destroyed, its memory
  /// is that of this output's next tensor, if this object still exists.
  Tensor TakeOutput(std::size_t value, std::size_t layer = 0);

  /// Another address of a given value, or of an output, which is then the caller's; null for an output: again
  /// a tensor of this object. Rebind follows.
  void Move(std::size_t given, const void* data) { slots_[given][0].view.data = data; }
  void MoveOutput(std::size_t output, void* data);

  /// Binds all nodes to the addresses that Move and MoveOutput have changed, and outputs that were taken to
  /// new tensors; Execute then begins with the first node.
  ///
  /// Requires: one layer. Errors: kOutOfMemory; kOverlap. Cost: no allocation, except for tensors in place of
  ///   taken ones that still exist.
  Result<void> Rebind();

  /// Execute begins with the first node again.
  void Restart() { executed_ = 0; }

  /// Bytes of the tensors and plans of this object.
  std::size_t MemoryBytes() const { return static_cast<std::size_t>(tensor_bytes_ + plan_bytes_); }

 private:
  struct Created {
    Tensor
        memory;  // of another type and shape if it was a released value's; none where it is released itself
    Shape shape;
    bool is_output;
    bool is_elsewhere = false;                                         // the value is in the caller's memory
    std::unique_ptr<TensorHome, TensorHome::Releaser> home = nullptr;  // of an output: gets its memory back
  };
  // A graph may have very many values, and a tensor is large.
  struct Slot {
    TensorView view;
    bool is_given = false;
    std::unique_ptr<Created> created;
  };
  // A plan of any operator.
  class Work {
   public:
    template <class Plan>
    explicit Work(Plan plan) : plan_(std::make_unique<Holder<Plan>>(std::move(plan))) {}
    void Run() const { plan_->Run(); }
    Result<void> Rebind(std::span<const void* const> data) { return plan_->Rebind(data); }

   private:
    struct Runnable {
      virtual ~Runnable() = default;
      virtual void Run() const = 0;
      virtual Result<void> Rebind(std::span<const void* const> data) = 0;
    };
    template <class Plan>
    struct Holder final : Runnable {
      explicit Holder(Plan held) : plan(std::move(held)) {}
      void Run() const override { plan.Run(); }
      Result<void> Rebind(std::span<const void* const> data) override { return plan.Rebind(data); }
      Plan plan;
    };
    std::unique_ptr<Runnable> plan_;
  };
  struct Node {
    std::vector<Work> layers;
    std::vector<std::size_t> operands;  // none if all of them are in memory of this object
    std::vector<const void*> data;      // of the operands
  };

  void AddNode(std::span<const std::size_t> operands, Node node);
  bool CanMove(std::size_t value) const;
  Result<void> Renew(Slot& slot);
  std::size_t SlotOfOutput(std::size_t value) const;
  Result<Tensor> MemoryFor(DType dtype, const Shape& shape, bool is_output);
  Result<void> CountWork(const TensorView& view, std::size_t times);
  Result<void> CountPlan(std::size_t bytes);

  ExecutionOptions options_;
  std::size_t layers_ = 1;
  std::deque<std::array<Slot, kMaxLayers>> slots_;  // plans point to it; copies of outputs come last
  std::vector<Node> nodes_;
  std::size_t executed_ = 0;
  struct GivenOutput {
    MutableTensorView view;
    bool by_copy;
  };
  std::unordered_map<std::size_t, GivenOutput> given_outputs_;
  std::unordered_map<std::size_t, std::size_t> copies_;  // slots of copies of outputs, by value
  std::multimap<std::size_t, Tensor> released_;          // by their bytes
  std::int64_t tensor_bytes_ = 0;
  std::int64_t plan_bytes_ = 0;
  double work_bytes_ = 0;  // read and written by all nodes; may exceed the range of int64
};

}  // namespace supremum::graph

#endif  // SUPREMUM_SRC_GRAPH_EXECUTION_H_
