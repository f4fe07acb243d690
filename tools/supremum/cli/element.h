// Single elements as text: exactly, and by their bits.
#ifndef SUPREMUM_TOOLS_CLI_ELEMENT_H_
#define SUPREMUM_TOOLS_CLI_ELEMENT_H_

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "supremum/dtype.h"
#include "supremum/tensor.h"

namespace supremum::cli {

/// The unsigned integer as wide as T.
template <Element T>
using BitsOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <Element T>
inline constexpr bool kIsFloat = IsFloat(kDTypeOf<T>);

/// The bits of +inf: only the exponent field is set. A value whose bits, without the sign, exceed them is a
/// NaN.
template <Element T>
requires kIsFloat<T>
inline constexpr BitsOf<T> kInfinityBits = 0;
template <>
inline constexpr std::uint16_t kInfinityBits<BFloat16> = 0x7F80;
template <>
inline constexpr std::uint16_t kInfinityBits<Float16> = 0x7C00;
template <>
inline constexpr std::uint32_t kInfinityBits<float> = 0x7F800000;
template <>
inline constexpr std::uint64_t kInfinityBits<double> = 0x7FF0000000000000;

template <Element T>
inline constexpr BitsOf<T> kSignBit = static_cast<BitsOf<T>>(BitsOf<T>{1} << (8 * sizeof(T) - 1));

template <Element T>
constexpr BitsOf<T> Bits(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}

template <Element T>
constexpr bool IsNaN(T value) {
  if constexpr (kIsFloat<T>) {
    return static_cast<BitsOf<T>>(Bits(value) & ~kSignBit<T>) > kInfinityBits<T>;
  } else {
    return false;
  }
}

/// `value` as an arithmetic type; exact.
template <Element T>
constexpr T Decode(T value) {
  return value;
}
float Decode(Float16 value);
float Decode(BFloat16 value);

/// An integer in the order of ORD-2, in which neighbours differ by 1; an integer's key is its value, a
/// float's key:
///
///   sign 0: the bits with the sign set;   sign 1: all bits inverted
template <Element T>
constexpr auto OrderKey(T value) {
  if constexpr (kIsFloat<T>) {
    const BitsOf<T> bits = Bits(value);
    return static_cast<BitsOf<T>>((bits & kSignBit<T>) != 0 ? ~bits : bits | kSignBit<T>);
  } else {
    return value;
  }
}

/// The element with this OrderKey.
template <Element T>
constexpr T FromOrderKey(decltype(OrderKey(T())) key) {
  if constexpr (kIsFloat<T>) {
    return std::bit_cast<T>(static_cast<BitsOf<T>>((key & kSignBit<T>) != 0 ? key & ~kSignBit<T> : ~key));
  } else {
    return key;
  }
}

/// The shortest decimal that identifies the number in its type ("0.1", "-0", "inf", "nan"); 16-bit floats are
/// shown as the equal float32.
template <Element T>
std::string Text(T value) {
  return IsNaN(value) ? "nan" : fmt::format("{}", Decode(value));
}

/// "0x" and the bits, all digits.
template <Element T>
std::string HexText(T value) {
  return fmt::format("0x{:0{}x}", Bits(value), 2 * sizeof(T));
}

/// An element as text in every form.
struct ElementText {
  std::string value;      ///< Text
  std::string hex_float;  ///< of a finite float or an infinity exactly, as printf's %a; "-" for anything else
  std::string bits;       ///< HexText
};

/// The text of the element at position `linear` in row-major order. Requires: there is such an element.
ElementText TextOf(const Tensor& tensor, std::int64_t linear);

/// The coordinates of the element at position `linear` in row-major order. Requires: there is such an
/// element.
Shape IndexOf(DimsView shape, std::int64_t linear);

/// The same as text: "[1,0,2]".
std::string IndexText(DimsView shape, std::int64_t linear);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_ELEMENT_H_
