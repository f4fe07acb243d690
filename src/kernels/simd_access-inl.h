// Loads, stores and permutations of whole vectors and of parts, compiled once for each target:
// foreach_target.h includes this file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_ACCESS_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// This struct and those derived from it call no inline function of the standard library or of the project
// outside this namespace. The linker might keep this target's copy of such a function for every processor.
template <class T>
struct VectorAccess {
  using L = Vectors<T>;
  using D = typename L::D;
  using V = typename L::V;
  using Bits = typename L::Bits;
  static constexpr std::size_t kWidth = sizeof(Bits);
  static constexpr std::ptrdiff_t kDense = static_cast<std::ptrdiff_t>(kWidth);
  // The number of lanes, for the sizes of buffers.
  static constexpr std::size_t kMostLanes = kVectorBytes / kWidth;

  // For layouts without full vectors.
  static HWY_INLINE const RowKernels& Portable() {
    return PortableKernels().rows[static_cast<std::size_t>(*kDTypeOrNone<T>)];
  }

  static HWY_INLINE std::size_t Lanes() { return kMostLanes; }
  static HWY_INLINE V Load(const std::byte* from) {
    return hn::LoadU(D(), reinterpret_cast<const Bits*>(from));
  }
  static HWY_INLINE void Store(V v, std::byte* to) { hn::StoreU(v, D(), reinterpret_cast<Bits*>(to)); }
  // The vector whose part p, of kPart bytes, is the memory at place_of(p).
  template <std::size_t kPart, std::size_t kFirst = 0, std::size_t kBytes = kVectorBytes, class PlaceOf,
            class DV = D>
  static HWY_INLINE hn::Vec<DV> LoadParts(PlaceOf place_of, DV d = DV()) {
    if constexpr (kPart < kBytes) {
      constexpr std::size_t kHalf = kBytes / 2;
      const hn::Half<DV> half;
      return hn::Combine(d, LoadParts<kPart, kFirst + kHalf / kPart, kHalf>(place_of, half),
                         LoadParts<kPart, kFirst, kHalf>(place_of, half));
    } else {
      return hn::LoadU(d, reinterpret_cast<const Bits*>(place_of(kFirst)));
    }
  }
  static HWY_INLINE Bits LoadOne(const std::byte* from) {
    Bits bits;
    std::memcpy(&bits, from, kWidth);
    return bits;
  }
  static HWY_INLINE V Broadcast(const std::byte* from) { return hn::Set(D(), LoadOne(from)); }

  // Permutations, as numbers of lanes, and in the form that permuting takes.
  using Unsigned = hwy::MakeUnsigned<Bits>;
  using Order = hn::Vec<hn::Rebind<Unsigned, D>>;
  static HWY_INLINE Order LoadOrder(const Unsigned* order) {
    return hn::LoadU(hn::Rebind<Unsigned, D>(), order);
  }
  static HWY_INLINE Order Prepare(Order order) {
#if HWY_TARGET == HWY_AVX2
    if constexpr (kWidth == 8) {  // the numbers of their halves
      const hn::RebindToUnsigned<D> du;
      constexpr Unsigned kSecondHalf = Unsigned{1} << (kWidth * 4);
      const Order low = hn::ShiftLeft<1>(order);
      return hn::Or(hn::Or(low, hn::ShiftLeft<kWidth * 4>(low)), hn::Set(du, kSecondHalf));
    }
#endif
    if constexpr (kPermutesBytes && kWidth == 2) {
      const hn::RebindToUnsigned<D> du;
      // Lane i is bytes 2i and 2i + 1, in the order of the memory.
      constexpr Unsigned kSecondByte =
          static_cast<Unsigned>(std::endian::native == std::endian::big ? 0x0001 : 0x0100);
      return hn::Add(hn::Mul(order, hn::Set(du, 0x0202)), hn::Set(du, kSecondByte));
    }
    return order;
  }

