// Elements worth testing with, as bits, and tensors laid out in every way.
#ifndef SUPREMUM_TESTS_SUPPORT_VALUES_H_
#define SUPREMUM_TESTS_SUPPORT_VALUES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum::test {

using Rng = std::mt19937_64;

inline std::size_t Below(Rng& rng, std::size_t n) { return static_cast<std::size_t>(rng() % n); }

/// The bits of NaNs of both signs and kinds, zeros, subnormals, ordinary values and infinities of a float
/// type; the extremes and the neighbourhood of zero of an integer type.
inline std::vector<std::uint64_t> SpecialBits(DType dtype) {
  const auto float_bits = [](int exponent_bits, int fraction_bits) {
    const std::uint64_t one = 1;
    const std::uint64_t sign = one << (exponent_bits + fraction_bits);
    const std::uint64_t infinity = ((one << exponent_bits) - 1) << fraction_bits;
    const std::uint64_t quiet = one << (fraction_bits - 1);
    const std::uint64_t unit = ((one << (exponent_bits - 1)) - 1) << fraction_bits;  // 1.0
    std::vector<std::uint64_t> bits;
    for (std::uint64_t magnitude :
         {std::uint64_t{0}, one, quiet, (one << fraction_bits) - 1, one << fraction_bits, unit - 1, unit,
          unit + 1, unit + (one << fraction_bits), infinity - 1, infinity, infinity + 1, infinity + quiet - 1,
          infinity + quiet, infinity + quiet + 5, sign - 1}) {
      bits.push_back(magnitude);
      bits.push_back(sign | magnitude);
    }
    return bits;
  };
  switch (dtype) {
    case DType::kBFloat16:
      return float_bits(8, 7);
    case DType::kFloat16:
      return float_bits(5, 10);
    case DType::kFloat32:
      return float_bits(8, 23);
    case DType::kFloat64:
      return float_bits(11, 52);
    default:
      break;
  }
  const int width = static_cast<int>(8 * ByteWidth(dtype));
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - width);
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  return {0, 1, 2, 5, top - 1, top, top + 1, all - 1, all};
}

/// The bits of +inf. Requires: IsFloat(dtype).
inline std::uint64_t InfinityBits(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16:
      return 0x7F80;
    case DType::kFloat16:
      return 0x7C00;
    case DType::kFloat32:
      return 0x7F80'0000;
    default:
      return 0x7FF0'0000'0000'0000;
  }
}

/// One element's bits: a special value, one of its close relatives, or anything.
inline std::uint64_t RandomBits(Rng& rng, DType dtype, const std::vector<std::uint64_t>& special) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * ByteWidth(dtype));
  switch (Below(rng, 4)) {
    case 0:
      return rng() & all;
    case 1:
      return (special[Below(rng, special.size())] ^ (rng() & 3)) & all;
    default:
      return special[Below(rng, special.size())];
  }
}

