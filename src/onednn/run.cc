#include "onednn/run.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/messages.h"
#include "core/overlap.h"
#include "onednn/block.h"
#include "onednn/check.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onednn_front {
namespace {

// One run of a graph: Prepare decides every shape, takes all memory and makes every plan; Execute cannot
// fail.
class GraphRun {
 public:
  GraphRun(const Graph& graph, const OneDnnRunOptions& options)
      : graph_(graph), options_(options), slots_(graph.tensors.size()) {}

  Result<void> Prepare(std::span<const NamedTensor> inputs) {
    Result<std::vector<const Tensor*>> given = MatchInputs(graph_, inputs);
    if (!given) return std::move(given).error();
    if (Result<void> ok = CheckTypes(graph_); !ok) return ok;
    if (Result<void> ok = CheckGivenTypes(graph_, *given); !ok) return ok;
    for (std::size_t input : graph_.inputs) {
      if (Result<void> ok = PlaceInput(input, *(*given)[input]); !ok)
        return ErrorAt(graph_.source, ok.error());
    }
    for (std::size_t i : graph_.order) {
      const GraphOp& op = graph_.ops[i];
      Result<void> ok = op.kind == Kind::kReduceMax ? PrepareReduceMax(op) : PrepareMaximum(op);
      if (!ok) return ErrorAt(graph_.source + ": " + Describe(op.info), ok.error());
    }
    return PrepareOutputs();
  }

  void Execute() {
    std::size_t done = 0;
    for (const Plan& plan : plans_) {
      if (options_.progress) options_.progress(done++, plans_.size());
      std::visit([](const auto& one) { one.Run(); }, plan);
    }
    if (options_.progress) options_.progress(done, plans_.size());
  }

  std::vector<NamedTensor> TakeOutputs() {
    std::vector<NamedTensor> outputs;
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      Slot& slot = slots_[graph_.outputs[i]];
      if (copies_[i]) slot.block->Get(&*copies_[i]);
      outputs.push_back(
          {NameOf(graph_.outputs[i]), copies_[i] ? *std::move(copies_[i]) : slot.block->Take()});
    }
    return outputs;
  }

 private:
  using Plan = std::variant<ReduceMaxPlan, MaxPlan>;
  static constexpr int kPassesOverMemory = 128;

  // The elements of a tensor: in the caller's tensor, or in memory of this run with the strides of the graph.
  struct Slot {
    const Tensor* given = nullptr;
    std::optional<Block> block;
    TensorView View() const { return block ? block->View() : given->View(); }
  };

  const OneDnnTensor& StatedOf(std::size_t number) const { return graph_.tensors[number].stated; }
  std::string NameOf(std::size_t number) const { return std::to_string(StatedOf(number).id); }

  // The bytes that all ops together read and write are limited too: one tensor may be an input of very many
  // ops.
  Result<void> TakeWork(const TensorView& view, int times) {
    work_ +=
        static_cast<double>(*ElementCount(view.shape)) * static_cast<double>(ByteWidth(view.dtype)) * times;
    if (work_ <= static_cast<double>(options_.max_bytes) * kPassesOverMemory) return {};
    return MakeError(ErrorCode::kLimitExceeded,
                     "the ops up to this one read and write more than " + std::to_string(kPassesOverMemory) +
                         " times the limit of " + std::to_string(options_.max_bytes) +
                         " bytes; raise the limit if this much work is meant");
  }

  Result<void> TakeMemory(std::size_t number, const std::string& who, DType dtype, const Shape& shape,
                          const Shape& strides) {
    Result<Block> block = Block::Create(who, dtype, shape, strides, options_.max_bytes - taken_);
    if (!block) return std::move(block).error();
    taken_ += static_cast<std::int64_t>(block->byte_size());
    slots_[number].block = *std::move(block);
    return {};
  }

  Result<void> PlaceInput(std::size_t number, const Tensor& given) {
    const std::string who = InputName(StatedOf(number));
    const Result<Shape> strides = StridesFor(StatedOf(number), who, given.shape(), ErrorCode::kRank);
    if (!strides) return strides.error();
    slots_[number].given = &given;
    if (IsRowMajor(given.shape(), *strides)) return {};
    if (auto ok = TakeMemory(number, who, given.dtype(), given.shape(), *strides); !ok) return ok;
    Block& block = *slots_[number].block;
    block.Set(given);
    const TensorView view = block.View();
    if (OverlapsItself({view.data, ByteWidth(view.dtype), view.shape, view.strides}) == Overlap::kNone) {
      return {};
    }
    const std::optional<Shape> lost = block.FirstDifference(given);
    if (!lost) return {};
    return MakeError(ErrorCode::kInvalidArgument,
                     who + " has the strides " + ToString(*strides) + ", with which its element " +
                         ToString(*lost) +
                         " shares its address with a later one, and the two differ; give them one value, or "
                         "state strides that keep them apart");
  }

  // The axes of `op` as numbers. Requires: CheckTypes succeeded.
  Result<std::vector<std::int64_t>> AxesOf(const GraphOp& op) const {
    const bool has_input = op.inputs.size() == 2;
    if (has_input == op.attributes.axes.has_value()) {
      return MakeError(
          ErrorCode::kAxesGiven, "RED-4",
          std::string("the axes are given ") +
              (has_input ? "twice, as attribute 'axes' and as " + InputName(StatedOf(op.inputs[1])) +
                               "; remove one of them"
                         : "neither as attribute 'axes' nor as a second input; add one of them"));
    }
    if (!has_input) return *op.attributes.axes;
    // The axes are given, not computed: no op has an s32 output.
    const Tensor* axes = slots_[op.inputs[1]].given;
    const std::string who = InputName(StatedOf(op.inputs[1]));
    if (axes->shape().rank() != 1) {
      return MakeError(ErrorCode::kRank, who + ", the axes, has shape " + ToString(axes->shape()) +
                                             "; an axes input has one dimension");
    }
    const auto elements = axes->Elements<std::int32_t>();
    return std::vector<std::int64_t>(elements.begin(), elements.end());
  }

