// The kernels that were extracted from the proofs, on tensor views: one more oracle.
//
// They want all tensors in one block of memory and the shapes already settled. So everything that a view
// spans is copied into a block, the kernel runs there, and what the output spans is copied back.
#ifndef SUPREMUM_TESTS_SUPPORT_PROVED_H_
#define SUPREMUM_TESTS_SUPPORT_PROVED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/reference.h"
#include "supremum/tensor_view.h"
#include "supremum_c99.h"

namespace supremum::test {
namespace proved {

using Numbers = std::vector<std::int64_t>;

template <class Bits>
struct Functions {
  using Type = Bits;
  void (*max)(std::int64_t, const std::int64_t*, Bits*, std::int64_t, const std::int64_t*, std::int64_t,
              const std::int64_t*, const std::int64_t*);
  void (*reduce_max)(std::int64_t, const std::int64_t*, Bits*, std::int64_t, const std::int64_t*,
                     std::int64_t, const std::int64_t*, std::int64_t, const std::int64_t*,
                     const std::int64_t*);
};

/// Calls visit with the functions of a type.
template <class Visit>
void VisitFunctions(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::kBFloat16:
      return visit(
          Functions<std::uint16_t>{supremum_proved_max_bfloat16, supremum_proved_reduce_max_bfloat16});
    case DType::kFloat16:
      return visit(Functions<std::uint16_t>{supremum_proved_max_float16, supremum_proved_reduce_max_float16});
    case DType::kFloat32:
      return visit(Functions<std::uint32_t>{supremum_proved_max_float, supremum_proved_reduce_max_float});
    case DType::kFloat64:
      return visit(Functions<std::uint64_t>{supremum_proved_max_double, supremum_proved_reduce_max_double});
    case DType::kInt8:
      return visit(Functions<std::int8_t>{supremum_proved_max_int8, supremum_proved_reduce_max_int8});
    case DType::kInt16:
      return visit(Functions<std::int16_t>{supremum_proved_max_int16, supremum_proved_reduce_max_int16});
    case DType::kInt32:
      return visit(Functions<std::int32_t>{supremum_proved_max_int32, supremum_proved_reduce_max_int32});
    case DType::kInt64:
      return visit(Functions<std::int64_t>{supremum_proved_max_int64, supremum_proved_reduce_max_int64});
    case DType::kBool:
      return visit(Functions<std::uint8_t>{supremum_proved_max_bool, supremum_proved_reduce_max_bool});
    case DType::kUInt8:
      return visit(Functions<std::uint8_t>{supremum_proved_max_uint8, supremum_proved_reduce_max_uint8});
    case DType::kUInt16:
      return visit(Functions<std::uint16_t>{supremum_proved_max_uint16, supremum_proved_reduce_max_uint16});
    case DType::kUInt32:
      return visit(Functions<std::uint32_t>{supremum_proved_max_uint32, supremum_proved_reduce_max_uint32});
    case DType::kUInt64:
      return visit(Functions<std::uint64_t>{supremum_proved_max_uint64, supremum_proved_reduce_max_uint64});
  }
}

inline Numbers StridesOf(const TensorView& view) {
  if (!view.strides.empty()) return Numbers(view.strides.begin(), view.strides.end());
  Numbers strides(view.shape.size(), 1);
  for (std::size_t d = view.shape.size(); d-- > 1;) strides[d - 1] = strides[d] * view.shape[d];
  return strides;
}

/// All tensors of a call in one block.
template <class Bits>
class Block {
 public:
  /// Copies what a view spans; returns the position of its first element.
  std::int64_t Add(const TensorView& view) {
    const Span span(view);
    const std::size_t at = elements_.size();
    elements_.insert(elements_.end(), span.count, Bits{});
    if (span.count > 0) std::memcpy(elements_.data() + at, First(view, span), span.count * sizeof(Bits));
    return static_cast<std::int64_t>(at) - span.lowest;
  }

  /// Copies the view at position `start` back to its memory.
  void CopyBack(const MutableTensorView& view, std::int64_t start) const {
    const Span span(view);
    if (span.count == 0) return;
    std::byte* const first = static_cast<std::byte*>(view.data) + (First(view, span) - Bytes(view));
    std::memcpy(first, elements_.data() + (start + span.lowest), span.count * sizeof(Bits));
  }

