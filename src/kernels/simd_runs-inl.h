// The primitive that reduces runs, compiled once for each target: foreach_target.h includes this file
// several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_RUNS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_accumulators-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// Reduces a vector of runs at a time, as keys. A row of partial maxima is a vector that holds keys of one
// run, or of several; a tree of Pairs moves the maximum of each run to a lane of its own.
//
// clang-format off
//   4 lanes, runs a, b, c, d        row 0         row 1         row 2         row 3
//   partial maxima                  a0 a1 a2 a3   b0 b1 b2 b3   c0 c1 c2 c3   d0 d1 d2 d3
//   Pair<1>                         a  b  a' b'                 c  d  c' d'
//   Pair<2>                         a  b  c  d
//
//   8 lanes, short runs: kGroup = 4 elements of two runs in each row
//   row r                           |4 keys of run r|4 keys of run r + 4|
//   keys of a run of n = 6          max(elements 0..3, elements 2..5), which overlap (kTwo)
// clang-format on
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
  using Accumulators<T>::kFoldIsOneVector;
  using Accumulators<T>::kFoldsWait;
  using typename A::Bits;
  using typename A::D;
  using typename A::L;
  using typename A::V;

  // Joins two rows into one, in which groups of kGroup lanes alternate: the first of a, the first of b, and
  // so on. Within blocks of 16 bytes, groups are interleaved; larger groups are moved as whole blocks.
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
    else if constexpr (kBytes == kVectorBytes / 2) {
      return L::KeyMax(hn::ConcatLowerLower(D(), b, a), hn::ConcatUpperUpper(D(), b, a));
    }
