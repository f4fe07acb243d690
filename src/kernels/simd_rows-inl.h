// The primitives that fold rows and clear accumulators, once for each target. Included by
// foreach_target.h several times.
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
  using typename A::L;
  static constexpr std::size_t kVector = HWY_MAX_BYTES;  // bytes

  // kVectors vectors of some rows, folded in registers: side by side, but that the last one lies at byte
  // `last`, where it may overlap the one before.
  template <std::size_t kVectors>
  struct Strip {
    typename L::Fold fold[kVectors];
    std::size_t last;

    template <std::size_t k>
    HWY_INLINE std::size_t At() const {
      return k + 1 == kVectors ? last : k * kVector;
    }
    template <std::size_t k = 0>
    HWY_INLINE void Begin() {
      fold[k] = L::Nothing();
      if constexpr (k + 1 < kVectors) Begin<k + 1>();
    }
    template <std::size_t k = 0>
    HWY_INLINE void Add(const std::byte* row) {
      L::Add(fold[k], Load(row + At<k>()));
      if constexpr (k + 1 < kVectors) Add<k + 1>(row);
    }
    template <std::size_t k = 0>
    HWY_INLINE void Fetch(const std::byte* row, std::ptrdiff_t ahead) const {
      // Shorter vectors lie on one cache line more often, and would fetch each more than once.
      if constexpr (HWY_MAX_BYTES == 64) A::Fetch(row + At<k>(), ahead);
      if constexpr (k + 1 < kVectors) Fetch<k + 1>(row, ahead);
    }
    template <std::size_t k = 0>
    HWY_INLINE void Write(std::byte* acc) const {
      Store(L::Result(fold[k]), acc + At<k>());
      if constexpr (k + 1 < kVectors) Write<k + 1>(acc);
    }
  };

  // How far before they are needed rows are fetched.
  static HWY_INLINE std::ptrdiff_t Ahead(const Block& a) {
    const bool short_rows = -256 < a.reduced_stride && a.reduced_stride < 256;
    return (short_rows ? 16 : 4) * a.reduced_stride;
  }

  // The lines of `a`, of at least a vector, from byte `from` on: kVectors vectors that end `bytes` behind it.
  template <std::size_t kVectors>
  static HWY_INLINE void FoldStrip(const Block& a, std::size_t from, std::size_t bytes, std::byte* acc) {
    Strip<kVectors> strip;
    strip.last = bytes - kVector;
    strip.Begin();
    if (!a.fresh) strip.Add(acc + from);
    // Rows that are not aligned lie on two cache lines a vector: once they are near, that costs little.
    const std::ptrdiff_t ahead = Ahead(a);
    const std::byte* row = a.data + from;
    for (std::size_t i = 0; i < a.reduced; ++i, row += a.reduced_stride) {
      strip.Fetch(row, ahead);
      strip.Add(row);
    }
    strip.Write(acc + from);
  }

  // Lines of at least a vector: from strip to strip, the last of which is shorter.
  static constexpr std::size_t kStrip = HWY_MAX_BYTES == 64 ? 8 : 4;  // by the number of registers
  static void FoldStrips(const Block& a, std::byte* acc) {
    const std::size_t bytes = a.kept * kWidth;
    std::size_t from = 0;
    for (; bytes - from > kStrip * kVector; from += kStrip * kVector)
      FoldStrip<kStrip>(a, from, kStrip * kVector, acc);
    if (bytes - from < kVector) from = bytes - kVector;  // overlaps
    FoldLastStrip<kStrip>(a, from, bytes - from, acc);
  }
  template <std::size_t kVectors>
  static HWY_INLINE void FoldLastStrip(const Block& a, std::size_t from, std::size_t bytes, std::byte* acc) {
    if constexpr (kVectors > 1) {
      if (bytes <= (kVectors - 1) * kVector) return FoldLastStrip<kVectors - 1>(a, from, bytes, acc);
    }
    FoldStrip<kVectors>(a, from, bytes, acc);
  }

  // Long rows: some at a time, as many as the hardware follows.
  static void FoldLongRows(const Block& a, std::byte* acc) {
    constexpr std::size_t kRowsAtOnce = 16;
    Block rows = a;
    for (std::size_t begin = 0; begin < a.reduced; begin += kRowsAtOnce) {
      rows.reduced = HWY_MIN(kRowsAtOnce, a.reduced - begin);
      rows.data = a.data + static_cast<std::ptrdiff_t>(begin) * a.reduced_stride;
      FoldStrips(rows, acc);
      rows.fresh = false;
    }
  }

  static HWY_INLINE bool SideBySide(const Block& a) {
    return a.reduced_stride == static_cast<std::ptrdiff_t>(a.kept) * kDense;
  }

  // Lines shorter than a vector.
  static HWY_INLINE void FoldPartsOfVectors(const Block& a, std::byte* acc) {
    typename L::Fold fold = L::Nothing();
    const std::byte* row = a.data;
    std::size_t i = 0;
    // What lies behind a row can be read as long as it is rows.
    const std::size_t whole = SideBySide(a) ? a.reduced * a.kept : 0;
    for (; i * a.kept + Lanes() <= whole; ++i, row += a.reduced_stride) L::Add(fold, Load(row));
    for (; i < a.reduced; ++i, row += a.reduced_stride) L::Add(fold, LoadFirst(row, a.kept));
    AccumulateFirst(a.fresh, acc, L::Result(fold), a.kept);
  }

  // Lines shorter than a vector, side by side: a vector's count of them is a line of whole vectors, whose
  // parts are joined at the end.
  static void FoldNarrowRows(const Block& a, std::byte* acc) {
    HWY_ALIGN std::byte wide[HWY_MAX_BYTES * HWY_MAX_BYTES / kWidth];
    const std::size_t lanes = Lanes(), n = lanes * a.kept;
    const std::size_t rows = a.reduced / lanes;
    const std::size_t bytes = n * kWidth;
    const auto fold = n <= kStrip * lanes ? &FoldStrips : &FoldLongRows;
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

  static void FoldRows(const Block& a, std::byte* acc) {
    if (a.reduced == 0 && a.fresh) Clear(acc, a.blocks * a.kept);
    if (a.reduced == 0 || a.kept == 0) return;
    if (a.kept_stride != kDense) return Portable().fold_rows(a, acc);
    const std::size_t lanes = Lanes();
    const auto each = [&](auto fold) HWY_ATTR { Accumulators<T>::ForEachBlock(a, acc, fold); };
    if (a.kept > kStrip * lanes) return each(FoldLongRows);
    if (a.kept >= lanes) return each(FoldStrips);
    if (SideBySide(a) && a.reduced >= 16 * lanes) return each(FoldNarrowRows);
    each([](const Block& one, std::byte* y) HWY_ATTR { FoldPartsOfVectors(one, y); });
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<FoldKernels> Simd<HWY_TARGET>::folds = MakeByDType([](auto tag) {
  using R = HWY_NAMESPACE::RowFolds<typename decltype(tag)::type>;
  return FoldKernels{&R::Clear, &R::FoldRows};
});

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
