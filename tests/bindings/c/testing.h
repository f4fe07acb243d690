// Tensors as DLPack describes them, and statuses by name.
#ifndef SUPREMUM_TESTS_BINDINGS_C_TESTING_H_
#define SUPREMUM_TESTS_BINDINGS_C_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "supremum/c_api.h"
#include "supremum/tensor_view.h"

namespace supremum::test {

inline DLDataType DlTypeOf(DType dtype) {
  const auto of = [](unsigned code, unsigned bits) {
    return DLDataType{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  };
  const unsigned bits = static_cast<unsigned>(8 * ByteWidth(dtype));
  if (dtype == DType::kBFloat16) return of(kDLBfloat, bits);
  if (dtype == DType::kBool) return of(SUPREMUM_DL_BOOL, bits);
  if (IsFloat(dtype)) return of(kDLFloat, bits);
  return of(Name(dtype).starts_with("u") ? kDLUInt : kDLInt, bits);
}

/// A view as a DLTensor, which owns its shape and strides. `byte_offset` bytes of the address are in the
/// member of that name.
class DlTensor {
 public:
  explicit DlTensor(const TensorView& view, std::uint64_t byte_offset = 0)
      : shape_(view.shape.begin(), view.shape.end()), strides_(view.strides.begin(), view.strides.end()) {
    tensor_.data =
        view.data == nullptr ? nullptr : static_cast<std::byte*>(const_cast<void*>(view.data)) - byte_offset;
    tensor_.device = {kDLCPU, 0};
    tensor_.ndim = static_cast<int>(shape_.size());
    tensor_.dtype = DlTypeOf(view.dtype);
    tensor_.shape = shape_.data();
    tensor_.strides = strides_.empty() ? nullptr : strides_.data();
    tensor_.byte_offset = byte_offset;
  }

  template <class T>
  static DlTensor Of(std::vector<T>& elements, const Shape& shape) {
    return DlTensor(TensorView::Of(elements.data(), shape));
  }

  // The vectors' elements stay where they are.
  DlTensor(DlTensor&&) = default;
  DlTensor& operator=(DlTensor&&) = default;

  DLTensor* operator->() { return &tensor_; }
  DLTensor* get() { return &tensor_; }

 private:
  std::vector<std::int64_t> shape_, strides_;
  DLTensor tensor_ = {};
};

/// The status's name, and the error's text where there is one: what a test compares and shows.
inline std::string Outcome(supremum_status status) {
  const std::string name = supremum_status_name(status);
  return status == SUPREMUM_OK ? name : name + ": " + supremum_last_error();
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_BINDINGS_C_TESTING_H_
