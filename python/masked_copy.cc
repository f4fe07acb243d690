#include "masked_copy.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "errors.h"
#include "supremum/broadcast.h"
#include "supremum/reduce_max.h"

namespace supremum::python {
namespace {

constexpr std::uint8_t kTrue = 1;

Shape StridesOf(const TensorView& view) {
  return view.strides.empty() ? RowMajorStrides(view.shape) : *Shape::FromSpan(view.strides);
}

// One loop a dimension; `Bits` is an unsigned integer of the element's width, through which no bit changes.
template <class Bits>
struct Copier {
  DimsView extents, steps, mask_steps;  // steps in bytes
  Bits bottom;
  Bits* to;  // the next element to be written

  void Run(std::size_t dimension, const std::byte* from, const std::uint8_t* mask) {
    if (dimension == extents.size()) {
      Bits bits;
      std::memcpy(&bits, from, sizeof bits);
      *to++ = *mask != 0 ? bits : bottom;
      return;
    }
    const std::int64_t step = steps[dimension], mask_step = mask_steps[dimension];
    if (dimension + 1 < extents.size()) {
      for (std::int64_t i = 0; i < extents[dimension]; ++i)
        Run(dimension + 1, from + i * step, mask + i * mask_step);
      return;
    }
    for (std::int64_t i = 0; i < extents[dimension]; ++i) {
      Bits bits;
      std::memcpy(&bits, from + i * step, sizeof bits);
      *to++ = mask[i * mask_step] != 0 ? bits : bottom;
    }
  }
};

template <class Bits>
void CopyBits(const void* source, DimsView steps, const void* mask, DimsView mask_steps,
              const std::byte* bottom, Tensor& copy) {
  if (copy.size() == 0) return;
  Bits bits;
  std::memcpy(&bits, bottom, sizeof bits);
  Copier<Bits> copier{copy.shape(), steps, mask_steps, bits, static_cast<Bits*>(copy.data())};
  copier.Run(0, static_cast<const std::byte*>(source), static_cast<const std::uint8_t*>(mask));
}

Tensor CopyElements(DType dtype, DimsView shape, const void* source, DimsView steps, const void* mask,
                    DimsView mask_steps) {
  // The maximum over no elements.
  alignas(8) std::byte bottom[8] = {};
  const Shape none{0}, scalar;
  Take(ReduceMax({dtype, none, {}, bottom}, {dtype, scalar, {}, bottom}));

  Tensor copy = Take(Tensor::Create(dtype, shape, INT64_MAX));
  switch (ByteWidth(dtype)) {
    case 1:
      CopyBits<std::uint8_t>(source, steps, mask, mask_steps, bottom, copy);
      break;
    case 2:
      CopyBits<std::uint16_t>(source, steps, mask, mask_steps, bottom, copy);
      break;
    case 4:
      CopyBits<std::uint32_t>(source, steps, mask, mask_steps, bottom, copy);
      break;
    default:
      CopyBits<std::uint64_t>(source, steps, mask, mask_steps, bottom, copy);
  }
  return copy;
}

Shape ByteStepsOf(const TensorView& view) {
  Shape steps = StridesOf(view);
  for (std::int64_t& step : steps) {  // unsigned: the stride of an unused dimension may be any number
    step = static_cast<std::int64_t>(static_cast<std::uint64_t>(step) * ByteWidth(view.dtype));
  }
  return steps;
}

}  // namespace

Tensor Copy(const TensorView& source) {
  return CopyOfBytes(source.dtype, source.shape, ByteStepsOf(source), source.data);
}

Tensor CopyOfBytes(DType dtype, DimsView shape, DimsView byte_steps, const void* data) {
  return CopyElements(dtype, shape, data, byte_steps, &kTrue, Shape::Filled(shape.size(), 0));
}

Tensor CopyWhere(const TensorView& source, const TensorView& mask) {
  if (mask.dtype != DType::kBool) {
    Fail(ErrorCode::kTypeMismatch,
         "where has type " + std::string(Name(mask.dtype)) +
             "; expected a tensor of bool (TYP-2), such as the result of a comparison");
  }
  constexpr std::string_view kNames[] = {"a", "where"};
  const DimsView shapes[] = {source.shape, mask.shape};
  const Shape common = Take(BroadcastShapes(shapes, kNames));
  if (!SameDims(common, source.shape)) {
    Fail(ErrorCode::kNotBroadcastable,
         "where has shape " + ToString(mask.shape) + " and input 'a' has shape " + ToString(source.shape) +
             "; the mask is broadcast to the source, not the source to the mask "
             "(BRO-2). Repeat 'a', or give 'where' fewer dimensions");
  }
  const Shape mask_strides = StridesOf(mask);
  Shape mask_steps = Shape::Filled(common.rank(), 0);
  const std::size_t missing = common.rank() - mask.shape.size();
  for (std::size_t d = 0; d < mask.shape.size(); ++d) {
    if (mask.shape[d] != 1) mask_steps[missing + d] = mask_strides[d];
  }
  return CopyElements(source.dtype, source.shape, source.data, ByteStepsOf(source), mask.data, mask_steps);
}

}  // namespace supremum::python
