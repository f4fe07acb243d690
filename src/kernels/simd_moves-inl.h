// The primitives that repeat and transpose elements, compiled once for each target: foreach_target.h includes
// this file several times.
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

// These primitives only move bits: one compiled type serves all types of its width.
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

  // Repeat counts up to this are permutations of source vectors; larger ones are stores of one element's
  // vector. Chosen by estimate; no benchmark line yet.
  static HWY_INLINE std::size_t MaxPermutedRepeatCount() { return Lanes() / 2; }

  static void Repeat(Row a, std::size_t n, std::size_t repeat_count, std::byte* out) {
    const std::size_t lanes = Lanes();
    if (repeat_count == 1) return Gather(a, n, out);
    if (a.stride == kDense && n > 1 && repeat_count <= MaxPermutedRepeatCount() &&
        n * repeat_count < kMaxRepeatLineElements) {
      RepeatLines lines(repeat_count, n * repeat_count);
      const RepeatLine line = lines.LineAt(a.data);
      const auto at = [&](std::size_t i) HWY_ATTR { return line.At(i); };
      return ForEachVector(n * repeat_count, out, at, [&](std::size_t) HWY_ATTR { return line.At(0); });
    }
    for (std::size_t left = n; left > 0; a.data += a.stride, out += repeat_count * kWidth) {
      const V same = Broadcast(a.data);
      for (std::size_t k = 0; k < repeat_count; k += lanes) Store(same, out + k * kWidth);
      if (--left == 0) break;  // after the last element, the pointer would leave the object
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
      using S = Stepped<T>;
      if constexpr (S::kMaxStep > 1) {
        const std::size_t step = S::StepOf(a, n);
        // Loads of fewer than four elements each take as long as loads of single elements.
        if (step > 0 && 4 * step <= lanes) {
          const S stepped(step);
          return stepped.Write(n, a.stride, out, [&](std::ptrdiff_t distance) HWY_ATTR {
            return stepped.Merged(a.data + distance);
          });
        }
      }
      Portable().repeat(a, n, 1, out);
    }
  }

  // ---- Transposing, in squares 16 bytes wide: each round interleaves the rows of the upper half with those
  // of the lower half.
  //
  // clang-format off
  //   kSquare = 4     round 1           round 2
  //   a0 a1 a2 a3     a0 c0 a1 c1       a0 b0 c0 d0
  //   b0 b1 b2 b3     a2 c2 a3 c3       a1 b1 c1 d1
  //   c0 c1 c2 c3     b0 d0 b1 d1       a2 b2 c2 d2
  //   d0 d1 d2 d3     b2 d2 b3 d3       a3 b3 c3 d3
  // clang-format on
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
constinit const ByDType<MoveKernels> Simd<HWY_NAMESPACE::kTarget>::moves =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      using Bits = typename HWY_NAMESPACE::Vectors<typename decltype(tag)::type>::Bits;
      using M = HWY_NAMESPACE::Moves<hwy::MakeUnsigned<Bits>>;
      return MoveKernels{&M::Repeat, &M::Transpose};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
