#include "graph/strided_tensor.h"

#include <cstring>
#include <utility>

#include "core/messages.h"
#include "core/overlap.h"
#include "core/walk.h"
#include "rules/views.h"

namespace supremum::graph {
namespace {

// The range of the elements in bytes, relative to the first one; nullopt if it leaves the address space.
std::optional<ByteRange> RangeIn(DType dtype, const Shape& shape, const Shape& strides) {
  const std::optional<std::int64_t> count = ElementCount(shape);
  if (!count) return std::nullopt;
  // An address far from both ends of the address space, so that only the distances decide.
  const void* const somewhere = reinterpret_cast<const void*>(UINTPTR_MAX / 4 + 1);
  return RangeOf({somewhere, ByteWidth(dtype), shape, strides});
}

}  // namespace

bool IsRowMajor(const Shape& shape, const Shape& strides) {
  const std::optional<std::int64_t> count = ElementCount(shape);
  if (!count) return false;
  return *count == 0 ||
         SameLayout({DType::kFloat32, shape, strides, nullptr}, {DType::kFloat32, shape, {}, nullptr});
}

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

Result<StridedTensor> StridedTensor::Create(const std::string& who, DType dtype, const Shape& shape,
                                            const Shape& strides, std::int64_t max_bytes) {
  const std::optional<ByteRange> range = RangeIn(dtype, shape, strides);
  if (!range || range->last - range->first > max_bytes) {
    const std::string bytes =
        range ? std::to_string(range->last - range->first) + " bytes" : "more bytes than there are addresses";
    return MakeError(ErrorCode::kLimitExceeded, who + " of shape " + ToString(shape) + " with strides " +
                                                    ToString(strides) + " takes " + bytes +
                                                    ", and the limit leaves " + std::to_string(max_bytes) +
                                                    " bytes" + std::string(kRaiseLimit));
  }
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(dtype));
  const Shape elements{(range->last - range->first) / width};
  Result<Tensor> memory = Tensor::Create(dtype, IsRowMajor(shape, strides) ? shape : elements, INT64_MAX);
  if (!memory) return std::move(memory).error();
  StridedTensor made;
  made.memory_ = *std::move(memory);
  made.shape_ = shape;
  made.strides_ = strides;
  made.first_ = range->first / width;
  return made;
}

std::byte* StridedTensor::origin() const {
  std::byte* const memory = const_cast<std::byte*>(memory_.bytes().data());
  return memory - first_ * static_cast<std::int64_t>(ByteWidth(memory_.dtype()));
}

// Calls visit(address of an element, its index) in row-major order, until it returns false.
template <class Visit>
void StridedTensor::ForEachElement(Visit visit) const {
  if (ElementCount(shape_) == 0) return;
  const std::int64_t width = static_cast<std::int64_t>(ByteWidth(memory_.dtype()));
  std::byte* const first = origin();
  Walk<1> walk(shape_, {strides_});
  while (visit(first + walk.offset(0) * width, walk.index()) && walk.Next()) {
  }
}

std::optional<Shape> StridedTensor::FirstDifference(const Tensor& tensor) const {
  const std::size_t width = ByteWidth(memory_.dtype());
  const std::byte* other = tensor.bytes().data();
  std::optional<Shape> found;
  ForEachElement([&](const std::byte* at, DimsView index) {
    if (std::memcmp(at, other, width) != 0) found = Shape::FromSpan(index);
    other += width;
    return !found;
  });
  return found;
}

}  // namespace supremum::graph
