// Runs that are shorter than 16 bytes or nearly so, once for each target. Included by
// foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_accumulators-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// Runs side by side of n = m 2^s elements, m being odd: a vector of runs is n vectors of elements. Halving
// them s times leaves m vectors W of keys, lane l of W[k] being element (lanes k + l) mod m of a run.
//
//   m = 3, 4 lanes:   W[0] = a0 a1 a2 b0   W[1] = b1 b2 c0 c1   W[2] = c2 d0 d1 d2
//
// For each i, each lane of one W[k] alone holds an element i, since m has an inverse modulo lanes: blending
// collects them (a0 d0 c0 b0, d1 a1 b1 c1, c2 b2 a2 d2). Turned by i lanes, run lies above run.
template <class T>
struct ShortRuns : Accumulators<T> {
  using A = VectorAccess<T>;
  using A::kDense;
  using A::kMostLanes;
  using A::kWidth;
  using A::Load;
  using A::Permute;
  using Accumulators<T>::Accumulate;
  using Accumulators<T>::AccumulateFirst;
  using typename A::Bits;
  using typename A::D;
  using typename A::L;
  using typename A::Unsigned;
  using typename A::V;
  static constexpr std::size_t kLanes = kMostLanes;
  static constexpr std::size_t kVector = HWY_MAX_BYTES;

  // Window r of 2^kHalvings elements each, kLanes of them.
  template <std::size_t kHalvings>
  static HWY_INLINE V Halved(const std::byte* at) {
    if constexpr (kHalvings == 0) {
      return L::Key(Load(at));
    } else {
      const V lower = Halved<kHalvings - 1>(at);
      const V upper = Halved<kHalvings - 1>(at + (kVector << (kHalvings - 1)));
      return L::KeyMax(hn::ConcatEven(D(), upper, lower), hn::ConcatOdd(D(), upper, lower));
    }
  }

  // Lane l of the result is lane l + 1 of v, the last one lane 0.
  static HWY_INLINE V TurnByOne(V v) {
#if HWY_TARGET <= HWY_AVX3
    if constexpr (kWidth == 8) return V{_mm512_alignr_epi64(v.raw, v.raw, 1)};
    if constexpr (kWidth == 4) return V{_mm512_alignr_epi32(v.raw, v.raw, 1)};
    const V next_blocks{_mm512_shuffle_i64x2(v.raw, v.raw, 0b00111001)};
#elif HWY_MAX_BYTES == 32
    const V next_blocks = hn::SwapAdjacentBlocks(v);
#else
    const V next_blocks = v;
#endif
    return hn::CombineShiftRightBytes<kWidth>(D(), next_blocks, v);
  }

  template <std::size_t kOdd>
  struct Places {
    constexpr Places() {
      for (std::size_t l = 0; l < kLanes; ++l) {
        residue[l] = static_cast<Bits>(l % kOdd);
        lane_of_run[l] = static_cast<Unsigned>(l * kOdd % kLanes);
      }
    }
    alignas(64) Bits residue[kLanes] = {};
    alignas(64) Unsigned lane_of_run[kLanes] = {};
  };
  template <std::size_t kOdd>
  static constexpr Places<kOdd> kPlaces{};

  template <std::size_t kOdd>
  struct Collector {
    Held<V> w[kOdd];
    Held<hn::Mask<D>> with_residue[kOdd];

    template <std::size_t k = 0>
    HWY_INLINE void FindResidues(V residue) {
      with_residue[k] = hn::Eq(residue, hn::Set(D(), static_cast<Bits>(k)));
      if constexpr (k + 1 < kOdd) FindResidues<k + 1>(residue);
    }
    template <std::size_t kHalvings, std::size_t k = 0>
    HWY_INLINE void Read(const std::byte* at) {
      w[k] = Halved<kHalvings>(at + (k * kVector << kHalvings));
      if constexpr (k + 1 < kOdd) Read<kHalvings, k + 1>(at);
    }
    // Element i of each run, from W[0] to W[k].
    template <std::size_t i, std::size_t k = kOdd - 1>
    HWY_INLINE V Elements() const {
      if constexpr (k == 0) {
        return w[0];
      } else {
        constexpr std::size_t kResidue = (i + kOdd - kLanes * k % kOdd) % kOdd;
        return hn::IfThenElse(hn::Mask<D>(with_residue[kResidue]), V(w[k]), Elements<i, k - 1>());
      }
    }
    // The maxima of elements i and later, where elements i are.
    template <std::size_t i = 0>
    HWY_INLINE V Maxima() const {
      if constexpr (i + 1 == kOdd) {
        return Elements<i>();
      } else {
        return L::KeyMax(TurnByOne(Maxima<i + 1>()), Elements<i>());
      }
    }
  };

  template <std::size_t kOdd, std::size_t kHalvings>
  static void ReduceEach(const Block& a, std::byte* acc) {
    constexpr std::size_t kRun = (kOdd << kHalvings) * kWidth;
    Collector<kOdd> collector;
    if constexpr (kOdd > 1) collector.FindResidues(hn::Load(D(), kPlaces<kOdd>.residue));
    const auto vector_of_runs = [&](const std::byte* first) HWY_ATTR {
      collector.template Read<kHalvings>(first);
      V keys = collector.Maxima();
      if constexpr (kOdd > 1) keys = Permute(keys, kPlaces<kOdd>.lane_of_run);
      return L::FromKey(keys);
    };
    if (a.kept < kLanes) {
      HWY_ALIGN std::byte runs[kLanes * kRun] = {};
      std::memcpy(runs, a.data, a.kept * kRun);
      return AccumulateFirst(a.fresh, acc, vector_of_runs(runs), a.kept);
    }
    std::size_t j = 0;
    for (; j + kLanes <= a.kept; j += kLanes)
      Accumulate(a.fresh, acc + j * kWidth, vector_of_runs(a.data + j * kRun));
    if (j == a.kept) return;
    j = a.kept - kLanes;  // overlaps
    Accumulate(a.fresh, acc + j * kWidth, vector_of_runs(a.data + j * kRun));
  }

  // Whether this has been done: for all lengths below 16 bytes, and where it is the fastest way.
  static bool Reduce(const Block& a, std::byte* acc) {
    switch (a.reduced) {
      case 2:
        return ReduceEach<1, 1>(a, acc), true;
      case 3:
        return ReduceEach<3, 0>(a, acc), true;
      case 4:
        return ReduceEach<1, 2>(a, acc), true;
      case 5:
        return ReduceEach<5, 0>(a, acc), true;
      case 6:
        return ReduceEach<3, 1>(a, acc), true;
      case 7:
        return ReduceEach<7, 0>(a, acc), true;
      case 10:
        return ReduceEach<5, 1>(a, acc), true;
      case 12:
        return ReduceEach<3, 2>(a, acc), true;
      default:
        break;
    }
    if constexpr (kWidth == 1) {
      switch (a.reduced) {
        case 8:
          return ReduceEach<1, 3>(a, acc), true;
        case 9:
          return ReduceEach<9, 0>(a, acc), true;
        case 11:
          return ReduceEach<11, 0>(a, acc), true;
        case 13:
          return ReduceEach<13, 0>(a, acc), true;
        case 14:
          return ReduceEach<7, 1>(a, acc), true;
        case 15:
          return ReduceEach<15, 0>(a, acc), true;
        default:
          break;
      }
    }
    return false;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<ShortRunKernels> Simd<HWY_TARGET>::short_runs = MakeByDType([](auto tag) {
  return ShortRunKernels{&HWY_NAMESPACE::ShortRuns<typename decltype(tag)::type>::Reduce};
});

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