  Result<void> PrepareReduceMax(const GraphOp& op) {
    const Result<std::vector<std::int64_t>> axes = AxesOf(op);
    if (!axes) return axes.error();
    const TensorView source = slots_[op.inputs[0]].View();
    const std::string source_name = NameOf(op.inputs[0]), output_name = NameOf(op.outputs[0]);
    ReduceMaxOptions options;
    options.axes = std::span<const std::int64_t>(*axes);
    options.keepdims = op.attributes.keep_dims;
    options.version = ReduceMaxVersion::kOneDnn;
    options.threads = options_.threads;
    options.source_name = source_name;
    options.output_name = output_name;
    const Result<Shape> shape = ReduceMaxOutputShape(source, options);
    if (!shape) return shape.error();
    if (auto ok = PlaceOutput(op.outputs[0], source.dtype, *shape); !ok) return ok;
    if (auto ok = TakeWork(source, 1); !ok) return ok;
    return Keep(ReduceMaxPlan::Prepare(source, slots_[op.outputs[0]].block->MutableView(), options));
  }

  Result<void> PrepareMaximum(const GraphOp& op) {
    const std::string names[] = {NameOf(op.inputs[0]), NameOf(op.inputs[1])};
    const std::string_view input_names[] = {names[0], names[1]};
    const TensorView views[] = {slots_[op.inputs[0]].View(), slots_[op.inputs[1]].View()};
    const std::string output_name = NameOf(op.outputs[0]);
    MaxOptions options;
    options.identical_shapes_only = options_.identical_shapes_only;
    options.threads = options_.threads;
    options.input_names = input_names;
    options.output_name = output_name;
    const Result<Shape> shape = MaxOutputShape(views, options);
    if (!op.attributes.broadcast && !SameDims(views[0].shape, views[1].shape)) {
      if (!shape && shape.error().code < ErrorCode::kNotBroadcastable) return shape.error();
      return MakeError(ErrorCode::kNotBroadcastable,
                       InputName(StatedOf(op.inputs[0])) + " has shape " + ToString(views[0].shape) +
                           " and " + InputName(StatedOf(op.inputs[1])) + " has shape " +
                           ToString(views[1].shape) +
                           ", and the attribute 'auto_broadcast' is 'none'; give both one shape, or write "
                           "'numpy'");
    }
    if (!shape) return shape.error();
    if (auto ok = PlaceOutput(op.outputs[0], views[0].dtype, *shape); !ok) return ok;
    if (auto ok = TakeWork(slots_[op.outputs[0]].View(), 3); !ok) return ok;
    return Keep(MaxPlan::Prepare(views, slots_[op.outputs[0]].block->MutableView(), options));
  }

  template <class OnePlan>
  Result<void> Keep(Result<OnePlan> plan) {
    if (!plan) return std::move(plan).error();
    plans_.emplace_back(*std::move(plan));
    return {};
  }

  // E2: the stated shape and strides must be those of the computed tensor.
  Result<void> PlaceOutput(std::size_t number, DType dtype, const Shape& shape) {
    const OneDnnTensor& stated = StatedOf(number);
    const std::string who = "output '" + std::to_string(stated.id) + "'";
    if (!Fits(stated, shape)) {
      return MakeError(ErrorCode::kOutputShapeMismatch, who + " is stated as " + ToString(stated) +
                                                            " and the computed shape is " + ToString(shape) +
                                                            "; state the computed shape");
    }
    const Result<Shape> strides = StridesFor(stated, who, shape, ErrorCode::kOutputShapeMismatch);
    if (!strides) return strides.error();
    return TakeMemory(number, who, dtype, shape, *strides);
  }

  // An output whose strides are not row-major is copied.
  Result<void> PrepareOutputs() {
    copies_.resize(graph_.outputs.size());
    for (std::size_t i = 0; i < graph_.outputs.size(); ++i) {
      const TensorView view = slots_[graph_.outputs[i]].View();
      const Shape shape = *Shape::FromSpan(view.shape), strides = *Shape::FromSpan(view.strides);
      if (IsRowMajor(shape, strides)) continue;
      Result<Block> copy = Block::Create("output '" + NameOf(graph_.outputs[i]) + "'", view.dtype, shape,
                                         RowMajorStrides(shape), options_.max_bytes - taken_);
      if (!copy) return ErrorAt(graph_.source, copy.error());
      taken_ += static_cast<std::int64_t>(copy->byte_size());
      copies_[i] = copy->Take();
    }
    return {};
  }

  const Graph& graph_;
  const OneDnnRunOptions& options_;
  std::vector<Slot> slots_;  // by tensor; never resized, since plans point into it
  std::vector<Plan> plans_;
  std::vector<std::optional<Tensor>> copies_;  // by output
  std::int64_t taken_ = 0;
  double work_ = 0;  // bytes that the ops read and write
};

}  // namespace

Result<std::vector<NamedTensor>> RunGraph(const Graph& graph, std::span<const NamedTensor> inputs,
                                          const OneDnnRunOptions& options) {
  if (Result<void> ok = CheckKinds(graph); !ok) return std::move(ok).error();
  GraphRun run(graph, options);
  if (Result<void> ok = run.Prepare(inputs); !ok) return std::move(ok).error();
  run.Execute();
  return run.TakeOutputs();
}

}  // namespace supremum::onednn_front
