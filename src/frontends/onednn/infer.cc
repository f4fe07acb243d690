#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onednn/check.h"
#include "frontends/onednn/graph.h"
#include "rules/judge.h"
#include "rules/operands.h"
#include "rules/reduce_max.h"
#include "supremum/opset.h"

namespace supremum::onednn_front {
namespace {

// An OperandList of an op's inputs. It refers to `tensors`.
class TensorOperands {
 public:
  TensorOperands(const std::vector<OneDnnTensor>& tensors, std::span<const std::size_t> inputs)
      : tensors_(tensors), inputs_(inputs) {}

  std::size_t count() const { return inputs_.size(); }
  std::string who(std::size_t m) const { return InputName(At(m)); }
  ElementType type(std::size_t m) const { return {At(m).dtype, At(m).dtype_name}; }
  std::optional<std::size_t> rank(std::size_t m) const {
    if (!At(m).shape) return std::nullopt;
    return At(m).shape->size();
  }
  Extent extent(std::size_t m, std::size_t d) const {
    const std::int64_t extent = (*At(m).shape)[d];
    return extent == kUnknownExtent ? Extent() : Extent(extent);
  }
  std::string shape_text(std::size_t m) const { return ShapeText(At(m)); }

 private:
  const OneDnnTensor& At(std::size_t m) const { return tensors_[inputs_[m]]; }

  const std::vector<OneDnnTensor>& tensors_;
  std::span<const std::size_t> inputs_;
};

using Extents = std::optional<std::vector<Extent>>;

class Inference {
 public:
  explicit Inference(const Graph& graph) : graph_(graph) {
    for (const GraphTensor& tensor : graph.tensors) tensors_.push_back(tensor.stated);
  }

  Result<std::vector<OneDnnTensor>> Infer() {
    if (Result<void> ok = CheckTypes(graph_); !ok) return std::move(ok).error();
    for (const std::size_t input : graph_.inputs) {
      const OneDnnTensor& stated = tensors_[input];
      if (!stated.strides || !stated.shape || stated.strides->size() == stated.shape->size()) continue;
      return ErrorAt(graph_.source,
                     StridesError(stated, InputName(stated), ShapeText(stated), ErrorCode::kRank));
    }
    for (const std::size_t i : graph_.order) {
      const GraphOp& op = graph_.ops[i];
      if (op.kind == Kind::kOther) continue;
      const Result<Extents> extents = op.kind == Kind::kReduceMax ? InferReduceMax(op) : InferMaximum(op);
      Result<void> ok = extents ? Complete(op.outputs[0], *extents) : extents.error();
      if (!ok) return ErrorAt(graph_.source + ": " + Describe(op.info), ok.error());
    }
    return std::move(tensors_);
  }

 private:
  Result<Extents> InferReduceMax(const GraphOp& op) const {
    if (Result<void> ok = CheckAxesGiven(graph_, op); !ok) return std::move(ok).error();
    KnownAxes axes;
    if (op.info.attributes.axes) {
      axes.values = *op.info.attributes.axes;
    } else {
      const OneDnnTensor& input = tensors_[op.inputs[1]];
      if (input.shape && input.shape->size() != 1) return AxesRankError(input, ShapeText(input));
      axes.decided = input.shape && input.shape->front() == 0;
      if (axes.decided) {
        axes.values.emplace();  // no axes
      } else if (input.shape && input.shape->front() != kUnknownExtent) {
        axes.count = static_cast<std::size_t>(input.shape->front());
      }
    }
    const TensorOperands source(tensors_, std::span(op.inputs).first(1));
    return InferReducedShape(source, std::to_string(tensors_[op.inputs[0]].id), axes,
                             op.info.attributes.keep_dims, ReduceMaxVersion::kOneDnn);
  }

  Result<Extents> InferMaximum(const GraphOp& op) const {
    const TensorOperands inputs(tensors_, op.inputs);
    if (const Judgement ranks = JudgeRanks(inputs); ranks.Fails()) {
      return ShapeErrorOf(ranks, inputs, kLatestMax);
    }
    if (!op.info.attributes.broadcast) {
      const auto common = JudgeOneShape(inputs, "MAX-3");
      if (common.judgement.Fails())
        return BroadcastIsOffError(tensors_[op.inputs[0]], ShapeText(tensors_[op.inputs[0]]),
                                   tensors_[op.inputs[1]], ShapeText(tensors_[op.inputs[1]]));
      return common.shape;
    }
    const auto common = JudgeBroadcast(inputs);
    if (common.judgement.Fails()) return ShapeErrorOf(common.judgement, inputs, kLatestMax);
    return common.shape;
  }

  // E2: the stated shape and strides of an output must fit what follows; what is not stated is completed.
  Result<void> Complete(std::size_t number, const Extents& inferred) {
    if (!inferred) return {};
    const OneDnnTensor& stated = graph_.tensors[number].stated;
    std::vector<std::int64_t> extents;
    for (const Extent& extent : *inferred) extents.push_back(extent.number.value_or(kUnknownExtent));
    OneDnnTensor computed = stated;
    computed.shape = extents;
    bool agree = !stated.shape || stated.shape->size() == extents.size();
    for (std::size_t d = 0; agree && stated.shape && d < extents.size(); ++d) {
      const std::int64_t known = (*stated.shape)[d];
      if (extents[d] == kUnknownExtent) {
        extents[d] = known;
      } else {
        agree = known == kUnknownExtent || known == extents[d];
      }
    }
    const std::string who = OutputName(stated);
    if (!agree) return StatedShapeError(stated, ShapeText(computed));
    if (stated.strides && stated.strides->size() != extents.size()) {
      return StridesError(stated, who, ShapeText(computed), ErrorCode::kOutputShapeMismatch);
    }
    tensors_[number].shape = std::move(extents);
    return {};
  }

  const Graph& graph_;
  std::vector<OneDnnTensor> tensors_;
};

}  // namespace

Result<std::vector<OneDnnTensor>> InferGraph(const Graph& graph) { return Inference(graph).Infer(); }

}  // namespace supremum::onednn_front
