// The primitive that joins many inputs, compiled once for each target: foreach_target.h includes this file
// several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_access-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct ManyJoins : VectorAccess<T> {
  using A = VectorAccess<T>;
  using A::kWidth;
  using A::Lanes;
  using A::Load;
  using A::LoadFirst;
  using A::Store;
  using A::StoreFirst;
  using typename A::L;
  using typename A::LineStream;
  using typename A::V;

  // A strip is two vectors of the output, even and odd. The maximum of few inputs joins one after the other;
  // the maximum of more folds them, which decides about NaNs and zeros once.
  //
  // clang-format off
  //               even          odd
  //   x[begin]   |.............|.............|....
  //   x[begin+1] |.............|.............|....
  //   ...              v             v
  //   y          |.............|.............|....      n elements; the last strip overlaps the one before
  // clang-format on
  struct JoinedStrip {
    Held<V> even, odd;

    HWY_INLINE void Begin(V e, V o) {
      even = e;
      odd = o;
    }
    HWY_INLINE void Add(V e, V o) {
      even = L::Join(even, e);
      odd = L::Join(odd, o);
    }
    HWY_INLINE V Even() const { return even; }
    HWY_INLINE V Odd() const { return odd; }
  };
  struct FoldedStrip {
    typename L::Fold even, odd;

    HWY_INLINE void Begin(V e, V o) {
      // Not one copied from the other: GCC 12 copies a fold through memory, which stalls on store forwarding.
      even = L::Identity();
      odd = L::Identity();
      Add(e, o);
    }
    HWY_INLINE void Add(V e, V o) {
      L::Add(even, e);
      L::Add(odd, o);
    }
    HWY_INLINE V Even() const { return L::Result(even); }
    HWY_INLINE V Odd() const { return L::Result(odd); }
  };

  // Some inputs, and the maximum of earlier ones, if `before` is not null.
  struct Inputs {
    const DenseInputs& x;
    std::size_t begin, end;
    const std::byte* before;

    // Their elements from `even` and from `odd` on.
    template <class Strip>
    HWY_INLINE Strip StripAt(std::size_t even, std::size_t odd) const {
      const std::byte* from = before != nullptr ? before : x.from[begin] + x.offset;
      Strip s;
      s.Begin(Load(from + even * kWidth), Load(from + odd * kWidth));
      for (std::size_t m = before != nullptr ? begin : begin + 1; m < end; ++m) {
        from = x.from[m] + x.offset;
        s.Add(Load(from + even * kWidth), Load(from + odd * kWidth));
      }
      return s;
    }
  };

  // No lambda: where GCC does not inline one, it returns the vector through memory and ends with VZEROUPPER,
  // which made non-temporal stores four times as slow.
  template <class Strip>
  struct VectorAt {
    const Inputs& inputs;

    // Of both halves at one place, the compiler computes one.
    HWY_INLINE V operator()(std::size_t i) const { return inputs.template StripAt<Strip>(i, i).Even(); }
  };

  // y = max of the inputs. Requires: n >= Lanes().
  template <class Strip>
  static HWY_INLINE void JoinStrips(const Inputs& inputs, std::byte* y, std::size_t n, bool non_temporal) {
    const std::size_t lanes = Lanes();
    std::size_t i = 0;
    if (non_temporal && LineStream::IsAligned(y)) {
      LineStream stream(y);
      stream.Write(n, VectorAt<Strip>{inputs});
      return stream.End();
    }
    const std::ptrdiff_t distance = A::DistanceForWrite(n);
    while (i < n) {  // the vectors of the last strip may overlap
      const std::size_t even = HWY_MIN(i, n - lanes), odd = HWY_MIN(i + lanes, n - lanes);
      A::PrefetchForWrite(y + even * kWidth, distance);
      A::PrefetchForWrite(y + odd * kWidth, distance);
      const Strip s = inputs.template StripAt<Strip>(even, odd);
      Store(s.Even(), y + even * kWidth);
      Store(s.Odd(), y + odd * kWidth);
      i += 2 * lanes;
    }
  }

  // Up to this many inputs are joined, more are folded: a fold has fewer instructions for each input, and
  // more at its end. Chosen by estimate; no benchmark line yet.
  static constexpr std::size_t kMaxJoinedInputs = HWY_TARGET > HWY_AVX3 ? 2 : kWidth >= 4 ? 4 : 3;

  static HWY_INLINE void JoinGroup(const DenseInputs& x, std::size_t begin, std::size_t end,
                                   const std::byte* before, std::byte* y, std::size_t n, bool non_temporal) {
    if (n >= Lanes()) {
      const std::size_t count = end - begin + (before != nullptr ? 1 : 0);
      if (count > 1 && count <= kMaxJoinedInputs) {
        return JoinStrips<JoinedStrip>({x, begin, end, before}, y, n, non_temporal);
      }
      return JoinStrips<FoldedStrip>({x, begin, end, before}, y, n, non_temporal);
    }
    typename L::Fold fold = L::Identity();
    if (before != nullptr) L::Add(fold, LoadFirst(before, n));
    for (std::size_t m = begin; m < end; ++m) L::Add(fold, LoadFirst(x.from[m] + x.offset, n));
    StoreFirst(L::Result(fold), y, n);
  }

  // Inputs read in one pass: the number of address streams that the hardware prefetches. Chosen by estimate;
  // no benchmark line yet.
  static constexpr std::size_t kMaxInputsPerPass = 16;

  static void JoinMany(const DenseInputs& x, std::byte* acc, std::byte* y, std::size_t n, bool non_temporal) {
    if (n == 0) return;
    std::size_t m = 0;
    for (; x.count - m > kMaxInputsPerPass; m += kMaxInputsPerPass) {
      JoinGroup(x, m, m + kMaxInputsPerPass, m > 0 ? acc : nullptr, acc, n, false);
    }
    JoinGroup(x, m, x.count, m > 0 ? acc : nullptr, y, n, non_temporal);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<ManyKernels> Simd<HWY_NAMESPACE::kTarget>::many =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      return ManyKernels{&HWY_NAMESPACE::ManyJoins<typename decltype(tag)::type>::JoinMany};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
