// The primitive that reduces runs, once for each target. Included by
// foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_
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

// A vector of runs at a time, by keys. Each vector of a run, or each of several runs side by side, becomes
// partial maxima, and a tree of shuffles brings the maximum of each run to a lane of its own.
template <class T>
struct RunFolds : Accumulators<T> {
  using A = VectorAccess<T>;
  using A::kDense;
  using A::kMostLanes;
  using A::kWidth;
  using A::Lanes;
  using A::Load;
  using A::Portable;
  using Accumulators<T>::Accumulate;
  using Accumulators<T>::AccumulateFirst;
  using typename A::Bits;
  using typename A::D;
  using typename A::L;
  using typename A::V;

  // From 2 x lanes partial maxima to as many of half the rows: a tree of these ends with one row a lane.
  //
  // Level k joins rows r and r + 2^(k-1). Within blocks of 16 bytes, groups of 2^(k-1) lanes are interleaved;
  // beyond, whole blocks.
  template <std::size_t kGroup>
  static HWY_INLINE V Pair(V a, V b) {
    constexpr std::size_t kBytes = kGroup * kWidth;
    if constexpr (kBytes == 1) {
      const hn::Repartition<std::uint8_t, D> d;
      return PairIn(d, a, b);
    } else if constexpr (kBytes == 2) {
      const hn::Repartition<std::uint16_t, D> d;
      return PairIn(d, a, b);
    } else if constexpr (kBytes == 4) {
      const hn::Repartition<std::uint32_t, D> d;
      return PairIn(d, a, b);
    } else if constexpr (kBytes == 8) {
      const hn::Repartition<std::uint64_t, D> d;
      return PairIn(d, a, b);
    }
#if HWY_MAX_BYTES >= 32
    else if constexpr (kBytes == HWY_MAX_BYTES / 2) {
      return L::KeyMax(hn::ConcatLowerLower(D(), b, a), hn::ConcatUpperUpper(D(), b, a));
    }
#endif
#if HWY_MAX_BYTES == 64
    else {  // blocks in turns: [a0 b0 a2 b2] and [a1 b1 a3 b3]
      static_assert(kBytes == 16);
      return L::KeyMax(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a),
                       hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a)));
    }
