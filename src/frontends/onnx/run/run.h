// Runs a graph: first all shapes, then all memory, then a loop over plans.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_RUN_RUN_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_RUN_RUN_H_

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/overlap.h"
#include "frontends/onnx/read/graph.h"
#include "frontends/onnx/run/prepare_node.h"
#include "supremum/model.h"

namespace supremum::onnx_front {

/// Implements Model::CheckRun.
Result<void> CheckRun(const Graph& graph, const onnx::ModelProto& proto, const RunOptions& options);

/// One run of a graph, or many with tensors of the same types, shapes and strides. If a node computes axes,
/// Prepare executes the nodes before it, to read their values.
///
/// A run with bounds has four layers: the values, their error bounds, and their lower and upper ends.
class ModelRun {
 public:
  /// `graph` must exist as long as this object.
  ModelRun(const Graph& graph, const RunOptions& options, DimBindings bindings);
  ModelRun(const ModelRun&) = delete;
  ModelRun& operator=(const ModelRun&) = delete;

  /// Decides every shape, allocates all memory and makes every plan. Errors: as Model::Prepare.
  Result<void> Prepare(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs,
                       std::optional<std::span<const NamedTensor>> bounds = std::nullopt);

  /// True if a run of these inputs, outputs and options can be this one, with other addresses.
  bool Fits(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs,
            const RunOptions& options) const;

  /// True if Prepare had to read elements which another run may have changed.
  bool DependsOnElements() const { return preparation_.depends_on_elements(); }

  /// False also with a progress function, which may refer to what is gone when another run comes.
  bool CanBeKept() const { return !DependsOnElements() && !options_.progress; }

  /// Other addresses: of the inputs in the order of Prepare, of all outputs in the graph's order, where null
  /// is a tensor of this object. Errors: as ModelPlan::Rebind.
  Result<void> Rebind(std::span<const void* const> inputs, std::span<void* const> outputs);

  /// Neither allocates nor fails.
  void Execute();

  TensorView Output(std::size_t k) const { return execution_.OutputView(graph_.outputs[k]); }
  Tensor TakeOutput(std::size_t k, std::size_t layer = 0);

  std::size_t MemoryBytes() const { return execution_.MemoryBytes(); }

 private:
  // A tensor of the caller. Shape and strides are copies.
  struct Given {
    std::string name;
    std::size_t value;  // its number
    DType dtype;
    Shape shape;
    std::optional<Shape> strides;
    const void* data;
    ByteRange range;
    bool is_callers;  // not memory of this object

    TensorView View() const;
    bool Fits(const std::string& other_name, const TensorView& other) const;
  };

  Result<void> Take(std::span<const NamedView> inputs, std::span<const NamedMutableView> outputs);
  static Given GivenOf(const std::string& name, std::size_t value, const TensorView& view);
  Result<void> CheckApart(const std::deque<Given>& outputs) const;
  Result<void> BindConstants();
  Result<void> EncloseGiven(std::span<const NamedTensor> named_bounds);
  Result<void> PrepareNodes();
  const std::string& NameOf(std::size_t value) const { return preparation_.NameOf(value); }

  const Graph& graph_;
  const RunOptions options_;
  // Views point to them. All outputs, and those that Prepare was given.
  std::deque<Given> inputs_, outputs_, given_outputs_;
  NodePreparation preparation_;
  graph::Execution& execution_ = preparation_.execution();
  std::optional<Error> negative_bound_;
};

/// A run that Prepare has succeeded for. `proto` is the model that the graph was read from, for the checks of
/// the profile.
Result<std::unique_ptr<ModelRun>> PrepareRun(
    const Graph& graph, const onnx::ModelProto& proto, std::span<const NamedView> inputs,
    std::span<const NamedMutableView> outputs, const RunOptions& options,
    std::optional<std::span<const NamedTensor>> bounds = std::nullopt);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_RUN_RUN_H_