  // Lane j of the result is lane order[j] of v.
  static HWY_INLINE V Permute(V v, Order order) { return PermutePrepared(v, Prepare(order)); }
  static HWY_INLINE V Permute(V v, const Unsigned* order) { return Permute(v, LoadOrder(order)); }
  static HWY_INLINE V PermutePrepared(V v, Order order) {
#if HWY_TARGET == HWY_SVE_256 || HWY_TARGET == HWY_SVE2_128 || HWY_TARGET == HWY_RVV
    return hn::TableLookupLanes(v, order);  // lanes of any width
#else
    if constexpr (kWidth >= 4) {
#if HWY_TARGET == HWY_AVX2
      if constexpr (kWidth == 8) {
        const auto halves =
            _mm256_permutevar8x32_epi32(hn::BitCast(hn::RebindToUnsigned<D>(), v).raw, order.raw);
        return hn::BitCast(D(), Order{halves});
      }
#endif
      const hn::Rebind<hwy::MakeSigned<Bits>, D> di;
      return hn::TableLookupLanes(v, hn::IndicesFromVec(D(), hn::BitCast(di, order)));
    } else {
#if HWY_TARGET <= HWY_AVX3
      if constexpr (kWidth == 2) return V{_mm512_permutexvar_epi16(order.raw, v.raw)};
#if HWY_TARGET <= HWY_AVX3_DL
      return V{_mm512_permutexvar_epi8(order.raw, v.raw)};
#else
      // Bytes: the 16-bit words that hold them, for even and odd places, and the wanted half of each word.
      const __m512i low = _mm512_set1_epi16(0xFF), one = _mm512_set1_epi16(1);
      const auto byte_at = [&](__m512i place) HWY_ATTR {
        const __m512i word = _mm512_permutexvar_epi16(_mm512_srli_epi16(place, 1), v.raw);
        const __m512i shift = _mm512_slli_epi16(_mm512_and_si512(place, one), 3);
        return _mm512_and_si512(_mm512_srlv_epi16(word, shift), low);
      };
      const __m512i even = byte_at(_mm512_and_si512(order.raw, low));
      const __m512i odd = byte_at(_mm512_srli_epi16(order.raw, 8));
      return V{_mm512_or_si512(even, _mm512_slli_epi16(odd, 8))};
#endif
#else
      return PermuteBytes(v, order);
#endif
    }
#endif
  }
#if HWY_TARGET > HWY_AVX3 && HWY_TARGET != HWY_SVE_256 && HWY_TARGET != HWY_SVE2_128 && HWY_TARGET != HWY_RVV
  // Lanes of one or two bytes, which only later instruction sets permute.
  static constexpr bool kPermutesBytes = kWidth <= 2;
  static HWY_INLINE V PermuteBytes(V v, Order order) {
    const hn::Repartition<std::uint8_t, D> d8;
    const auto places = hn::BitCast(d8, order), bytes = hn::BitCast(d8, v);
#if HWY_MAX_BYTES == 32
    // Within halves: first with the lower one in both, then with the upper one.
    const auto lower = hn::TableLookupBytes(hn::ConcatLowerLower(d8, bytes, bytes), places);
    const auto upper = hn::TableLookupBytes(hn::ConcatUpperUpper(d8, bytes, bytes), places);
    return hn::BitCast(D(), hn::IfThenElse(hn::Gt(places, hn::Set(d8, 15)), upper, lower));
#else
    return hn::BitCast(D(), hn::TableLookupBytes(bytes, places));
#endif
  }
#else
  static constexpr bool kPermutesBytes = false;
#endif

  // The first n elements; the other lanes are unspecified. Requires: n < Lanes().
  static HWY_INLINE V LoadFirst(const std::byte* from, std::size_t n) {
#if HWY_TARGET <= HWY_AVX3
    return hn::MaskedLoad(hn::FirstN(D(), n), D(), reinterpret_cast<const Bits*>(from));
#else
    HWY_ALIGN std::byte buffer[kVectorBytes] = {};
    std::memcpy(buffer, from, n * kWidth);
    return Load(buffer);
#endif
  }
  static HWY_INLINE void StoreFirst(V v, std::byte* to, std::size_t n) {
#if HWY_TARGET <= HWY_AVX3
    hn::BlendedStore(v, hn::FirstN(D(), n), D(), reinterpret_cast<Bits*>(to));
#else
    StorePart(v, 0, n, to);
#endif
  }

  // y[i] = at(i) for every i < n that begins a vector; first(n) where n is less than a vector. The last
  // vector overlaps the one before: computing an element twice changes nothing, since the maximum is
  // idempotent, in place too.
  //
  // clang-format off
  //   y   |at(0)      |at(lanes)  | ... |at(k lanes)|
  //                                           |at(n - lanes)|
  //                                                         ^ y + n
  // clang-format on
  template <std::size_t kUnroll = 4, class At, class First>
  static HWY_INLINE void ForEachVector(std::size_t n, std::byte* y, At at, First first) {
    const std::size_t lanes = Lanes();
    if (n < lanes) {
      if (n > 0) StoreFirst(first(n), y, n);
      return;
    }
    std::size_t i = 0;
    if constexpr (kUnroll == 1) {
      // The vector that overlaps is computed first: the loop then has no case of its own for it, which took a
      // tenth of the time where at() takes long (supremum_bench, "inner column").
      const bool overlaps = n % lanes != 0;
      const V last = overlaps ? at(n - lanes) : hn::Zero(D());
      for (; i + lanes <= n; i += lanes) Store(at(i), y + i * kWidth);
      if (overlaps) Store(last, y + (n - lanes) * kWidth);
    } else {
      for (; i + kUnroll * lanes <= n; i += kUnroll * lanes) {
        HWY_UNROLL(4)
        for (std::size_t k = 0; k < kUnroll; ++k) Store(at(i + k * lanes), y + (i + k * lanes) * kWidth);
      }
      for (; i < n; i += lanes) {
        const std::size_t from = HWY_MIN(i, n - lanes);
        Store(at(from), y + from * kWidth);
      }
    }
  }

