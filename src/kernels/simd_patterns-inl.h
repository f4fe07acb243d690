// The primitive that joins lines of any number of inputs, each of which may repeat in its own way, compiled
// once for each target: foreach_target.h includes this file several times.
#if defined(SUPREMUM_SRC_KERNELS_SIMD_PATTERNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SUPREMUM_SRC_KERNELS_SIMD_PATTERNS_INL_H_
#undef SUPREMUM_SRC_KERNELS_SIMD_PATTERNS_INL_H_
#else
#define SUPREMUM_SRC_KERNELS_SIMD_PATTERNS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/line_pattern.h"
#include "kernels/simd_line-inl.h"
#include "kernels/simd_parts-inl.h"

HWY_BEFORE_NAMESPACE();
namespace supremum::kernels {
namespace {
namespace HWY_NAMESPACE {

// What an input has at a place of a line depends on that place alone: which vector of its source, and in
// which order. It is decided once for a group of vectors at the same place of all lines of a block; then the
// lines are joined at that place, one after the other, without any further arithmetic. Inputs that are the
// same in each line are joined to each other before, and stay in registers.
//
// clang-format off
//   one block of the output            v0 v1 v2 v3: a group, held in registers
//
//   line 0   |v0 v1 v2 v3|           |                     each input: load at line + place, permute by its order
//   line 1   |  |  |  |  |           |
//   line 2   v  v  v  v                                    the next group begins when all lines have this one;
//            group 0      group 1                          the last one overlaps the one before
//
//   kWindow   4 lanes, period 5
//
//   window    w0 w1 w2 w3 w4|w0 w1 w2 w3                 a vector more than the period
//   i = 0     [---------]
//   i = 4                 [-----------]                  place 4
//   i = 8              [---------]                       place 3
//
//   kOrders   4 lanes, run 2, period 6, advance 2: [N,1,2] along [N,3,2]
//
//   source    a0 a1 a2 a3 a4 a5 ...
//   sequence   0  1  0  1  0  1  2  3  2  3              a vector more than the period
//   i                0             4             8
//   place            a0            a0            a2      i / period, times advance
//   loaded          a0 a1 a2 a3   a0 a1 a2 a3   a2 a3 a4 a5
//   order            0  1  0  1    0  1  2  3    0  1  0  1    from i % period on
//   vector          a0 a1 a0 a1   a0 a1 a2 a3   a2 a3 a2 a3
//
//   At the end of the source, the loaded vector begins `skipped` elements earlier, and `skipped` is added to
//   each number of the order.
// clang-format on
template <class T>
struct PatternJoins : LineAccess<T> {
  using A = LineAccess<T>;
  using Kind = PatternInput::Kind;
  using A::Broadcast;
  using A::kDense;
  using A::kMostLanes;
  using A::kWidth;
  using A::Lanes;
  using A::Load;
  using A::LoadFirst;
  using A::LoadOrder;
  using A::Permute;
  using A::Reversed;
  using A::Store;
  using A::StoreFirst;
  using typename A::BackwardLine;
  using typename A::D;
  using typename A::L;
  using typename A::LineStream;
  using typename A::Unsigned;
  using typename A::V;

  // Vectors of a group: with those that joining needs, they fit into 16 registers.
  static constexpr std::size_t kGroup = 4;

  // How vectors are read at a place.
  enum class Read : std::uint8_t {
    kLoad,      // kDense, kWindow
    kSame,      // kScalar
    kReversed,  // kBackwards
    kPermuted,  // kOrders
    kFew,       // kOrders of a source that is at most a vector, which all vectors of a group permute
  };

  // An input of a call.
  struct Source {
    const PatternInput* input;
    Read read;
    std::size_t count;      // elements of the source of a line, of kOrders
    std::uint64_t inverse;  // 2^32 / period, rounded up
    const std::byte* data;  // of the first line of the block
    std::uintptr_t whole;   // of kFew: from up to this address, a whole vector can be loaded
  };

  // Where and in which order the vectors of a group are read.
  struct Place {
    std::ptrdiff_t offset[kGroup];  // in bytes, from the line's data
    HWY_ALIGN Unsigned order[kGroup][kMostLanes];
  };

