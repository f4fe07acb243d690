#include "masked_copy.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "core/align.h"
#include "core/walk.h"
#include "errors.h"
#include "supremum/broadcast.h"
#include "supremum/reduce_max.h"

namespace supremum::python {
namespace {

constexpr std::uint8_t kTrue = 1;

// `Bits` is an unsigned integer of the element's width, through which no bit changes; steps are in bytes.
template <class Bits>
void CopyBits(const void* source, DimsView steps, const void* mask, DimsView mask_steps,
              const std::byte* bottom, Tensor& copy) {
  if (copy.size() == 0) return;
  Bits nothing;
  std::memcpy(&nothing, bottom, sizeof nothing);
  Bits* to = static_cast<Bits*>(copy.data());
  // The last dimension is a loop of its own; that of a scalar has one element.
  const DimsView extents = copy.shape();
  const std::size_t outer = extents.empty() ? 0 : extents.size() - 1;
  const std::int64_t n = extents.empty() ? 1 : extents.back();
  const std::int64_t step = extents.empty() ? 0 : steps.back(),
                     mask_step = extents.empty() ? 0 : mask_steps.back();
  Walk<2> walk(extents.first(outer), {steps.first(outer), mask_steps.first(outer)});
  do {
    const std::byte* const from = static_cast<const std::byte*>(source) + walk.offset(0);
    const std::uint8_t* const taken = static_cast<const std::uint8_t*>(mask) + walk.offset(1);
    for (std::int64_t i = 0; i < n; ++i) {
      Bits bits;
      std::memcpy(&bits, from + i * step, sizeof bits);
      *to++ = taken[i * mask_step] != 0 ? bits : nothing;
    }
  } while (walk.Next());
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
    Fail(ErrorCode::kTypeMismatch, "TYP-2",
         "where has type " + std::string(Name(mask.dtype)) + "; expected a tensor of bool",
         ", such as the result of a comparison");
  }
  constexpr std::string_view kNames[] = {"x", "where"};
  const DimsView shapes[] = {source.shape, mask.shape};
  const Shape common = Take(BroadcastShapes(shapes, kNames));
  if (!SameDims(common, source.shape)) {
    Fail(ErrorCode::kNotBroadcastable, "BRO-2",
         "where has shape " + ToString(mask.shape) + " and input 'x' has shape " + ToString(source.shape) +
             "; the mask is broadcast to the source, not the source to the mask",
         "; repeat 'x', or give 'where' fewer dimensions");
  }
  return CopyElements(source.dtype, source.shape, source.data, ByteStepsOf(source), mask.data,
                      AlignedStrides(mask, common.rank()));
}

}  // namespace supremum::python
