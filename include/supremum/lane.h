// Join and Bottom, its identity element, for every element type: one pair of values at a time.
//
// Elements are handled as their bits. A float that is never loaded as a float cannot be quieted, flushed or
// rounded by the processor, so ORD-6 holds by construction: no result depends on the floating-point
// environment.
#ifndef SUPREMUM_LANE_H_
#define SUPREMUM_LANE_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "supremum/dtype.h"

namespace supremum::lane {

/// Integers: Bits is the type itself, the order is the mathematical one (ORD-1).
template <Element T>
struct Lane {
  using Bits = T;
  static constexpr Bits kBottom = std::numeric_limits<T>::lowest();

  /// max(a, b)
  static constexpr Bits Join(Bits a, Bits b) { return a < b ? b : a; }
  /// Join(a, a)
  static constexpr Bits Canonical(Bits a) { return a; }
};

/// Floats of any width, by their bits: sign, exponent, fraction, from the top.
///
// clang-format off
///   1 11..1 f..f   negative NaN, f != 0    As signed integers, the patterns without a sign ascend and those
///   1 11..1 0..0   -inf                    with a sign descend. TurnRound inverts the lower bits of the
///   1 eeeee f..f   negative                latter: then all ascend in the order of ORD-2, negative NaNs
///   1 00..0 0..0   -0                      first, positive NaNs last.
///   0 00..0 0..0   +0                      Minus kNaNs, the number of NaNs of one sign, the negative NaNs
///   0 eeeee f..f   positive                wrap to the top: -inf < ... < -0 < +0 < ... < +inf < every NaN
///   0 11..1 0..0   +inf                    (ORD-3), and the maximum is one comparison of integers.
///   0 11..1 f..f   positive NaN, f != 0
// clang-format on
///
/// No function has a branch, so that no execution time depends on the data.
template <class UnsignedBits, UnsignedBits kInfinityBits, UnsignedBits kNaNBits>
struct FloatLane {
  using Bits = UnsignedBits;
  using Key = std::make_signed_t<Bits>;
  static constexpr Bits kInfinity = kInfinityBits;
  static constexpr Bits kCanonicalNaN = kNaNBits;  // ORD-4
  static constexpr Bits kMagnitude = std::numeric_limits<Key>::max();
  static constexpr Bits kBottom = static_cast<Bits>(kInfinity | static_cast<Bits>(~kMagnitude));  // -inf

  /// The number of NaNs of one sign.
  static constexpr Bits kNaNs = static_cast<Bits>(kMagnitude - kInfinity);
  static constexpr Key kInfinityKey = static_cast<Key>(kInfinity - kNaNs);

  static constexpr bool IsNaN(Bits a) { return static_cast<Bits>(a & kMagnitude) > kInfinity; }

  /// Inverts the bits below the sign if the sign is set. Its own inverse.
  static constexpr Bits TurnRound(Bits a) {
    const Bits all_if_negative = static_cast<Bits>(static_cast<Key>(a) >> (8 * sizeof(Bits) - 1));
    return static_cast<Bits>(a ^ (all_if_negative & kMagnitude));
  }

  /// An integer that ascends in the order of ORD-2: the least one for -inf, those above kInfinityKey for
  /// NaNs.
  static constexpr Key KeyOf(Bits a) { return static_cast<Key>(static_cast<Bits>(TurnRound(a) - kNaNs)); }

  /// The value with this key; the canonical NaN for the key of any NaN.
  static constexpr Bits FromKey(Key key) {
    const Bits value = TurnRound(static_cast<Bits>(static_cast<Bits>(key) + kNaNs));
    return Select(key > kInfinityKey, kCanonicalNaN, value);
  }

  /// max(a, b) in the order of ORD-2; the canonical NaN if either is NaN (ORD-3, ORD-4). Commutative and
  /// associative bit by bit (ORD-5).
  static constexpr Bits Join(Bits a, Bits b) {
    const Key ka = KeyOf(a), kb = KeyOf(b);
    return FromKey(ka < kb ? kb : ka);
  }

  /// Join(a, a): a itself, or the canonical NaN.
  static constexpr Bits Canonical(Bits a) { return Select(IsNaN(a), kCanonicalNaN, a); }

 private:
  // `yes` if `condition`, else `no`. A compiler may compile ?: as a branch.
  static constexpr Bits Select(bool condition, Bits yes, Bits no) {
    const Bits all_if_yes = static_cast<Bits>(-static_cast<Key>(condition));
    return static_cast<Bits>(no ^ ((yes ^ no) & all_if_yes));
  }
};

template <>
struct Lane<BFloat16> : FloatLane<std::uint16_t, 0x7F80, 0x7FC0> {};
template <>
struct Lane<Float16> : FloatLane<std::uint16_t, 0x7C00, 0x7E00> {};
template <>
struct Lane<float> : FloatLane<std::uint32_t, 0x7F80'0000, 0x7FC0'0000> {};
template <>
struct Lane<double> : FloatLane<std::uint64_t, 0x7FF0'0000'0000'0000, 0x7FF8'0000'0000'0000> {};

/// Booleans, by their byte: false < true. A byte other than 0 is true and is written as 1, so that the bits
/// of a result depend on the set of truth values alone (ORD-5).
template <>
struct Lane<bool> {
  using Bits = std::uint8_t;
  static constexpr Bits kBottom = 0;

  static constexpr Bits Join(Bits a, Bits b) { return (a | b) != 0 ? 1 : 0; }
  static constexpr Bits Canonical(Bits a) { return a != 0 ? 1 : 0; }
};

}  // namespace supremum::lane

#endif  // SUPREMUM_LANE_H_
