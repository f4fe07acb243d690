// Join, and folds of many values, for whole vectors: supremum/lane.h for a vector of values, compiled once
// for each target. foreach_target.h includes this file several times, hence no ordinary include guard.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_LANES_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_LANES_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_LANES_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/simd_held-inl.h"
#include "supremum/lane.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Integers. A fold keeps one running maximum.
template <class T>
struct Vectors {
  using Bits = T;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr T kBottom = lane::Lane<T>::kBottom;

  struct Fold {
    Held<V> max;
  };

  static HWY_INLINE V Join(V a, V b) { return hn::Max(a, b); }
  static HWY_INLINE V Canonical(V a) { return a; }

  // One operand of many joins, in the form in which joining takes least.
  using Operand = Held<V>;
  static HWY_INLINE Operand OperandOf(V b) { return b; }

  static HWY_INLINE Fold Identity() { return {hn::Set(D(), kBottom)}; }
  static HWY_INLINE Fold First(V a) { return {a}; }
  static HWY_INLINE void Add(Fold& fold, V a) { fold.max = hn::Max(V(fold.max), a); }
  static HWY_INLINE void Add(Fold& fold, const Fold& other) { Add(fold, other.max); }
  static HWY_INLINE V Result(const Fold& fold) { return fold.max; }
  static HWY_INLINE V ResultKey(const Fold& fold) { return fold.max; }

  // Keys: KeyMax, their integer maximum, is the key of the maximum. KeyMin is their minimum: with kTopKey it
  // keeps a key, with kBottomKey it is the key of no element.
  static constexpr T kBottomKey = kBottom, kTopKey = hwy::LimitsMax<T>();
  static HWY_INLINE V Key(V a) { return a; }
  static HWY_INLINE V KeyMax(V a, V b) { return hn::Max(a, b); }
  static HWY_INLINE V KeyMin(V a, V b) { return hn::Min(a, b); }
  static HWY_INLINE V FromKey(V key) { return key; }
};

// Booleans, by their byte: any byte but 0 is true; 0 or 1 is written.
template <>
struct Vectors<bool> : Vectors<std::uint8_t> {
  static HWY_INLINE V Canonical(V a) { return hn::Min(a, hn::Set(D(), 1)); }
  static HWY_INLINE V Join(V a, V b) { return Canonical(hn::Max(a, b)); }
  static HWY_INLINE V Result(const Fold& fold) { return Canonical(fold.max); }
  static HWY_INLINE V FromKey(V key) { return Canonical(key); }
};

// Returns v, in a register. Without this, GCC loads a vector again for each instruction that uses it.
template <class V>
HWY_INLINE V InRegister(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC && HWY_TARGET <= HWY_AVX3
  __asm__("" : "+v"(v.raw));
#elif HWY_ARCH_X86 && HWY_COMPILER_GCC
  __asm__("" : "+x"(v.raw));
#endif
  return v;
}

// yes where v is negative, else no. On AVX-512, Highway 1.0.3's own form for 16 bits takes the port of
// minimum and maximum on some processors.
template <class V>
HWY_INLINE V IfNegative(V v, V yes, V no) {
#if HWY_TARGET <= HWY_AVX3
  using T = hn::TFromV<V>;
  if constexpr (sizeof(T) == 2) return hn::IfThenElse(hn::Gt(hn::Zero(hn::DFromV<V>()), v), yes, no);
#endif
  return hn::IfNegativeThenElse(v, yes, no);
}

// Floats by their bits, as signed integers; supremum/lane.h draws the order of the patterns. The functions of
// this file are proved for all patterns, under the same names (docs/soundness.md). The only floating-point
// instruction is one comparison that suppresses exceptions: no result depends on the floating-point
// environment (ORD-6), and no instruction can trap.
template <class T>
struct FloatVectors {
  using Lane = lane::Lane<T>;
  using Bits = typename Lane::Key;
  using Unsigned = typename Lane::Bits;
  using D = hn::ScalableTag<Bits>;
  using U = hn::ScalableTag<Unsigned>;
  using V = hn::Vec<D>;

  static constexpr Bits kBottom = static_cast<Bits>(Lane::kBottom);
  static constexpr Bits kNaN = static_cast<Bits>(Lane::kCanonicalNaN);
  static constexpr Bits kInfinity = static_cast<Bits>(Lane::kInfinity);
  static constexpr Bits kMagnitude = static_cast<Bits>(Lane::kMagnitude);
  static constexpr Bits kLeastNaN = static_cast<Bits>(kInfinity + 1);
  static constexpr Bits kLeastNegativeNaN = static_cast<Bits>(kBottom + 1);
  static constexpr Bits kNaNs = static_cast<Bits>(kMagnitude - kInfinity);  // of one sign