  // Returns x, a word, unknown to the optimiser of GCC.
  template <class Word>
  static HWY_INLINE Word Opaque(Word x) {
#if HWY_COMPILER_GCC_ACTUAL
    __asm__("" : "+r"(x));
#endif
    return x;
  }

  // Stores n lanes of v from lane `from` on; no other byte at `to` is written.
  static HWY_INLINE void StorePart(V v, std::size_t from, std::size_t n, std::byte* to) {
    HWY_ALIGN std::byte buffer[kVectorBytes];
    Store(v, buffer);
    std::memcpy(to, buffer + from * kWidth,
                HWY_MIN(n, Lanes()) * kWidth);  // n is at most Lanes(), which GCC cannot deduce
  }

  // Writes contiguous lines by non-temporal stores of whole aligned vectors. A line that ends within a vector
  // leaves its last elements in edge_. The next line completes the vector, since an ordinary store to the
  // same cache line, even under a mask, would cost more than all the other stores.
  //
  // clang-format off
  //   4 lanes, lines a and b of n = 7 elements
  //
  //   aligned vectors   |p  p  p  a0|a1 a2 a3 a4|a5 a6 b0 b1|b2 b3 b4 b5|b6 .  .  . |
  //   written by          memcpy      Stream      Stream      Stream      memcpy, in End
  //
  //   p   elements before the first line, which are not written: preceding_ = 3
  //   After line a, to_ points to b0, and pending_ = 2: a5 a6 are in edge_.
  //
  //   edge_             |  .  .  .  .  |a5 a6 b0 b1|b2 b3 .  .  |
  //                                    ^ Edge()
  //   The vectors that are stored to edge_ begin up to a vector before Edge() (the end of line a) or end up
  //   to a vector after it (the beginning of line b).
  // clang-format on
  class LineStream {
   public:
    // Requires: IsAligned(y).
    explicit LineStream(std::byte* y) : to_(y) {
      pending_ = reinterpret_cast<std::uintptr_t>(y) % Bytes() / kWidth;
      preceding_ = pending_;
    }

    // True if y is aligned to its elements.
    static HWY_INLINE bool IsAligned(const std::byte* y) {
      return reinterpret_cast<std::uintptr_t>(y) % kWidth == 0;
    }

    // Appends a line of n elements; at(i) is the vector of its elements from i on. Requires: n >= Lanes().
    template <class At>
    HWY_INLINE void Write(std::size_t n, At at) {
      const std::size_t lanes = Lanes();
      std::size_t i = 0;
      const std::size_t completed = pending_;
      if (completed > 0) {
        Store(at(0), Edge() + completed * kWidth);
        i = lanes - completed;
      }
      // Several vectors are read before the first is stored: if an input's address has nearly the same lower
      // 12 bits as the output's, a read stalls until the store has reached the memory.
      constexpr std::size_t kAtOnce = 4;
      Held<V> vectors[kAtOnce];
      std::byte* const to = to_;
      while (i + lanes <= n) {
        const std::size_t count = HWY_MIN(kAtOnce, (n - i) / lanes);
        for (std::size_t k = 0; k < count; ++k) vectors[k] = at(i + k * lanes);
        for (std::size_t k = 0; k < count; ++k, i += lanes) {
          hn::Stream(V(vectors[k]), D(), reinterpret_cast<Bits*>(to + i * kWidth));
        }
      }
      // The vector that this line completes is read last: it comes from two stores, and is there only when
      // all stores before them have left the core. Before the loop, that took three times as long as the
      // line.
      if (completed > 0 && preceding_ > 0) {
        std::memcpy(to, Edge() + completed * kWidth, (lanes - completed) * kWidth);
        preceding_ = 0;
      } else if (completed > 0) {
        hn::Stream(Load(Edge()), D(), reinterpret_cast<Bits*>(to - completed * kWidth));
      }
      pending_ = n - i;
      if (pending_ > 0) Store(at(n - lanes), Edge() - (lanes - pending_) * kWidth);
      to_ += n * kWidth;
    }

    void End() {
      if (pending_ > 0) std::memcpy(to_ - pending_ * kWidth, Edge(), pending_ * kWidth);
    }

   private:
    static HWY_INLINE std::size_t Bytes() { return Lanes() * kWidth; }
    // The incomplete vector; a vector of room is before it and another one after it.
    HWY_INLINE std::byte* Edge() { return edge_ + Bytes(); }

    std::byte* to_;
    std::size_t pending_;    // elements of the incomplete vector
    std::size_t preceding_;  // those of them that precede the first line
    HWY_ALIGN std::byte edge_[3 * kVectorBytes];
  };
};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