#endif
  }
  template <class DG>
  static HWY_INLINE V PairIn(DG d, V a, V b) {
    const auto ga = hn::BitCast(d, a);
    const auto gb = hn::BitCast(d, b);
    return L::KeyMax(hn::BitCast(D(), hn::InterleaveLower(d, ga, gb)),
                     hn::BitCast(D(), hn::InterleaveUpper(d, ga, gb)));
  }

  // The keys of kRows rows from row `first` on, kLanes lanes of each being one already; row r comes to lane
  // r of each group of kRows x kLanes lanes. `row(r)` gives the partial maxima.
  template <std::size_t kRows, std::size_t kLanes, class RowAt>
  static HWY_INLINE V Tree(std::size_t first, RowAt row) {
    if constexpr (kRows == 1) {
      return row(first);
    } else {
      const V a = Tree<kRows / 2, kLanes>(first, row);
      const V b = Tree<kRows / 2, kLanes>(first + kRows / 2, row);
      return Pair<kRows / 2 * kLanes>(a, b);
    }
  }

  // The same of `rows` vectors in memory, as many as there are, up to kRows; they are overwritten. Lanes
  // without a row of their own hold anything.
  template <std::size_t kRows, std::size_t kLanes>
  static HWY_INLINE V TreeOfSome(std::size_t rows, Held<V>* row) {
    if constexpr (kRows == 1) {
      return row[0];
    } else {
      for (std::size_t i = 0; 2 * i < rows; ++i)
        row[i] = Pair<kLanes>(row[2 * i], row[HWY_MIN(2 * i + 1, rows - 1)]);
      return TreeOfSome<kRows / 2, 2 * kLanes>((rows + 1) / 2, row);
    }
  }

  // Behind how many elements of a run its vectors are aligned, if its elements are: from 1 to lanes. Vectors
  // that are not lie on two cache lines.
  static HWY_INLINE std::size_t ToAligned(const std::byte* run) {
    return (HWY_MAX_BYTES - reinterpret_cast<std::uintptr_t>(run) % HWY_MAX_BYTES) / kWidth;
  }

  // How far before they are needed runs are fetched.
  static constexpr std::ptrdiff_t kAhead = 1024;

  // The maximum of a dense run of at least a vector, as keys of some of it in each lane.
  static HWY_INLINE V FoldRun(const std::byte* run, std::size_t n) {
    // From this many vectors on, the fewer instructions of a fold make up for finding its meaning.
    constexpr std::size_t kManyVectors = HWY_MAX_BYTES == 64 ? 12 : 6;
    const std::size_t lanes = Lanes(), last = n - lanes;
    const V first = Load(run), end = Load(run + last * kWidth);  // overlap: the maximum is idempotent
    std::size_t i = ToAligned(run);
    if (n < kManyVectors * lanes) {
      V key = L::KeyMax(L::Key(first), L::Key(end));
      for (; i < last; i += lanes) key = L::KeyMax(key, L::Key(Load(run + i * kWidth)));
      return key;
    }
    typename L::Fold f0 = L::Nothing(), f1 = L::Nothing();
    L::Add(f0, first);
    L::Add(f1, end);
    if (n >= 4 * kManyVectors * lanes) {  // one that waits for none of the others
      typename L::Fold f2 = L::Nothing(), f3 = L::Nothing();
      for (; i + 3 * lanes < last; i += 4 * lanes) {
        const std::byte* at = run + i * kWidth;
        // Where vectors are cache lines, each is fetched once.
        if constexpr (HWY_MAX_BYTES == 64) {
          HWY_UNROLL(4)
          for (std::size_t k = 0; k < 4; ++k) A::Fetch(at + k * HWY_MAX_BYTES, kAhead);
        }
        L::Add(f0, Load(at));
        L::Add(f1, Load(at + lanes * kWidth));
        L::Add(f2, Load(at + 2 * lanes * kWidth));
        L::Add(f3, Load(at + 3 * lanes * kWidth));
      }
      L::Add(f0, f2);
      L::Add(f1, f3);
    }
    for (; i + lanes < last; i += 2 * lanes) {
      L::Add(f0, Load(run + i * kWidth));
      L::Add(f1, Load(run + (i + lanes) * kWidth));
    }
    if (i < last) L::Add(f0, Load(run + i * kWidth));
    L::Add(f0, f1);
    return L::ResultKey(f0);
  }

  // Runs of more than two vectors.
  static void ReduceLongRuns(const Block& a, std::byte* acc) {
    const std::size_t lanes = Lanes();
    Held<V> row[kMostLanes];
    const std::byte* run = a.data;
    for (std::size_t j = 0; j < a.kept; j += lanes, acc += lanes * kWidth) {
      const std::size_t rows = HWY_MIN(lanes, a.kept - j);
      std::size_t r = 0;
      do {
        row[r] = FoldRun(run, a.reduced);
        run += a.kept_stride;
      } while (++r < rows);
      const V result = L::FromKey(TreeOfSome<kMostLanes, 1>(rows, row));
      rows == lanes ? Accumulate(a.fresh, acc, result) : AccumulateFirst(a.fresh, acc, result, rows);
    }
  }

  // ---- Runs of less than a vector, or little more.

  // Element `at` and what follows of some runs, kGroup lanes of each. run(g) is where group g's begins.
  template <std::size_t kGroup, class RunOf>
  static HWY_INLINE V LoadGroups(RunOf run, std::size_t at) {
    constexpr std::size_t kBytes = kGroup * kWidth;
    const auto part = [&](auto d, std::size_t group) HWY_ATTR {
      return hn::LoadU(d, reinterpret_cast<const Bits*>(run(group) + at * kWidth));
    };
    if constexpr (kBytes == HWY_MAX_BYTES) {
      return part(D(), 0);
    } else {
      const hn::Half<D> half;
      if constexpr (2 * kBytes == HWY_MAX_BYTES) {
        return hn::Combine(D(), part(half, 1), part(half, 0));
      } else {
        static_assert(4 * kBytes == HWY_MAX_BYTES);
        const hn::Half<decltype(half)> quarter;
        return hn::Combine(D(), hn::Combine(half, part(quarter, 3), part(quarter, 2)),
                           hn::Combine(half, part(quarter, 1), part(quarter, 0)));
      }
    }
  }

  // The keys of some runs of n elements, side by side as LoadGroups has them: twice kGroup elements that
  // overlap, or kGroup.
  template <std::size_t kGroup, bool kTwice, class RunOf>
  static HWY_INLINE V PartialMaxima(RunOf run, std::size_t n) {
    const V key = L::Key(LoadGroups<kGroup>(run, 0));
    if constexpr (!kTwice) return key;
    return L::KeyMax(key, L::Key(LoadGroups<kGroup>(run, n - kGroup)));
  }

  // p, as the compiler cannot foresee it: it would keep a pointer for each load, more than there are
  // registers.
  static HWY_INLINE const std::byte* InRegister(const std::byte* p) {
#if HWY_COMPILER_GCC
    __asm__("" : "+r"(p));
#endif
    return p;
  }

  template <std::size_t kGroup, bool kTwice>
  static HWY_INLINE V VectorOfRuns(const std::byte* first, std::ptrdiff_t stride, std::size_t n) {
    // Group g of row r is run r + g x kGroup: the tree then ends with the runs in order.
    const auto row = [&](std::size_t r) HWY_ATTR {
      const std::byte* at = InRegister(first + static_cast<std::ptrdiff_t>(r) * stride);
      // A vector of short runs is fetched at once and then computed: too unsteady for the hardware's own.
      A::Fetch(at, kAhead);
      const auto run = [&](std::size_t g)
                           HWY_ATTR { return at + static_cast<std::ptrdiff_t>(g * kGroup) * stride; };
      return PartialMaxima<kGroup, kTwice>(run, n);
    };
    if constexpr (kGroup <= 4) {
      return Tree<kGroup, 1>(0, row);
    } else {
      // Four rows in registers; all at once would be too much code.
      Held<V> four[kGroup / 4];
      for (std::size_t q = 0; q < kGroup / 4; ++q) four[q] = Tree<4, 1>(4 * q, row);
      return Tree<kGroup / 4, 4>(0, [&](std::size_t q) HWY_ATTR { return V(four[q]); });
    }
  }

  template <std::size_t kGroup, bool kTwice>
  static void ReduceMany(const Block& a, std::byte* acc) {
    const std::size_t lanes = Lanes();
    const auto runs_from = [&](std::size_t j) HWY_ATTR {
      const std::byte* first = a.data + static_cast<std::ptrdiff_t>(j) * a.kept_stride;
      const V keys = VectorOfRuns<kGroup, kTwice>(first, a.kept_stride, a.reduced);
      Accumulate(a.fresh, acc + j * kWidth, L::FromKey(keys));
    };
    // The last vector of runs overlaps the one before.
    for (std::size_t j = 0; j < a.kept; j += lanes) runs_from(HWY_MIN(j, a.kept - lanes));
  }

  // Fewer runs than lanes.
  template <std::size_t kGroup>
  static void ReduceFew(const Block& a, std::byte* acc) {
    // Behind the last run, the last one again.
    const auto row_at = [&](std::size_t r) HWY_ATTR {
      const auto run = [&](std::size_t g) HWY_ATTR {
        return a.data + static_cast<std::ptrdiff_t>(HWY_MIN(r + g * kGroup, a.kept - 1)) * a.kept_stride;
      };
      return PartialMaxima<kGroup, true>(run, a.reduced);
    };
    Held<V> row[kGroup];
    const std::size_t rows = HWY_MIN(a.kept, kGroup);
    std::size_t r = 0;
    do row[r] = row_at(r);
    while (++r < rows);
    AccumulateFirst(a.fresh, acc, L::FromKey(TreeOfSome<kGroup, 1>(rows, row)), a.kept);
  }

  template <std::size_t kGroup>
  static void ReduceInGroups(const Block& a, std::byte* acc) {
    if (a.kept < Lanes()) return ReduceFew<kGroup>(a, acc);
    a.reduced == kGroup ? ReduceMany<kGroup, false>(a, acc) : ReduceMany<kGroup, true>(a, acc);
  }

  static void ReduceRuns(const Block& a, std::byte* acc) {
    if (a.reduced == 0 && a.fresh) this_type::Clear(acc, a.blocks * a.kept);
    if (a.reduced == 0 || a.kept == 0) return;
    if (a.reduced_stride != kDense || a.reduced == 1) return Portable().reduce_runs(a, acc);
    this_type::ForEachBlock(a, acc, [](const Block& one, std::byte* y) HWY_ATTR { ReduceDenseRuns(one, y); });
  }

 private:
  using this_type = Accumulators<T>;

  // Of another translation unit.
  static HWY_INLINE const ShortRunKernels& ShortRuns() {
    return Simd<HWY_TARGET>::short_runs.rows[static_cast<std::size_t>(*kDTypeOrNone<T>)];
  }

  static void ReduceDenseRuns(const Block& a, std::byte* acc) {
    const bool side_by_side = a.kept_stride == static_cast<std::ptrdiff_t>(a.reduced) * kDense;
    if (side_by_side && ShortRuns().reduce(a, acc)) return;
    // Groups of at least 16 bytes.
    constexpr std::size_t kLeast = 16 / kWidth;
    if (a.reduced > 2 * kMostLanes) return ReduceLongRuns(a, acc);
    if (a.reduced >= kMostLanes) return ReduceInGroups<kMostLanes>(a, acc);
    if constexpr (kMostLanes / 2 >= kLeast) {
      if (a.reduced >= kMostLanes / 2) return ReduceInGroups<kMostLanes / 2>(a, acc);
    }
    if constexpr (kMostLanes / 4 >= kLeast) {
      if (a.reduced >= kMostLanes / 4) return ReduceInGroups<kMostLanes / 4>(a, acc);
    }
    Portable().reduce_runs(a, acc);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<RunKernels> Simd<HWY_TARGET>::runs = MakeByDType([](auto tag) {
  return RunKernels{&HWY_NAMESPACE::RunFolds<typename decltype(tag)::type>::ReduceRuns};
});

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
