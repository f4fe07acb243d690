// The operations of the bare loops on vectors: one integer maximum for any type, or the exact rule of a type
// in the fewest AVX2 instructions known to us. Compiled for AVX2 alone.
#ifndef SUPREMUM_BENCH_BARE_OPS_H_
#define SUPREMUM_BENCH_BARE_OPS_H_

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "supremum/dtype.h"

namespace supremum::bench {

// A vector of any type; in a struct, since a template argument loses the alignment of __m256i.
struct Vec {
  __m256i v;
};

// An operation has
//   Of(x):             the maximum of K vectors
//   Acc, First, Add, Done: a running maximum; two vectors at a time

template <class Two>
struct Sequence {
  template <std::size_t K>
  static Vec Of(const Vec (&x)[K]) {
    Vec y = x[0];
    for (std::size_t k = 1; k < K; ++k) y = Two::Max(y, x[k]);
    return y;
  }
  struct Acc {
    Vec max;
  };
  static Acc First(Vec a) { return {a}; }
  static void Add(Acc& acc, Vec a, Vec b) { acc.max = Two::Max(acc.max, Two::Max(a, b)); }
  static void Add(Acc& acc, const Acc& other) { acc.max = Two::Max(acc.max, other.max); }
  static Vec Done(const Acc& acc) { return acc.max; }
};

struct I8 : Sequence<I8> {
  static Vec Max(Vec a, Vec b) { return {_mm256_max_epi8(a.v, b.v)}; }
};
struct U8 : Sequence<U8> {
  static Vec Max(Vec a, Vec b) { return {_mm256_max_epu8(a.v, b.v)}; }
};
struct I16 : Sequence<I16> {
  static Vec Max(Vec a, Vec b) { return {_mm256_max_epi16(a.v, b.v)}; }
};
struct U16 : Sequence<U16> {
  static Vec Max(Vec a, Vec b) { return {_mm256_max_epu16(a.v, b.v)}; }
};
struct I32 : Sequence<I32> {
  static Vec Max(Vec a, Vec b) { return {_mm256_max_epi32(a.v, b.v)}; }
};
struct U32 : Sequence<U32> {
  static Vec Max(Vec a, Vec b) { return {_mm256_max_epu32(a.v, b.v)}; }
};
struct I64 : Sequence<I64> {
  static Vec Max(Vec a, Vec b) { return {_mm256_blendv_epi8(b.v, a.v, _mm256_cmpgt_epi64(a.v, b.v))}; }
};
struct U64 : Sequence<U64> {
  static Vec Max(Vec a, Vec b) {
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
    const __m256i greater = _mm256_cmpgt_epi64(_mm256_xor_si256(a.v, sign), _mm256_xor_si256(b.v, sign));
    return {_mm256_blendv_epi8(b.v, a.v, greater)};
  }
};

// For any type, without its rule.
using Plain = I32;

// f32 and f64, elementwise: MAXPS in both orders and AND give +0 for two zeros; an unordered comparison finds
// NaN. (Where subnormal numbers are ordinary: with denormals-are-zero set, ORD-6 asks for two instructions
// more.)
struct F32 {
  static __m256 Ps(Vec a) { return _mm256_castsi256_ps(a.v); }
  static Vec Bits(__m256 a) { return {_mm256_castps_si256(a)}; }
  static __m256 Unordered(Vec a, Vec b) { return _mm256_cmp_ps(Ps(a), Ps(b), _CMP_UNORD_Q); }

  template <std::size_t K>
  static Vec Of(const Vec (&x)[K]) {
    __m256 y = Ps(x[0]), nan = Unordered(x[0], x[K > 1 ? 1 : 0]);
    for (std::size_t k = 1; k < K; ++k)
      y = _mm256_and_ps(_mm256_max_ps(y, Ps(x[k])), _mm256_max_ps(Ps(x[k]), y));
    for (std::size_t k = 2; k < K; k += 2) nan = _mm256_or_ps(nan, Unordered(x[k], x[k + 1 < K ? k + 1 : k]));
    return Bits(_mm256_blendv_ps(y, _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000)), nan));
  }

  // Three extremes of the bit patterns determine the result at the end.
  struct Acc {
    __m256i max, umin, umax;
  };
  static Acc First(Vec a) { return {a.v, a.v, a.v}; }
  static void Add(Acc& acc, Vec a) {
    acc.max = _mm256_max_epi32(acc.max, a.v);
    acc.umin = _mm256_min_epu32(acc.umin, a.v);
    acc.umax = _mm256_max_epu32(acc.umax, a.v);
  }
  static void Add(Acc& acc, Vec a, Vec b) {
    Add(acc, a);
    Add(acc, b);
  }
  static void Add(Acc& acc, const Acc& other) {
    acc.max = _mm256_max_epi32(acc.max, other.max);
    acc.umin = _mm256_min_epu32(acc.umin, other.umin);
    acc.umax = _mm256_max_epu32(acc.umax, other.umax);
  }
  static Vec Done(const Acc& acc) {
    const __m256i least_nan = _mm256_set1_epi32(static_cast<int>(0xFF800001));
    const __m256i nan = _mm256_or_si256(_mm256_cmpgt_epi32(acc.max, _mm256_set1_epi32(0x7F800000)),
                                        _mm256_cmpeq_epi32(_mm256_max_epu32(acc.umax, least_nan), acc.umax));
    const __m256 y = _mm256_blendv_ps(Ps({acc.max}), Ps({acc.umin}), Ps({acc.max}));
    return Bits(_mm256_blendv_ps(y, Ps({_mm256_set1_epi32(0x7FC00000)}), Ps({nan})));
  }
};

