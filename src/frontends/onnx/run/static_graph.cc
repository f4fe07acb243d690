#include "supremum/static_graph.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/align.h"
#include "core/axes.h"
#include "core/messages.h"
#include "core/operand_errors.h"
#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onnx/infer/infer_graph.h"
#include "frontends/onnx/infer/infer_node.h"
#include "frontends/onnx/run/model_state.h"
#include "frontends/onnx/run/prepare_node.h"
#include "ops/loop_nest.h"

namespace supremum {
namespace onnx_front {
namespace {

// Sets the loops of a Max, or of a copy. Requires: the inputs, which are `values`, broadcast to the output,
// which has elements. Errors: kOutOfMemory.
Result<void> SetMaxLoops(std::span<const StaticValue> values, StaticNode& node) {
  const DimsView output = values[node.output].shape;
  LoopNest nest;
  if (auto ok = nest.Init(output, RowMajorStrides(output), node.inputs.size()); !ok) return ok;
  for (std::size_t m = 0; m < node.inputs.size(); ++m) {
    TensorView view;
    view.shape = values[node.inputs[m]].shape;
    nest.SetStrides(m, AlignedStrides(view, output.size()));
  }
  nest.Merge();
  for (std::size_t d = 0; d < nest.rank(); ++d) {
    StaticLoop& loop = node.loops.emplace_back(StaticLoop{nest.extents()[d], nest.DrivingSteps()[d], {}});
    for (std::size_t m = 0; m < node.inputs.size(); ++m) loop.input_steps.push_back(nest.Steps(m)[d]);
  }
  return {};
}

// Sets the loops of a ReduceMax, or `of_nothing`. Requires: the output has elements. Errors: kOutOfMemory.
Result<void> SetReduceMaxLoops(DimsView source, AxisSet reduced, StaticNode& node) {
  const Shape output = ReducedShape(source, reduced, true);
  node.of_nothing = ElementCount(source) == 0;
  if (node.of_nothing) {
    const std::int64_t elements = *ElementCount(output);
    if (elements > 1) node.loops.push_back({elements, 1, {0}});
    return {};
  }
  Shape output_strides = RowMajorStrides(output);
  for (std::size_t d = 0; d < source.size(); ++d) {
    if (reduced.Has(d)) output_strides[d] = 0;
  }
  LoopNest nest;
  if (auto ok = nest.Init(source, RowMajorStrides(source), 1); !ok) return ok;
  nest.SetStrides(0, output_strides);
  nest.Merge();
  for (std::size_t d = 0; d < nest.rank(); ++d) {
    const StaticLoop loop{nest.extents()[d], nest.Steps(0)[d], {nest.DrivingSteps()[d]}};
    (loop.output_step == 0 ? node.reduced_loops : node.loops).push_back(loop);
  }
  return {};
}

class StaticGraphMaker {
 public:
  explicit StaticGraphMaker(const Graph& graph) : graph_(graph) {}

  Result<StaticGraph> Make() {
    if (auto ok = CheckKnown(graph_); !ok) return std::move(ok).error();
    Result<InferredGraph> known = InferGraph(graph_);
    if (!known) return std::move(known).error();
    known_ = *std::move(known);
    made_.values.resize(graph_.values.size());
    is_set_.resize(graph_.values.size());
    for (std::size_t value : graph_.inputs) {
      if (auto ok = SetValue(value, "input ", graph_.source); !ok) return std::move(ok).error();
    }
    for (const Node& node : graph_.nodes) {
      if (!IsExecuted(node.op)) continue;  // its output is a constant
      if (auto ok = AddNode(node); !ok) return std::move(ok).error();
    }
    for (std::size_t value : graph_.outputs) {
      if (auto ok = SetValue(value, "output ", graph_.source); !ok) return std::move(ok).error();
    }
    made_.inputs = graph_.inputs;
    made_.outputs = graph_.outputs;
    return std::move(made_);
  }

