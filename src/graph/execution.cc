#include "graph/execution.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "core/messages.h"

namespace supremum::graph {
namespace {

std::size_t BytesOf(DimsView shape, DType dtype) {
  return static_cast<std::size_t>(ElementCount(shape).value_or(0)) * ByteWidth(dtype);
}

struct Copy {
  TensorView from;
  MutableTensorView to;
  std::size_t MemoryBytes() const { return 0; }
  void Run() const {
    const std::size_t bytes = BytesOf(from.shape, from.dtype);
    if (bytes > 0) std::memcpy(to.data, from.data, bytes);
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
};

struct ReduceOrClear {
  explicit ReduceOrClear(ReduceMaxPlan plan) : work(std::move(plan)) {}
  explicit ReduceOrClear(Clear clear) : work(clear) {}
  std::size_t MemoryBytes() const {
    return std::visit([](const auto& one) { return one.MemoryBytes(); }, work);
  }
  void Run() const {
    std::visit([](const auto& one) { one.Run(); }, work);
  }
  std::variant<ReduceMaxPlan, Clear> work;
};

}  // namespace

Execution::Execution(std::size_t values, const ExecutionOptions& options)
    : options_(options), slots_(values) {}

Result<void> Execution::Create(std::size_t value, std::size_t layer, DType dtype, const Shape& shape) {
  Result<Tensor> made = Tensor::Create(dtype, shape, options_.max_bytes - tensor_bytes_);
  if (!made) return std::move(made).error();
  tensor_bytes_ += static_cast<std::int64_t>(made->byte_size());
  slots_[value][layer].created = std::make_unique<Tensor>(*std::move(made));
  return {};
}

Result<void> Execution::CreateStrided(std::size_t value, const std::string& who, DType dtype,
                                      const Shape& shape, const Shape& strides) {
  Result<StridedTensor> made =
      StridedTensor::Create(who, dtype, shape, strides, options_.max_bytes - tensor_bytes_);
  if (!made) return std::move(made).error();
  tensor_bytes_ += static_cast<std::int64_t>(made->byte_size());
  Slot& slot = slots_[value][0];
  if (IsRowMajor(shape, strides)) {
    slot.created = std::make_unique<Tensor>(made->Take());
  } else {
    slot.strided = std::make_unique<StridedTensor>(*std::move(made));
  }
  return {};
}

const Tensor& Execution::Dense(std::size_t value, std::size_t layer) const {
  const Slot& slot = slots_[value][layer];
  return slot.created != nullptr ? *slot.created : *slot.given;
}

TensorView Execution::View(std::size_t value, std::size_t layer) const {
  const Slot& slot = slots_[value][layer];
  return slot.strided != nullptr ? slot.strided->View() : Dense(value, layer).View();
}

MutableTensorView Execution::MutableView(std::size_t value, std::size_t layer) {
  Slot& slot = slots_[value][layer];
  return slot.strided != nullptr ? slot.strided->MutableView() : slot.created->MutableView();
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
  return AddNode(View(output), 1 + inputs.size(), [&](std::size_t layer) {
    for (std::size_t m = 0; m < inputs.size(); ++m) views[m] = View(inputs[m], layer);
    return PrepareChecked(checked, views, MutableView(output, layer), options);
  });
}

Result<void> Execution::AddReduceMax(const CheckedReduceMax& checked, std::size_t source, std::size_t output,
                                     const ReduceMaxOptions& options, std::optional<std::size_t> zero_layer) {
  const bool no_elements = ElementCount(View(source).shape) == 0;
  return AddNode(View(source), 1, [&](std::size_t layer) -> Result<ReduceOrClear> {
    if (no_elements && layer == zero_layer) return ReduceOrClear(Clear{MutableView(output, layer)});
    auto plan = PrepareChecked(checked, View(source, layer), MutableView(output, layer), options);
    if (!plan) return std::move(plan).error();
    return ReduceOrClear(*std::move(plan));
  });
}

Result<void> Execution::AddCopy(std::size_t source, std::size_t output) {
  return AddNode(View(source), 2, [&](std::size_t layer) -> Result<Copy> {
    return Copy{View(source, layer), MutableView(output, layer)};
  });
}

void Execution::Execute() {
  for (; executed_ < nodes_.size(); ++executed_) {
    if (options_.progress) options_.progress(executed_, options_.node_count);
    for (const Work& work : nodes_[executed_]) work.Run();
  }
  if (options_.progress && executed_ == options_.node_count) options_.progress(executed_, executed_);
}

Result<void> Execution::PrepareOutput(std::size_t value, const std::string& who) {
  const Slot& slot = slots_[value][0];
  if (slot.created != nullptr) return {};
  Result<Tensor> copy = [&]() -> Result<Tensor> {
    if (slot.strided == nullptr) return slot.given->Clone();
    const TensorView view = slot.strided->View();
    const Shape shape = *Shape::FromSpan(view.shape);
    Result<StridedTensor> made = StridedTensor::Create(who, view.dtype, shape, RowMajorStrides(shape),
                                                       options_.max_bytes - tensor_bytes_);
    if (!made) return std::move(made).error();
    tensor_bytes_ += static_cast<std::int64_t>(made->byte_size());
    return made->Take();
  }();
  if (!copy) return std::move(copy).error();
  copies_.emplace(value, *std::move(copy));
  return {};
}

Tensor Execution::TakeOutput(std::size_t value, std::size_t layer) {
  Slot& slot = slots_[value][layer];
  if (slot.created != nullptr) return std::move(*slot.created);
  Tensor& copy = copies_.find(value)->second;
  if (slot.strided != nullptr) slot.strided->Get(&copy);
  return std::move(copy);
}

}  // namespace supremum::graph
