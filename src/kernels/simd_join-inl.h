// The row primitives that join and copy, for whole vectors, once for each target. Included by
// foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct JoinRows : VectorAccess<T> {
  using A = VectorAccess<T>;
  using A::Broadcast;
  using A::ForEachVector;
  using A::kCanPermute;
  using A::kDense;
  using A::kMostLanes;
  using A::kWidth;
  using A::Lanes;
  using A::Load;
  using A::LoadFirst;
  using A::LoadOne;
  using A::Permute;
  using A::Portable;
  using A::Store;
  using A::StoreFirst;
  using typename A::Bits;
  using typename A::D;
  using typename A::L;
  using typename A::Unsigned;
  using typename A::V;

  static void Join(Row a, Row b, MutableRow y, std::size_t n) {
    if (n == 1) return Portable().join(a, b, y, n);
    if (y.stride != kDense) return Portable().join(a, b, y, n);
    if (a.stride == kDense && b.stride == kDense) {
      return ForEachVector(
          n, y.data, [&](std::size_t at) HWY_ATTR { return L::Join(Load(a.data + at), Load(b.data + at)); },
          [&](std::size_t k) HWY_ATTR { return L::Join(LoadFirst(a.data, k), LoadFirst(b.data, k)); });
    }
    if (a.stride == 0 && b.stride == kDense) {
      const Row scalar = a;
      a = b;
      b = scalar;
    }
    if (a.stride == kDense && b.stride == 0) {
      const V scalar = Broadcast(b.data);
      return ForEachVector(
          n, y.data, [&](std::size_t at) HWY_ATTR { return L::Join(Load(a.data + at), scalar); },
          [&](std::size_t k) HWY_ATTR { return L::Join(LoadFirst(a.data, k), scalar); });
    }
    Portable().join(a, b, y, n);
  }

  static void Copy(Row a, MutableRow y, std::size_t n) {
    if (n == 1) return Portable().copy(a, y, n);
    if (y.stride == kDense && a.stride == kDense) {
      return ForEachVector(
          n, y.data, [&](std::size_t at) HWY_ATTR { return L::Canonical(Load(a.data + at)); },
          [&](std::size_t k) HWY_ATTR { return L::Canonical(LoadFirst(a.data, k)); });
    }
    if (y.stride == kDense && a.stride == 0 && n > 0) {
      const V scalar = L::Canonical(Broadcast(a.data));
      return ForEachVector(
          n, y.data, [&](std::size_t) HWY_ATTR { return scalar; },
          [&](std::size_t) HWY_ATTR { return scalar; });
    }
    Portable().copy(a, y, n);
  }

  static void JoinPastCaches(Row a, Row b, std::byte* y, std::size_t n) {
    const std::size_t lanes = Lanes(), bytes = lanes * kWidth;
    // Vectors are streamed to aligned addresses only.
    const std::size_t off = reinterpret_cast<std::uintptr_t>(y) % bytes;
    std::size_t head = off == 0 ? 0 : (bytes - off) / kWidth;
    if (off % kWidth != 0 || n < head + 4 * lanes) head = n;
    Join(a, b, {y, kDense}, head);
    const std::size_t whole = (n - head) / (2 * lanes) * (2 * lanes);
    a.data += static_cast<std::ptrdiff_t>(head) * a.stride;
    b.data += static_cast<std::ptrdiff_t>(head) * b.stride;
    y += head * kWidth;
    const std::ptrdiff_t a_step = a.stride == 0 ? 0 : kDense, b_step = b.stride == 0 ? 0 : kDense;
    const auto stream = [&](auto a_at, auto b_at) HWY_ATTR {
      for (std::size_t i = 0; i < whole; i += 2 * lanes) {
        const V even = L::Join(a_at(i), b_at(i)), odd = L::Join(a_at(i + lanes), b_at(i + lanes));
        hn::Stream(even, D(), reinterpret_cast<Bits*>(y + i * kWidth));
        hn::Stream(odd, D(), reinterpret_cast<Bits*>(y + (i + lanes) * kWidth));
      }
    };
    const auto a_dense = [&](std::size_t i) HWY_ATTR { return Load(a.data + i * kWidth); };
    const auto b_dense = [&](std::size_t i) HWY_ATTR { return Load(b.data + i * kWidth); };
    if (whole > 0) {
      const V a_scalar = Broadcast(a.data), b_scalar = Broadcast(b.data);
      const auto a_same = [&](std::size_t) HWY_ATTR { return a_scalar; };
      const auto b_same = [&](std::size_t) HWY_ATTR { return b_scalar; };
      if (a_step != 0 && b_step != 0) {
        stream(a_dense, b_dense);
      } else if (a_step != 0) {
        stream(a_dense, b_same);
      } else if (b_step != 0) {
        stream(a_same, b_dense);
      } else {
        stream(a_same, b_same);
      }
    }
    const std::ptrdiff_t done = static_cast<std::ptrdiff_t>(whole);
    Join({a.data + done * a_step, a_step}, {b.data + done * b_step, b_step}, {y + whole * kWidth, kDense},
         n - head - whole);
  }

  // Each vector of elements becomes `times` vectors, by one permutation each.
  static void SpreadVectors(const std::byte* a, std::size_t n, std::size_t times, std::byte* out) {
    const std::size_t lanes = Lanes();
    HWY_ALIGN Unsigned order[kMostTimes * kMostLanes] = {};
    for (std::size_t j = 0, k = 0; j < HWY_MIN(lanes, n); ++j) {
      for (std::size_t i = 0; i < times; ++i) order[k++] = static_cast<Unsigned>(j);
    }
    for (; n >= lanes; n -= lanes, a += lanes * kWidth) {
      const V v = Load(a);
      for (std::size_t k = 0; k < times; ++k, out += lanes * kWidth)
        Store(Permute(v, order + k * lanes), out);
    }
    if (n == 0) return;
    const V v = LoadFirst(a, n);
    for (std::size_t k = 0; k < n * times; k += lanes) Store(Permute(v, order + k), out + k * kWidth);
  }

  static constexpr std::size_t kMostTimes = 8;

  static void Spread(Row a, std::size_t n, std::size_t times, std::byte* out) {
    if (kCanPermute && a.stride == kDense && n > 1 && times <= kMostTimes) {
      return SpreadVectors(a.data, n, times, out);
    }
    const std::size_t lanes = Lanes();
    for (std::size_t i = 0; i < n; ++i, a.data += a.stride, out += times * kWidth) {
      const V same = Broadcast(a.data);
      for (std::size_t k = 0; k < times; k += lanes) Store(same, out + k * kWidth);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
