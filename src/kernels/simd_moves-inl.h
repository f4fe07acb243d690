// The primitives that repeat and transpose elements, once for each target. Included by
// foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_MOVES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_MOVES_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_MOVES_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_MOVES_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_line-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// They compute nothing: a type is as good as any other of its width.
template <class T>
struct Moves : LineAccess<T> {
  using A = LineAccess<T>;
  using A::Broadcast;
  using A::ForEachVector;
  using A::kDense;
  using A::kWidth;
  using A::Lanes;
  using A::Load;
  using A::Portable;
  using A::Reversed;
  using A::Store;
  using typename A::Bits;
  using typename A::RepeatLine;
  using typename A::RepeatLines;
  using typename A::V;

  static void Spread(Row a, std::size_t n, std::size_t times, std::byte* out) {
    const std::size_t lanes = Lanes();
    if (times == 1) return Gather(a, n, out);
    if (a.stride == kDense && n > 1 && 2 * times <= lanes && n * times < kMaxRepeatLineElements) {
      RepeatLines lines(times, n * times);
      const RepeatLine line = lines.LineAt(a.data);
      const auto at = [&](std::size_t i) HWY_ATTR { return line.At(i); };
      return ForEachVector(n * times, out, at, [&](std::size_t) HWY_ATTR { return line.At(0); });
    }
    for (std::size_t i = 0; i < n; ++i, a.data += a.stride, out += times * kWidth) {
      const V same = Broadcast(a.data);
      for (std::size_t k = 0; k < times; k += lanes) Store(same, out + k * kWidth);
    }
  }

  // out[i] = a[i].
  static HWY_INLINE void Gather(Row a, std::size_t n, std::byte* out) {
    const std::size_t lanes = Lanes();
    if (a.stride == kDense) {
      std::memcpy(out, a.data, n * kWidth);
    } else if (a.stride == -kDense && n >= lanes) {
      const auto at = [&](std::size_t i)
                          HWY_ATTR { return Reversed(Load(a.data - (i + lanes - 1) * kWidth)); };
      ForEachVector(n, out, at, at);
    } else {
      Portable().spread(a, n, 1, out);
    }
  }

  // ---- Transposing, in squares as wide as 16 bytes: each round interleaves the rows of the upper half with
  // those of the lower.
  static constexpr std::size_t kSquare = 16 / kWidth;
  using Block16 = hn::FixedTag<Bits, kSquare>;
  struct Square {
    Held<hn::Vec<Block16>> row[kSquare];
  };

  template <std::size_t... r>
  static HWY_INLINE Square Interleaved(const Square& s, std::index_sequence<r...>) {
    constexpr std::size_t kHalf = kSquare / 2;
    using R = hn::Vec<Block16>;
    return {{(r % 2 == 0 ? hn::InterleaveLower(Block16(), R(s.row[r / 2]), R(s.row[r / 2 + kHalf]))
                         : hn::InterleaveUpper(Block16(), R(s.row[r / 2]), R(s.row[r / 2 + kHalf])))...}};
  }

  template <std::size_t... r>
  static HWY_INLINE void TransposeSquare(const std::byte* from, std::ptrdiff_t row_stride, std::byte* out,
                                         std::size_t out_stride, std::index_sequence<r...> rows) {
    Square s = {{hn::LoadU(
        Block16(), reinterpret_cast<const Bits*>(from + static_cast<std::ptrdiff_t>(r) * row_stride))...}};
    for (std::size_t round = 1; round < kSquare; round *= 2) s = Interleaved(s, rows);
    (hn::StoreU(hn::Vec<Block16>(s.row[r]), Block16(), reinterpret_cast<Bits*>(out + r * out_stride)), ...);
  }

  static void Transpose(const std::byte* from, std::ptrdiff_t row_stride, std::size_t rows,
                        std::size_t columns, std::byte* out) {
    const std::size_t out_stride = rows * kWidth;
    if (rows < kSquare || columns < kSquare) {
      return Portable().transpose(from, row_stride, rows, columns, out);
    }
    for (std::size_t r = 0; r < rows;) {
      for (std::size_t c = 0; c < columns;) {
        TransposeSquare(from + static_cast<std::ptrdiff_t>(r) * row_stride + c * kWidth, row_stride,
                        out + c * out_stride + r * kWidth, out_stride, std::make_index_sequence<kSquare>());
        c += kSquare;
        if (c < columns && c + kSquare > columns) c = columns - kSquare;  // overlaps
      }
      r += kSquare;
      if (r < rows && r + kSquare > rows) r = rows - kSquare;
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<MoveKernels> Simd<HWY_TARGET>::moves = MakeByDType([](auto tag) {
  using Bits = typename HWY_NAMESPACE::Vectors<typename decltype(tag)::type>::Bits;
  using M = HWY_NAMESPACE::Moves<hwy::MakeUnsigned<Bits>>;
  return MoveKernels{&M::Spread, &M::Transpose};
});

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