  // As unsigned numbers, which wrap: GCC's header for NEON adds signed lanes with C++'s operator, whose
  // overflow is undefined.
  static HWY_INLINE V Plus(V a, V b) {
    return hn::BitCast(D(), hn::Add(hn::BitCast(U(), a), hn::BitCast(U(), b)));
  }
  static HWY_INLINE V Minus(V a, V b) {
    return hn::BitCast(D(), hn::Sub(hn::BitCast(U(), a), hn::BitCast(U(), b)));
  }
  static HWY_INLINE V MinUnsigned(V a, V b) {
    return hn::BitCast(D(), hn::Min(hn::BitCast(U(), a), hn::BitCast(U(), b)));
  }

  // v, but the canonical NaN in the lanes in which a is a NaN.
  static HWY_INLINE V UnlessNaN(V a, V v) {
    const auto is_nan = hn::Gt(hn::And(a, hn::Set(D(), kMagnitude)), hn::Set(D(), kInfinity));
    return hn::IfThenElse(is_nan, hn::Set(D(), kNaN), v);
  }
  static HWY_INLINE V Canonical(V a) { return UnlessNaN(a, a); }

#if HWY_TARGET <= HWY_AVX3
  // v, but the canonical NaN in the lanes in which a or b is a NaN.
  static HWY_INLINE V UnlessNaN(V a, V b, V v) {
    const V nan = hn::Set(D(), kNaN);
#if HWY_COMPILER_GCC_ACTUAL  // clang 16 drops the suppression of exceptions
    // A comparison that suppresses exceptions neither traps nor sets a flag, and its result does not depend
    // on whether subnormal numbers are flushed to zero.
    if constexpr (sizeof(Bits) == 4) {
      const auto ps = [](V x) HWY_ATTR { return _mm512_castsi512_ps(x.raw); };
      const hn::Mask<D> ordered{_mm512_cmp_round_ps_mask(ps(a), ps(b), _CMP_ORD_Q, _MM_FROUND_NO_EXC)};
      return hn::IfThenElse(ordered, v, nan);
    }
    if constexpr (sizeof(Bits) == 8) {
      const auto pd = [](V x) HWY_ATTR { return _mm512_castsi512_pd(x.raw); };
      const hn::Mask<D> ordered{_mm512_cmp_round_pd_mask(pd(a), pd(b), _CMP_ORD_Q, _MM_FROUND_NO_EXC)};
      return hn::IfThenElse(ordered, v, nan);
    }
#endif
    const V magnitude = hn::Set(D(), kMagnitude);
    const V larger_magnitude = hn::Max(hn::And(a, magnitude), hn::And(b, magnitude));
    return hn::IfThenElse(hn::Gt(hn::Set(D(), kLeastNaN), larger_magnitude), v, nan);
  }

  // The one of two negative patterns that is not `farther` from zero: the larger signed number.
  static HWY_INLINE V Nearer(V a, V b, V farther) {
    // Not the minimum: on some processors that takes the port of the maximum, and this any.
    constexpr int kXor = 0x96;
    if constexpr (sizeof(Bits) == 4) return V{_mm512_ternarylogic_epi32(farther.raw, a.raw, b.raw, kXor)};
    if constexpr (sizeof(Bits) == 8) return V{_mm512_ternarylogic_epi64(farther.raw, a.raw, b.raw, kXor)};
    return MinUnsigned(a, b);
  }

  // In this order, maximum and Nearer are under masks, without a blend of their own. NaN is not negative.
  static HWY_INLINE V Join(V left, V right) {
    const V a = InRegister(left), b = InRegister(right);
    const V larger = UnlessNaN(a, b, hn::Max(a, b));
    return IfNegative(larger, Nearer(a, b, larger), larger);
  }
#else
  // Patterns with a sign ascend with their magnitudes, as signed and as unsigned numbers. If both patterns
  // have a sign, the pattern of the smaller magnitude is the maximum. If one has no sign, the smaller
  // magnitude with the sign set is, as an unsigned number, above the maximum. For 16 and 32 bits; doubles
  // have their own Join.
  static HWY_INLINE V Join(V left, V right) {
    const V a = InRegister(left), b = InRegister(right), sign = hn::Set(D(), kBottomKey);
    const V negative_a = hn::Or(a, sign), negative_b = hn::Or(b, sign);
    const V maximum = MinUnsigned(hn::Max(a, b), hn::Min(negative_a, negative_b));
    const V farther = hn::Max(negative_a, negative_b), nan = hn::Set(D(), kNaN);
    // A NaN loses its sign. An addition can go to more of the processors' ports than a comparison; for 16
    // bits, there is no blend by the sign.
    if constexpr (sizeof(Bits) == 4) {
      return IfNegative(Plus(farther, hn::Set(D(), kNaNs)), maximum, nan);
    }
    // Not `farther > kBottom`, of which GCC 12 makes two instructions.
    const auto no_nan = hn::Gt(hn::Set(D(), kLeastNegativeNaN), farther);
    return hn::IfThenElse(no_nan, maximum, nan);
  }
#endif

