// The shortest runs (IsCollected), compiled once for each target: foreach_target.h includes this file several
// times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_SHORT_RUNS_INL_H_
#endif

#include <bit>
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

// Contiguous runs of n = m * 2^s elements, where m is odd: m is kOdd, s is kHalvings. A vector of runs is n
// vectors of elements, which Halved replaces by their pairwise maxima s times. The m vectors that are left
// are w[0] to w[m-1]; lane l of w[k] is element (lanes * k + l) mod m of a run.
//
// For each i and each lane l, exactly one w[k] holds an element i in lane l, since m has an inverse modulo
// lanes: Collector blends these into Elements<i>. Turned by i lanes, element i of each run is in the lane of
// element 0.
//
// clang-format off
//   4 lanes, n = 6: m = 3, s = 1; runs a, b, c, d
//
//   memory            a0 a1 a2 a3   a4 a5 b0 b1   b2 b3 b4 b5   c0 c1 c2 c3   c4 c5 d0 d1   d2 d3 d4 d5
//   Halved            A0 A1 A2 B0                 B1 B2 C0 C1                 C2 D0 D1 D2
//                     w[0]                        w[1]                        w[2]
//                     A0 = max(a0, a1), A1 = max(a2, a3), ...
//
//   lane              0  1  2  3
//   Elements<0>       A0 D0 C0 B0
//   Elements<1>       B1 A1 D1 C1     turned by one lane:    A1 D1 C1 B1
//   Elements<2>       C2 B2 A2 D2     turned by two lanes:   A2 D2 C2 B2
//   Maxima            A  D  C  B
//   lane_of_run       0  3  2  1      the lane of runs a, b, c, d
//   result            A  B  C  D
// clang-format on
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

  // Lane r is the maximum, as a key, of the 2^kHalvings elements from r * 2^kHalvings on.
  template <std::size_t kHalvings>
  static HWY_INLINE V Halved(const std::byte* at) {
    if constexpr (kHalvings == 0) {
      return L::Key(Load(at));
    } else {
      const V lower = Halved<kHalvings - 1>(at);
      const V upper = Halved<kHalvings - 1>(at + (kVectorBytes << (kHalvings - 1)));
      return L::KeyMax(hn::ConcatEven(D(), upper, lower), hn::ConcatOdd(D(), upper, lower));
    }
  }

  // Lane l of the result is lane l + 1 of v; the last lane is lane 0 of v.
  static HWY_INLINE V TurnByOne(V v) {
#if HWY_TARGET == HWY_RVV
    return __riscv_vslide1down(v, hn::GetLane(v), kLanes);
#else
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
#endif
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
      w[k] = Halved<kHalvings>(at + (k * kVectorBytes << kHalvings));
      if constexpr (k + 1 < kOdd) Read<kHalvings, k + 1>(at);
    }
    // Element i of each run, of those in w[0] to w[k].
    template <std::size_t i, std::size_t k = kOdd - 1>
    HWY_INLINE V Elements() const {
      if constexpr (k == 0) {
        return w[0];
      } else {
        constexpr std::size_t kResidue = (i + kOdd - kLanes * k % kOdd) % kOdd;
        return hn::IfThenElse(hn::Mask<D>(with_residue[kResidue]), V(w[k]), Elements<i, k - 1>());
      }
    }
    // The maxima of elements i and later, in the lanes of Elements<i>.
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
    constexpr std::size_t kRunBytes = (kOdd << kHalvings) * kWidth;
    Collector<kOdd> collector;
    if constexpr (kOdd > 1) collector.FindResidues(hn::Load(D(), kPlaces<kOdd>.residue));
    const bool few = a.kept < kLanes;
    const std::byte* runs = a.data;
    HWY_ALIGN std::byte copy[kLanes * kRunBytes];
    if (few) {
      std::memset(copy, 0, sizeof(copy));
      std::memcpy(copy, a.data, a.kept * kRunBytes);
      runs = copy;
    }
    const std::size_t last = few ? 0 : a.kept - kLanes;
    // One loop for all, the last vector of runs overlapping the one before: code that stands once is inlined,
    // so that the collector stays in registers.
    for (std::size_t j = 0; j < a.kept; j += kLanes) {
      const std::size_t at = HWY_MIN(j, last);
      collector.template Read<kHalvings>(runs + at * kRunBytes);
      V keys = collector.Maxima();
      if constexpr (kOdd > 1) keys = Permute(keys, kPlaces<kOdd>.lane_of_run);
      const V maxima = L::FromKey(keys);
      if (few) return AccumulateFirst(a.fresh, acc, maxima, a.kept);
      Accumulate(a.fresh, acc + at * kWidth, maxima);
    }
  }

  // Reduces runs of a length that IsCollected and returns true; for other lengths, which are kLength or more,
  // does nothing and returns false.
  template <std::size_t kLength = 2>
  static HWY_INLINE bool ReduceFrom(const Block& a, std::byte* acc) {
    if constexpr (kLength == 16) {
      return false;
    } else {
      if (a.reduced != kLength) return ReduceFrom<kLength + 1>(a, acc);
      constexpr bool kIsCollected = IsCollected(kVectorBytes, kWidth, kLength);
      constexpr std::size_t kHalvings = std::countr_zero(kLength);
      if constexpr (kIsCollected) ReduceEach<(kLength >> kHalvings), kHalvings>(a, acc);
      return kIsCollected;
    }
  }
  static bool Reduce(const Block& a, std::byte* acc) { return ReduceFrom(a, acc); }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<ShortRunKernels> Simd<HWY_NAMESPACE::kTarget>::short_runs =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      return ShortRunKernels{&HWY_NAMESPACE::ShortRuns<typename decltype(tag)::type>::Reduce};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
