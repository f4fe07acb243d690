// The primitives that fold rows and clear accumulators, compiled once for each target: foreach_target.h
// includes this file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_ROWS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_ROWS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_accumulators-inl.h"
#include "kernels/simd_line-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct RowFolds : Accumulators<T> {
  using A = VectorAccess<T>;
  using A::kDense;
  using A::kWidth;
  using A::Lanes;
  using A::Load;
  using A::LoadFirst;
  using A::Portable;
  using A::Store;
  using Accumulators<T>::AccumulateFirst;
  using Accumulators<T>::Clear;
  using Accumulators<T>::kFoldIsOneVector;
  using Accumulators<T>::kFoldsWait;
  using typename A::Bits;
  using typename A::D;
  using typename A::L;
  using typename A::V;

  // A strip is kVectors vectors of each row, folded in registers; the last one begins at byte `last` and may
  // overlap the one before.
  //
  // clang-format off
  //             strip 0                strip 1                last strip
  //   row 0   |vector|...|vector|    |vector|...|vector|    |vector|..|vector|     kept elements
  //   row 1   |vector|...|vector|    |vector|...|vector|    |vector|..|vector|
  //   ...         v         v            v         v            v         v
  //   acc     |vector|...|vector|    |vector|...|vector|    |vector|..|vector|
  // clang-format on
  template <std::size_t kVectors>
  struct Strip : Accumulators<T>::template Folds<kVectors> {
    using Folds = typename Accumulators<T>::template Folds<kVectors>;
    using Folds::Add;
    using Folds::fold;

    template <std::size_t k = 0>
    HWY_INLINE void Add(const Strip& other) {
      L::Add(fold[k], other.fold[k]);
      if constexpr (k + 1 < kVectors) Add<k + 1>(other);
    }
    template <std::size_t k = 0>
    HWY_INLINE void Write(std::byte* acc) const {
      Store(L::Result(fold[k]), acc + this->template At<k>());
      if constexpr (k + 1 < kVectors) Write<k + 1>(acc);
    }
  };

  // Folds bytes [from, from + bytes) of each row, in kVectors vectors; kRows rows at a time, each by folds of
  // its own, which do not wait for each other. Requires: bytes >= kVectorBytes.
  template <std::size_t kVectors, std::size_t kRows = 1>
  static HWY_INLINE void FoldStrip(const Block& a, std::size_t from, std::size_t bytes, std::byte* acc) {
    Strip<kVectors> strip;
    strip.last = bytes - kVectorBytes;
    strip.Begin();
    if (!a.fresh) strip.Add(acc + from);
    // The vectors of an unaligned row are on two cache lines each, which costs little in the first-level
    // cache.
    const std::byte* row = a.data + from;
    std::size_t left = a.reduced;
    if constexpr (kRows > 1) {
      static_assert(kRows == 2 || kRows == 4);
      Strip<kVectors> second, third, fourth;
      second.last = third.last = fourth.last = strip.last;
      second.Begin();
      third.Begin();
      fourth.Begin();
      for (; left > kRows; left -= kRows, row += a.reduced_stride) {
        strip.Add(row);
        second.Add(row += a.reduced_stride);
        if constexpr (kRows == 2) continue;
        third.Add(row += a.reduced_stride);
        fourth.Add(row += a.reduced_stride);
      }
      strip.Add(second);
      third.Add(fourth);
      strip.Add(third);
    }
    for (; left > 0; row += a.reduced_stride) {
      strip.Add(row);
      if (--left == 0) break;  // after the last row, the pointer would leave the object
    }
    strip.Write(acc + from);
  }

  // Vectors of a strip, and the most vectors of a row that is one strip. On AVX2, rows of 5 to 8 vectors take
  // less time as one strip, and longer rows more time in strips of 5 to 8 vectors. On SSE4, rows of 5 to 8
  // vectors take more time as one strip.
  static constexpr std::size_t kStripVectors = kVectorBytes == 64 || kFoldsWait ? 8 : 4;
  static constexpr std::size_t kMaxStripVectors = HWY_TARGET != HWY_AVX2 ? kStripVectors
                                                  : kFoldIsOneVector     ? 8
                                                                         : 6;

  // Rows of at least a vector, strip by strip.
  static void FoldStrips(const Block& a, std::byte* acc) {
    const std::size_t bytes = a.kept * kWidth;
    const std::size_t most = bytes > kMaxStripVectors * kVectorBytes ? kStripVectors : kMaxStripVectors;
    std::size_t from = 0;
    for (; bytes - from > most * kVectorBytes; from += kStripVectors * kVectorBytes)
      FoldStrip<kStripVectors>(a, from, kStripVectors * kVectorBytes, acc);
    if (bytes - from < kVectorBytes) from = bytes - kVectorBytes;  // overlaps
    FoldLastStrip<kMaxStripVectors>(a, from, bytes - from, acc);
  }
  template <std::size_t kVectors>
  static HWY_INLINE void FoldLastStrip(const Block& a, std::size_t from, std::size_t bytes, std::byte* acc) {
    if constexpr (kVectors > 1) {
      if (bytes <= (kVectors - 1) * kVectorBytes) return FoldLastStrip<kVectors - 1>(a, from, bytes, acc);
    }
    FoldStrip<kVectors>(a, from, bytes, acc);
  }

  // Rows of a vector, and rows of two if a fold is one vector, are folded some at a time: a row does not wait
  // for the one before. Not on AVX-512, where one row at a time is as fast as reading. Measured: 0.36 to
  // 0.67 of the time for rows of a vector on AVX2 and SSE4, 0.56 to 1 for rows of two, but up to 1.26 where a
  // fold is two vectors. The least number of rows was chosen by estimate. Cases: reduce * inner first.
  static constexpr std::size_t kMostVectorsOfSomeRows = kVectorBytes == 64 ? 0 : kFoldIsOneVector ? 2 : 1;
  static constexpr std::size_t kLeastRowsForSome = 16;
  static void FoldSomeRowsAtATime(const Block& a, std::byte* acc) {
    constexpr std::size_t kRows = kFoldIsOneVector ? 4 : 2;
    const std::size_t bytes = a.kept * kWidth;
    if (bytes == kVectorBytes) return FoldStrip<1, kRows>(a, 0, bytes, acc);
    if constexpr (kMostVectorsOfSomeRows == 2) FoldStrip<2, 2>(a, 0, bytes, acc);
  }

  // Rows folded in one pass: the number of address streams that the hardware prefetches. Chosen by estimate;
  // no benchmark line yet.
  static constexpr std::size_t kMaxRowsPerPass = 16;

  // Rows of more than a strip, kMaxRowsPerPass at a time.
  static void FoldLongRows(const Block& a, std::byte* acc) {
    Block rows = a;
    for (std::size_t begin = 0; begin < a.reduced; begin += kMaxRowsPerPass) {
      rows.reduced = HWY_MIN(kMaxRowsPerPass, a.reduced - begin);
      rows.data = a.data + static_cast<std::ptrdiff_t>(begin) * a.reduced_stride;
      FoldStrips(rows, acc);
      rows.fresh = false;
    }
  }

  static HWY_INLINE bool RowsAreContiguous(const Block& a) {
    return a.reduced_stride == static_cast<std::ptrdiff_t>(a.kept) * kDense;
  }

  // Rows shorter than a vector.
  static HWY_INLINE void FoldPartsOfVectors(const Block& a, std::byte* acc) {
    typename L::Fold fold = L::Identity();
    std::size_t i = 0;
    // A whole vector may be read where the rows after it fill the vector.
    const std::size_t whole = RowsAreContiguous(a) ? a.reduced * a.kept : 0;
    const std::byte* row = a.data;
    for (; i * a.kept + Lanes() <= whole; ++i, row += a.reduced_stride) L::Add(fold, Load(row));
    for (std::size_t left = a.reduced - i; left > 0; row += a.reduced_stride) {
      L::Add(fold, LoadFirst(row, a.kept));
      if (--left == 0) break;  // as in FoldStrip
    }
    AccumulateFirst(a.fresh, acc, L::Result(fold), a.kept);
  }

  // Contiguous rows shorter than a vector: `lanes` of them are one wide row of `kept` whole vectors. The wide
  // rows are folded first, then the halves of the result are joined until one row is left.
  //
  // clang-format off
  //   4 lanes, kept = 3       |a0 a1 a2 b0|b1 b2 c0 c1|c2 d0 d1 d2|   wide row 0: rows a, b, c, d
  //                           |e0 e1 e2 f0|f1 f2 g0 g1|g2 h0 h1 h2|   wide row 1
  //   wide                    |A0 A1 A2 B0|B1 B2 C0 C1|C2 D0 D1 D2|   A = max(a, e), ...
  //   halves joined           A with C and B with D, then A with B
  // clang-format on
  static void FoldNarrowRows(const Block& a, std::byte* acc) {
    HWY_ALIGN std::byte wide[kVectorBytes * kVectorBytes / kWidth];
    const std::size_t lanes = Lanes(), n = lanes * a.kept;
    const std::size_t rows = a.reduced / lanes;
    const std::size_t bytes = n * kWidth;
    const auto fold = n <= kMaxStripVectors * lanes ? &FoldStrips : &FoldLongRows;
    fold({a.data, kDense, static_cast<std::ptrdiff_t>(bytes), n, rows, true}, wide);
    const std::size_t rest = a.reduced % lanes * a.kept;
    if (rest > 0) JoinInto(wide, a.data + rows * bytes, rest);
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
      JoinInto(wide, wide + half * a.kept * kWidth, half * a.kept);
    }
    if (!a.fresh) return JoinInto(acc, wide, a.kept);
    std::memcpy(acc, wide, a.kept * kWidth);
  }

  // acc[j] = Join(acc[j], x[j]) for j < n.
  static HWY_INLINE void JoinInto(std::byte* acc, const std::byte* x, std::size_t n) {
    using Line = typename LineAccess<T>::DenseLine;
    LineAccess<T>::JoinLine(Line{acc}, Line{x}, acc, n);
  }

  // From this many wide rows on, FoldNarrowRows costs less than a partial vector for each row. Chosen by
  // estimate; no benchmark line yet.
  static constexpr std::size_t kMinWideRows = 16;

  // Contiguous blocks of contiguous rows, each of at most kPart bytes. A vector has parts of several blocks,
  // which are folded together. Whole parts are read and written: what is written behind a block's result is
  // replaced by that of the next block.
  //
  // clang-format off
  //   8 lanes, parts of 4, kept = 3, two rows a block
  //
  //   memory                       |a0 a1 a2|b0 b1 b2|c0 c1 c2|d0 d1 d2| ...   blocks a b, c d, ...
  //   part 0, rows a and b          [--------*]
  //                                          [--------*]
  //   part 1, rows c and d                            [--------*]
  //                                                            [--------*]
  //   maxima, of both blocks       |A0 A1 A2  * |C0 C1 C2  * |     *: replaced
  //   acc                          |A0 A1 A2|C0 C1 C2  * |
  // clang-format on
  //
  // Elsewhere a part is a whole vector: parts were measured on x86-64 alone.