  static HWY_INLINE void Describe(const PatternInput& input, std::size_t n, Source& s) {
    s.input = &input;
    s.read = input.kind == Kind::kScalar      ? Read::kSame
             : input.kind == Kind::kBackwards ? Read::kReversed
                                              : Read::kLoad;
    if (input.kind != Kind::kWindow && input.kind != Kind::kOrders) return;
    const LinePattern& pattern = input.pattern;
    s.inverse = 0xFFFFFFFFu / pattern.period + 1;
    if (input.kind == Kind::kWindow) return;
    // As LinePattern::SourceElements, whose code must not be that of this target for every processor.
    const std::size_t last = n - 1, periods = last / pattern.period;
    const std::size_t of_last =
        HWY_MIN(pattern.run, (last - periods * pattern.period) / pattern.repeat_count + 1);
    s.count = pattern.advance == 0 && periods > 0 ? pattern.run : periods * pattern.advance + of_last;
    s.read = s.count > Lanes() ? Read::kPermuted : Read::kFew;
  }

  static HWY_INLINE void BeginBlock(std::ptrdiff_t block, std::size_t lines, Source& s) {
    s.data = s.input->data + block * s.input->block_stride;
    const std::ptrdiff_t to_last = static_cast<std::ptrdiff_t>(lines - 1) * s.input->line_stride;
    const std::ptrdiff_t end = HWY_MAX(to_last, 0) + static_cast<std::ptrdiff_t>(s.count * kWidth);
    s.whole = end >= HWY_MAX_BYTES ? AddressOf(s.data + (end - HWY_MAX_BYTES)) : 0;
  }

  // Element i of a line, whose vector is the one at s.data + offset in this order.
  static HWY_INLINE void FindPlace(const Source& s, std::size_t i, std::ptrdiff_t& offset, Unsigned* order) {
    offset = 0;
    if (s.input->kind == Kind::kDense) offset = static_cast<std::ptrdiff_t>(i) * kDense;
    if (s.input->kind == Kind::kBackwards) offset = -static_cast<std::ptrdiff_t>(i + Lanes() - 1) * kDense;
    if (s.input->kind != Kind::kWindow && s.input->kind != Kind::kOrders) return;
    const LinePattern& pattern = s.input->pattern;
    // i / period, exact since i < kMaxPatternLineElements and the period is at most kMaxPeriodBytes.
    const std::size_t periods = static_cast<std::size_t>(i * s.inverse >> 32);
    const std::size_t in_period = i - periods * pattern.period;
    if (s.input->kind == Kind::kWindow) {
      offset = static_cast<std::ptrdiff_t>(in_period) * kDense;
      return;
    }
    const std::size_t element = periods * pattern.advance;
    const std::size_t from = s.read == Read::kFew ? 0 : HWY_MIN(element, s.count - Lanes());
    offset = static_cast<std::ptrdiff_t>(from) * kDense;
    const hn::Rebind<Unsigned, D> d;
    const auto in_source = LoadOrder(reinterpret_cast<const Unsigned*>(s.input->orders) + in_period);
    hn::StoreU(hn::Add(in_source, hn::Set(d, static_cast<Unsigned>(element - from))), d, order);
  }

  static HWY_INLINE std::uintptr_t AddressOf(const std::byte* at) {
    return reinterpret_cast<std::uintptr_t>(at);
  }

  // The source of a line that is at most a vector.
  static HWY_INLINE V LoadFew(const Source& s, const std::byte* line) {
    if (HWY_LIKELY(AddressOf(line) <= s.whole)) return Load(line);
    return s.count == Lanes() ? Load(line) : LoadFirst(line, s.count);
  }

  // The vector at `at` in this order; `same` where all vectors of a group have it or permute it.
  template <Read kRead>
  static HWY_INLINE V VectorOf(V same, const std::byte* at, typename A::Order order) {
    if constexpr (kRead == Read::kLoad) return Load(at);
    if constexpr (kRead == Read::kReversed) return Reversed(Load(at));
    if constexpr (kRead == Read::kPermuted) return Permute(Load(at), order);
    if constexpr (kRead == Read::kFew) return Permute(same, order);
    return same;
  }

  // The vector of elements from i on of the line at `line`. Not inline: it is called once for each group, not
  // for each line, or where there are few vectors.
  static HWY_NOINLINE V VectorAt(const Source& s, const std::byte* line, std::size_t i) {
    std::ptrdiff_t offset;
    HWY_ALIGN Unsigned order[kMostLanes] = {};
    FindPlace(s, i, offset, order);
    line += offset;
    switch (s.read) {
      case Read::kLoad:
        return Load(line);
      case Read::kSame:
        return Broadcast(line);
      case Read::kReversed:
        return Reversed(Load(line));
      case Read::kPermuted:
        return Permute(Load(line), order);
      case Read::kFew:
        break;
    }
    return Permute(LoadFew(s, line), order);
  }

