// The row primitives that join and copy, for whole vectors, once for each target. Included by
// foreach_target.h several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_JOIN_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/simd_access-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

template <class T>
struct JoinRows : VectorAccess<T> {
  using A = VectorAccess<T>;
  using A::Broadcast;
  using A::ForEachVector;
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
  using typename A::LineStream;
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
  struct SpreadLine {
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
      // Exact: i < kLongestLine and times <= kMostTimes.
      const std::size_t element = static_cast<std::size_t>(i * inverse >> 32);
      const std::size_t from = HWY_MIN(element, loadable - Lanes());
      return {data + from * kWidth, i - element * times, element - from};
    }

    static HWY_INLINE auto OrderOf(std::size_t place) {
      return hn::Set(hn::Rebind<Unsigned, D>(), static_cast<Unsigned>(place));
    }
  };
  class SpreadLines {
   public:
    // Of n elements as shown.
    SpreadLines(std::size_t times, std::size_t n)
        : times_(times), inverse_(0xFFFFFFFFu / times + 1), count_((n + times - 1) / times) {
      const hn::Rebind<Unsigned, D> d;
      std::size_t begin = 0;
      for (std::size_t t = 0; begin < times + Lanes(); ++t, begin += times) {
        const auto same = SpreadLine::OrderOf(t);
        for (std::size_t k = 0; k < times; k += Lanes()) hn::StoreU(same, d, sequence_ + begin + k);
      }
    }

    HWY_INLINE SpreadLine LineAt(const std::byte* data) {
      if (HWY_LIKELY(count_ >= Lanes())) return {data, count_, times_, inverse_, sequence_};
      Store(LoadFirst(data, count_), few_);
      return {few_, Lanes(), times_, inverse_, sequence_};
    }

   private:
    std::size_t times_;
    std::uint64_t inverse_;
    std::size_t count_;  // elements of the source
    HWY_ALIGN Unsigned sequence_[2 * kMostTimes + 3 * kMostLanes];
    HWY_ALIGN std::byte few_[HWY_MAX_BYTES];
  };

  // ---- Joining.

  template <class LineA, class LineB>
  static HWY_INLINE void JoinLine(const LineA& a, const LineB& b, std::byte* y, std::size_t n) {
    ForEachVector(
        n, y, [&](std::size_t i) HWY_ATTR { return L::Join(a.At(i), b.At(i)); },
        [&](std::size_t k) HWY_ATTR { return L::Join(a.First(k), b.First(k)); });
  }

  static void Join(Row a, Row b, MutableRow y, std::size_t n) {
    if (n == 1 || y.stride != kDense) return Portable().join(a, b, y, n);
    if (a.stride != kDense) {
      const Row scalar = a;
      a = b;
      b = scalar;
    }
    if (a.stride == kDense && b.stride == kDense) {
      return JoinLine(DenseLine{a.data}, DenseLine{b.data}, y.data, n);
    }
    if (a.stride == kDense && b.stride == 0) {
      return JoinLine(DenseLine{a.data}, ScalarLine{Broadcast(b.data)}, y.data, n);
    }
    Portable().join(a, b, y, n);
  }

  template <class LinesB>
  static HWY_INLINE void JoinEachLine(const Lines& a, const Lines& b, LinesB&& lines, const LinesTo& y) {
    const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(y.n) * kDense;
    // Between lines, the stream goes on where the lines before has ended.
    const bool streams = y.past_caches && y.n >= Lanes() && (y.lines == 1 || y.line_stride == length);
    for (std::size_t k = 0; k < y.blocks; ++k) {
      const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(k);
      const std::byte* left = a.data + block * a.block_stride;
      const std::byte* right = b.data + block * b.block_stride;
      std::byte* to = y.data + block * y.block_stride;
      LineStream stream(to);
      for (std::size_t j = 0; j < y.lines; ++j) {
        const DenseLine dense{left};
        const auto line = lines.LineAt(right);
        if (streams) {
          stream.Write(y.n, [&](std::size_t i) HWY_ATTR { return L::Join(dense.At(i), line.At(i)); });
        } else {
          JoinLine(dense, line, to, y.n);
        }
        left += a.line_stride;
        right += b.line_stride;
        to += y.line_stride;
      }
      if (streams) stream.End();
    }
  }

  static void JoinLines(const Lines& a, const Lines& b, const LinesTo& y) {
    if (a.times != 1 || a.backwards) return JoinLines(b, a, y);
    if (y.n == 0) return;
    if (b.backwards) return JoinEachLine(a, b, BackwardLines(), y);
    if (b.times == 1) return JoinEachLine(a, b, DenseLines(), y);
    if (b.times >= y.n) return JoinEachLine(a, b, ScalarLines(), y);
    JoinEachLine(a, b, SpreadLines(b.times, y.n), y);
  }

  // The maximum of all operands, two vectors of them at a time. Of a few, each is joined to those before; of
  // more, folds decide about NaNs and zeros once.
  struct JoinedStrip {
    Held<V> even, odd;

    HWY_INLINE void Begin(V e, V o) {
      even = e;
      odd = o;
    }
    HWY_INLINE void Add(V e, V o) {
      even = L::Join(even, e);
      odd = L::Join(odd, o);
    }
    HWY_INLINE V Even() const { return even; }
    HWY_INLINE V Odd() const { return odd; }
  };
  struct FoldedStrip {
    typename L::Fold even, odd;

    HWY_INLINE void Begin(V e, V o) {
      // Not one from the other: GCC 12 copies a fold by way of memory, in parts that it then waits for.
      even = L::Nothing();
      odd = L::Nothing();
      Add(e, o);
    }
    HWY_INLINE void Add(V e, V o) {
      L::Add(even, e);
      L::Add(odd, o);
    }
    HWY_INLINE V Even() const { return L::Result(even); }
    HWY_INLINE V Odd() const { return L::Result(odd); }
  };

  // y = max of `before`, if there is one, and of the operands `begin` to `end`. Requires: n >= Lanes().
  template <class Strip>
  static HWY_INLINE void JoinStrips(const Operands& x, std::size_t begin, std::size_t end,
                                    const std::byte* before, std::byte* y, std::size_t n, bool past_caches) {
    const std::size_t lanes = Lanes();
    const auto strip = [&](std::size_t even, std::size_t odd) HWY_ATTR {
      const auto load = [&](const std::byte* from, std::size_t i)
                            HWY_ATTR { return Load(from + i * kWidth); };
      const std::byte* first = before != nullptr ? before : x.from[begin] + x.offset;
      Strip s;
      s.Begin(load(first, even), load(first, odd));
      for (std::size_t m = before != nullptr ? begin : begin + 1; m < end; ++m) {
        const std::byte* from = x.from[m] + x.offset;
        s.Add(load(from, even), load(from, odd));
      }
      return s;
    };
    std::size_t i = 0;
    if (past_caches) {
      LineStream stream(y);
      stream.Write(n, [&](std::size_t at) HWY_ATTR { return strip(at, at).Even(); });
      return stream.End();
    }
    while (i < n) {  // the last vectors overlap
      const std::size_t even = HWY_MIN(i, n - lanes), odd = HWY_MIN(i + lanes, n - lanes);
      A::FetchAhead(y + even * kWidth);
      A::FetchAhead(y + odd * kWidth);
      const Strip s = strip(even, odd);
      Store(s.Even(), y + even * kWidth);
      Store(s.Odd(), y + odd * kWidth);
      i += 2 * lanes;
    }
  }

  static HWY_INLINE void JoinGroup(const Operands& x, std::size_t begin, std::size_t end,
                                   const std::byte* before, std::byte* y, std::size_t n, bool past_caches) {
    constexpr std::size_t kFew = HWY_TARGET > HWY_AVX3 ? 2 : kWidth >= 4 ? 4 : 3;
    if (n >= Lanes()) {
      const std::size_t count = end - begin + (before != nullptr ? 1 : 0);
      if (count > 1 && count <= kFew) {
        return JoinStrips<JoinedStrip>(x, begin, end, before, y, n, past_caches);
      }
      return JoinStrips<FoldedStrip>(x, begin, end, before, y, n, past_caches);
    }
    typename L::Fold fold = L::Nothing();
    if (before != nullptr) L::Add(fold, LoadFirst(before, n));
    for (std::size_t m = begin; m < end; ++m) L::Add(fold, LoadFirst(x.from[m] + x.offset, n));
    StoreFirst(L::Result(fold), y, n);
  }

  static void JoinMany(const Operands& x, std::byte* acc, std::byte* y, std::size_t n, bool past_caches) {
    constexpr std::size_t kTogether = 16;  // as many streams as the hardware follows
    if (n == 0) return;
    std::size_t m = 0;
    for (; x.count - m > kTogether; m += kTogether) {
      JoinGroup(x, m, m + kTogether, m > 0 ? acc : nullptr, acc, n, false);
    }
    JoinGroup(x, m, x.count, m > 0 ? acc : nullptr, y, n, past_caches);
  }

  // ---- Copying.

  static void Copy(Row a, MutableRow y, std::size_t n) {
    if (n == 1 || y.stride != kDense) return Portable().copy(a, y, n);
    if (a.stride == kDense) {
      return ForEachVector(
          n, y.data, [&](std::size_t i) HWY_ATTR { return L::Canonical(Load(a.data + i * kWidth)); },
          [&](std::size_t k) HWY_ATTR { return L::Canonical(LoadFirst(a.data, k)); });
    }
    if (a.stride == 0 && n > 0) {
      const V scalar = L::Canonical(Broadcast(a.data));
      return ForEachVector(
          n, y.data, [&](std::size_t) HWY_ATTR { return scalar; },
          [&](std::size_t) HWY_ATTR { return scalar; });
    }
    Portable().copy(a, y, n);
  }

  static void Spread(Row a, std::size_t n, std::size_t times, std::byte* out) {
    const std::size_t lanes = Lanes();
    if (times == 1) return Gather(a, n, out);
    if (a.stride == kDense && n > 1 && 2 * times <= lanes && n * times < kLongestLine) {
      SpreadLines lines(times, n * times);
      const SpreadLine line = lines.LineAt(a.data);
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

  static HWY_INLINE V Reversed(V v) {
    if constexpr (kWidth == 1) {
      const hn::Repartition<std::uint16_t, D> pairs;
      const auto reversed = hn::Reverse(pairs, hn::BitCast(pairs, v));
      return hn::BitCast(D(), hn::Or(hn::ShiftLeft<8>(reversed), hn::ShiftRight<8>(reversed)));
    } else {
      return hn::Reverse(D(), v);
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
}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