/// Calls visit(address) for each element in row-major order, where the first one is at `first`.
template <class Visit>
void VisitElements(DType dtype, const Shape& shape, const Shape& strides, std::byte* first, Visit visit) {
  if (ElementCount(shape) == 0) return;
  const std::ptrdiff_t width = static_cast<std::ptrdiff_t>(ByteWidth(dtype));
  std::vector<std::int64_t> index(shape.rank(), 0);
  for (;;) {
    std::int64_t distance = 0;
    for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * strides[d];
    visit(first + distance * width);
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

/// An element's bits.
inline std::uint64_t BitsAt(DType dtype, const std::byte* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, ByteWidth(dtype));
  return bits;
}

/// Elements in a buffer of their own, behind any strides. Bytes between the elements, and before and after
/// them, are kGuard.
class StridedTensor {
 public:
  static constexpr std::byte kGuard{0xA5};

  /// How the strides are chosen. kAny mixes everything that its use allows.
  enum class Layout { kDense, kReversed, kTransposed, kAny };
  enum class Use { kInput, kOutput };

  StridedTensor(Rng& rng, DType dtype, const Shape& shape, Layout layout, Use use)
      : dtype_(dtype), shape_(shape) {
    std::vector<std::size_t> order(shape.rank());  // innermost first
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    if (layout == Layout::kTransposed || (layout == Layout::kAny && Below(rng, 2) == 0)) {
      std::shuffle(order.begin(), order.end(), rng);
    }
    strides_ = Shape::Filled(shape.rank(), 0);
    std::int64_t step = layout == Layout::kAny ? 1 + static_cast<std::int64_t>(Below(rng, 3)) : 1;
    std::int64_t lowest = 0, highest = 0;
    for (std::size_t d : order) {
      const bool still = use == Use::kInput && layout == Layout::kAny && Below(rng, 6) == 0;
      const bool backwards = layout == Layout::kReversed || (layout == Layout::kAny && Below(rng, 3) == 0);
      strides_[d] = still ? 0 : backwards ? -step : step;
      const std::int64_t reach = strides_[d] * std::max<std::int64_t>(shape[d] - 1, 0);
      (reach < 0 ? lowest : highest) += reach;
      if (still) continue;
      step *= std::max<std::int64_t>(shape[d], 1);
      if (layout == Layout::kAny && Below(rng, 3) == 0) step += static_cast<std::int64_t>(Below(rng, 3));
    }
    const std::size_t width = ByteWidth(dtype);
    // An odd offset now and then: data need not be aligned.
    const std::size_t skew = layout == Layout::kAny ? Below(rng, 3) : 0;
    origin_ = skew + 16 + static_cast<std::size_t>(-lowest) * width;
    buffer_.assign(origin_ + static_cast<std::size_t>(highest + 1) * width + 16, kGuard);
  }

  /// Gives every element a value. One NaN settles a whole reduction: now and then there are none, or negative
  /// numbers alone.
  void Fill(Rng& rng) {
    const std::vector<std::uint64_t> special = SpecialBits(dtype_);
    const std::size_t kind = IsFloat(dtype_) ? Below(rng, 3) : 0;
    const std::uint64_t sign = std::uint64_t{1} << (8 * ByteWidth(dtype_) - 1);
    ForEachElement([&](std::byte* element) {
      std::uint64_t bits = RandomBits(rng, dtype_, special);
      const bool is_nan = kind > 0 && (bits & (sign - 1)) > InfinityBits(dtype_);
      if (is_nan) bits ^= sign >> 1;  // the top of the exponent: a number
      if (kind > 1) bits |= sign;
      std::memcpy(element, &bits, ByteWidth(dtype_));
    });
  }

  /// Sets the elements' bits, in row-major order. If several elements share an address, the last one is kept.
  void Set(const std::vector<std::uint64_t>& bits) {
    std::size_t next = 0;
    ForEachElement([&](std::byte* element) { std::memcpy(element, &bits[next++], ByteWidth(dtype_)); });
  }

  TensorView View() const { return TensorView{dtype_, shape_, strides_, buffer_.data() + origin_}; }
  MutableTensorView MutableView() {
    return MutableTensorView{dtype_, shape_, strides_, buffer_.data() + origin_};
  }

  /// The elements' bits in row-major order.
  std::vector<std::uint64_t> Elements() {
    std::vector<std::uint64_t> all;
    ForEachElement([&](std::byte* element) { all.push_back(BitsAt(dtype_, element)); });
    return all;
  }

  /// True if every byte that belongs to no element is still kGuard.
  bool GuardsIntact() {
    std::vector<bool> element_byte(buffer_.size(), false);
    ForEachElement([&](std::byte* element) {
      const auto first = element_byte.begin() + (element - buffer_.data());
      std::fill(first, first + static_cast<std::ptrdiff_t>(ByteWidth(dtype_)), true);
    });
    for (std::size_t i = 0; i < buffer_.size(); ++i) {
      if (!element_byte[i] && buffer_[i] != kGuard) return false;
    }
    return true;
  }

  const std::vector<std::byte>& buffer() const { return buffer_; }

  /// buffer() == other.buffer(), quickly in unoptimised tests too.
  bool SameBytes(const StridedTensor& other) const {
    return buffer_.size() == other.buffer_.size() &&
           std::memcmp(buffer_.data(), other.buffer_.data(), buffer_.size()) == 0;
  }

 private:
  template <class Visit>
  void ForEachElement(Visit visit) {
    VisitElements(dtype_, shape_, strides_, buffer_.data() + origin_, visit);
  }

  DType dtype_;
  Shape shape_;
  Shape strides_;
  std::size_t origin_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_VALUES_H_