#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32
  static constexpr std::size_t kLeastPart = 16;
#else
  static constexpr std::size_t kLeastPart = kVectorBytes;
#endif

  // The vector whose part p is at `at` + p * `apart`.
  template <std::size_t kPart>
  static HWY_INLINE V LoadParts(const std::byte* at, std::size_t apart) {
    return A::template LoadParts<kPart>([&](std::size_t p) HWY_ATTR { return at + p * apart; });
  }

  // Stores part p at `at` + p * `apart`, one after the other: each may replace what is behind the one before.
  template <std::size_t kPart, std::size_t kBytes = kVectorBytes, class DV>
  static HWY_INLINE void StoreParts(DV d, hn::Vec<DV> v, std::byte* at, std::size_t apart) {
    if constexpr (kPart < kBytes) {
      const hn::Half<DV> half;
      StoreParts<kPart, kBytes / 2>(half, hn::LowerHalf(half, v), at, apart);
      StoreParts<kPart, kBytes / 2>(half, hn::UpperHalf(half, v), at + kBytes / 2 / kPart * apart, apart);
    } else {
      hn::StoreU(v, d, reinterpret_cast<Bits*>(at));
    }
  }

  // Up to this many rows are joined: a fold has fewer instructions for each, and more at its end. Three rows
  // take less time folded on AVX2, and more on AVX-512. Cases: reduce * short.
  static constexpr std::size_t kMostJoinedRows = HWY_TARGET <= HWY_AVX3 ? 3 : 2;

  // Folds the blocks whose parts do not leave the memory; `a` and `acc` then begin at the first other one.
  template <std::size_t kPart>
  static HWY_INLINE void FoldShortBlocks(Block& a, std::byte*& acc) {
    if constexpr (kPart / 2 >= kLeastPart) {
      if (a.kept * kWidth <= kPart / 2) return FoldShortBlocks<kPart / 2>(a, acc);
    }
    constexpr std::size_t kBlocks = kVectorBytes / kPart;
    const std::size_t row = a.kept * kWidth, block = a.reduced * row;
    // Behind the results of the last of these blocks there is room for a part, and so there is behind its
    // rows.
    for (; a.blocks >= kBlocks && (a.blocks - kBlocks + 1) * row >= kPart; a.blocks -= kBlocks) {
      V v = LoadParts<kPart>(a.data, block);
      if (1 < a.reduced && a.reduced <= kMostJoinedRows) {
        for (std::size_t r = 1; r < a.reduced; ++r) v = L::Join(v, LoadParts<kPart>(a.data + r * row, block));
      } else {
        typename L::Fold fold = L::First(v);
        for (std::size_t r = 1; r < a.reduced; ++r) L::Add(fold, LoadParts<kPart>(a.data + r * row, block));
        v = L::Result(fold);
      }
      StoreParts<kPart>(D(), v, acc, row);
      a.data += kBlocks * block;
      acc += kBlocks * row;
    }
  }

  static void FoldRows(const Block& a, std::byte* acc) {
    if (a.reduced == 0 && a.fresh) Clear(acc, a.blocks * a.kept);
    if (a.reduced == 0 || a.kept == 0) return;
    if (a.kept_stride != kDense) return Portable().fold_rows(a, acc);
    const std::size_t lanes = Lanes();
    const std::size_t most_rows = a.kept < lanes ? kMinWideRows * lanes - 1 : kMaxRowsPerPass;
    if (a.kept <= lanes && a.reduced <= most_rows && a.fresh && a.blocks > 1 && RowsAreContiguous(a) &&
        a.block_stride == static_cast<std::ptrdiff_t>(a.reduced) * a.reduced_stride) {
      Block rest = a;
      FoldShortBlocks<kVectorBytes>(rest, acc);
      return Accumulators<T>::ForEachBlock(
          rest, acc, [](const Block& one, std::byte* y) HWY_ATTR { FoldPartsOfVectors(one, y); });
    }
    const auto each = [&](auto fold) HWY_ATTR { Accumulators<T>::ForEachBlock(a, acc, fold); };
    if (a.kept > kMaxStripVectors * lanes) return each(FoldLongRows);
    if constexpr (kMostVectorsOfSomeRows > 0) {
      const bool few_vectors = a.kept >= lanes && a.kept <= kMostVectorsOfSomeRows * lanes;
      if (few_vectors && a.reduced >= kLeastRowsForSome) return each(FoldSomeRowsAtATime);
    }
    if (a.kept >= lanes) return each(FoldStrips);
    if (RowsAreContiguous(a) && a.reduced >= kMinWideRows * lanes) return each(FoldNarrowRows);
    each([](const Block& one, std::byte* y) HWY_ATTR { FoldPartsOfVectors(one, y); });
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<FoldKernels> Simd<HWY_NAMESPACE::kTarget>::folds =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      using R = HWY_NAMESPACE::RowFolds<typename decltype(tag)::type>;
      return FoldKernels{&R::Clear, &R::FoldRows};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