  // The first n elements of a line that is shorter than a vector.
  static HWY_INLINE V FirstOf(const Source& s, const std::byte* line, std::size_t n) {
    if (s.read == Read::kReversed) return BackwardLine{line}.First(n);
    return s.input->kind == Kind::kDense ? LoadFirst(line, n) : VectorAt(s, line, 0);
  }

  // v[k] = vector k of the group in the line at `line`, or the join of v[k] and it.
  template <Read kRead, bool kJoins>
  static HWY_INLINE void Take(const Source& s, const Place& place, const std::byte* line,
                              Held<V> (&v)[kGroup]) {
    V same = hn::Set(D(), typename A::Bits{0});
    if constexpr (kRead == Read::kSame) same = Broadcast(line);
    if constexpr (kRead == Read::kFew) same = LoadFew(s, line);
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < kGroup; ++k) {
      const V with = VectorOf<kRead>(same, line + place.offset[k], LoadOrder(place.order[k]));
      v[k] = kJoins ? L::Join(v[k], with) : with;
    }
  }
  template <bool kJoins>
  static HWY_INLINE void Take(const Source& s, const Place& place, const std::byte* line,
                              Held<V> (&v)[kGroup]) {
    switch (s.read) {
      case Read::kLoad:
        return Take<Read::kLoad, kJoins>(s, place, line, v);
      case Read::kSame:
        return Take<Read::kSame, kJoins>(s, place, line, v);
      case Read::kReversed:
        return Take<Read::kReversed, kJoins>(s, place, line, v);
      case Read::kPermuted:
        return Take<Read::kPermuted, kJoins>(s, place, line, v);
      case Read::kFew:
        break;
    }
    Take<Read::kFew, kJoins>(s, place, line, v);
  }

  static HWY_INLINE void StoreGroup(const Held<V> (&v)[kGroup], std::byte* y) {
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < kGroup; ++k) Store(v[k], y + k * Lanes() * kWidth);
  }

  // The group from element i on, in all lines of a block whose first one is at `y`.
  static void JoinGroup(const Source* sources, std::size_t count, std::size_t i, std::byte* y,
                        const LinesTo& to) {
    Place places[kMaxPatternInputs];
    const Source* varying[kMaxPatternInputs];
    std::size_t varying_count = 0;
    Held<V> fixed[kGroup];
    for (std::size_t k = 0; k < kGroup; ++k)
      fixed[k] = hn::Set(D(), typename A::Bits{0});  // GCC does not see that it is set
    bool has_fixed = false;
    for (std::size_t m = 0; m < count; ++m) {
      const Source& s = sources[m];
      if (s.input->line_stride != 0 && to.lines > 1) {
        Place& place = places[varying_count];
        for (std::size_t k = 0; k < kGroup; ++k) {
          FindPlace(s, i + k * Lanes(), place.offset[k], place.order[k]);
        }
        varying[varying_count++] = &s;
        continue;
      }
      for (std::size_t k = 0; k < kGroup; ++k) {
        const V v = VectorAt(s, s.data, i + k * Lanes());
        fixed[k] = has_fixed ? L::Join(fixed[k], v) : v;
      }
      has_fixed = true;
    }
    y += i * kWidth;
    if (varying_count == 1 && has_fixed) return JoinOne(*varying[0], places[0], fixed, y, to);
    std::ptrdiff_t line = 0;
    for (std::size_t left = to.lines; left > 0; y += to.line_stride, ++line) {
      const auto data_of = [&](std::size_t m)
                               HWY_ATTR { return varying[m]->data + line * varying[m]->input->line_stride; };
      Held<V> v[kGroup];
      for (std::size_t k = 0; k < kGroup; ++k) v[k] = fixed[k];
      std::size_t next = 0;
      if (!has_fixed) {
        Take<false>(*varying[0], places[0], data_of(0), v);
        next = 1;
      }
      for (; next < varying_count; ++next) Take<true>(*varying[next], places[next], data_of(next), v);
      StoreGroup(v, y);
      if (--left == 0) break;  // after the last line, the pointer would leave the object
    }
  }

