// The primitive that joins lines, compiled once for each target: foreach_target.h includes this file several
// times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_LINES_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_LINES_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_LINES_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_line-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct LineJoins : LineAccess<T> {
  using A = LineAccess<T>;
  using A::kDense;
  using A::Lanes;
  using typename A::BackwardLines;
  using typename A::DenseLine;
  using typename A::DenseLines;
  using typename A::L;
  using typename A::LineStream;
  using typename A::RepeatLines;
  using typename A::ScalarLines;

  // The maximum of two lines, by vectors. No lambda: where GCC does not inline one, it returns the vector
  // through memory and ends with VZEROUPPER, which made non-temporal stores four times as slow.
  template <class LineB>
  struct JoinedAt {
    const DenseLine& a;
    const LineB& b;

    HWY_INLINE typename A::V operator()(std::size_t i) const { return L::Join(a.At(i), b.At(i)); }
  };

  // kUnroll: vectors of an iteration; 1 where those of `lines` take more than a load.
  template <std::size_t kUnroll, class LinesB>
  static HWY_INLINE void JoinEachLine(const Lines& a, const Lines& b, LinesB&& lines, const LinesTo& y) {
    const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(y.n) * kDense;
    // LineStream writes the lines of a block, which must therefore be contiguous.
    const bool streams = y.non_temporal && y.n >= Lanes() && (y.lines == 1 || y.line_stride == length) &&
                         LineStream::IsAligned(y.data);
    for (std::size_t k = 0; k < y.blocks; ++k) {
      const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(k);
      const std::byte* left = a.data + block * a.block_stride;
      const std::byte* right = b.data + block * b.block_stride;
      std::byte* to = y.data + block * y.block_stride;
      LineStream stream(to);
      for (std::size_t lines_left = y.lines; lines_left > 0;) {
        const DenseLine dense{left};
        const auto line = lines.LineAt(right);
        if (streams) {
          stream.Write(y.n, JoinedAt<decltype(line)>{dense, line});
        } else {
          A::template JoinLine<kUnroll>(dense, line, to, y.n);
        }
        if (--lines_left == 0) break;  // after the last line, the pointers would leave their objects
        left += a.line_stride;
        right += b.line_stride;
        to += y.line_stride;
      }
      if (streams) stream.End();
    }
  }

  static void JoinLines(const Lines& a, const Lines& b, const LinesTo& y) {
    if (a.repeat_count != 1 || a.backwards) return JoinLines(b, a, y);
    if (y.n == 0) return;
    if (b.backwards) return JoinEachLine<1>(a, b, BackwardLines(), y);
    if (b.repeat_count == 1) return JoinEachLine<4>(a, b, DenseLines(), y);
    if (b.repeat_count >= y.n) return JoinEachLine<4>(a, b, ScalarLines(), y);
    JoinEachLine<1>(a, b, RepeatLines(b.repeat_count, y.n), y);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<LineKernels> Simd<HWY_NAMESPACE::kTarget>::lines =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      return LineKernels{&HWY_NAMESPACE::LineJoins<typename decltype(tag)::type>::JoinLines};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
