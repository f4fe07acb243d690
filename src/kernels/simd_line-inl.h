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

// A vector of elements that are `step` apart is read by `step` loads. Load k fills lanes k, k + step, and so
// on, which are different lanes for each load:
//
// clang-format off
//   4 lanes, step 2
//
//   memory     a0  .  a1  .  a2  .  a3
//   load 0    |a0  .  a1  . |                begin 0
//   load 1           | .  a2  .  a3|         begin 3, in elements of the memory
//   merged    |a0 a2 a1 a3|
//   order       0  2  1  3                   the lane of each element
// clang-format on
template <class Unsigned, std::size_t kLanes>
struct StepPlan {
  static constexpr std::size_t kMaxStep = 4;

  explicit constexpr StepPlan(std::size_t step) {
    std::size_t element = 0;
    for (std::size_t k = 0; k < step; ++k) {
      begin[k] = static_cast<std::ptrdiff_t>((element * step - k) * sizeof(Unsigned));
      for (std::size_t lane = k; lane < kLanes; lane += step) order[element++] = static_cast<Unsigned>(lane);
    }
    for (std::size_t lane = 0; lane < 64; lane += step) mask |= std::uint64_t{1} << lane;
  }

  Unsigned order[kLanes] = {};
  std::ptrdiff_t begin[kMaxStep] = {};  // in bytes
  std::uint64_t mask = 0;               // of load 0; that of load k is k lanes higher
};

// Reads vectors of elements that are 2 to kMaxStep elements apart, but no byte between elements. For all
// types of a width.
template <class Unsigned>
class Stepped : VectorAccess<Unsigned> {
  using A = VectorAccess<Unsigned>;
  using Plan = StepPlan<Unsigned, A::kMostLanes>;

  // Elsewhere Highway's masked loads read whole vectors.
  static constexpr bool kReadsUnderMask =
      !HWY_MEM_OPS_MIGHT_FAULT || (HWY_TARGET == HWY_AVX2 && A::kWidth >= 4);

 public:
  using typename A::D;
  using typename A::V;

  static constexpr std::size_t kMaxStep = kReadsUnderMask ? HWY_MIN(A::kMostLanes / 2, Plan::kMaxStep) : 1;

  // The elements from one element of the row to the next one if these can be read, otherwise 0.
  static HWY_INLINE std::size_t StepOf(Row a, std::size_t n) {
    if (n < A::Lanes() || a.stride < 2 * A::kDense) return 0;
    const std::size_t distance = static_cast<std::size_t>(a.stride);
    return distance % A::kWidth == 0 && distance <= kMaxStep * A::kWidth ? distance / A::kWidth : 0;
  }

  explicit Stepped(std::size_t step) : step_(step) {
    static constexpr Plan kPlans[] = {Plan(2), Plan(3), Plan(4)};
    const Plan& plan = kPlans[step - 2];
    order_ = A::Prepare(A::LoadOrder(plan.order));
    for (std::size_t k = 0; k < Plan::kMaxStep; ++k) {
      const std::uint64_t mask = plan.mask << k;
      masks_[k] = hn::LoadMaskBits(D(), reinterpret_cast<const std::uint8_t*>(&mask));
      begin_[k] = plan.begin[k];
    }
  }

  // The vector of elements from the one at `from` on, in the order in which loads fill the lanes.
  HWY_INLINE V Merged(const std::byte* from) const {
    V v = hn::Or(Part(from, 0), Part(from, 1));
    if (step_ > 2) v = hn::Or(v, Part(from, 2));
    if (step_ > 3) v = hn::Or(v, Part(from, 3));
    return v;
  }

  // Writes n elements to y: at(distance) is the vector, in the order of Merged, of the elements from
  // `distance` bytes after the first one of the row on. Requires: n is at least a vector.
  template <class At>
  HWY_INLINE void Write(std::size_t n, std::ptrdiff_t stride, std::byte* y, At at) const {
    for (std::size_t i = 0; i < n; i += A::Lanes()) {  // the last vector overlaps
      const std::size_t first = HWY_MIN(i, n - A::Lanes());
      const V merged = at(static_cast<std::ptrdiff_t>(first) * stride);
      A::Store(A::PermutePrepared(merged, order_), y + first * A::kWidth);
    }
  }

 private:
  HWY_INLINE V Part(const std::byte* from, std::size_t k) const {
    return hn::MaskedLoad(masks_[k], D(), reinterpret_cast<const Unsigned*>(from + begin_[k]));
  }

  std::size_t step_;
  std::ptrdiff_t begin_[Plan::kMaxStep];
  Held<hn::Mask<D>> masks_[Plan::kMaxStep];
  Held<typename A::Order> order_;
};

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
      // True except for the last few vectors of a line.
      if (HWY_LIKELY(place.skipped == 0)) return Permute(v, order);
      return Permute(v, hn::Add(order, OrderOf(place.skipped)));
    }
    HWY_INLINE V First(std::size_t) const { return At(0); }

    struct Place {
      const std::byte* at;
      std::size_t phase;
      std::size_t skipped;  // elements between `at` and the one in lane 0
    };

    // The place of a vector that contains the elements of At(i) and ends within the source.
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
