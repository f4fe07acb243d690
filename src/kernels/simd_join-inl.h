// The primitives that join and copy one row, compiled once for each target: foreach_target.h includes this
// file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_line-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct JoinRows : LineAccess<T> {
  using A = LineAccess<T>;
  using A::Broadcast;
  using A::ForEachVector;
  using A::JoinLine;
  using A::kDense;
  using A::kWidth;
  using A::Load;
  using A::LoadFirst;
  using A::Portable;
  using typename A::D;
  using typename A::DenseLine;
  using typename A::L;
  using typename A::ScalarLine;
  using S = Stepped<typename A::Unsigned>;
  using typename A::V;

  static void Join(Row a, Row b, MutableRow y, std::size_t n) {
    if (n == 1 || y.stride != kDense) return Portable().join(a, b, y, n);
    if (a.stride != kDense) {
      const Row scalar = a;
      a = b;
      b = scalar;
    }
    if (a.stride == kDense && b.stride == kDense) {
      return JoinLine(DenseLine{a.data}, DenseLine{b.data}, y.data, n);
    }
    if (a.stride == kDense && b.stride == 0) {
      return JoinLine(DenseLine{a.data}, ScalarLine(b.data), y.data, n);
    }
    if constexpr (S::kMaxStep > 1) {
      const std::size_t step = a.stride == b.stride ? S::StepOf(a, n) : 0;
      if (step > 0) {
        const S stepped(step);
        return stepped.Write(n, a.stride, y.data, [&](std::ptrdiff_t distance) HWY_ATTR {
          const V left = hn::BitCast(D(), stepped.Merged(a.data + distance));
          const V right = hn::BitCast(D(), stepped.Merged(b.data + distance));
          return hn::BitCast(typename S::D(), L::Join(left, right));
        });
      }
    }
    Portable().join(a, b, y, n);
  }

  static void Copy(Row a, MutableRow y, std::size_t n) {
    if (n == 1 || y.stride != kDense) return Portable().copy(a, y, n);
    if (a.stride == kDense) {
      return ForEachVector(
          n, y.data, [&](std::size_t i) HWY_ATTR { return L::Canonical(Load(a.data + i * kWidth)); },
          [&](std::size_t k) HWY_ATTR { return L::Canonical(LoadFirst(a.data, k)); });
    }
    if (a.stride == 0 && n > 0) {
      const V scalar = L::Canonical(Broadcast(a.data));
      return ForEachVector(
          n, y.data, [&](std::size_t) HWY_ATTR { return scalar; },
          [&](std::size_t) HWY_ATTR { return scalar; });
    }
    Portable().copy(a, y, n);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<JoinKernels> Simd<HWY_NAMESPACE::kTarget>::joins =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      using J = HWY_NAMESPACE::JoinRows<typename decltype(tag)::type>;
      return JoinKernels{&J::Join, &J::Copy, J::S::kMaxStep, J::kMostLanes * J::kWidth};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
