// Lines of elements by their layout in memory (kernels.h draws them), and the maximum of two lines, compiled
// once for each target: foreach_target.h includes this file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_LINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_LINE_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_LINE_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_LINE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct LineAccess : VectorAccess<T> {
  using A = VectorAccess<T>;
  using A::Broadcast;
  using A::ForEachVector;
  using A::kMostLanes;
  using A::kWidth;
  using A::Lanes;
  using A::Load;
  using A::LoadFirst;
  using A::Permute;
  using A::Store;
  using typename A::D;
  using typename A::L;
  using typename A::Unsigned;
  using typename A::V;

  // ---- Lines, by layout. LineAt(p) is the line that begins at p; its At(i) is the vector of elements from i
  // on, its First(n) the first n elements of a line that is shorter than a vector.

  struct DenseLine {
    const std::byte* data;

    HWY_INLINE V At(std::size_t i) const { return Load(data + i * kWidth); }
    HWY_INLINE V First(std::size_t n) const { return LoadFirst(data, n); }
  };
  struct DenseLines {
    HWY_INLINE DenseLine LineAt(const std::byte* data) const { return {data}; }
  };

  struct ScalarLine {
    using Operand = typename L::Operand;
    explicit HWY_INLINE ScalarLine(const std::byte* data) : scalar(L::OperandOf(Broadcast(data))) {}

    HWY_INLINE const Operand& At(std::size_t) const { return scalar; }
    HWY_INLINE const Operand& First(std::size_t) const { return scalar; }

    Operand scalar;
  };
  struct ScalarLines {
    HWY_INLINE ScalarLine LineAt(const std::byte* data) const { return ScalarLine(data); }
  };

  // Stride -1: `data` points to the line's first element, which has the highest address.
  struct BackwardLine {
    const std::byte* data;

    HWY_INLINE V At(std::size_t i) const { return Reversed(Load(data - (i + Lanes() - 1) * kWidth)); }
    HWY_INLINE V First(std::size_t n) const {
      HWY_ALIGN std::byte buffer[kVectorBytes] = {};
      for (std::size_t i = 0; i < n; ++i) std::memcpy(buffer + i * kWidth, data - i * kWidth, kWidth);
      return Load(buffer);
    }
  };
  struct BackwardLines {
    HWY_INLINE BackwardLine LineAt(const std::byte* data) const { return {data}; }
  };

  // Each element repeat_count times, by permuting a vector of the source. Lane k of the vector at i is
  // element (i + k) / repeat_count = i / repeat_count + (phase + k) / repeat_count, with phase = i %
  // repeat_count, so that the orders of all phases are windows of one sequence.
  //
  // clang-format off
  //   4 lanes, repeat_count = 3
  //
  //   source          a0 a1 a2 a3 a4 a5 ...
  //   sequence         0  0  0  1  1  1  2  2  2 ...
  //
  //   i                0             4             8
  //   element          0             1             2             i / repeat_count: the loaded vector begins
  //   phase            0             1             2             i % repeat_count: the order begins
  //   loaded          a0 a1 a2 a3   a1 a2 a3 a4   a2 a3 a4 a5
  //   order            0  0  0  1    0  0  1  1    0  1  1  1    sequence, from `phase` on
  //   At(i)           a0 a0 a0 a1   a1 a1 a2 a2   a2 a3 a3 a3
  //
  //   At the end of the source, the loaded vector begins `skipped` elements earlier, and `skipped` is added
  //   to each number of the order.
  // clang-format on
  struct RepeatLine {
    const std::byte* data;
    std::size_t loadable;  // elements of the source
    std::size_t repeat_count;
    std::uint64_t inverse;     // 2^32 / repeat_count, rounded up
    const Unsigned* sequence;  // 0, repeat_count times, 1, repeat_count times, and so on

    HWY_INLINE V At(std::size_t i) const {
      const Place place = PlaceOf(i);
      const auto order = A::LoadOrder(sequence + place.phase);
      const V v = Load(place.at);
      // True but for the last few vectors of a line.
      if (HWY_LIKELY(place.skipped == 0)) return Permute(v, order);
      return Permute(v, hn::Add(order, OrderOf(place.skipped)));
    }
    HWY_INLINE V First(std::size_t) const { return At(0); }

    struct Place {
      const std::byte* at;
      std::size_t phase;
      std::size_t skipped;  // elements between `at` and the one in lane 0
    };

    // Where to load a vector that holds the elements of At(i), none of it beyond the source.
    HWY_INLINE Place PlaceOf(std::size_t i) const {
      // i / repeat_count, exact since i < kMaxRepeatLineElements and repeat_count <= kMaxRepeatCount.
      const std::size_t element = static_cast<std::size_t>(i * inverse >> 32);
      const std::size_t from = HWY_MIN(element, loadable - Lanes());
      return {data + from * kWidth, i - element * repeat_count, element - from};
    }

    static HWY_INLINE auto OrderOf(std::size_t place) {
      return hn::Set(hn::Rebind<Unsigned, D>(), static_cast<Unsigned>(place));
    }
  };
  class RepeatLines {
   public:
    // Lines of n elements, repeats counted.
    RepeatLines(std::size_t repeat_count, std::size_t n)
        : repeat_count_(repeat_count),
          inverse_(0xFFFFFFFFu / repeat_count + 1),
          count_((n + repeat_count - 1) / repeat_count) {
      const hn::Rebind<Unsigned, D> d;
      std::size_t begin = 0;
      for (std::size_t t = 0; begin < repeat_count + Lanes(); ++t, begin += repeat_count) {
        const auto same = RepeatLine::OrderOf(t);
        for (std::size_t k = 0; k < repeat_count; k += Lanes()) hn::StoreU(same, d, sequence_ + begin + k);
      }
    }

    HWY_INLINE RepeatLine LineAt(const std::byte* data) {
      if (HWY_LIKELY(count_ >= Lanes())) return {data, count_, repeat_count_, inverse_, sequence_};
      Store(LoadFirst(data, count_), few_);
      return {few_, Lanes(), repeat_count_, inverse_, sequence_};
    }

   private:
    std::size_t repeat_count_;
    std::uint64_t inverse_;
    std::size_t count_;  // elements of the source
    HWY_ALIGN Unsigned sequence_[2 * kMaxRepeatCount + 3 * kMostLanes];
    HWY_ALIGN std::byte few_[kVectorBytes];  // a copy of a source that is shorter than a vector
  };

  // y = Join(a, b) for lines of n elements.
  template <std::size_t kUnroll = 4, class LineA, class LineB>
  static HWY_INLINE void JoinLine(const LineA& a, const LineB& b, std::byte* y, std::size_t n) {
    A::template ForEachVector<kUnroll>(
        n, y, [&](std::size_t i) HWY_ATTR { return L::Join(a.At(i), b.At(i)); },
        [&](std::size_t k) HWY_ATTR { return L::Join(a.First(k), b.First(k)); });
  }

  static HWY_INLINE V Reversed(V v) {
    if constexpr (kWidth == 1) {
      const hn::Repartition<std::uint16_t, D> pairs;
      const auto reversed = hn::Reverse(pairs, hn::BitCast(pairs, v));
      return hn::BitCast(D(), hn::Or(hn::ShiftLeft<8>(reversed), hn::ShiftRight<8>(reversed)));
    } else {
      return hn::Reverse(D(), v);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
