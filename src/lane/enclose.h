// What a value and the bound of its error say of the true value, for every element type: one pair at a time
// (ACC-3, ACC-4).
//
// Sums of floats are taken apart and put together as integers, as everything in this room is: no rounding
// mode, no flushing of subnormal numbers can change them (ORD-6).
#ifndef SUPREMUM_SRC_LANE_ENCLOSE_H_
#define SUPREMUM_SRC_LANE_ENCLOSE_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "lane/lane.h"
#include "supremum/dtype.h"

namespace supremum::lane {

/// Integers. Sums that leave the type end at its limits: a true value is one of the type's, and those beyond
/// are none.
template <Element T>
struct Enclosure {
  using Bits = T;
  static constexpr Bits kLeast = std::numeric_limits<T>::lowest();
  static constexpr Bits kMost = std::numeric_limits<T>::max();

  /// True if e < 0: no bound of anything. The functions below are not given such a bound.
  static constexpr bool IsNegative(Bits e) {
    if constexpr (std::is_signed_v<T>) return e < T{0};
    return false;
  }

  /// What e bounds the error of z by.
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

/// Booleans are the integers 0 and 1: a bound of true says that the value may be either.
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

  /// What e bounds the error of z by: |e|, and +inf where either is not finite (ACC-4).
  static constexpr Bits Bound(Bits z, Bits e) {
    return IsFinite(z) && IsFinite(e) ? static_cast<Bits>(e & L::kMagnitude) : L::kInfinity;
  }

  /// The least true value, z - e rounded downwards; -inf where either is not finite (ACC-4).
  static constexpr Bits Lower(Bits z, Bits e) {
    return static_cast<Bits>(Upper(static_cast<Bits>(z ^ kSign), e) ^ kSign);
  }

  /// The largest true value, z + e rounded upwards; +inf where either is not finite (ACC-4).
  ///
  /// z itself where e is 0; otherwise a sum of exactly 0 is +0, so that Lower's is -0 (ORD-2).
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

  // The number of bits of a significand, its leading one included, and those that are kept below it:
  //
  //   0..0 c 1ffff..ffff gg s    c: the carry of a sum; g: two bits that a difference may yet shift up;
  //                              s: set if anything below is
  static constexpr int kSignificand = std::countr_zero(L::kInfinity) + 1;
  static constexpr int kBelow = 3;
  static_assert(kSignificand + kBelow + 1 <= 64);

  // significand * 2^exponent; the least exponent is 1, which subnormal numbers share with the least normal
  // ones.
  static constexpr int Exponent(Bits a) { return std::max(1, static_cast<int>(a >> (kSignificand - 1))); }
  static constexpr std::uint64_t Significand(Bits a) {
    const std::uint64_t one = std::uint64_t{1} << (kSignificand - 1);
    return a < one ? a : (a & (one - 1)) | one;
  }

  // x / 2^by; if that is no integer, the odd one of the two beside it.
  static constexpr std::uint64_t ShiftRight(std::uint64_t x, int by) {
    if (by >= 63) return x != 0;
    const std::uint64_t lost = x & ((std::uint64_t{1} << by) - 1);
    return x >> by | static_cast<std::uint64_t>(lost != 0);
  }

  // b as it stands below a.
  static constexpr std::uint64_t Aligned(Bits b, Bits a) {
    return ShiftRight(Significand(b) << kBelow, Exponent(a) - Exponent(b));
  }

  // a + b, away from zero. Requires: a >= b >= 0, both finite.
  static constexpr Bits Sum(Bits a, Bits b) {
    return Rounded((Significand(a) << kBelow) + Aligned(b, a), Exponent(a), Rounding::kAwayFromZero);
  }

  // a - b. Requires: a > b >= 0, both finite.
  //
  // Where b loses bits below s it is less than an eighth of a, so that the difference moves up by one bit at
  // most, and s stays below what is kept.
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
    // The leading one of a normal number adds one to the exponent, and so does a carry out of it.
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