  // One operand of many joins. The maximum of a positive pattern and another one is the larger signed number,
  // that of a negative pattern and another one the smaller unsigned number. Both bounds are applied; the one
  // that is not needed changes nothing.
  struct Operand {
    Held<V> at_least, at_most;
  };
  static HWY_INLINE Operand OperandOf(V value) {
    const V b = Canonical(value), magnitude = hn::Set(D(), kMagnitude);
    const V magnitude_if_negative = hn::And(hn::BroadcastSignBit(b), magnitude);
    return {hn::AndNot(magnitude_if_negative, b), IfNegative(b, b, hn::Set(D(), Bits{-1}))};
  }
  static HWY_INLINE V Join(V left, const Operand& b) {
    const V a = InRegister(left);
    const V maximum = MinUnsigned(hn::Max(a, V(b.at_least)), b.at_most);
#if HWY_TARGET <= HWY_AVX3
    return UnlessNaN(a, a, maximum);
#else
    return UnlessNaN(a, maximum);
#endif
  }

  // Keys ascend as ORD-2 does, from the least integer for -inf; the NaNs of both signs are above +inf. A
  // pattern without a sign is its own key. The key of one with a sign is what its magnitude lacks to
  // infinity, counted from the least integer; that of a NaN wraps to the top.
  //
  // clang-format off
  //   patterns, as integers    |-0 ... -inf  NaNs|+0 ... +inf  NaNs|
  //   keys                     |-inf ... -0|      +0 ... +inf  NaNs of both signs|
  // clang-format on
  static constexpr Bits kBottomKey = hwy::LimitsMin<Bits>(), kTopKey = hwy::LimitsMax<Bits>();
  static HWY_INLINE V Key(V a) {
    const V infinity = hn::Set(D(), kInfinity);
#if HWY_TARGET <= HWY_AVX3
    // On some processors a mask of the signs takes the port of the maximum, except of 64 bits, and a test of
    // bits the port of the maximum of 64 bits.
    if constexpr (sizeof(Bits) < 8) {
      return hn::IfThenElse(hn::TestBit(a, hn::Set(D(), kBottomKey)), Minus(infinity, a), a);
    }
#elif HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
    // There is no blend of 16 bits by the sign.
    if constexpr (sizeof(Bits) == 2) {
      const V sign = hn::BroadcastSignBit(a);
      return Minus(hn::Xor(a, sign), hn::And(sign, hn::Set(D(), static_cast<Bits>(~kInfinity))));
    }
#endif
    return IfNegative(a, Minus(infinity, a), a);
  }
  static HWY_INLINE V KeyMax(V a, V b) { return hn::Max(a, b); }
  static HWY_INLINE V KeyMin(V a, V b) { return hn::Min(a, b); }
  // Key is its own inverse, except for NaNs with a sign.
  static HWY_INLINE V FromKey(V key) {
    return hn::IfThenElse(hn::Gt(key, hn::Set(D(), kInfinity)), hn::Set(D(), kNaN), Key(key));
  }
};

// A fold keeps the largest key.
template <class T>
struct FoldsOfKeys : FloatVectors<T> {
  using L = FloatVectors<T>;
  using V = typename L::V;

  struct Fold {
    Held<V> key;
  };
  static HWY_INLINE Fold Identity() { return {hn::Set(typename L::D(), L::kBottomKey)}; }
  static HWY_INLINE Fold First(V a) { return {L::Key(a)}; }
  static HWY_INLINE void Add(Fold& fold, V a) { fold.key = L::KeyMax(fold.key, L::Key(InRegister(a))); }
  static HWY_INLINE void Add(Fold& fold, const Fold& other) { fold.key = L::KeyMax(fold.key, other.key); }
  static HWY_INLINE V Result(const Fold& fold) { return L::FromKey(fold.key); }
  static HWY_INLINE V ResultKey(const Fold& fold) { return fold.key; }
};

// A fold keeps two of the patterns, one of which is the maximum, or a NaN if there is one:
// - signed_max, the largest as a signed number, which is a positive pattern if there is one;
// - the first in the order negative NaNs, positive patterns, negative patterns from -0 to -inf. Plus the
//   number of NaNs of one sign (MoveUp), the patterns ascend in that order as unsigned numbers: moved_min.
template <class T>
struct FoldsOfExtremes : FloatVectors<T> {
  using L = FloatVectors<T>;
  using D = typename L::D;
  using V = typename L::V;

