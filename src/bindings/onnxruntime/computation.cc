#include "bindings/onnxruntime/computation.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "core/messages.h"
#include "core/quote.h"
#include "ops/parallel.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"

namespace supremum::onnxruntime {
namespace {

[[noreturn]] void Throw(const Node& node, const Error& error) {
  throw Failure(ORT_INVALID_ARGUMENT, "supremum: " + ErrorAt(node.title, error).message);
}

template <class T>
T Value(const Node& node, Result<T> result) {
  if (!result) Throw(node, result.error());
  return *std::move(result);
}

// A tensor without elements may have no memory, and needs none.
template <class T>
T* NotNull(T* data) {
  alignas(64) static std::byte nothing[64];
  return data != nullptr ? data : nothing;
}

// The session's thread pool during one run; absent if the session uses one thread.
struct SessionThreads {
  const OrtApi* ort;
  const OrtKernelContext* context;
};

bool RunOnSession(void* pool, std::size_t count, Workers::Part part, void* task) noexcept {
  const SessionThreads& session = *static_cast<const SessionThreads*>(pool);
  OrtStatus* const status = session.ort->KernelContext_ParallelFor(session.context, part, count, count, task);
  if (status == nullptr) return true;
  session.ort->ReleaseStatus(status);
  return false;
}

// More ranges than the session has threads cost little: the threads take one after the other.
std::size_t SessionRanges() {
  static const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
  return count;
}

}  // namespace

// One run at a time: its operands, and the plan of the run before. All memory is kept for the next run.
class Computation::Call {
 public:
  explicit Call(const Computation& of) : api_(of.api_), node_(of.node_) {
    threads_ = of.threads_.of_onnxruntime ? SessionRanges() : of.threads_.own;
    names_.assign(node_.inputs.begin(), node_.inputs.end());
  }

  void Run(OrtKernelContext* context, const std::vector<std::size_t>& positions) {
    std::swap(dims_, last_dims_);
    std::swap(begins_, last_begins_);
    dims_.clear();
    begins_.assign(1, 0);
    data_.clear();
    const bool is_max = std::holds_alternative<MaxVersion>(node_.version);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const OrtValue* value = nullptr;
      api_.Check(api_.ort->KernelContext_GetInput(context, positions[i], &value));
      if (value == nullptr)
        Throw(node_, ErrorAt(ErrorCode::kInvalidArgument, Quote(names_[i]), "it has no value"));
      const bool is_axes = i == 1 && !is_max;
      ReadShape(i, value, is_axes);
      data_.push_back(NotNull(Data(value)));
      if (is_axes) ReadAxes();
    }
    // The prepared call is for the same shapes and, since `dims_` contains the values of the axes, the same
    // axes.
    const bool same = dims_ == last_dims_ && begins_ == last_begins_;
    if (is_max) {
      RunMax(context, same);
    } else {
      RunReduceMax(context, same);
    }
  }

 private:
  DimsView ShapeOf(std::size_t i) const { return {dims_.data() + begins_[i], begins_[i + 1] - begins_[i]}; }

  const void* Data(const OrtValue* value) const {
    const void* data = nullptr;
    api_.Check(api_.ort->GetTensorData(value, &data));
    return data;
  }

  // Appends the extents of input `i` to dims_.
  void ReadShape(std::size_t i, const OrtValue* value, bool is_axes) {
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    if (api_.type_and_shape != nullptr) {
      const std::int64_t* extents = nullptr;
      std::size_t rank = 0;
      api_.Check(api_.type_and_shape(value, &type, &extents, &rank));
      dims_.insert(dims_.end(), extents, extents + rank);
    } else {
      ReadShapeOf123(value, type);
    }
    if (DTypeOf(type) != (is_axes ? DType::kInt64 : node_.dtype)) {
      Throw(node_, ErrorAt(ErrorCode::kTypeMismatch, Quote(names_[i]), "TYP-2",
                           "its elements are of another type than the model states"));
    }
    begins_.push_back(dims_.size());
  }

  void ReadShapeOf123(const OrtValue* value, ONNXTensorElementDataType& type) {
    OrtTensorTypeAndShapeInfo* info = nullptr;
    api_.Check(api_.ort->GetTensorTypeAndShape(value, &info));
    const std::unique_ptr<OrtTensorTypeAndShapeInfo, decltype(api_.ort->ReleaseTensorTypeAndShapeInfo)> owner(
        info, api_.ort->ReleaseTensorTypeAndShapeInfo);
    api_.Check(api_.ort->GetTensorElementType(info, &type));
    std::size_t rank = 0;
    api_.Check(api_.ort->GetDimensionsCount(info, &rank));
    dims_.resize(begins_.back() + rank);
    api_.Check(api_.ort->GetDimensions(info, dims_.data() + begins_.back(), rank));
  }

