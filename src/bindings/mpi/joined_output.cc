#include "bindings/mpi/joined_output.h"

#include <cstdint>
#include <utility>

#include "rules/views.h"

namespace supremum::mpi {

Result<void> JoinedOutput::Prepare(MutableTensorView output) {
  output_ = output;
  if (SameLayout(output, {output.dtype, output.shape, {}, nullptr})) return {};  // row-major without gaps
  if (Result<void> ok = Allocate(output.dtype, *Shape::FromSpan(output.shape)); !ok) return ok;
  // ReduceMax along no axes, and not Max, since Max has no bool.
  const std::span<const std::int64_t> none;
  Result<ReduceMaxPlan> copy = ReduceMaxPlan::Prepare(tensor_->View(), output, {.axes = none});
  if (!copy) return copy.error();
  copy_.emplace(*std::move(copy));
  return {};
}

Result<void> JoinedOutput::Allocate(DType dtype, const Shape& shape) {
  Result<Tensor> tensor = Tensor::Create(dtype, shape, INT64_MAX);
  if (!tensor) return tensor.error();
  tensor_.emplace(*std::move(tensor));
  return {};
}

MutableTensorView JoinedOutput::View() { return tensor_ ? tensor_->MutableView() : output_; }

std::span<std::byte> JoinedOutput::Bytes() {
  if (tensor_) return tensor_->bytes();
  const auto count = static_cast<std::size_t>(*ElementCount(output_.shape));
  return {static_cast<std::byte*>(output_.data), count * ByteWidth(output_.dtype)};
}

void JoinedOutput::Finish() {
  if (copy_) copy_->Run();
}

}  // namespace supremum::mpi
