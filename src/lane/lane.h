// Join and Bottom for every element type: what the whole library computes, one pair of values at a time.
//
// Elements travel as their bits. A float that is never loaded as a float cannot be quieted, flushed or
// rounded by the processor, so ORD-6 holds by construction: nothing here depends on the floating-point
// environment.
#ifndef SUPREMUM_SRC_LANE_LANE_H_
#define SUPREMUM_SRC_LANE_LANE_H_

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
///   1 11..1 f..f   negative NaN, f != 0      ^ magnitude > kInfinity: NaN
///   1 11..1 0..0   -inf                      |
///   1 eeeee f..f   negative                  |
///   1 00..0 0..0   -0                        | as signed integers, the rows of one sign are in order or in
///   reverse order; 0 00..0 0..0   +0                        | flipping the lower bits of the negative ones
///   makes all of them ascend 0 eeeee f..f   positive                  | in the order of ORD-2: -inf < ... <
///   -0 < +0 < ... < +inf 0 11..1 0..0   +inf                      | 0 11..1 f..f   positive NaN, f != 0 v
template <class UnsignedBits, UnsignedBits kInfinityBits, UnsignedBits kNaNBits>
struct FloatLane {
  using Bits = UnsignedBits;
  using Key = std::make_signed_t<Bits>;
  static constexpr Bits kInfinity = kInfinityBits;
  static constexpr Bits kCanonicalNaN = kNaNBits;  // ORD-4
  static constexpr Bits kMagnitude = std::numeric_limits<Key>::max();
  static constexpr Bits kBottom = static_cast<Bits>(kInfinity | static_cast<Bits>(~kMagnitude));  // -inf

  static constexpr bool IsNaN(Bits a) { return static_cast<Bits>(a & kMagnitude) > kInfinity; }

  /// An integer that ascends as ORD-2 does. Requires: !IsNaN(a).
  static constexpr Key KeyOf(Bits a) {
    return static_cast<Key>(static_cast<Key>(a) < 0 ? static_cast<Bits>(a ^ kMagnitude) : a);
  }

  /// max(a, b) in the order of ORD-2; the canonical NaN if either is NaN (ORD-3, ORD-4). Commutative and
  /// associative bit by bit (ORD-5).
  static constexpr Bits Join(Bits a, Bits b) {
    const Bits larger = KeyOf(a) < KeyOf(b) ? b : a;
    return IsNaN(a) || IsNaN(b) ? kCanonicalNaN : larger;
  }

  /// Join(a, a): a itself, or the canonical NaN.
  static constexpr Bits Canonical(Bits a) { return IsNaN(a) ? kCanonicalNaN : a; }
};

template <>
struct Lane<BFloat16> : FloatLane<std::uint16_t, 0x7F80, 0x7FC0> {};
template <>
struct Lane<Float16> : FloatLane<std::uint16_t, 0x7C00, 0x7E00> {};
template <>
struct Lane<float> : FloatLane<std::uint32_t, 0x7F80'0000, 0x7FC0'0000> {};
template <>
struct Lane<double> : FloatLane<std::uint64_t, 0x7FF0'0000'0000'0000, 0x7FF8'0000'0000'0000> {};

/// Booleans, by their byte: false < true. A byte other than 0 is true and leaves as 1, so that the bits of a
/// result depend on the set of truth values alone (ORD-5).
template <>
struct Lane<bool> {
  using Bits = std::uint8_t;
  static constexpr Bits kBottom = 0;

  static constexpr Bits Join(Bits a, Bits b) { return (a | b) != 0 ? 1 : 0; }
  static constexpr Bits Canonical(Bits a) { return a != 0 ? 1 : 0; }
};

}  // namespace supremum::lane

#endif  // SUPREMUM_SRC_LANE_LANE_H_
