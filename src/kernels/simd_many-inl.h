// The primitive that joins many inputs, compiled once for each target: foreach_target.h includes this file
// several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_MANY_INL_H_
#endif

#include <cstddef>
#include <type_traits>

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

  // A strip is kVectors vectors of the output. The maximum of few inputs joins one after the other; the
  // maximum of more folds them, which decides about NaNs and zeros once.
  //
  // clang-format off
  //                v[0]          v[1]           v[2]         v[3]
  //   x[begin]   |.............|.............|.............|.............|....
  //   x[begin+1] |.............|.............|.............|.............|....
  //   ...              v             v              v            v
  //   y          |.............|.............|.............|.............|....   n elements; the last vectors
  //   overlap
  // clang-format on
  //
  // On AVX-512, strips of four vectors take longer than strips of two with floats, and less time with uint8.
  static constexpr std::size_t kVectors = HWY_TARGET <= HWY_AVX3 && IsFloat(*kDTypeOrNone<T>) ? 2 : 4;

  // The bytes before each vector of a strip.
  struct Places {
    std::size_t before[kVectors];

    Places() = default;
    explicit HWY_INLINE Places(std::size_t at) {
      for (std::size_t k = 0; k < kVectors; ++k) before[k] = at;
    }
  };

  struct JoinedStrip {
    // Canonical NaNs are made at the end alone.
    static constexpr bool kNaNsLast = requires(V a) { L::Larger(a, a); };
    Held<V> v[kVectors];

    HWY_INLINE void Begin(const std::byte* x, const Places& places) {
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kVectors; ++k) v[k] = Load(x + places.before[k]);
    }
    HWY_INLINE void Add(const std::byte* x, const Places& places) {
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kVectors; ++k) {
        const V next = Load(x + places.before[k]);
        if constexpr (kNaNsLast) {
          v[k] = L::Larger(v[k], next);
        } else {
          v[k] = L::Join(v[k], next);
        }
      }
    }
    HWY_INLINE V Vector(std::size_t k) const {
      if constexpr (kNaNsLast) return L::Canonical(v[k]);
      return v[k];
    }
  };
  struct FoldedStrip {
    typename L::Fold fold[kVectors];

    HWY_INLINE void Begin(const std::byte* x, const Places& places) {
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kVectors; ++k) fold[k] = L::First(Load(x + places.before[k]));
    }
    HWY_INLINE void Add(const std::byte* x, const Places& places) {
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kVectors; ++k) L::Add(fold[k], Load(x + places.before[k]));
    }
    HWY_INLINE V Vector(std::size_t k) const { return L::Result(fold[k]); }
  };

  // The first input, or the maximum of earlier ones, and inputs [begin, end).
  struct Inputs {
    const std::byte* first;
    const DenseInputs& x;
    std::size_t begin, end;

    // A strip of them; of kMore inputs after the first one, or, if that is 0, of any number. Few are added
    // without a loop: GCC then keeps the whole strip in registers.
    template <class Strip, std::size_t kMore>
    HWY_INLINE Strip StripAt(const Places& places) const {
      Strip strip;
      strip.Begin(first, places);
      if constexpr (kMore > 0) {
        HWY_UNROLL(7)
        for (std::size_t j = 0; j < kMore; ++j) strip.Add(x.from[begin + j] + x.offset, places);
      } else {
        for (std::size_t m = begin; m < end; ++m) strip.Add(x.from[m] + x.offset, places);
      }
      return strip;
    }
  };

  // No lambda: where GCC does not inline one, it returns the vector through memory and ends with VZEROUPPER,
  // which made non-temporal stores four times as slow.
  template <class Strip, std::size_t kMore>
  struct VectorAt {
    const Inputs& inputs;

    // If several vectors have one place, the compiler computes it once.
    HWY_INLINE V operator()(std::size_t i) const {
      const std::size_t at = i * kWidth;
      return inputs.template StripAt<Strip, kMore>(Places(at)).Vector(0);
    }
  };

  // y = max of the inputs, by non-temporal stores. Requires: n >= Lanes().
  template <class Strip, std::size_t kMore>
  static HWY_INLINE void StreamVectors(const Inputs& inputs, std::byte* y, std::size_t n) {
    LineStream stream(y);
    stream.Write(n, VectorAt<Strip, kMore>{inputs});
    stream.End();
  }

  // The same by ordinary ones.
  template <class Strip, std::size_t kMore>
  static HWY_INLINE void JoinStrips(const Inputs& inputs, std::byte* y, std::size_t n) {
    const std::size_t vector = Lanes() * kWidth, bytes = n * kWidth;
    for (std::size_t i = 0; i < bytes; i += kVectors * vector) {
      Places places;
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kVectors; ++k) places.before[k] = HWY_MIN(i + k * vector, bytes - vector);
      const Strip strip = inputs.template StripAt<Strip, kMore>(places);
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kVectors; ++k) Store(strip.Vector(k), y + places.before[k]);
    }
  }

  // Up to this many inputs are joined, more are folded: a fold has fewer instructions for each input, and
  // more at its end. With non-temporal stores, which the memory bounds, at most two are joined. Chosen by
  // measurements of three and four inputs, except on AVX2 if NaNs are not left to the end: three inputs of
  // f32 take 16 operations to fold, 20 to join.
  static constexpr std::size_t kMaxJoinedInputs = HWY_TARGET <= HWY_AVX3 && kWidth >= 4 ? 4
                                                  : JoinedStrip::kNaNsLast              ? 3
                                                                                        : 2;

  // The inputs of the first pass, and those that a later one adds to the maximum of earlier ones. Straight
  // code reads the vectors of 8 floats: GCC 12 keeps folds in the memory while it loops over inputs.
  // Measured: 0.54 to 0.78 of the loop's time on AVX2, 0.83 to 0.96 on AVX-512. Integers have a loop, since
  // straight code is hardly faster for them; it reads as many inputs as the hardware prefetches, chosen by
  // estimate. Cases: max * 8 inputs and more.
  static constexpr bool kReadsEight = HWY_TARGET <= HWY_AVX2 && IsFloat(*kDTypeOrNone<T>);
  static constexpr std::size_t kMaxInputsPerPass = kReadsEight ? 8 : 16,
                               kMaxMoreInputsPerPass = kReadsEight ? 7 : 16;

  template <std::size_t kCount>
  using StripOf = std::conditional_t<(kCount <= kMaxJoinedInputs), JoinedStrip, FoldedStrip>;

  static HWY_INLINE void JoinGroup(const DenseInputs& x, std::size_t begin, std::size_t end,
                                   const std::byte* before, std::byte* y, std::size_t n, bool non_temporal) {
    if (n >= Lanes()) {
      const std::byte* const first = before != nullptr ? before : x.from[begin] + x.offset;
      // A single input is joined with itself.
      const std::size_t next = before != nullptr || end - begin == 1 ? begin : begin + 1;
      const Inputs inputs{first, x, next, end};
      if (non_temporal && LineStream::IsAligned(y)) {
        if (end - next == 1) return StreamVectors<JoinedStrip, 1>(inputs, y, n);
        if constexpr (kReadsEight) {
          if (end - next == 7) return StreamVectors<FoldedStrip, 7>(inputs, y, n);
        }
        return StreamVectors<FoldedStrip, 0>(inputs, y, n);
      }
      switch (end - next) {
        case 1:
          return JoinStrips<JoinedStrip, 1>(inputs, y, n);
        case 2:
          return JoinStrips<StripOf<3>, 2>(inputs, y, n);
        case 3:
          return JoinStrips<StripOf<4>, 3>(inputs, y, n);
        case 7:
          if constexpr (kReadsEight) return JoinStrips<FoldedStrip, 7>(inputs, y, n);
          [[fallthrough]];
        default:
          return JoinStrips<FoldedStrip, 0>(inputs, y, n);
      }
    }
    typename L::Fold fold = L::Identity();
    if (before != nullptr) L::Add(fold, LoadFirst(before, n));
    for (std::size_t m = begin; m < end; ++m) L::Add(fold, LoadFirst(x.from[m] + x.offset, n));
    StoreFirst(L::Result(fold), y, n);
  }

  static void JoinMany(const DenseInputs& x, std::byte* acc, std::byte* y, std::size_t n, bool non_temporal) {
    if (n == 0) return;
    std::size_t m = 0;
    for (std::size_t most = kMaxInputsPerPass; x.count - m > most; most = kMaxMoreInputsPerPass) {
      JoinGroup(x, m, m + most, m > 0 ? acc : nullptr, acc, n, false);
      m += most;
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
