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
// clang-format off
///   1 11..1 f..f   negative NaN, f != 0    as signed integers, the patterns without a sign are in order,
///   1 11..1 0..0   -inf                    those with one in reverse: with their lower bits turned round,
///   1 eeeee f..f   negative                all ascend, in the order of ORD-2, between the NaNs of one sign
///   1 00..0 0..0   -0                      and those of the other;
///   0 00..0 0..0   +0                      moved down by the number of NaNs of one sign, the negative NaNs
///   0 eeeee f..f   positive                wrap round to the top: one order, -inf < ... < -0 < +0 < ... <
///   0 11..1 0..0   +inf                    +inf < every NaN (ORD-3), and the maximum is one comparison of
///   0 11..1 f..f   positive NaN, f != 0    integers
// clang-format on
///
/// No function here has a branch, so that no time depends on the data.
template <class UnsignedBits, UnsignedBits kInfinityBits, UnsignedBits kNaNBits>
struct FloatLane {
  using Bits = UnsignedBits;
  using Key = std::make_signed_t<Bits>;
  static constexpr Bits kInfinity = kInfinityBits;
  static constexpr Bits kCanonicalNaN = kNaNBits;  // ORD-4
  static constexpr Bits kMagnitude = std::numeric_limits<Key>::max();
  static constexpr Bits kBottom = static_cast<Bits>(kInfinity | static_cast<Bits>(~kMagnitude));  // -inf

  /// How many NaNs of one sign there are.
  static constexpr Bits kNaNs = static_cast<Bits>(kMagnitude - kInfinity);
  static constexpr Key kInfinityKey = static_cast<Key>(kInfinity - kNaNs);

  static constexpr bool IsNaN(Bits a) { return static_cast<Bits>(a & kMagnitude) > kInfinity; }

  /// The lower bits turned round if the sign is set. Its own inverse.
  static constexpr Bits TurnRound(Bits a) {
    const Bits all_if_negative = static_cast<Bits>(static_cast<Key>(a) >> (8 * sizeof(Bits) - 1));
    return static_cast<Bits>(a ^ (all_if_negative & kMagnitude));
  }

  /// An integer that ascends as the order does, from the least one for -inf to those above kInfinityKey for
  /// NaNs.
  static constexpr Key KeyOf(Bits a) { return static_cast<Key>(static_cast<Bits>(TurnRound(a) - kNaNs)); }

  /// The value that has this key; of a NaN's, the canonical NaN.
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
  // `yes` if `condition`, else `no`. Of ?: a compiler may make a branch.
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
