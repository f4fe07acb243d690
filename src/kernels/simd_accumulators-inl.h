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
  using typename A::D;
  using typename A::L;
  using typename A::V;

  // A fold is a maximum, or a key, and not two extremes (simd_lanes-inl.h).
  static constexpr bool kFoldIsOneVector = sizeof(typename L::Fold) == sizeof(Held<V>);

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
    for (std::size_t b = 0; b < a.blocks; ++b, acc += a.kept * A::kWidth) {
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