struct F64 {
  static __m256d Pd(Vec a) { return _mm256_castsi256_pd(a.v); }
  static Vec Bits(__m256d a) { return {_mm256_castpd_si256(a)}; }
  static __m256d Unordered(Vec a, Vec b) { return _mm256_cmp_pd(Pd(a), Pd(b), _CMP_UNORD_Q); }
  static __m256d Canonical() { return Pd({_mm256_set1_epi64x(0x7FF8000000000000)}); }

  template <std::size_t K>
  static Vec Of(const Vec (&x)[K]) {
    __m256d y = Pd(x[0]), nan = Unordered(x[0], x[K > 1 ? 1 : 0]);
    for (std::size_t k = 1; k < K; ++k)
      y = _mm256_and_pd(_mm256_max_pd(y, Pd(x[k])), _mm256_max_pd(Pd(x[k]), y));
    for (std::size_t k = 2; k < K; k += 2) nan = _mm256_or_pd(nan, Unordered(x[k], x[k + 1 < K ? k + 1 : k]));
    return Bits(_mm256_blendv_pd(y, Canonical(), nan));
  }

  // MAXPD returns its second operand where the first is NaN or an equal zero; `all`, the AND of all signs,
  // decides the sign of a zero.
  struct Acc {
    __m256d max, all, nan;
  };
  static Acc First(Vec a) {
    return {Pd({_mm256_set1_epi64x(static_cast<std::int64_t>(0xFFF0000000000000))}), Pd(a), Unordered(a, a)};
  }
  static void Add(Acc& acc, Vec a, Vec b) {
    acc.max = _mm256_max_pd(Pd(b), _mm256_max_pd(Pd(a), acc.max));
    acc.all = _mm256_and_pd(_mm256_and_pd(acc.all, Pd(a)), Pd(b));
    acc.nan = _mm256_or_pd(acc.nan, Unordered(a, b));
  }
  static void Add(Acc& acc, const Acc& other) {
    acc.max = _mm256_max_pd(acc.max, other.max);
    acc.all = _mm256_and_pd(acc.all, other.all);
    acc.nan = _mm256_or_pd(acc.nan, other.nan);
  }
  static Vec Done(const Acc& acc) {
    const __m256d zero = _mm256_cmp_pd(acc.max, _mm256_setzero_pd(), _CMP_EQ_OQ);
    const __m256d sign = _mm256_and_pd(acc.all, _mm256_set1_pd(-0.0));
    return Bits(_mm256_blendv_pd(_mm256_blendv_pd(acc.max, sign, zero), Canonical(), acc.nan));
  }
};

// f16 and bf16, as integers. Of two inputs: the signed maximum, or the signed minimum where the maximum is
// negative, since both are. Of more inputs: the three extremes of F32.
template <int kInfinity, int kNaN>
struct Half {
  static __m256i Set(int bits) { return _mm256_set1_epi16(static_cast<short>(bits)); }

  struct Acc {
    __m256i max, umin, umax;
  };
  static Acc First(Vec a) { return {a.v, a.v, a.v}; }
  static void Add(Acc& acc, Vec a) {
    acc.max = _mm256_max_epi16(acc.max, a.v);
    acc.umin = _mm256_min_epu16(acc.umin, a.v);
    acc.umax = _mm256_max_epu16(acc.umax, a.v);
  }
  static void Add(Acc& acc, Vec a, Vec b) {
    Add(acc, a);
    Add(acc, b);
  }
  static void Add(Acc& acc, const Acc& other) {
    acc.max = _mm256_max_epi16(acc.max, other.max);
    acc.umin = _mm256_min_epu16(acc.umin, other.umin);
    acc.umax = _mm256_max_epu16(acc.umax, other.umax);
  }
  static Vec Select(__m256i max, __m256i min, __m256i nan) {
    return {_mm256_blendv_epi8(_mm256_blendv_epi8(max, min, _mm256_srai_epi16(max, 15)), Set(kNaN), nan)};
  }
  static Vec Done(const Acc& acc) {
    const __m256i negative =
        _mm256_cmpeq_epi16(_mm256_max_epu16(acc.umax, Set(kInfinity + 0x8001)), acc.umax);
    return Select(acc.max, acc.umin, _mm256_or_si256(_mm256_cmpgt_epi16(acc.max, Set(kInfinity)), negative));
  }

  template <std::size_t K>
  static Vec Of(const Vec (&x)[K]) {
    if constexpr (K > 2) {
      Acc acc = First(x[0]);
      for (std::size_t k = 1; k < K; ++k) Add(acc, x[k]);
      return Done(acc);
    } else {
      const Vec a = x[0], b = x[K - 1];
      const __m256i magnitude = Set(0x7FFF);
      const __m256i larger =
          _mm256_max_epi16(_mm256_and_si256(a.v, magnitude), _mm256_and_si256(b.v, magnitude));
      return Select(_mm256_max_epi16(a.v, b.v), _mm256_min_epi16(a.v, b.v),
                    _mm256_cmpgt_epi16(larger, Set(kInfinity)));
    }
  }
};

using F16 = Half<0x7C00, 0x7E00>;
using BF16 = Half<0x7F80, 0x7FC0>;

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_BARE_OPS_H_
