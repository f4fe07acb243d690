// Elements of the thirteen types in the oracle: read from views, decomposed, joined.
#ifndef SUPREMUM_SRC_REFERENCE_ELEMENTS_H_
#define SUPREMUM_SRC_REFERENCE_ELEMENTS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/tensor_view.h"

namespace supremum::reference {

using Index = std::vector<std::int64_t>;

// The widths of exponent and fraction of each float type (IEEE 754, table 3.5; bfloat16 is a binary32 without
// its last 16 bits).
struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
};

template <class T>
inline constexpr FloatFormat kFormat = {};
template <>
inline constexpr FloatFormat kFormat<BFloat16> = {8, 7};
template <>
inline constexpr FloatFormat kFormat<Float16> = {5, 10};
template <>
inline constexpr FloatFormat kFormat<float> = {8, 23};
template <>
inline constexpr FloatFormat kFormat<double> = {11, 52};

// The fields of a float. The lexicographic order of exponent and fraction is the order of magnitudes,
// subnormal numbers included (ORD-6).
struct Float {
  bool negative;
  std::uint64_t exponent;
  std::uint64_t fraction;
};

inline Float TakeApart(std::uint64_t bits, FloatFormat format) {
  const std::uint64_t fraction = bits % (std::uint64_t{1} << format.fraction_bits);
  bits >>= format.fraction_bits;
  const std::uint64_t exponent = bits % (std::uint64_t{1} << format.exponent_bits);
  bits >>= format.exponent_bits;
  return Float{bits != 0, exponent, fraction};
}

inline std::uint64_t LargestExponent(FloatFormat format) {
  return (std::uint64_t{1} << format.exponent_bits) - 1;
}

inline bool IsNaN(const Float& a, FloatFormat format) {
  return a.exponent == LargestExponent(format) && a.fraction != 0;
}

// ORD-2, line by line.
inline bool Less(const Float& a, const Float& b) {
  if (a.negative != b.negative) return a.negative;
  const bool smaller_magnitude = std::tie(a.exponent, a.fraction) < std::tie(b.exponent, b.fraction);
  const bool larger_magnitude = std::tie(a.exponent, a.fraction) > std::tie(b.exponent, b.fraction);
  return a.negative ? larger_magnitude : smaller_magnitude;
}

// ORD-4: the quiet NaN with a positive sign and no other fraction bit.
inline std::uint64_t CanonicalNaN(FloatFormat format) {
  return (LargestExponent(format) * 2 + 1) << (format.fraction_bits - 1);
}

// Floats are handled as their bits, in the low end of 64; booleans as their byte; integers as themselves.
template <class T>
using Scalar = std::conditional_t<IsFloat(kDTypeOf<T>), std::uint64_t,
                                  std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>;

template <class T>
Scalar<T> JoinValues(Scalar<T> a, Scalar<T> b) {
  if constexpr (IsFloat(kDTypeOf<T>)) {
    constexpr FloatFormat format = kFormat<T>;
    const Float x = TakeApart(a, format), y = TakeApart(b, format);
    if (IsNaN(x, format) || IsNaN(y, format)) return CanonicalNaN(format);  // ORD-3
    return Less(x, y) ? b : a;
  } else if constexpr (std::is_same_v<T, bool>) {
    return a != 0 || b != 0 ? 1 : 0;  // TYP-4: false < true
  } else {
    return std::max(a, b);  // ORD-1
  }
}

// The representation in memory: the bits of a float, the byte of a boolean.
template <class T>
using Stored =
    std::conditional_t<!IsFloat(kDTypeOf<T>), Scalar<T>,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
Scalar<T> Read(const TensorView& view, const Index& index, const Index& strides) {
  std::int64_t distance = 0;
  const std::size_t missing = index.size() - view.shape.size();
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    if (view.shape[d] != 1) distance += index[missing + d] * strides[d];
  }
  Stored<T> value{};
  std::memcpy(&value,
              static_cast<const std::byte*>(view.data) + distance * static_cast<std::int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

inline Index Strides(const TensorView& view) {
  if (!view.strides.empty()) return Index(view.strides.begin(), view.strides.end());
  Index strides(view.shape.size(), 1);
  for (std::size_t d = view.shape.size(); d-- > 1;) strides[d - 1] = strides[d] * view.shape[d];
  return strides;
}

// RED-6, RED-7: the maximum over no elements.
template <class T>
Scalar<T> Least() {
  if constexpr (IsFloat(kDTypeOf<T>)) {  // -inf: the sign, and the largest exponent
    constexpr FloatFormat format = kFormat<T>;
    return ((std::uint64_t{1} << format.exponent_bits) + LargestExponent(format)) << format.fraction_bits;
  } else if constexpr (std::is_same_v<T, bool>) {
    return 0;
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

}  // namespace supremum::reference

#endif  // SUPREMUM_SRC_REFERENCE_ELEMENTS_H_
