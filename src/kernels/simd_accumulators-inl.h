// Accumulators, compiled once for each target: foreach_target.h includes this file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_ACCUMULATORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_ACCUMULATORS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_ACCUMULATORS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_ACCUMULATORS_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// Accumulators: joined, or written where they are fresh (kernels.h).
template <class T>
struct Accumulators : VectorAccess<T> {
  using A = VectorAccess<T>;
  using A::kWidth;
  using typename A::D;
  using typename A::L;
  using typename A::V;

  // A fold is a maximum, or a key, and not two extremes (simd_lanes-inl.h).
  static constexpr bool kFoldIsOneVector = sizeof(typename L::Fold) == sizeof(Held<V>);

  // A vector is folded by a comparison and a blend, as there is no maximum of 64 bits, and the next one waits
  // for both: twice as many folds are kept. Cases: reduce * f64, i64, u64.
  static constexpr bool kFoldsWait = (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4) && kWidth == 8;

  // Folds of vectors one behind the other, which do not wait for each other; the last vector begins at byte
  // `last`, and may overlap the one before.
  template <std::size_t kCount>
  struct Folds {
    typename L::Fold fold[kCount];
    std::size_t last = (kCount - 1) * kVectorBytes;

    template <std::size_t k>
    HWY_INLINE std::size_t At() const {
      return k + 1 == kCount ? last : k * kVectorBytes;
    }
    template <std::size_t k = 0>
    HWY_INLINE void Begin() {
      fold[k] = L::Identity();
      if constexpr (k + 1 < kCount) Begin<k + 1>();
    }
    template <std::size_t k = 0>
    HWY_INLINE void Add(const std::byte* at) {
      L::Add(fold[k], A::Load(at + At<k>()));
      if constexpr (k + 1 < kCount) Add<k + 1>(at);
    }
    // Leaves the folds of all in the first two.
    template <std::size_t k = 2>
    HWY_INLINE void AddToFirstTwo() {
      L::Add(fold[k % 2], fold[k]);
      if constexpr (k + 1 < kCount) AddToFirstTwo<k + 1>();
    }
  };

  static void Clear(std::byte* acc, std::size_t n) {
    const V bottom = hn::Set(D(), L::kBottom);
    A::ForEachVector(
        n, acc, [&](std::size_t) HWY_ATTR { return bottom; }, [&](std::size_t) HWY_ATTR { return bottom; });
  }
  // Calls fold(block, its accumulators) for each of the blocks. GCC would copy whole vectors of `a`, and wait
  // for the words that the caller has just stored, longer than a short run takes: every other word is opaque.
  template <class Fold>
  static HWY_INLINE void ForEachBlock(const Block& a, std::byte* acc, Fold fold) {
    Block one{nullptr, a.kept_stride, A::Opaque(a.reduced_stride), a.kept, A::Opaque(a.reduced), a.fresh};
    for (std::size_t b = 0; b < a.blocks; ++b, acc += a.kept * kWidth) {
      one.data = a.data + static_cast<std::ptrdiff_t>(b) * a.block_stride;
      fold(one, acc);
    }
  }

  static HWY_INLINE void Accumulate(bool fresh, std::byte* acc, V v) {
    A::Store(fresh ? v : L::Join(A::Load(acc), v), acc);
  }
  static HWY_INLINE void AccumulateFirst(bool fresh, std::byte* acc, V v, std::size_t n) {
    A::StoreFirst(fresh ? v : L::Join(A::LoadFirst(acc, n), v), acc, n);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
