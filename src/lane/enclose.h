// The interval of the true value, from a value and the bound of its error, for every element type: one pair
// at a time (ACC-3, ACC-4).
//
// Sums of floats are computed as integers, on exponents and significands: they do not depend on the rounding
// mode or on the flushing of subnormal numbers (ORD-6).
#ifndef SUPREMUM_SRC_LANE_ENCLOSE_H_
#define SUPREMUM_SRC_LANE_ENCLOSE_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "supremum/dtype.h"
#include "supremum/lane.h"

namespace supremum::lane {

/// Integers. Sums saturate at the type's limits, since a true value is a value of the type.
template <Element T>
struct Enclosure {
  using Bits = T;
  static constexpr Bits kLeast = std::numeric_limits<T>::lowest();
  static constexpr Bits kMost = std::numeric_limits<T>::max();

  /// True if e < 0, which is not a bound. Requires of the functions below: IsNegative(e) is false.
  static constexpr bool IsNegative(Bits e) {
    if constexpr (std::is_signed_v<T>) return e < T{0};
    return false;
  }

  /// The bound of the error of z that e states.
  static constexpr Bits Bound(Bits, Bits e) { return e; }
  /// The least true value, z - e.
  static constexpr Bits Lower(Bits z, Bits e) {
    return z < static_cast<Bits>(kLeast + e) ? kLeast : static_cast<Bits>(z - e);
  }
  /// The largest true value, z + e.
  static constexpr Bits Upper(Bits z, Bits e) {
    return z > static_cast<Bits>(kMost - e) ? kMost : static_cast<Bits>(z + e);
  }
};

/// Booleans are the integers 0 and 1: with a bound of true, the true value may be either.
template <>
struct Enclosure<bool> {
  using Bits = std::uint8_t;

  static constexpr bool IsNegative(Bits) { return false; }
  static constexpr Bits Bound(Bits, Bits e) { return e != 0; }
  static constexpr Bits Lower(Bits z, Bits e) { return z != 0 && e == 0; }
  static constexpr Bits Upper(Bits z, Bits e) { return z != 0 || e != 0; }
};

/// Floats of any width up to 64 bits, by their bits.
template <class L>
struct FloatEnclosure {
  using Bits = typename L::Bits;
  static constexpr Bits kSign = static_cast<Bits>(~L::kMagnitude);

  static constexpr bool IsFinite(Bits a) { return (a & L::kMagnitude) < L::kInfinity; }

  /// True if e < 0, which -0 and NaN are not.
  static constexpr bool IsNegative(Bits e) {
    return (e & kSign) != 0 && (e & L::kMagnitude) != 0 && !L::IsNaN(e);
  }

  /// The bound of the error of z that e states: |e|, and +inf where either is not finite (ACC-4).
  static constexpr Bits Bound(Bits z, Bits e) {
    return IsFinite(z) && IsFinite(e) ? static_cast<Bits>(e & L::kMagnitude) : L::kInfinity;
  }

  /// The least true value, z - e rounded downwards; -inf where either is not finite (ACC-4).
  static constexpr Bits Lower(Bits z, Bits e) {
    return static_cast<Bits>(Upper(static_cast<Bits>(z ^ kSign), e) ^ kSign);
  }

  /// The largest true value, z + e rounded upwards; +inf if either is not finite (ACC-4).
  ///
  /// If e is 0, it is z itself. Otherwise a sum of exactly 0 is +0, so that Lower's is -0 (ORD-2).
  static constexpr Bits Upper(Bits z, Bits e) {
    if (!IsFinite(z) || !IsFinite(e)) return L::kInfinity;
    const Bits a = static_cast<Bits>(z & L::kMagnitude), b = static_cast<Bits>(e & L::kMagnitude);
    if (b == 0) return z;
    if ((z & kSign) == 0) return Sum(std::max(a, b), std::min(a, b));
    if (a == b) return 0;
    if (a < b) return Difference(b, a, Rounding::kAwayFromZero);
    return static_cast<Bits>(kSign | Difference(a, b, Rounding::kTowardsZero));
  }

