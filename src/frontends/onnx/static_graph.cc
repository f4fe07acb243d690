#include "supremum/static_graph.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/axes.h"
#include "core/operand_errors.h"
#include "core/out_of_memory.h"
#include "core/quote.h"
#include "frontends/onnx/infer.h"
#include "frontends/onnx/model_state.h"
#include "frontends/onnx/operators.h"
#include "frontends/onnx/static_loops.h"
#include "io/files/messages.h"

namespace supremum {
namespace onnx_front {
namespace {

using io::ErrorAt;

class StaticGraphMaker {
 public:
  explicit StaticGraphMaker(const Graph& graph) : graph_(graph) {}

  Result<StaticGraph> Make() {
    if (auto ok = CheckExecuted(graph_); !ok) return std::move(ok).error();
    Result<InferredGraph> known = InferGraph(graph_);
    if (!known) return std::move(known).error();
    known_ = *std::move(known);
    made_.values.resize(graph_.values.size());
    is_set_.resize(graph_.values.size());
    for (std::size_t value : graph_.inputs) {
      if (auto ok = SetValue(value, "input ", graph_.source); !ok) return std::move(ok).error();
    }
    for (const Node& node : graph_.nodes) {
      if (node.op->prepare == nullptr) continue;  // its output is a constant
      if (node.op->static_form == nullptr) {
        return ErrorAt(ErrorCode::kUnsupportedOperator, PlaceOf(graph_, node),
                       "no program can be generated for " + node.info.op_type);
      }
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
    const Result<StaticForm> form = node.op->static_form({known_.infos, known_.constants}, node);
    if (!form) return ErrorAt(where, form.error());
    const std::size_t output = node.outputs[0];
    if (auto ok = SetValue(output, "output ", where); !ok) return ok;
    StaticNode made;
    made.info = node.info;
    made.operation = form->operation;
    made.inputs = node.inputs;
    made.output = output;
    if (form->operation == StaticNode::Operation::kReduceMax) made.inputs.resize(1);  // without the axes
    if (auto ok = SetLoops(form->reduced, made); !ok) return ErrorAt(where, ok.error());
    made_.nodes.push_back(std::move(made));
    return {};
  }

  Result<void> SetLoops(AxisSet reduced, StaticNode& node) const {
    const StaticValue& output = made_.values[node.output];
    if (output.elements == 0) return {};
    if (node.operation == StaticNode::Operation::kReduceMax)
      return SetReduceMaxLoops(made_.values[node.inputs[0]].shape, reduced, node);
    return SetMaxLoops(made_.values, node);
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