  // Appends the axes' values to dims_, after their tensor's extents.
  void ReadAxes() {
    const DimsView shape = ShapeOf(1);
    if (shape.size() != 1) {
      Throw(node_, ErrorAt(ErrorCode::kAxis, Quote(names_[1]), "RED-5",
                           "axes are a tensor of rank 1, and it has rank " + std::to_string(shape.size())));
    }
    const auto count = static_cast<std::size_t>(shape[0]);
    const auto* const axes = static_cast<const std::int64_t*>(data_[1]);
    dims_.insert(dims_.end(), axes, axes + count);
  }

  void* AllocateOutput(OrtKernelContext* context) const {
    OrtValue* value = nullptr;
    api_.Check(
        api_.ort->KernelContext_GetOutput(context, 0, output_shape_.data(), output_shape_.rank(), &value));
    void* data = nullptr;
    api_.Check(api_.ort->GetTensorMutableData(value, &data));
    return NotNull(static_cast<std::byte*>(data));
  }

  // A plan that does not fit the memory is prepared again: its errors then name the operand.
  void RunMax(OrtKernelContext* context, bool same) {
    void* output = nullptr;
    if (same && max_) {
      output = AllocateOutput(context);
      if (max_->Rebind(data_, output)) return max_->Run();
    }
    MaxOptions options;
    options.version = std::get<MaxVersion>(node_.version);
    options.threads = threads_;
    options.input_names = names_;
    std::vector<TensorView> views;
    for (std::size_t i = 0; i < data_.size(); ++i) views.push_back({node_.dtype, ShapeOf(i), {}, data_[i]});
    if (output == nullptr) {
      output_shape_ = Value(node_, MaxOutputShape(views, options));
      output = AllocateOutput(context);
    }
    max_ = Value(node_, MaxPlan::Prepare(views, {node_.dtype, output_shape_, {}, output}, options));
    max_->Run();
  }

  void RunReduceMax(OrtKernelContext* context, bool same) {
    void* output = nullptr;
    if (same && reduce_max_) {
      output = AllocateOutput(context);
      if (reduce_max_->Rebind(data_[0], output)) return reduce_max_->Run();
    }
    std::optional<std::span<const std::int64_t>> axes;
    if (node_.axes) axes = *node_.axes;
    if (data_.size() > 1) axes = std::span(dims_).subspan(begins_[2]);
    ReduceMaxOptions options;
    options.axes = AxesOfOnnx(axes, node_.noop_with_empty_axes);
    options.keepdims = node_.keepdims;
    options.version = std::get<ReduceMaxVersion>(node_.version);
    options.threads = threads_;
    options.source_name = names_[0];
    const TensorView source = {node_.dtype, ShapeOf(0), {}, data_[0]};
    if (output == nullptr) {
      output_shape_ = Value(node_, ReduceMaxOutputShape(source, options));
      output = AllocateOutput(context);
    }
    reduce_max_ =
        Value(node_, ReduceMaxPlan::Prepare(source, {node_.dtype, output_shape_, {}, output}, options));
    reduce_max_->Run();
  }

  const Api& api_;
  const Node& node_;
  std::size_t threads_ = 1;
  std::vector<std::string_view> names_;
  // The extents of all inputs, one after the other, and where those of each begin; then the values of the
  // axes.
  std::vector<std::int64_t> dims_, last_dims_;
  std::vector<std::size_t> begins_, last_begins_;
  std::vector<const void*> data_;
  Shape output_shape_;
  std::optional<MaxPlan> max_;
  std::optional<ReduceMaxPlan> reduce_max_;
};

Computation::Computation(const Api& api, Node node, std::vector<std::size_t> positions, ThreadOptions threads)
    : api_(api), node_(std::move(node)), positions_(std::move(positions)), threads_(threads) {}

Computation::~Computation() { delete next_.load(); }

std::unique_ptr<Computation::Call> Computation::Take() {
  if (Call* const call = next_.exchange(nullptr, std::memory_order_acquire))
    return std::unique_ptr<Call>(call);
  {
    const std::scoped_lock lock(mutex_);
    if (!others_.empty()) {
      std::unique_ptr<Call> call = std::move(others_.back());
      others_.pop_back();
      return call;
    }
  }
  return std::make_unique<Call>(*this);
}

void Computation::PutBack(std::unique_ptr<Call> call) {
  Call* none = nullptr;
  if (next_.compare_exchange_strong(none, call.get(), std::memory_order_release, std::memory_order_relaxed)) {
    static_cast<void>(call.release());
    return;
  }
  const std::scoped_lock lock(mutex_);
  others_.push_back(std::move(call));
}

// A call that fails is not put back: what it keeps for the next one is incomplete.
void Computation::Run(OrtKernelContext* context) {
  std::unique_ptr<Call> call = Take();
  SessionThreads session = {api_.ort, context};
  const Workers workers = {RunOnSession, &session};
  std::optional<ScopedWorkers> scope;
  if (threads_.of_onnxruntime) scope.emplace(workers);
  call->Run(context, positions_);
  PutBack(std::move(call));
}

}  // namespace supremum::onnxruntime
