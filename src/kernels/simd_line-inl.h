// Lines of elements by how they lie in memory, and the maximum of two lines, once for each target. Included
// by foreach_target.h several times.
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

  // ---- Lines, by how their elements lie. LineAt(p) is the line that begins at p. Of it, At(i) is the vector
  // of elements i and after, First(n) the first n elements where it is shorter than a vector.

  struct DenseLine {
    const std::byte* data;

    HWY_INLINE V At(std::size_t i) const { return Load(data + i * kWidth); }
    HWY_INLINE V First(std::size_t n) const { return LoadFirst(data, n); }
  };
  struct DenseLines {
    HWY_INLINE DenseLine LineAt(const std::byte* data) const { return {data}; }
  };

  struct ScalarLine {
    Held<V> scalar;

    HWY_INLINE V At(std::size_t) const { return scalar; }
    HWY_INLINE V First(std::size_t) const { return scalar; }
  };
  struct ScalarLines {
    HWY_INLINE ScalarLine LineAt(const std::byte* data) const { return {Broadcast(data)}; }
  };

  // From the end to the beginning.
  struct BackwardLine {
    const std::byte* data;

    HWY_INLINE V At(std::size_t i) const { return Reversed(Load(data - (i + Lanes() - 1) * kWidth)); }
    HWY_INLINE V First(std::size_t n) const {
      HWY_ALIGN std::byte buffer[HWY_MAX_BYTES] = {};
      for (std::size_t i = 0; i < n; ++i) std::memcpy(buffer + i * kWidth, data - i * kWidth, kWidth);
      return Load(buffer);
    }
  };
  struct BackwardLines {
    HWY_INLINE BackwardLine LineAt(const std::byte* data) const { return {data}; }
  };

  // Each element `times` times: a vector of the source is permuted. Lane k of the vector at i shows element
  // (i + k) / times, which is (phase + k) / times after element i / times, with phase = i % times: the orders
  // of all phases are the windows of one sequence.
  struct RepeatLine {
    const std::byte* data;
    std::size_t loadable;  // elements
    std::size_t times;
    std::uint64_t inverse;     // 2^32 / times, rounded up
    const Unsigned* sequence;  // of 0, `times` times, 1, `times` times, and so on

    HWY_INLINE V At(std::size_t i) const {
      const Place place = PlaceOf(i);
      const auto order = A::LoadOrder(sequence + place.phase);
      const V v = Load(place.at);
      // All but the last few vectors of a line.
      if (HWY_LIKELY(place.skipped == 0)) return Permute(v, order);
      return Permute(v, hn::Add(order, OrderOf(place.skipped)));
    }
    HWY_INLINE V First(std::size_t) const { return At(0); }

    struct Place {
      const std::byte* at;
      std::size_t phase;
      std::size_t skipped;  // elements between `at` and the one that is shown first
    };

    // Where to load a vector, none of it beyond the line, that holds what is shown from i on.
    HWY_INLINE Place PlaceOf(std::size_t i) const {
      // Exact: i < kMaxRepeatLineElements and times <= kMaxRepeatCount.
      const std::size_t element = static_cast<std::size_t>(i * inverse >> 32);
      const std::size_t from = HWY_MIN(element, loadable - Lanes());
      return {data + from * kWidth, i - element * times, element - from};
    }

    static HWY_INLINE auto OrderOf(std::size_t place) {
      return hn::Set(hn::Rebind<Unsigned, D>(), static_cast<Unsigned>(place));
    }
  };
  class RepeatLines {
   public:
    // Of n elements as shown.
    RepeatLines(std::size_t times, std::size_t n)
        : times_(times), inverse_(0xFFFFFFFFu / times + 1), count_((n + times - 1) / times) {
      const hn::Rebind<Unsigned, D> d;
      std::size_t begin = 0;
      for (std::size_t t = 0; begin < times + Lanes(); ++t, begin += times) {
        const auto same = RepeatLine::OrderOf(t);
        for (std::size_t k = 0; k < times; k += Lanes()) hn::StoreU(same, d, sequence_ + begin + k);
      }
    }

    HWY_INLINE RepeatLine LineAt(const std::byte* data) {
      if (HWY_LIKELY(count_ >= Lanes())) return {data, count_, times_, inverse_, sequence_};
      Store(LoadFirst(data, count_), few_);
      return {few_, Lanes(), times_, inverse_, sequence_};
    }

   private:
    std::size_t times_;
    std::uint64_t inverse_;
    std::size_t count_;  // elements of the source
    HWY_ALIGN Unsigned sequence_[2 * kMaxRepeatCount + 3 * kMostLanes];
    HWY_ALIGN std::byte few_[HWY_MAX_BYTES];
  };

  // y = Join(a, b), of lines of n elements.
  template <class LineA, class LineB>
  static HWY_INLINE void JoinLine(const LineA& a, const LineB& b, std::byte* y, std::size_t n) {
    ForEachVector(
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