  // One input differs from line to line.
  static HWY_INLINE void JoinOne(const Source& s, const Place& place, const Held<V> (&fixed)[kGroup],
                                 std::byte* y, const LinesTo& to) {
    switch (s.read) {
      case Read::kLoad:
        return JoinOne<Read::kLoad>(s, place, fixed, y, to);
      case Read::kSame:
        return JoinOne<Read::kSame>(s, place, fixed, y, to);
      case Read::kReversed:
        return JoinOne<Read::kReversed>(s, place, fixed, y, to);
      case Read::kPermuted:
        return JoinOne<Read::kPermuted>(s, place, fixed, y, to);
      case Read::kFew:
        break;
    }
    JoinOne<Read::kFew>(s, place, fixed, y, to);
  }

  // What a line needs is copied, so that it can stay in registers: the compiler takes a store to the output
  // for one to any memory.
  template <Read kRead>
  static HWY_INLINE void JoinOne(const Source& s, const Place& place, const Held<V> (&fixed)[kGroup],
                                 std::byte* y, const LinesTo& to) {
    const Source source = s;
    const std::ptrdiff_t line_stride = s.input->line_stride, y_stride = to.line_stride;
    std::ptrdiff_t offset[kGroup] = {};
    Held<typename A::Order> order[kGroup];
    for (std::size_t k = 0; k < kGroup; ++k) {
      offset[k] = place.offset[k];
      order[k] = LoadOrder(place.order[k]);
    }
    const std::byte* line = s.data;
    for (std::size_t left = to.lines; left > 0; y += y_stride, line += line_stride) {
      V same = hn::Set(D(), typename A::Bits{0});
      if constexpr (kRead == Read::kSame) same = Broadcast(line);
      if constexpr (kRead == Read::kFew) same = LoadFew(source, line);
      Held<V> v[kGroup];
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kGroup; ++k) {
        v[k] = L::Join(fixed[k], VectorOf<kRead>(same, line + offset[k], order[k]));
      }
      StoreGroup(v, y);
      if (--left == 0) break;  // as in JoinGroup
    }
  }

  static void JoinPatterns(const PatternInput* inputs, std::size_t count, const LinesTo& y) {
    if (y.n == 0) return;
    const std::size_t lanes = Lanes();
    Source sources[kMaxPatternInputs];
    for (std::size_t m = 0; m < count; ++m) Describe(inputs[m], y.n, sources[m]);
    const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(y.n) * kDense;
    // As in JoinEachLine.
    const bool streams = y.non_temporal && y.n >= lanes && (y.lines == 1 || y.line_stride == length) &&
                         LineStream::IsAligned(y.data);
    for (std::size_t k = 0; k < y.blocks; ++k) {
      const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(k);
      for (std::size_t m = 0; m < count; ++m) BeginBlock(block, y.lines, sources[m]);
      std::byte* const to = y.data + block * y.block_stride;
      if (!streams && y.n >= kGroup * lanes) {
        // The last group overlaps the one before, as the last vector does in ForEachVector.
        for (std::size_t i = 0; i < y.n; i += kGroup * lanes) {
          JoinGroup(sources, count, HWY_MIN(i, y.n - kGroup * lanes), to, y);
        }
        continue;
      }
      LineStream stream(to);
      for (std::size_t j = 0; j < y.lines; ++j) {
        const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(j);
        const auto join = [&](auto vector_of) HWY_ATTR {
          V v = vector_of(0);
          for (std::size_t m = 1; m < count; ++m) v = L::Join(v, vector_of(m));
          return v;
        };
        const auto data_of = [&](std::size_t m)
                                 HWY_ATTR { return sources[m].data + line * inputs[m].line_stride; };
        const auto at = [&](std::size_t i) HWY_ATTR {
          return join([&](std::size_t m) HWY_ATTR { return VectorAt(sources[m], data_of(m), i); });
        };
        const auto first = [&](std::size_t n) HWY_ATTR {
          return join([&](std::size_t m) HWY_ATTR { return FirstOf(sources[m], data_of(m), n); });
        };
        if (streams) {
          stream.Write(y.n, at);
        } else {
          A::template ForEachVector<1>(y.n, to + line * y.line_stride, at, first);
        }
      }
      if (streams) stream.End();
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace

template <>
constinit const ByDType<PatternKernels> Simd<HWY_NAMESPACE::kTarget>::patterns =
    MakeByDType<HWY_NAMESPACE::kOnlyForBytes>([](auto tag) {
      using P = HWY_NAMESPACE::PatternJoins<typename decltype(tag)::type>;
      return PatternKernels{&P::JoinPatterns, HWY_MAX_BYTES};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
