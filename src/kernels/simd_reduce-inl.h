// The primitives that fold, for whole vectors, once for each target. Included by foreach_target.h
// several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_REDUCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_REDUCE_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_REDUCE_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_REDUCE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_join-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct ReduceRows : VectorAccess<T> {
  using A = VectorAccess<T>;
  using Joins = JoinRows<T>;
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

  static void Clear(std::byte* acc, std::size_t n) {
    const V bottom = hn::Set(D(), L::kBottom);
    ForEachVector(
        n, acc, [&](std::size_t) HWY_ATTR { return bottom; }, [&](std::size_t) HWY_ATTR { return bottom; });
  }

  // Accumulators: joined, or written where they hold nothing yet.
  static HWY_INLINE void Accumulate(bool fresh, std::byte* acc, V v) {
    Store(fresh ? v : L::Join(Load(acc), v), acc);
  }
  static HWY_INLINE void AccumulateFirst(bool fresh, std::byte* acc, V v, std::size_t n) {
    StoreFirst(fresh ? v : L::Join(LoadFirst(acc, n), v), acc, n);
  }

  // ---- Runs.

  // The maximum of a dense run of at least one vector, spread over the lanes.
  static HWY_INLINE V FoldLongRun(const std::byte* run, std::size_t n) {
    const std::size_t lanes = Lanes();
    typename L::Fold f0 = L::Nothing(), f1 = f0, f2 = f0, f3 = f0;
    std::size_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      const std::byte* at = run + i * kWidth;
      L::Add(f0, Load(at));
      L::Add(f1, Load(at + lanes * kWidth));
      L::Add(f2, Load(at + 2 * lanes * kWidth));
      L::Add(f3, Load(at + 3 * lanes * kWidth));
    }
    for (; i + lanes <= n; i += lanes) L::Add(f0, Load(run + i * kWidth));
    L::Add(f1, Load(run + (n - lanes) * kWidth));  // overlaps: the maximum is idempotent
    L::Add(f0, f1);
    L::Add(f2, f3);
    L::Add(f0, f2);
    return L::ResultKey(f0);
  }

  // The key of a run of any length, each lane holding the maximum of some of it. `readable` is how many
  // elements may be read from its beginning on.
  static HWY_INLINE V FoldRun(const std::byte* run, std::size_t n, std::size_t readable) {
    const std::size_t lanes = Lanes();
    if (n >= 4 * lanes) return FoldLongRun(run, n);
    const V bottom = hn::Set(D(), L::kBottomKey);
    if (n < lanes) {
      const V keys = L::Key(readable >= lanes ? Load(run) : LoadFirst(run, n));
      return hn::IfThenElse(hn::FirstN(D(), n), keys, bottom);
    }
    V key = L::Key(Load(run + (n - lanes) * kWidth));
    for (std::size_t i = 0; i + lanes <= n; i += lanes) key = L::KeyMax(key, L::Key(Load(run + i * kWidth)));
    return key;
  }

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

  // The keys of kRows rows from row `first` on, row r in lane r of each group of kRows lanes. `row(r)` gives
  // the partial maxima of row r.
  template <std::size_t kRows, class RowAt>
  static HWY_INLINE V Tree(std::size_t first, RowAt row) {
    if constexpr (kRows == 1) {
      return row(first);
    } else {
      const V a = Tree<kRows / 2>(first, row);
      const V b = Tree<kRows / 2>(first + kRows / 2, row);
      return Pair<kRows / 2>(a, b);
    }
  }

  // Rows whose elements are dense, a vector of rows at a time.
  static void ReduceDenseRuns(const Block& a, std::byte* acc) {
    const std::size_t lanes = Lanes();
    const bool gapless = a.kept_stride == static_cast<std::ptrdiff_t>(a.reduced) * kDense;
    const auto rows_from = [&](std::size_t begin, std::size_t count) HWY_ATTR {
      // Beyond the last row, the last one again.
      return Tree<kMostLanes>(0, [&](std::size_t r) HWY_ATTR {
        const std::size_t j = begin + HWY_MIN(r, count - 1);
        const std::byte* run = a.data + static_cast<std::ptrdiff_t>(j) * a.kept_stride;
        const std::size_t readable = gapless ? (a.kept - j) * a.reduced : a.reduced;
        return FoldRun(run, a.reduced, readable);
      });
    };
    std::size_t j = 0;
    for (; j + lanes <= a.kept; j += lanes)
      Accumulate(a.fresh, acc + j * kWidth, L::FromKey(rows_from(j, lanes)));
    const std::size_t rest = a.kept - j;
    if (rest == 0) return;
    std::byte* to = acc + j * kWidth;
    if (rest >= 4) return AccumulateFirst(a.fresh, to, L::FromKey(rows_from(j, rest)), rest);
    for (; j < a.kept; ++j) {
      const std::byte* run = a.data + static_cast<std::ptrdiff_t>(j) * a.kept_stride;
      HWY_ALIGN std::byte keys[HWY_MAX_BYTES];
      Store(FoldRun(run, a.reduced, a.reduced), keys);
      Bits largest = LoadOne(keys);
      for (std::size_t i = 1; i < lanes; ++i) largest = HWY_MAX(largest, LoadOne(keys + i * kWidth));
      std::byte* one = acc + j * kWidth;
      AccumulateFirst(a.fresh, one, L::FromKey(hn::Set(D(), largest)), 1);
    }
  }

  // ---- Runs shorter than a few vectors, side by side: many at once, as one stretch of keys in a tile.

  static constexpr std::size_t kTileBytes = 8192;

  // keys[f] = Key(source[f]) for f < n.
  static HWY_INLINE void ToKeys(const std::byte* source, std::size_t n, std::byte* keys) {
    const std::size_t lanes = Lanes();
    std::size_t f = 0;
    for (; f + lanes <= n; f += lanes) Store(L::Key(Load(source + f * kWidth)), keys + f * kWidth);
    if (f < n) Store(L::Key(LoadFirst(source + f * kWidth, n - f)), keys + f * kWidth);
  }

  // keys[g] = max of from[2g] and from[2g+1], as keys, for g < n / 2: runs of even length become half as
  // long.
  template <class KeysAt>
  static HWY_INLINE void HalveRuns(std::size_t n, std::byte* keys, KeysAt from) {
    const std::size_t lanes = Lanes();
    for (std::size_t f = 0; f < n; f += 2 * lanes) {
      const V lower = from(f), upper = from(f + lanes);
      Store(L::KeyMax(hn::ConcatEven(D(), upper, lower), hn::ConcatOdd(D(), upper, lower)),
            keys + f / 2 * kWidth);
    }
  }

  // keys[f] = max of keys[f] and keys[f + h] for f < n: windows of length h become windows of length 2h. What
  // lies behind the n keys is read and does not matter.
  static HWY_INLINE void WidenWindows(std::size_t n, std::size_t h, std::byte* keys) {
    const std::size_t lanes = Lanes();
    for (std::size_t f = 0; f < n; f += lanes) {
      std::byte* at = keys + f * kWidth;
      Store(L::KeyMax(Load(at), Load(at + h * kWidth)), at);
    }
  }

  static HWY_INLINE void StoreOne(Bits bits, std::byte* to) { std::memcpy(to, &bits, kWidth); }

  // Takes elements 0, m, 2m, ... of a stretch into consecutive lanes, m being odd. Of the m vectors that hold
  // Lanes() of them, each lane of one vector holds exactly one, since m has an inverse modulo Lanes():
  // blending the m vectors collects them, and one permutation puts them in order.
  class EveryMth {
   public:
    explicit EveryMth(std::size_t m) {
      const std::size_t lanes = Lanes();
      for (std::size_t j = 0; j < lanes; ++j) {
        const std::size_t lane = j * m % lanes;
        vector_of_[lane] = static_cast<Bits>(j * m / lanes);
        lane_of_[j] = static_cast<Unsigned>(lane);
      }
    }

    // `vector(k)` is the k-th of the m vectors.
    template <class VectorAt>
    HWY_INLINE V operator()(std::size_t m, VectorAt vector) const {
      const V one = hn::Set(D(), 1);
      const V vector_of = hn::Load(D(), vector_of_);
      V collected = vector(0), k = one;
      for (std::size_t i = 1; i < m; ++i, k = hn::Add(k, one)) {
        collected = hn::IfThenElse(hn::Eq(vector_of, k), vector(i), collected);
      }
      return Permute(collected, lane_of_);
    }

   private:
    HWY_ALIGN Bits vector_of_[kMostLanes];
    HWY_ALIGN Unsigned lane_of_[kMostLanes];
  };

  // `rows` runs of odd length m, from their windows of length h, where h <= m < 2h: two windows cover a run.
  static HWY_INLINE void PickRuns(const EveryMth& pick, std::size_t rows, std::size_t m, std::size_t h,
                                  std::byte* keys) {
    std::size_t j = 0;
    if constexpr (kCanPermute) {
      const std::size_t lanes = Lanes();
      for (; j + lanes <= rows; j += lanes) {
        const std::byte* first = keys + j * m * kWidth;
        const V picked = pick(m, [&](std::size_t k) HWY_ATTR {
          const std::byte* at = first + k * lanes * kWidth;
          return L::KeyMax(Load(at), Load(at + (m - h) * kWidth));
        });
        Store(picked, keys + j * kWidth);
      }
    }
    for (; j < rows; ++j) {
      const Bits front = LoadOne(keys + j * m * kWidth), back = LoadOne(keys + (j * m + m - h) * kWidth);
      StoreOne(front < back ? back : front, keys + j * kWidth);
    }
  }

  // Accumulates FromKey(keys[j]) in acc[j] for j < n.
  static HWY_INLINE void AccumulateKeys(bool fresh, const std::byte* keys, std::size_t n, std::byte* acc) {
    const std::size_t lanes = Lanes();
    std::size_t j = 0;
    for (; j + lanes <= n; j += lanes) {
      Accumulate(fresh, acc + j * kWidth, L::FromKey(Load(keys + j * kWidth)));
    }
    if (j == n) return;
    std::byte* to = acc + j * kWidth;
    AccumulateFirst(fresh, to, L::FromKey(Load(keys + j * kWidth)), n - j);
  }

  static void ReduceShortRuns(const Block& a, std::byte* acc) {
    // Windows read up to a run and a vector behind the keys.
    HWY_ALIGN std::byte keys[kTileBytes + 4 * HWY_MAX_BYTES];
    const std::size_t lanes = Lanes();
    const std::size_t tile_rows = (kTileBytes - 2 * HWY_MAX_BYTES) / (a.reduced * kWidth);
    std::size_t odd = a.reduced;
    while (odd % 2 == 0) odd /= 2;
    const EveryMth pick(odd);
    for (std::size_t begin = 0; begin < a.kept; begin += tile_rows) {
      const std::size_t rows = HWY_MIN(tile_rows, a.kept - begin);
      const std::byte* source = a.data + begin * a.reduced * kWidth;
      std::size_t m = a.reduced, n = rows * m;
      if (m % 2 == 0) {
        const std::size_t whole = n - n % (2 * lanes);
        HalveRuns(whole, keys, [&](std::size_t f) HWY_ATTR { return L::Key(Load(source + f * kWidth)); });
        if (whole < n) {
          HWY_ALIGN std::byte rest[2 * HWY_MAX_BYTES] = {};
          std::memcpy(rest, source + whole * kWidth, (n - whole) * kWidth);
          HalveRuns(n - whole, keys + whole / 2 * kWidth,
                    [&](std::size_t f) HWY_ATTR { return L::Key(Load(rest + f * kWidth)); });
        }
        m /= 2;
        n /= 2;
      } else {
        ToKeys(source, n, keys);
      }
      for (; m % 2 == 0; m /= 2, n /= 2) {
        HalveRuns(n, keys, [&](std::size_t f) HWY_ATTR { return Load(keys + f * kWidth); });
      }
      if (m > 1) {
        std::size_t h = 1;
        for (; 2 * h <= m; h *= 2) WidenWindows(n, h, keys);
        PickRuns(pick, rows, m, h, keys);
      }
      AccumulateKeys(a.fresh, keys, rows, acc + begin * kWidth);
    }
  }

  static void ReduceRuns(const Block& a, std::byte* acc) {
    if (a.reduced == 0 && a.fresh) Clear(acc, a.kept);
    if (a.reduced == 0 || a.kept == 0) return;
    if (a.reduced_stride == kDense && a.reduced > 1) {
      const bool side_by_side = a.kept_stride == static_cast<std::ptrdiff_t>(a.reduced) * kDense;
      if (side_by_side && a.kept > 1 && a.reduced <= 2 * Lanes()) return ReduceShortRuns(a, acc);
      return ReduceDenseRuns(a, acc);
    }
    Portable().reduce_runs(a, acc);
  }

  // ---- Rows.

  // Four vectors of some rows, folded in registers, then joined into the accumulators.
  static HWY_INLINE void FoldStrip(bool fresh, const std::byte* rows, std::ptrdiff_t row_stride,
                                   std::size_t count, std::byte* acc) {
    const std::size_t step = Lanes() * kWidth;
    typename L::Fold f0 = L::Nothing(), f1 = f0, f2 = f0, f3 = f0;
    for (std::size_t i = 0; i < count; ++i, rows += row_stride) {
      L::Add(f0, Load(rows));
      L::Add(f1, Load(rows + step));
      L::Add(f2, Load(rows + 2 * step));
      L::Add(f3, Load(rows + 3 * step));
    }
    Accumulate(fresh, acc, L::Result(f0));
    Accumulate(fresh, acc + step, L::Result(f1));
    Accumulate(fresh, acc + 2 * step, L::Result(f2));
    Accumulate(fresh, acc + 3 * step, L::Result(f3));
  }

  // One vector of some rows; `n` of its lanes count.
  static HWY_INLINE void FoldEdge(bool fresh, const std::byte* rows, std::ptrdiff_t row_stride,
                                  std::size_t count, std::byte* acc, std::size_t n) {
    typename L::Fold fold = L::Nothing();
    if (n < Lanes()) {
      for (std::size_t i = 0; i < count; ++i, rows += row_stride) L::Add(fold, LoadFirst(rows, n));
      return AccumulateFirst(fresh, acc, L::Result(fold), n);
    }
    for (std::size_t i = 0; i < count; ++i, rows += row_stride) L::Add(fold, Load(rows));
    Accumulate(fresh, acc, L::Result(fold));
  }

  static void FoldDenseRows(const Block& a, std::byte* acc) {
    constexpr std::size_t kRowsAtOnce = 16;  // as many streams as the hardware follows
    const std::size_t lanes = Lanes();
    for (std::size_t begin = 0; begin < a.reduced; begin += kRowsAtOnce) {
      const std::size_t count = HWY_MIN(kRowsAtOnce, a.reduced - begin);
      const bool fresh = a.fresh && begin == 0;
      const std::byte* rows = a.data + static_cast<std::ptrdiff_t>(begin) * a.reduced_stride;
      std::size_t j = 0;
      for (; j + 4 * lanes <= a.kept; j += 4 * lanes) {
        FoldStrip(fresh, rows + j * kWidth, a.reduced_stride, count, acc + j * kWidth);
      }
      for (; j + lanes <= a.kept; j += lanes) {
        FoldEdge(fresh, rows + j * kWidth, a.reduced_stride, count, acc + j * kWidth, lanes);
      }
      if (j == a.kept) continue;
      if (a.kept >= lanes) {  // overlapping the vector before
        const std::size_t last = a.kept - lanes;
        FoldEdge(fresh, rows + last * kWidth, a.reduced_stride, count, acc + last * kWidth, lanes);
      } else {
        FoldEdge(fresh, rows, a.reduced_stride, count, acc, a.kept);
      }
    }
  }

  // Rows shorter than a few vectors that lie side by side: many of them are one row, whose accumulators are
  // joined at the end.
  static void FoldNarrowRows(const Block& a, std::byte* acc) {
    constexpr std::size_t kBytes = 2048;
    HWY_ALIGN std::byte wide[kBytes];
    const std::size_t together = HWY_MIN(kBytes / (a.kept * kWidth), a.reduced);
    const std::size_t n = together * a.kept;
    const std::size_t rows = a.reduced / together;
    FoldDenseRows({a.data, kDense, static_cast<std::ptrdiff_t>(n) * kDense, n, rows, true}, wide);
    const std::size_t rest = a.reduced % together * a.kept;
    if (rest > 0) {
      const std::byte* at = a.data + rows * n * kWidth;
      FoldDenseRows({at, kDense, 0, rest, 1, false}, wide);
    }
    // From the top, halves are joined while they are long.
    std::size_t left = together;
    while (left > 1) {
      const std::size_t half = left / 2, upper = left - half;
      Joins::Join({wide, kDense}, {wide + upper * a.kept * kWidth, kDense}, {wide, kDense}, half * a.kept);
      left = upper;
    }
    if (a.fresh) return Joins::Copy({wide, kDense}, {acc, kDense}, a.kept);
    Joins::Join({acc, kDense}, {wide, kDense}, {acc, kDense}, a.kept);
  }

  static void FoldRows(const Block& a, std::byte* acc) {
    if (a.reduced == 0 && a.fresh) Clear(acc, a.kept);
    if (a.reduced == 0 || a.kept == 0) return;
    if (a.kept_stride != kDense) return Portable().fold_rows(a, acc);
    const bool side_by_side = a.reduced_stride == static_cast<std::ptrdiff_t>(a.kept) * kDense;
    if (side_by_side && a.kept * kWidth <= 512 && a.reduced >= 4) return FoldNarrowRows(a, acc);
    FoldDenseRows(a, acc);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
