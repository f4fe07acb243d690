#include "graph/execution.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "core/messages.h"
#include "core/overlap.h"
#include "core/walk.h"
#include "kernels/memory_model.h"
#include "rules/views.h"

namespace supremum::graph {
namespace {

std::size_t BytesOf(DimsView shape, DType dtype) {
  return static_cast<std::size_t>(ElementCount(shape).value_or(0)) * ByteWidth(dtype);
}

struct Copy {
  TensorView from;
  MutableTensorView to;
  std::size_t MemoryBytes() const { return 0; }
  void Run() const { CopyElements(from, to); }
  Result<void> Rebind(std::span<const void* const> data) {
    from.data = data[0];
    to.data = const_cast<void*>(data[1]);
    return {};
  }
};

// All elements become zero.
struct Clear {
  MutableTensorView to;
  std::size_t MemoryBytes() const { return 0; }
  void Run() const {
    const std::size_t bytes = BytesOf(to.shape, to.dtype);
    if (bytes > 0) std::memset(to.data, 0, bytes);
  }
  Result<void> Rebind(std::span<const void* const> data) {
    to.data = const_cast<void*>(data.back());
    return {};
  }
};

struct Join {
  MaxPlan plan;
  std::size_t MemoryBytes() const { return plan.MemoryBytes(); }
  void Run() const { plan.Run(); }
  Result<void> Rebind(std::span<const void* const> data) {
    return plan.Rebind(data.first(data.size() - 1), const_cast<void*>(data.back()));
  }
};

struct Reduce {
  ReduceMaxPlan plan;
  std::size_t MemoryBytes() const { return plan.MemoryBytes(); }
  void Run() const { plan.Run(); }
  Result<void> Rebind(std::span<const void* const> data) {
    return plan.Rebind(data[0], const_cast<void*>(data[1]));
  }
};

struct ReduceOrClear {
  std::variant<Reduce, Clear> work;
  std::size_t MemoryBytes() const {
    return std::visit([](const auto& one) { return one.MemoryBytes(); }, work);
  }
  void Run() const {
    std::visit([](const auto& one) { one.Run(); }, work);
  }
  Result<void> Rebind(std::span<const void* const> data) {
    return std::visit([&](auto& one) { return one.Rebind(data); }, work);
  }
};

}  // namespace

void CopyElements(const TensorView& from, const MutableTensorView& to) {
  const std::int64_t count = ElementCount(from.shape).value_or(0),
                     width = static_cast<std::int64_t>(ByteWidth(from.dtype));
  if (count == 0) return;
  const bool is_dense = SameLayout(from, {from.dtype, from.shape, {}, nullptr}) && SameLayout(from, to);
  if (is_dense) {
    std::memcpy(to.data, from.data, static_cast<std::size_t>(count * width));
    return;
  }
  VisitDType(from.dtype, [&](auto tag) {
    constexpr std::size_t kWidth = sizeof(typename decltype(tag)::type);
    const Shape from_strides = StridesOf(from), to_strides = StridesOf(to);
    Walk<2> walk(from.shape, {from_strides, to_strides});
    do {
      std::memcpy(AddressAt(to.data, walk.offset(1) * width), AddressAt(from.data, walk.offset(0) * width),
                  kWidth);
    } while (walk.Next());
  });
}

Execution::Execution(std::size_t values, const ExecutionOptions& options)
    : options_(options), slots_(values) {}

void Execution::Give(std::size_t value, const TensorView& view) {
  slots_[value][0].view = view;
  slots_[value][0].is_given = true;
}

// Memory of released values is no tensor of an output, which is moved to the caller.
Result<Tensor> Execution::MemoryFor(DType dtype, const Shape& shape, bool is_output) {
  if (const auto fit = released_.lower_bound(BytesOf(shape, dtype)); !is_output && fit != released_.end()) {
    Tensor memory = std::move(fit->second);
    released_.erase(fit);
    return memory;
  }
  Result<Tensor> made = Tensor::Create(dtype, shape, options_.max_bytes - tensor_bytes_);
  if (!made) return made;
  tensor_bytes_ += static_cast<std::int64_t>(made->byte_size());
  AskForHugePages(made->data(), made->byte_size());
  return made;
}

Result<void> Execution::Create(std::size_t value, std::size_t layer, DType dtype, const Shape& shape,
                               bool is_output) {
  Slot& slot = slots_[value][layer];
  const auto given = given_outputs_.find(value);
  if (layer == 0 && given != given_outputs_.end() && !given->second.by_copy) {
    const MutableTensorView& view = given->second.view;
    if (view.dtype != dtype) {
      return MakeError(ErrorCode::kTypeMismatch, "TYP-2",
                       "the output has type " + std::string(Name(view.dtype)) + " and the computed type is " +
                           std::string(Name(dtype)) + "; nothing is converted");
    }
    if (auto ok = CheckOutputShape({}, view.shape, shape); !ok) return ok;
    slot.view = view;
    return {};
  }
  Result<Tensor> memory = MemoryFor(dtype, shape, is_output);
  if (!memory) return std::move(memory).error();
  slot.created.reset(new Created{*std::move(memory), shape, is_output});
  if (is_output) slot.created->home = TensorHome::Make();
  slot.view = {dtype, slot.created->shape, {}, slot.created->memory.data()};
  return {};
}

void Execution::Release(std::size_t value) {
  for (Slot& slot : slots_[value]) {
    if (slot.created == nullptr || slot.created->memory.data() == nullptr) continue;
    const std::size_t bytes = slot.created->memory.byte_size();
    released_.emplace(bytes, std::move(slot.created->memory));
  }
}

MutableTensorView Execution::MutableView(std::size_t value, std::size_t layer) {
  const TensorView& view = slots_[value][layer].view;
  return {view.dtype, view.shape, view.strides, const_cast<void*>(view.data)};
}

Result<void> Execution::CountWork(const TensorView& view, std::size_t times) {
  work_bytes_ += static_cast<double>(ElementCount(view.shape).value_or(0)) *
                 static_cast<double>(ByteWidth(view.dtype)) * static_cast<double>(times * layers_);
  if (work_bytes_ <= static_cast<double>(options_.max_bytes) * kMaxPassesOverMemory) return {};
  return MakeError(ErrorCode::kLimitExceeded,
                   "the " + std::string(options_.nodes) + " up to this one read and write more than " +
                       std::to_string(kMaxPassesOverMemory) + " times the limit of " +
                       std::to_string(options_.max_bytes) + " bytes" + std::string(kRaiseLimit));
}

Result<void> Execution::CountPlan(std::size_t bytes) {
  plan_bytes_ += static_cast<std::int64_t>(bytes);
  if (plan_bytes_ <= std::max(options_.max_bytes, kMinPlanLimitBytes)) return {};
  const std::string nodes(options_.nodes);
  return MakeError(ErrorCode::kLimitExceeded,
                   "the plans of the " + nodes + " up to this one take more than the limit of " +
                       std::to_string(options_.max_bytes) + " bytes" + std::string(kRaiseLimit));
}

Result<void> Execution::AddMax(const CheckedMax& checked, std::span<const std::size_t> inputs,
                               std::size_t output, const MaxOptions& options) {
  std::vector<TensorView> views(inputs.size());
  std::vector<std::size_t> operands(inputs.begin(), inputs.end());
  operands.push_back(output);
  return AddNode(operands, View(output), 1 + inputs.size(), [&](std::size_t layer) -> Result<Join> {
    for (std::size_t m = 0; m < inputs.size(); ++m) views[m] = View(inputs[m], layer);
    auto plan = PrepareChecked(checked, views, MutableView(output, layer), options);
    if (!plan) return std::move(plan).error();
    return Join{*std::move(plan)};
  });
}

Result<void> Execution::AddReduceMax(const CheckedReduceMax& checked, std::size_t source, std::size_t output,
                                     const ReduceMaxOptions& options, std::optional<std::size_t> zero_layer) {
  const bool no_elements = ElementCount(View(source).shape) == 0;
  const std::size_t operands[] = {source, output};
  return AddNode(operands, View(source), 1, [&](std::size_t layer) -> Result<ReduceOrClear> {
    if (no_elements && layer == zero_layer) return ReduceOrClear{Clear{MutableView(output, layer)}};
    auto plan = PrepareChecked(checked, View(source, layer), MutableView(output, layer), options);
    if (!plan) return std::move(plan).error();
    return ReduceOrClear{Reduce{*std::move(plan)}};
  });
}

Result<void> Execution::AddCopy(std::size_t source, std::size_t output) {
  const std::size_t operands[] = {source, output};
  return AddNode(operands, View(source), 2, [&](std::size_t layer) -> Result<Copy> {
    return Copy{View(source, layer), MutableView(output, layer)};
  });
}

// True if the value can have another address in another run.
bool Execution::CanMove(std::size_t value) const {
  const Slot& slot = slots_[value][0];
  return slot.created == nullptr || slot.created->is_output;
}

void Execution::AddNode(std::span<const std::size_t> operands, Node node) {
  if (std::ranges::any_of(operands, [&](std::size_t value) { return CanMove(value); })) {
    node.operands.assign(operands.begin(), operands.end());
    for (const std::size_t value : operands) node.data.push_back(View(value).data);
  }
  nodes_.push_back(std::move(node));
}

void Execution::Execute() {
  for (; executed_ < nodes_.size(); ++executed_) {
    if (options_.progress && executed_ < options_.node_count)
      options_.progress(executed_, options_.node_count);
    for (const Work& work : nodes_[executed_].layers) work.Run();
  }
  if (options_.progress && executed_ >= options_.node_count)  // copies of outputs are no nodes of the graph
    options_.progress(options_.node_count, options_.node_count);
}

Result<void> Execution::PrepareOutput(std::size_t value) {
  const Slot& slot = slots_[value][0];
  const auto given = given_outputs_.find(value);
  const bool by_copy = given != given_outputs_.end() && given->second.by_copy;
  if (!slot.is_given && !by_copy) return {};
  const std::size_t copy = slots_.size();
  slots_.emplace_back();
  if (given != given_outputs_.end()) given_outputs_[copy] = {given->second.view, false};
  const Shape shape = *Shape::FromSpan(slot.view.shape);
  for (std::size_t layer = 0; layer < layers_; ++layer) {
    if (auto ok = Create(copy, layer, slot.view.dtype, shape, true); !ok) return ok;
  }
  copies_.emplace(value, copy);
  return AddCopy(value, copy);
}

std::size_t Execution::SlotOfOutput(std::size_t value) const {
  const auto copy = copies_.find(value);
  return copy != copies_.end() ? copy->second : value;
}

Tensor Execution::TakeOutput(std::size_t value, std::size_t layer) {
  Created& created = *slots_[SlotOfOutput(value)][layer].created;
  return created.home ? created.home->Lend(std::move(created.memory)) : std::move(created.memory);
}

void Execution::MoveOutput(std::size_t output, void* data) {
  Slot& slot = slots_[SlotOfOutput(output)][0];
  const bool has_memory = slot.created != nullptr;
  slot.view.data = has_memory && data == nullptr ? slot.created->memory.data() : data;
  if (has_memory) slot.created->is_elsewhere = data != nullptr;
}

// An output that was taken has no memory; nor has a released value, which stays where it was.
Result<void> Execution::Renew(Slot& slot) {
  if (slot.created == nullptr || !slot.created->is_output || slot.created->is_elsewhere) return {};
  Tensor& memory = slot.created->memory;
  if (memory.data() != nullptr) return {};
  if (slot.created->home != nullptr) memory = slot.created->home->Take(slot.view.dtype, slot.created->shape);
  if (memory.data() == nullptr) {
    Result<Tensor> made = Tensor::Create(slot.view.dtype, slot.created->shape, options_.max_bytes);
    if (!made) return std::move(made).error();
    AskForHugePages(made->data(), made->byte_size());
    memory = *std::move(made);
  }
  slot.view.data = slot.created->memory.data();
  return {};
}

Result<void> Execution::Rebind() {
  Restart();
  for (Node& node : nodes_) {
    if (node.operands.empty()) continue;
    if (auto ok = Renew(slots_[node.operands.back()][0]); !ok) return ok;
    for (std::size_t k = 0; k < node.data.size(); ++k) node.data[k] = View(node.operands[k]).data;
    if (auto ok = node.layers[0].Rebind(node.data); !ok) return ok;
  }
  return {};
}

}  // namespace supremum::graph
