// A tensor that owns its elements: the result of readers, and the buffers of a graph.
#ifndef SUPREMUM_TENSOR_H_
#define SUPREMUM_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "supremum/dtype.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

class TensorHome;  // src/core/tensor_home.h

/// The default limit of the memory that one file, model or run may request, in bytes.
inline constexpr std::int64_t kDefaultMaxBytes = std::int64_t{16} << 30;

/// Elements in row-major order without gaps, in the machine's byte order, aligned to 64 bytes. Movable, not
/// copyable: a copy of gigabytes must be visible in the code (Clone).
class Tensor {
 public:
  /// An empty float32 tensor of shape [0].
  Tensor();

  /// A tensor with uninitialised elements.
  ///
  /// Errors: kTypeNotAdmitted if !IsValid(dtype); kRank (BRO-4); kInvalidShape for an extent below zero;
  ///   kLimitExceeded if the elements take more than `max_bytes`; kOutOfMemory.
  /// Cost: one allocation.
  ///
  ///   Result<Tensor> t = Tensor::Create(DType::kFloat32, Shape{2, 3});
  ///   if (!t) return t.error();
  ///   t->Elements<float>()[0] = 1.0f;
  static Result<Tensor> Create(DType dtype, DimsView shape, std::int64_t max_bytes = kDefaultMaxBytes);

  /// A tensor with the same type, shape and bytes. Errors: kOutOfMemory.
  Result<Tensor> Clone() const;

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }

  /// The number of elements.
  std::int64_t size() const { return static_cast<std::int64_t>(byte_size_ / ByteWidth(dtype_)); }
  std::size_t byte_size() const { return byte_size_; }

  void* data() { return data_.get(); }
  const void* data() const { return data_.get(); }
  std::span<std::byte> bytes() { return {data_.get(), byte_size_}; }
  std::span<const std::byte> bytes() const { return {data_.get(), byte_size_}; }

  /// The elements as a span. Requires: kDTypeOf<T> == dtype(). Does not compile for a temporary tensor, nor
  /// do the views below.
  template <Element T>
  std::span<T> Elements() & {
    return {reinterpret_cast<T*>(data_.get()), byte_size_ / sizeof(T)};
  }
  template <Element T>
  std::span<const T> Elements() const& {
    return {reinterpret_cast<const T*>(data_.get()), byte_size_ / sizeof(T)};
  }
  template <Element T>
  std::span<const T> Elements() const&& = delete;

  /// Views that are valid until this tensor is moved or destroyed.
  TensorView View() const& { return TensorView{dtype_, shape_, {}, data_.get()}; }
  TensorView View() const&& = delete;
  MutableTensorView MutableView() & { return MutableTensorView{dtype_, shape_, {}, data_.get()}; }
  MutableTensorView MutableView() && = delete;

 private:
  friend class TensorHome;
  struct Free {
    constexpr Free() noexcept : home(nullptr) {}
    TensorHome* home;  // keeps the memory for the next tensor, if not null
    void operator()(std::byte* data) const;
  };

  DType dtype_ = DType::kFloat32;
  Shape shape_{0};
  std::size_t byte_size_ = 0;
  std::unique_ptr<std::byte[], Free> data_;
};

/// A tensor and its name in a model or a file.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace supremum

#endif  // SUPREMUM_TENSOR_H_