#endif
#if HWY_MAX_BYTES == 64
    else {  // blocks: [a0 b0 a2 b2] and [a1 b1 a3 b3]
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

  // The keys of kRows rows from row `first` on; each row holds the keys of kLanes runs. The keys of row r are
  // moved to place r of each group of kRows x kLanes lanes. row(r) returns the partial maxima.
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

  // The same for `rows` vectors in memory, at most kRows, which are overwritten. Lanes without a row are
  // unspecified.
  template <std::size_t kRows, std::size_t kLanes>
  static HWY_INLINE V TreeOfSome(std::size_t rows, Held<V>* row) {
    if constexpr (kRows == 1) {
      return row[0];
    } else {
      if (rows == 1) return TreeOfOne<kRows, kLanes>(row[0]);
      for (std::size_t i = 0; 2 * i < rows; ++i)
        row[i] = Pair<kLanes>(row[2 * i], row[HWY_MIN(2 * i + 1, rows - 1)]);
      return TreeOfSome<kRows / 2, 2 * kLanes>((rows + 1) / 2, row);
    }
  }

  // The same for one vector, which stays in a register.
  template <std::size_t kRows, std::size_t kLanes>
  static HWY_INLINE V TreeOfOne(V row) {
    if constexpr (kRows == 1) {
      return row;
    } else {
      return TreeOfOne<kRows / 2, 2 * kLanes>(Pair<kLanes>(row, row));
    }
  }

  // The number of elements, from 1 to lanes, before the first aligned vector of a run whose elements are
  // aligned. An unaligned vector may be on two cache lines.
  static HWY_INLINE std::size_t ElementsBeforeAligned(const std::byte* run) {
    return (kVectorBytes - reinterpret_cast<std::uintptr_t>(run) % kVectorBytes) / kWidth;
  }

  // A fold has fewer operations for each vector than joining keys, and more at its end, so that only longer
  // runs are folded; a fold that is a key itself has as many. Runs of at least kMinManyFoldsVectors are
  // folded by four folds, or eight, which do not depend on each other. Chosen by estimate; no benchmark line
  // yet.
  static constexpr std::size_t kMinManyFoldsVectors = kVectorBytes == 64 ? 48 : 24;
  static constexpr std::size_t kManyFolds = kFoldsWait ? 8 : 4;
  static constexpr std::size_t kMinFoldVectors =
      kFoldIsOneVector && kVectorBytes < 64 ? kMinManyFoldsVectors : kMinManyFoldsVectors / 4;

  // The largest keys of a dense run of at least kMinKeysVectors vectors, where a fold is one vector. Not for
  // vectors as long as cache lines: most are on two of them in an unaligned run.
  static constexpr std::size_t kMinKeysVectors = kFoldIsOneVector && kVectorBytes < 64 ? 6 : kMinFoldVectors;
  static HWY_INLINE V KeysOfRun(const std::byte* run, std::size_t n) {
    const std::size_t lanes = Lanes(), last = n - lanes;
    const auto key = [&](std::size_t i) HWY_ATTR { return L::Key(Load(run + i * kWidth)); };
    V k0 = key(0), k1 = key(lanes), k2 = key(2 * lanes), k3 = key(3 * lanes);
    std::size_t i = 4 * lanes;
    for (; i + 3 * lanes <= last; i += 4 * lanes) {
      k0 = L::KeyMax(k0, key(i));
      k1 = L::KeyMax(k1, key(i + lanes));
      k2 = L::KeyMax(k2, key(i + 2 * lanes));
      k3 = L::KeyMax(k3, key(i + 3 * lanes));
    }
    if (i < n) {
      k0 = L::KeyMax(k0, key(last));  // overlaps: the maximum is idempotent
      for (; i < last; i += lanes) k1 = L::KeyMax(k1, key(i));
    }
    return L::KeyMax(L::KeyMax(k0, k1), L::KeyMax(k2, k3));
  }

  // The partial maxima of a dense run of at least a vector.
  static HWY_INLINE V FoldRun(const std::byte* run, std::size_t n) {
    const std::size_t lanes = Lanes(), last = n - lanes;
    const V first = Load(run), end = Load(run + last * kWidth);  // overlap
    std::size_t i = ElementsBeforeAligned(run);
    if (n < kMinKeysVectors * lanes) {
      V key = L::KeyMax(L::Key(first), L::Key(end));
      for (; i < last; i += lanes) key = L::KeyMax(key, L::Key(Load(run + i * kWidth)));
      return key;
    }
    if (n < kMinFoldVectors * lanes) return KeysOfRun(run, n);
    typename L::Fold f0 = L::Identity(), f1 = L::Identity();
    L::Add(f0, first);
    L::Add(f1, end);
    if (n >= kMinManyFoldsVectors * lanes) {
      typename Accumulators<T>::template Folds<kManyFolds> folds;
      folds.Begin();
      folds.fold[0] = f0;
      folds.fold[1] = f1;
      for (; i + (kManyFolds - 1) * lanes < last; i += kManyFolds * lanes) {
        folds.Add(run + i * kWidth);
      }
      folds.AddToFirstTwo();
      f0 = folds.fold[0];
      f1 = folds.fold[1];
    }
    for (; i + lanes < last; i += 2 * lanes) {
      L::Add(f0, Load(run + i * kWidth));
      L::Add(f1, Load(run + (i + lanes) * kWidth));
    }
    if (i < last) L::Add(f0, Load(run + i * kWidth));
    L::Add(f0, f1);
    return L::ResultKey(f0);
  }

  // Runs of more than kMaxGroupedVectors vectors; or of more than two, if there are fewer than lanes.
  static void ReduceLongRuns(const Block& a, std::byte* acc) {
    const std::size_t lanes = Lanes();
    Held<V> row[kMostLanes];
    for (std::size_t j = 0; j < a.kept; j += lanes) {
      const std::size_t rows = HWY_MIN(lanes, a.kept - j);
      std::size_t r = 0;
      do {
        row[r] = FoldRun(a.data + static_cast<std::ptrdiff_t>(j + r) * a.kept_stride, a.reduced);
      } while (++r < rows);
      const V result = L::FromKey(TreeOfSome<kMostLanes, 1>(rows, row));
      std::byte* const to = acc + j * kWidth;
      rows == lanes ? Accumulate(a.fresh, to, result) : AccumulateFirst(a.fresh, to, result, rows);
    }
  }

  // ---- Runs of at most kMaxGroupedVectors vectors: as groups of elements, a vector of runs in registers.

  // Measured against folding run after run, in the second-level cache, with AVX2 and SSE4: 0.5 to 0.94 of its
  // time up to 8 vectors, 0.74 to 1.54 with 12. Cases: reduce * last, inner, subset.
  static constexpr std::size_t kMaxGroupedVectors = 8;

  // kGroup elements from element `at` on, of each of some runs; run(g) is the beginning of the run of group
  // g.
  template <std::size_t kGroup, class RunOf>
  static HWY_INLINE V LoadGroups(RunOf run, std::size_t at) {
    return A::template LoadParts<kGroup * kWidth>([&](std::size_t group)
                                                      HWY_ATTR { return run(group) + at * kWidth; });
  }

  // How many groups make a run: a part of one, which goes on into the next run; one; two that may overlap; or
  // more, the last two of which may.
  enum class Groups : std::uint8_t { kPart, kOne, kTwo, kMore };

  // From place kGroup - n on: the largest key for each of n elements, and the least one behind them. The
  // minima with them are the keys of a run of n elements alone.
  template <std::size_t kGroup>
  struct Caps {
    constexpr Caps() {
      for (std::size_t i = 0; i < kGroup; ++i) keys[i] = L::kTopKey;
      for (std::size_t i = kGroup; i < std::size(keys); ++i) keys[i] = L::kBottomKey;
    }
    // RVV's LoadDup128 may read a whole vector.
    alignas(16) Bits keys[2 * kGroup + kMostLanes] = {};
  };
  template <std::size_t kGroup>
  static constexpr Caps<kGroup> kCaps{};

  // A row of partial maxima of some runs of n elements, in the groups of LoadGroups.
  template <std::size_t kGroup, Groups kGroups, class RunOf>
  static HWY_INLINE V PartialMaxima(RunOf run, std::size_t n) {
    const V first = L::Key(LoadGroups<kGroup>(run, 0));
    if constexpr (kGroups == Groups::kPart) {
      static_assert(kGroup * kWidth == 16);
      return L::KeyMin(first, hn::LoadDup128(D(), kCaps<kGroup>.keys + (kGroup - n)));
    }
    if constexpr (kGroups == Groups::kOne) return first;
    V last = L::Key(LoadGroups<kGroup>(run, n - kGroup));
    if constexpr (kGroups == Groups::kMore) {
      for (std::size_t i = kGroup; i < n - kGroup; i += kGroup) {
        last = L::KeyMax(last, L::Key(LoadGroups<kGroup>(run, i)));
      }
    }
    return L::KeyMax(first, last);
  }

  template <std::size_t kGroup, Groups kGroups>
  static HWY_INLINE V VectorOfRuns(const std::byte* first, std::ptrdiff_t stride, std::size_t n) {
    // Group g of row r is run r + g * kGroup, so that the tree ends with the runs in order.
    const auto row = [&](std::size_t r) HWY_ATTR {
      // Else GCC would keep a pointer for each load, more than there are registers.
      const std::byte* at = A::Opaque(first + static_cast<std::ptrdiff_t>(r) * stride);
      const auto run = [&](std::size_t g)
                           HWY_ATTR { return at + static_cast<std::ptrdiff_t>(g * kGroup) * stride; };
      return PartialMaxima<kGroup, kGroups>(run, n);
    };
    if constexpr (kGroup <= 4) {
      return Tree<kGroup, 1>(0, row);
    } else {
      // Four rows at a time in registers: all at once would be too much code.
      Held<V> four[kGroup / 4];
      for (std::size_t q = 0; q < kGroup / 4; ++q) four[q] = Tree<4, 1>(4 * q, row);
      return Tree<kGroup / 4, 4>(0, [&](std::size_t q) HWY_ATTR { return V(four[q]); });
    }
  }

  template <std::size_t kGroup, Groups kGroups>
  static void ReduceMany(const Block& a, std::byte* acc) {
    const std::size_t lanes = Lanes();
    const auto runs_from = [&](std::size_t j) HWY_ATTR {
      const std::byte* first = a.data + static_cast<std::ptrdiff_t>(j) * a.kept_stride;
      const V keys = VectorOfRuns<kGroup, kGroups>(first, a.kept_stride, a.reduced);
      Accumulate(a.fresh, acc + j * kWidth, L::FromKey(keys));
    };
    // The last vector of runs overlaps the one before.
    for (std::size_t j = 0; j < a.kept; j += lanes) runs_from(HWY_MIN(j, a.kept - lanes));
  }

  // Contiguous runs of less than a group.
  template <std::size_t kGroup>
  static void ReduceParts(const Block& a, std::byte* acc) {
    constexpr std::size_t kGroupBytes = kGroup * kWidth;
    const std::size_t lanes = Lanes(), run_bytes = a.reduced * kWidth;
    const auto keys_of = [&](const std::byte* first) HWY_ATTR {
      return VectorOfRuns<kGroup, Groups::kPart>(first, a.kept_stride, a.reduced);
    };
    // A whole group is read if at least `behind` runs follow its own, so that it ends within the block.
    const std::size_t behind = (kGroupBytes - 1) / run_bytes;
    std::size_t j = 0;
    for (; j + lanes + behind <= a.kept; j += lanes) {
      Accumulate(a.fresh, acc + j * kWidth, L::FromKey(keys_of(a.data + j * run_bytes)));
    }
    // The others are copied.
    HWY_ALIGN std::byte copy[kMostLanes * kGroupBytes] = {};
    for (std::size_t count; j < a.kept; j += count) {
      count = HWY_MIN(lanes, a.kept - j);
      std::memcpy(copy, a.data + j * run_bytes, count * run_bytes);
      const V maxima = L::FromKey(keys_of(copy));
      std::byte* const to = acc + j * kWidth;
      count == lanes ? Accumulate(a.fresh, to, maxima) : AccumulateFirst(a.fresh, to, maxima, count);
    }
  }

  // Fewer runs than lanes.
  template <std::size_t kGroup>
  static void ReduceFew(const Block& a, std::byte* acc) {
    // The last run takes the place of those after it.
    const auto row_at = [&](std::size_t r) HWY_ATTR {
      const auto run = [&](std::size_t g) HWY_ATTR {
        return a.data + static_cast<std::ptrdiff_t>(HWY_MIN(r + g * kGroup, a.kept - 1)) * a.kept_stride;
      };
      return PartialMaxima<kGroup, Groups::kTwo>(run, a.reduced);
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
    if (a.reduced == kGroup) return ReduceMany<kGroup, Groups::kOne>(a, acc);
    ReduceMany<kGroup, Groups::kTwo>(a, acc);
  }

  static void ReduceRuns(const Block& a, std::byte* acc) {
    if (a.reduced == 0 && a.fresh) this_type::Clear(acc, a.blocks * a.kept);
    if (a.reduced == 0 || a.kept == 0) return;
    if (a.reduced_stride != kDense || a.reduced == 1) return Portable().reduce_runs(a, acc);
    this_type::ForEachBlock(a, acc, [](const Block& one, std::byte* y) HWY_ATTR { ReduceDenseRuns(one, y); });
  }

 private:
  using this_type = Accumulators<T>;

  // A group is at least 16 bytes, the block within which Pair interleaves.
  static constexpr std::size_t kMinGroupElements = 16 / kWidth;
  static constexpr bool kPartsAreReduced = [] {
    for (std::size_t n = 2; n < kMinGroupElements; ++n) {
      if (!IsCollected(kVectorBytes, kWidth, n)) return true;
    }
    return false;
  }();

  // Defined in another translation unit.
  static HWY_INLINE const ShortRunKernels& ShortRuns() {
    return Simd<HWY_NAMESPACE::kTarget>::short_runs.rows[static_cast<std::size_t>(*kDTypeOrNone<T>)];
  }

  static void ReduceDenseRuns(const Block& a, std::byte* acc) {
    const bool contiguous = a.kept_stride == static_cast<std::ptrdiff_t>(a.reduced) * kDense;
    if (contiguous && ShortRuns().reduce(a, acc)) return;
    if constexpr (kPartsAreReduced) {
      if (contiguous && a.reduced < kMinGroupElements) return ReduceParts<kMinGroupElements>(a, acc);
    }
    if (a.reduced > 2 * kMostLanes) {
      if (a.reduced > kMaxGroupedVectors * kMostLanes || a.kept < Lanes()) return ReduceLongRuns(a, acc);
      return ReduceMany<kMostLanes, Groups::kMore>(a, acc);
    }
    if (a.reduced >= kMostLanes) return ReduceInGroups<kMostLanes>(a, acc);
    if constexpr (kMostLanes / 2 >= kMinGroupElements) {
      if (a.reduced >= kMostLanes / 2) return ReduceInGroups<kMostLanes / 2>(a, acc);
    }
    if constexpr (kMostLanes / 4 >= kMinGroupElements) {
      if (a.reduced >= kMostLanes / 4) return ReduceInGroups<kMostLanes / 4>(a, acc);
    }
    Portable().reduce_runs(a, acc);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<RunKernels> Simd<HWY_NAMESPACE::kTarget>::runs =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      return RunKernels{&HWY_NAMESPACE::RunFolds<typename decltype(tag)::type>::ReduceRuns};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