  Bits* data() { return elements_.data(); }

 private:
  // Offsets of a view's elements: the lowest one, and the number of offsets from it to the highest one.
  struct Span {
    explicit Span(const TensorView& view) {
      const Numbers strides = proved::StridesOf(view);
      std::int64_t highest = 0;
      for (std::size_t d = 0; d < strides.size(); ++d) {
        if (view.shape[d] == 0) empty = true;
        (strides[d] < 0 ? lowest : highest) += strides[d] * (view.shape[d] - 1);
      }
      if (empty) lowest = 0;
      count = empty ? 0 : static_cast<std::size_t>(highest - lowest + 1);
    }
    std::int64_t lowest = 0;
    std::size_t count = 0;
    bool empty = false;
  };

  static const std::byte* Bytes(const TensorView& view) { return static_cast<const std::byte*>(view.data); }
  static const std::byte* First(const TensorView& view, const Span& span) {
    return Bytes(view) + span.lowest * static_cast<std::int64_t>(sizeof(Bits));
  }

  std::vector<Bits> elements_;
};

inline bool IsInPlace(const TensorView& input, const TensorView& output) {
  return input.data == output.data && proved::StridesOf(input) == proved::StridesOf(output) &&
         std::equal(input.shape.begin(), input.shape.end(), output.shape.begin(), output.shape.end());
}

}  // namespace proved

/// Max by the proved kernel.
///
/// Requires: the output has the common shape and is one of the inputs or apart from all of them.
inline void ProvedMax(std::span<const TensorView> inputs, MutableTensorView output) {
  proved::VisitFunctions(output.dtype, [&](auto functions) {
    proved::Block<typename decltype(functions)::Type> block;
    const proved::Numbers shape(output.shape.begin(), output.shape.end());
    const std::int64_t out = block.Add(output);
    proved::Numbers starts, strides;
    for (const TensorView& input : inputs) {
      starts.push_back(proved::IsInPlace(input, output) ? out : block.Add(input));
      const proved::Numbers own = proved::StridesOf(input);
      strides.resize(strides.size() + shape.size() - own.size(), 0);  // BRO-1
      for (std::size_t d = 0; d < own.size(); ++d) strides.push_back(input.shape[d] == 1 ? 0 : own[d]);
    }
    functions.max(static_cast<std::int64_t>(shape.size()), shape.data(), block.data(), out,
                  proved::StridesOf(output).data(), static_cast<std::int64_t>(inputs.size()), starts.data(),
                  strides.data());
    block.CopyBack(output, out);
  });
}

/// ReduceMax by the proved kernel.
///
/// Requires: `axes` are admitted and the output has the reduced shape.
inline void ProvedReduceMax(const TensorView& source, MutableTensorView output,
                            std::optional<std::span<const std::int64_t>> axes, bool keepdims) {
  std::optional<proved::Numbers> list;
  if (axes) list.emplace(axes->begin(), axes->end());
  const std::vector<bool> reduced = *reference::ReducedDimensions(list, source.shape.size());
  proved::VisitFunctions(output.dtype, [&](auto functions) {
    proved::Block<typename decltype(functions)::Type> block;
    const std::int64_t out = block.Add(output), start = block.Add(source);
    const proved::Numbers all = proved::StridesOf(source), out_all = proved::StridesOf(output);
    proved::Numbers kept, kept_strides, out_strides, folded, folded_strides;
    for (std::size_t d = 0, place = 0; d < reduced.size(); ++d) {
      (reduced[d] ? folded : kept).push_back(source.shape[d]);
      (reduced[d] ? folded_strides : kept_strides).push_back(all[d]);
      if (!reduced[d]) out_strides.push_back(out_all[place]);
      if (keepdims || !reduced[d]) ++place;
    }
    functions.reduce_max(static_cast<std::int64_t>(kept.size()), kept.data(), block.data(), out,
                         out_strides.data(), start, kept_strides.data(),
                         static_cast<std::int64_t>(folded.size()), folded.data(), folded_strides.data());
    block.CopyBack(output, out);
  });
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_PROVED_H_