  struct Fold {
    Held<V> signed_max, moved_min;
  };

  static HWY_INLINE V MoveUp(V a) { return L::Plus(a, hn::Set(D(), L::kNaNs)); }
  static HWY_INLINE V MoveDown(V a) { return L::Minus(a, hn::Set(D(), L::kNaNs)); }

  static HWY_INLINE Fold Identity() {
    const V bottom = hn::Set(D(), L::kBottom);
    return {bottom, MoveUp(bottom)};
  }
  static HWY_INLINE Fold First(V a) { return {a, MoveUp(a)}; }
  static HWY_INLINE void Add(Fold& fold, V value) {
    const V a = InRegister(value);
    fold.signed_max = hn::Max(V(fold.signed_max), a);
    fold.moved_min = L::MinUnsigned(fold.moved_min, MoveUp(a));
  }
  static HWY_INLINE void Add(Fold& fold, const Fold& other) {
    fold.signed_max = hn::Max(V(fold.signed_max), V(other.signed_max));
    fold.moved_min = L::MinUnsigned(fold.moved_min, other.moved_min);
  }
  // If the first pattern has a sign, it is a NaN, or all patterns have a sign and it is the maximum.
  // Otherwise the largest is the maximum, and may be a NaN.
  static HWY_INLINE V Result(const Fold& fold) {
    const V first = MoveDown(fold.moved_min);
    // In a register, as GCC 12 would otherwise make the constants of Canonical for SSE4 one by one.
    const V maximum = InRegister(IfNegative(first, first, V(fold.signed_max)));
    return L::Canonical(maximum);
  }
  static HWY_INLINE V ResultKey(const Fold& fold) {
    const V first = MoveDown(fold.moved_min);
    return IfNegative(first, L::Minus(hn::Set(D(), L::kInfinity), first), V(fold.signed_max));
  }
};

// Extremes take fewer operations for each pattern than keys, except for doubles, of which older instruction
// sets have no maximum, and on AVX-512. There both take three, but on some processors those of keys take two
// ports, and both extremes the same port.
#if HWY_TARGET <= HWY_AVX3
template <class T>
using Floats = FoldsOfKeys<T>;
#else
template <class T>
using Floats = FoldsOfExtremes<T>;
#endif

template <>
struct Vectors<BFloat16> : Floats<BFloat16> {};
template <>
struct Vectors<Float16> : Floats<Float16> {};
template <>
struct Vectors<float> : Floats<float> {};

// AVX2 and older have no maximum of 64-bit integers, and an operand is compared. AVX-512's takes two
// operations on some processors: with an operand, which would need two of them, Join takes no less.
template <>
struct Vectors<double> : FoldsOfKeys<double> {
#if HWY_TARGET <= HWY_AVX3
  using Operand = Held<V>;
  static HWY_INLINE Operand OperandOf(V b) { return b; }
#else
  // Moved, patterns ascend as signed numbers in the order of FoldsOfExtremes: negative NaNs, positive
  // patterns, negative patterns from -0 to -inf. Only NaNs keep their sign.
  static HWY_INLINE V Moved(V a) { return Plus(a, hn::Set(D(), static_cast<Bits>(kBottomKey + kNaNs))); }

  // The maximum, or a NaN if there is one: of two positive patterns the last one in that order, else the
  // first one.
  static HWY_INLINE V Larger(V left, V right) {
    const V a = InRegister(left), b = InRegister(right);
    const V a_is_last = hn::VecFromMask(D(), hn::Gt(Moved(a), Moved(b)));
    return IfNegative(hn::Xor(a_is_last, hn::Or(a, b)), a, b);
  }
  static HWY_INLINE V Canonical(V a) { return IfNegative(hn::Xor(a, Moved(a)), a, hn::Set(D(), kNaN)); }
  static HWY_INLINE V Join(V a, V b) { return Canonical(Larger(a, b)); }

  // Turned as the operand is, by `turn`, all patterns from it on ascend as signed numbers.
  struct Operand {
    Held<V> value, turned, turn;
  };
  static HWY_INLINE Operand OperandOf(V value) {
    const V b = Canonical(value), negative = hn::VecFromMask(D(), hn::Gt(hn::Zero(D()), b));
    const V turn = hn::And(negative, hn::Set(D(), kMagnitude));
    return {b, hn::Xor(b, turn), turn};
  }
  static HWY_INLINE V Join(V left, const Operand& b) {
    const V a = InRegister(left);
    const auto a_wins = hn::Gt(hn::Xor(a, V(b.turn)), V(b.turned));
    return UnlessNaN(a, hn::IfThenElse(a_wins, a, V(b.value)));
  }
#endif
};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