 private:
  enum class Rounding : std::uint8_t { kTowardsZero, kAwayFromZero };

  // The number of bits of a significand, its leading one included, and of the bits that are kept below it:
  //
  // clang-format off
  //   0..0 c 1ffff..ffff gg s    c: the carry of a sum
  //                              g: two guard bits, which a difference may shift up
  //                              s: the sticky bit, set if any lower bit is
  // clang-format on
  static constexpr int kSignificand = std::countr_zero(L::kInfinity) + 1;
  static constexpr int kBelow = 3;
  static_assert(kSignificand + kBelow + 1 <= 64);

  // |a| is significand * 2^exponent times a constant. The least exponent is 1, of subnormal numbers and of
  // the least normal ones.
  static constexpr int Exponent(Bits a) { return std::max(1, static_cast<int>(a >> (kSignificand - 1))); }
  static constexpr std::uint64_t Significand(Bits a) {
    const std::uint64_t one = std::uint64_t{1} << (kSignificand - 1);
    return a < one ? a : (a & (one - 1)) | one;
  }

  // x / 2^by, rounded to odd: if it is not an integer, the odd one of its two neighbours.
  static constexpr std::uint64_t ShiftRight(std::uint64_t x, int by) {
    if (by >= 63) return x != 0;
    const std::uint64_t lost = x & ((std::uint64_t{1} << by) - 1);
    return x >> by | static_cast<std::uint64_t>(lost != 0);
  }

  // The significand of b, shifted to the exponent of a.
  static constexpr std::uint64_t Aligned(Bits b, Bits a) {
    return ShiftRight(Significand(b) << kBelow, Exponent(a) - Exponent(b));
  }

  // a + b, away from zero. Requires: a >= b >= 0, both finite.
  static constexpr Bits Sum(Bits a, Bits b) {
    return Rounded((Significand(a) << kBelow) + Aligned(b, a), Exponent(a), Rounding::kAwayFromZero);
  }

  // a - b. Requires: a > b >= 0, both finite.
  //
  // If b loses bits below s, it is less than an eighth of a. Then the difference is shifted up by at most one
  // bit, and s stays below the bits that are kept.
  static constexpr Bits Difference(Bits a, Bits b, Rounding rounding) {
    return Rounded((Significand(a) << kBelow) - Aligned(b, a), Exponent(a), rounding);
  }

  static constexpr Bits Rounded(std::uint64_t x, int exponent, Rounding rounding) {
    const int missing = kSignificand + kBelow - static_cast<int>(std::bit_width(x));
    if (missing < 0) {
      x = ShiftRight(x, -missing);
      exponent -= missing;
    } else {
      const int shift = std::min(missing, exponent - 1);
      x <<= shift;
      exponent -= shift;
    }
    const bool inexact = (x & ((1u << kBelow) - 1)) != 0;
    const std::uint64_t significand = (x >> kBelow) + (inexact && rounding == Rounding::kAwayFromZero);
    // The leading one of a normal number adds one to the exponent field, and so does a carry out of it.
    const std::uint64_t bits = (static_cast<std::uint64_t>(exponent - 1) << (kSignificand - 1)) + significand;
    return static_cast<Bits>(std::min<std::uint64_t>(bits, L::kInfinity));
  }
};

template <>
struct Enclosure<BFloat16> : FloatEnclosure<Lane<BFloat16>> {};
template <>
struct Enclosure<Float16> : FloatEnclosure<Lane<Float16>> {};
template <>
struct Enclosure<float> : FloatEnclosure<Lane<float>> {};
template <>
struct Enclosure<double> : FloatEnclosure<Lane<double>> {};

}  // namespace supremum::lane

#endif  // SUPREMUM_SRC_LANE_ENCLOSE_H_
