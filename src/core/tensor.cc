#include "supremum/tensor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "core/messages.h"
#include "core/operand_errors.h"
#include "core/out_of_memory.h"
#include "core/tensor_home.h"

namespace supremum {
namespace {

// One cache line, which is also the widest supported vector.
constexpr std::align_val_t kAlignment{64};

}  // namespace

void Tensor::Free::operator()(std::byte* data) const {
  if (home == nullptr || !home->Keep(data)) ::operator delete[](data, kAlignment);
  if (home != nullptr) home->Release();
}

Tensor TensorHome::Lend(Tensor tensor) {
  owners_.fetch_add(1, std::memory_order_relaxed);
  tensor.data_.get_deleter().home = this;
  return tensor;
}

void TensorHome::Release() {
  if (owners_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  ::operator delete[](kept_.load(std::memory_order_relaxed), kAlignment);
  delete this;
}

Tensor TensorHome::Take(DType dtype, const Shape& shape) {
  Tensor tensor;
  tensor.dtype_ = dtype;
  tensor.shape_ = shape;
  tensor.byte_size_ = static_cast<std::size_t>(*ElementCount(shape)) * ByteWidth(dtype);
  tensor.data_.reset(kept_.exchange(nullptr, std::memory_order_acq_rel));
  return tensor;
}

Tensor::Tensor() = default;

Result<Tensor> Tensor::Create(DType dtype, DimsView shape, std::int64_t max_bytes) {
  return OrOutOfMemory([&]() -> Result<Tensor> {
    if (!IsValid(dtype)) return NoSuchTypeError(dtype);
    const std::optional<Shape> extents = Shape::FromSpan(shape);
    if (!extents) return RankError("the tensor", shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] < 0) {
        return MakeError(ErrorCode::kInvalidShape,
                         "dimension " + std::to_string(d) + " of shape " + ToString(shape) + " is negative");
      }
    }
    const std::optional<std::int64_t> count = ElementCount(shape);
    const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
    // On 32-bit targets a tensor has at most PTRDIFF_MAX bytes.
    const std::int64_t most = std::min<std::int64_t>(max_bytes, std::numeric_limits<std::ptrdiff_t>::max());
    if (!count || *count > most / width) {
      return MakeError(ErrorCode::kLimitExceeded, "a " + std::string(Name(dtype)) + " tensor of shape " +
                                                      ToString(shape) + " takes more than the limit of " +
                                                      std::to_string(most) + " bytes" +
                                                      std::string(kRaiseLimit));
    }

    Tensor tensor;
    tensor.dtype_ = dtype;
    tensor.shape_ = *extents;
    tensor.byte_size_ = static_cast<std::size_t>(*count * width);
    // At least one byte, so that an empty tensor has an address too.
    const std::size_t allocated = tensor.byte_size_ == 0 ? 1 : tensor.byte_size_;
    tensor.data_.reset(new (kAlignment, std::nothrow) std::byte[allocated]);
    if (tensor.data_ == nullptr) {
      return AllocationError(allocated,
                             "a " + std::string(Name(dtype)) + " tensor of shape " + ToString(shape));
    }
    return tensor;
  });
}

Result<Tensor> Tensor::Clone() const {
  Result<Tensor> copy = Create(dtype_, shape_, INT64_MAX);
  if (copy && byte_size_ > 0) std::memcpy(copy->data(), data(), byte_size_);
  return copy;
}

}  // namespace supremum
