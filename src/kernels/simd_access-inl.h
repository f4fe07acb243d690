// Loads, stores and permutations of whole vectors and of parts, once for each target. Included by
// foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// Inside, and in what derives from it, no inline function of the standard library and none of the project's
// outside this namespace is called: the linker might keep this target's copy of it for every processor.
template <class T>
struct VectorAccess {
  using L = Vectors<T>;
  using D = typename L::D;
  using V = typename L::V;
  using Bits = typename L::Bits;
  static constexpr std::size_t kWidth = sizeof(Bits);
  static constexpr std::ptrdiff_t kDense = static_cast<std::ptrdiff_t>(kWidth);
  // The most lanes that any of the targets has in a vector, for buffers.
  static constexpr std::size_t kMostLanes = HWY_MAX_BYTES / kWidth;

  // For layouts that have no full vectors.
  static HWY_INLINE const RowKernels& Portable() {
    return PortableKernels().rows[static_cast<std::size_t>(*kDTypeOrNone<T>)];
  }

  static HWY_INLINE std::size_t Lanes() { return hn::Lanes(D()); }
  static HWY_INLINE V Load(const std::byte* from) {
    return hn::LoadU(D(), reinterpret_cast<const Bits*>(from));
  }
  static HWY_INLINE void Store(V v, std::byte* to) { hn::StoreU(v, D(), reinterpret_cast<Bits*>(to)); }
  static HWY_INLINE Bits LoadOne(const std::byte* from) {
    Bits bits;
    std::memcpy(&bits, from, kWidth);
    return bits;
  }
  static HWY_INLINE V Broadcast(const std::byte* from) { return hn::Set(D(), LoadOne(from)); }

  // Lane j of the result is lane order[j] of v. `order` is aligned to a vector.
  using Unsigned = hwy::MakeUnsigned<Bits>;
  static constexpr bool kCanPermute = true;
  static HWY_INLINE V Permute(V v, const Unsigned* order) {
    if constexpr (kWidth >= 4) {
      const hn::Rebind<hwy::MakeSigned<Bits>, D> di;
      const auto lanes = hn::Load(di, reinterpret_cast<const hwy::MakeSigned<Bits>*>(order));
      return hn::TableLookupLanes(v, hn::IndicesFromVec(D(), lanes));
    } else {
#if HWY_TARGET <= HWY_AVX3
      const __m512i lanes = _mm512_load_si512(order);
      if constexpr (kWidth == 2) return V{_mm512_permutexvar_epi16(lanes, v.raw)};
#if HWY_TARGET <= HWY_AVX3_DL
      return V{_mm512_permutexvar_epi8(lanes, v.raw)};
#else
      // Bytes: the words that hold them, for even and odd places, and of each word the right half.
      const __m512i low = _mm512_set1_epi16(0xFF), one = _mm512_set1_epi16(1);
      const auto byte_at = [&](__m512i place) HWY_ATTR {
        const __m512i word = _mm512_permutexvar_epi16(_mm512_srli_epi16(place, 1), v.raw);
        const __m512i shift = _mm512_slli_epi16(_mm512_and_si512(place, one), 3);
        return _mm512_and_si512(_mm512_srlv_epi16(word, shift), low);
      };
      const __m512i even = byte_at(_mm512_and_si512(lanes, low)), odd = byte_at(_mm512_srli_epi16(lanes, 8));
      return V{_mm512_or_si512(even, _mm512_slli_epi16(odd, 8))};
#endif
#else
      return PermuteBytes(v, order);
#endif
    }
  }
#if HWY_TARGET > HWY_AVX3
  // Lanes of one or two bytes, which only later instruction sets permute.
  static HWY_INLINE V PermuteBytes(V v, const Unsigned* order) {
    const hn::Repartition<std::uint8_t, D> d8;
    const hn::RebindToUnsigned<D> du;
    auto lanes = hn::Load(du, order);
    // Lane i is bytes 2i and 2i + 1.
    if constexpr (kWidth == 2) lanes = hn::Add(hn::Mul(lanes, hn::Set(du, 0x0202)), hn::Set(du, 0x0100));
    const auto places = hn::BitCast(d8, lanes), bytes = hn::BitCast(d8, v);
#if HWY_MAX_BYTES == 32
    // Within blocks of 16 bytes: first with the lower one in both, then with the upper one.
    const auto lower = hn::TableLookupBytes(hn::ConcatLowerLower(d8, bytes, bytes), places);
    const auto upper = hn::TableLookupBytes(hn::ConcatUpperUpper(d8, bytes, bytes), places);
    return hn::BitCast(D(), hn::IfThenElse(hn::Gt(places, hn::Set(d8, 15)), upper, lower));
#else
    return hn::BitCast(D(), hn::TableLookupBytes(bytes, places));
#endif
  }
#endif

  // The first n elements, the others anything. Requires: n < Lanes().
  static HWY_INLINE V LoadFirst(const std::byte* from, std::size_t n) {
#if HWY_TARGET <= HWY_AVX3
    return hn::MaskedLoad(hn::FirstN(D(), n), D(), reinterpret_cast<const Bits*>(from));
#else
    HWY_ALIGN std::byte buffer[HWY_MAX_BYTES] = {};
    std::memcpy(buffer, from, n * kWidth);
    return Load(buffer);
#endif
  }
  static HWY_INLINE void StoreFirst(V v, std::byte* to, std::size_t n) {
#if HWY_TARGET <= HWY_AVX3
    hn::BlendedStore(v, hn::FirstN(D(), n), D(), reinterpret_cast<Bits*>(to));
#else
    HWY_ALIGN std::byte buffer[HWY_MAX_BYTES];
    Store(v, buffer);
    std::memcpy(to, buffer, n * kWidth);
#endif
  }

  // y[i] = map(i-th vectors of what `at` and `first` give). The last vector overlaps the one before:
  // computing an element twice changes nothing, since the maximum is idempotent, in place too.
  template <class At, class First>
  static HWY_INLINE void ForEachVector(std::size_t n, std::byte* y, At at, First first) {
    const std::size_t lanes = Lanes();
    if (n < lanes) {
      if (n > 0) StoreFirst(first(n), y, n);
      return;
    }
    std::size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
      const V even = at(i * kWidth), odd = at((i + lanes) * kWidth);
      Store(even, y + i * kWidth);
      Store(odd, y + (i + lanes) * kWidth);
    }
    if (i + lanes <= n) Store(at(i * kWidth), y + i * kWidth);
    if (n % lanes != 0) Store(at((n - lanes) * kWidth), y + (n - lanes) * kWidth);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
