// Elements as exact rational numbers, and the numbers of a type next to a rational one.
#ifndef SUPREMUM_TESTS_SUPPORT_RATIONAL_H_
#define SUPREMUM_TESTS_SUPPORT_RATIONAL_H_

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "supremum/dtype.h"

namespace supremum::test {

/// The bits of a float type's fraction. Requires: IsFloat(dtype).
inline int FractionBits(DType dtype) {
  constexpr int kFractionBits[] = {7, 10, 23, 52};
  return kFractionBits[static_cast<int>(dtype)];
}

inline int WidthInBits(DType dtype) { return static_cast<int>(8 * ByteWidth(dtype)); }

inline std::uint64_t SignBit(DType dtype) { return std::uint64_t{1} << (WidthInBits(dtype) - 1); }

inline bool IsSigned(DType dtype) { return dtype >= DType::kInt8 && dtype <= DType::kInt64; }

/// The number that the lowest WidthInBits(dtype) bits of `bits` represent; nullopt for an infinity or a NaN.
inline std::optional<mpq_class> RationalOf(DType dtype, std::uint64_t bits) {
  bits &= SignBit(dtype) - 1 + SignBit(dtype);
  if (!IsFloat(dtype)) {
    if (!IsSigned(dtype) || (bits & SignBit(dtype)) == 0) return mpq_class(bits);
    return mpq_class(bits) - 2 * mpq_class(SignBit(dtype));
  }
  const int fraction_bits = FractionBits(dtype), exponent_bits = WidthInBits(dtype) - 1 - fraction_bits;
  const std::uint64_t magnitude = bits & (SignBit(dtype) - 1);
  const int field = static_cast<int>(magnitude >> fraction_bits);
  if (field == (1 << exponent_bits) - 1) return std::nullopt;
  std::uint64_t significand = magnitude & ((std::uint64_t{1} << fraction_bits) - 1);
  if (field > 0) significand += std::uint64_t{1} << fraction_bits;
  const int exponent = (field > 0 ? field : 1) - ((1 << (exponent_bits - 1)) - 1) - fraction_bits;
  mpq_class number(significand), power(1);
  mpq_mul_2exp(power.get_mpq_t(), power.get_mpq_t(),
               static_cast<mp_bitcnt_t>(exponent < 0 ? -exponent : exponent));
  number = exponent < 0 ? mpq_class(number / power) : mpq_class(number * power);
  return (bits & SignBit(dtype)) != 0 ? mpq_class(-number) : number;
}

namespace internal {

// The bits of the largest number: finite, of a float type.
inline std::uint64_t LargestBits(DType dtype) {
  const std::uint64_t magnitude = SignBit(dtype) - 1;
  if (IsFloat(dtype)) return magnitude - (std::uint64_t{1} << FractionBits(dtype));
  if (dtype == DType::kBool) return 1;
  return IsSigned(dtype) ? magnitude : magnitude | SignBit(dtype);
}

// The next number below, not counting -0; nullopt below the least one. Requires: `bits` are a number.
inline std::optional<mpq_class> Below(DType dtype, std::uint64_t bits) {
  const std::uint64_t sign = SignBit(dtype);
  if (!IsFloat(dtype)) {
    const std::uint64_t least = IsSigned(dtype) ? sign : 0;
    if (bits == least) return std::nullopt;
    return *RationalOf(dtype, bits) - 1;
  }
  if ((bits & (sign - 1)) == 0) return RationalOf(dtype, sign | 1);
  return RationalOf(dtype, (bits & sign) != 0 ? bits + 1 : bits - 1);
}

}  // namespace internal

/// The least and the largest number of an integer type, or of bool.
inline std::pair<mpq_class, mpq_class> LimitsOf(DType dtype) {
  return {IsSigned(dtype) ? mpq_class(-mpq_class(SignBit(dtype))) : mpq_class(0),
          *RationalOf(dtype, internal::LargestBits(dtype))};
}

/// True if `bits` represent `number` rounded upwards: the least number of the type that is not below it. If
/// there is none, `number` is rounded to +inf in a float type and to the largest number in any other type.
inline bool IsLeastAbove(DType dtype, std::uint64_t bits, const mpq_class& number) {
  bits &= SignBit(dtype) - 1 + SignBit(dtype);
  const mpq_class largest = *RationalOf(dtype, internal::LargestBits(dtype));
  if (number > largest) {
    return bits == internal::LargestBits(dtype) + (IsFloat(dtype) ? 1 : 0);
  }
  const std::optional<mpq_class> above = RationalOf(dtype, bits);
  if (!above || *above < number) return false;
  const std::optional<mpq_class> next = internal::Below(dtype, bits);
  return !next || *next < number;
}

/// The same below: what `number` is rounded downwards to.
inline bool IsMostBelow(DType dtype, std::uint64_t bits, const mpq_class& number) {
  bits &= SignBit(dtype) - 1 + SignBit(dtype);
  if (IsFloat(dtype)) return IsLeastAbove(dtype, bits ^ SignBit(dtype), -number);
  const std::uint64_t least = IsSigned(dtype) ? SignBit(dtype) : 0;
  if (number <= *RationalOf(dtype, least)) return bits == least;
  return RationalOf(dtype, bits) == number;
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_RATIONAL_H_