 private:
  Result<void> AddNode(const Node& node) {
    const std::string where = PlaceOf(graph_, node);
    for (std::size_t input : node.inputs) {
      if (auto ok = SetValue(input, "input ", where); !ok) return ok;
    }
    const bool reduces = node.op == Op::kReduceMax;
    const Result<AxisSet> reduced = reduces ? ReducedBy(node) : AxisSet();
    if (!reduced) return ErrorAt(where, reduced.error());
    StaticNode made;
    made.info = node.info;
    made.inputs = node.inputs;
    made.output = node.outputs[0];
    if (auto ok = SetValue(made.output, "output ", where); !ok) return ok;
    if (reduces) {
      made.operation = StaticNode::Operation::kReduceMax;
      made.inputs.resize(1);  // without the axes
    } else if (node.op == Op::kIdentity) {
      made.operation = StaticNode::Operation::kCopy;
    }
    Result<void> ok;
    if (made_.values[made.output].elements > 0) {
      ok = reduces ? SetReduceMaxLoops(made_.values[made.inputs[0]].shape, *reduced, made)
                   : SetMaxLoops(made_.values, made);
    }
    if (!ok) return ErrorAt(where, ok.error());
    made_.nodes.push_back(std::move(made));
    return {};
  }

  // The dimensions that a ReduceMax reduces. Requires: type and shape of its inputs are known.
  Result<AxisSet> ReducedBy(const Node& node) const {
    const bool has_axes = node.inputs.size() > 1;
    const ValueInfo* const axes_input = has_axes ? &known_.infos[node.inputs[1]] : nullptr;
    const KnownAxes axes =
        AxesBeforeRun(node.reduce_max, axes_input, has_axes ? known_.constants[node.inputs[1]] : nullptr);
    if (!axes.decided) {
      return MakeError(ErrorCode::kShapeNotExplicit, "PRO-2",
                       "the axes " + Quote(axes_input->name) + " are known only when the model runs",
                       "; give them as an initializer that is no graph input, or as a Constant node");
    }
    const ValueInfo& source = known_.infos[node.inputs[0]];
    return ResolveAxes(axes.values, source.shape->size(), static_cast<ReduceMaxVersion>(node.info.version),
                       source.name);
  }

  Result<void> SetValue(std::size_t number, const char* who, const std::string& where) {
    if (is_set_[number]) return {};
    const Value& value = graph_.values[number];
    const ValueInfo& info = known_.infos[number];
    const std::string name = who + Quote(info.name);
    if (value.stated.sparse || graph_.sparse_initializer == info.name) {
      return ErrorAt(ErrorCode::kSparseTensor, where, "PRO-1", name + " is a sparse tensor",
                     "; state a dense one");
    }
    if (value.refusal) return *value.refusal;
    if (info.type_name.empty()) {
      return ErrorAt(ErrorCode::kTypeNotExplicit, where, "PRO-3", "the type of " + name + " is not known",
                     "; state it in the model");
    }
    if (!info.dtype) {
      return ErrorAt(ErrorCode::kTypeNotAdmitted, where, "TYP-1",
                     name + " has type " + info.type_name + ", which supremum does not compute with");
    }
    if (!info.shape) {
      return ErrorAt(ErrorCode::kShapeNotExplicit, where, "PRO-2", "the shape of " + name + " is not known",
                     "; state it in the model");
    }
    std::vector<std::int64_t> extents;
    for (const Dim& dim : *info.shape) {
      if (!dim.value) {
        return ErrorAt(ErrorCode::kShapeNotExplicit, where, "PRO-2",
                       name + " is " + supremum::ToString(info) + ", and the extent of dimension " +
                           std::to_string(extents.size()) + " is not a number",
                       dim.symbol.empty() ? "; state it in the model"
                                          : "; give the symbolic dimension " + Quote(dim.symbol) +
                                                " a number, as --dim " + supremum::ToString(dim) + "=8 does");
      }
      extents.push_back(*dim.value);
    }
    const std::optional<Shape> shape = Shape::FromSpan(extents);
    if (!shape) {
      return ErrorAt(where, RankError(name, extents.size()));
    }
    const std::optional<std::int64_t> elements = ElementCount(*shape);
    if (!elements) {
      return ErrorAt(ErrorCode::kLimitExceeded, where,
                     name + " has the shape " + supremum::ToString(*shape) + ", of 2^63 elements or more");
    }
    made_.values[number] = {info.name, *info.dtype, *shape, *elements, value.constant};
    is_set_[number] = true;
    return {};
  }

  const Graph& graph_;
  InferredGraph known_;
  StaticGraph made_;
  std::vector<bool> is_set_;
};

}  // namespace
}  // namespace onnx_front

Result<StaticGraph> StaticGraphOf(const Model& model) {
  return OrOutOfMemory([&] { return onnx_front::StaticGraphMaker(model.state_->graph).Make(); });
}

}  // namespace supremum
