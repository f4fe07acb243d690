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
#include <type_traits>

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
// which order. It is decided once for a group of vectors at the same place of all lines of all blocks; then
// the lines are joined at that place, one after the other, without any further arithmetic. Inputs that are
// the same in each line of a block are joined to each other before, and stay in registers.
//
// clang-format off
//   one block of the output            v0 v1 v2 v3: a group, held in registers
//
//   line 0   |v0 v1 v2 v3|           |                     each input: load at line + place, permute by its order
//   line 1   |  |  |  |  |           |
//   line 2   v  v  v  v                                    the next group begins when all lines have this one;
//            group 0      group 1                          the last one overlaps the one before
//
//   a line of less than a group   |v0|v1|v2|             vectors overlap, some may be the same
//                                        |v3|
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
  using A::PermutePrepared;
  using A::Prepare;
  using A::Store;
  using A::StoreFirst;
  using typename A::BackwardLine;
  using typename A::D;
  using typename A::L;
  using typename A::LineStream;
  using typename A::Unsigned;
  using typename A::V;

  // Vectors of a group: with those that joining two needs, they fit into 16 registers. With operands, of
  // which each is two or three, some are read from memory.
  static constexpr std::size_t kGroup = 4;

  // How vectors are read at a place.
  enum class Read : std::uint8_t {
    kLoad,      // kDense
    kSame,      // kScalar
    kPermuted,  // kOrders, kBackwards
    kFew,       // kOrders of a source that is at most a vector, which all vectors of a group permute
  };

  // An input of a call.
  struct Source {
    const PatternInput* input;
    Read read;
    std::size_t count;      // elements of the source of a line, of kOrders
    std::uint64_t inverse;  // 2^32 / period, rounded up
    // Of kFew: from up to the address `whole`, a whole vector can be loaded; from others, `to_end` bytes
    // behind them, where the end of all lines was copied.
    std::uintptr_t whole;
    std::uintptr_t to_end;
    std::byte* end;  // the memory of that copy: kEndBytes
  };

  // Room for a vector behind the last vector of all lines.
  static constexpr std::size_t kEndBytes = 2 * kMostLanes * kWidth;

  // Where and in which order the vectors of a group are read.
  struct Place {
    std::ptrdiff_t offset[kGroup];  // in bytes, from the line's data
    HWY_ALIGN Unsigned order[kGroup][kMostLanes];
  };

  static HWY_INLINE void Describe(const PatternInput& input, std::size_t n, Source& s) {
    s.input = &input;
    s.read = input.kind == Kind::kScalar      ? Read::kSame
             : input.kind == Kind::kBackwards ? Read::kPermuted
                                              : Read::kLoad;
    if (input.kind != Kind::kOrders) return;
    s.inverse = 0xFFFFFFFFu / input.pattern.period + 1;
    s.count = SourceElements(input.pattern, n);
    s.read = s.count > Lanes() ? Read::kPermuted : Read::kFew;
  }

  // As LinePattern::SourceElements, whose code must not be that of this target for every processor.
  static HWY_INLINE std::size_t SourceElements(const LinePattern& pattern, std::size_t n) {
    const std::size_t last = n - 1, periods = last / pattern.period;
    const std::size_t of_last =
        HWY_MIN(pattern.run, (last - periods * pattern.period) / pattern.repeat_count + 1);
    return pattern.advance == 0 && periods > 0 ? pattern.run : periods * pattern.advance + of_last;
  }

  // Copies the end of all lines, `blocks` of `lines` lines: a load may go beyond it.
  static HWY_INLINE void CopyEnd(std::size_t blocks, std::size_t lines, Source& s) {
    if (s.read != Read::kFew) return;
    const std::ptrdiff_t to_last = static_cast<std::ptrdiff_t>(lines - 1) * s.input->line_stride;
    const std::ptrdiff_t to_last_block = static_cast<std::ptrdiff_t>(blocks - 1) * s.input->block_stride;
    const std::ptrdiff_t first = HWY_MIN(to_last, 0) + HWY_MIN(to_last_block, 0);
    const std::ptrdiff_t last = HWY_MAX(to_last, 0) + HWY_MAX(to_last_block, 0);
    const std::size_t bytes = static_cast<std::size_t>(last - first) + s.count * kWidth;
    const std::size_t loaded = Lanes() * kWidth, copied = HWY_MIN(bytes, loaded);
    const std::byte* const end = s.input->data + first + (bytes - copied);
    s.whole = AddressOf(end) - (copied == loaded ? 0 : 1);
    std::memset(s.end, 0, kEndBytes);
    std::memcpy(s.end, end, copied);
    s.to_end = AddressOf(s.end) - AddressOf(end);
  }

  // Element i of a line, whose vector is the one `offset` bytes from its source on, in this prepared order.
  static HWY_INLINE void FindPlace(const Source& s, std::size_t i, std::ptrdiff_t& offset, Unsigned* order) {
    offset = 0;
    if (s.input->kind == Kind::kDense) offset = static_cast<std::ptrdiff_t>(i) * kDense;
    if (s.input->kind == Kind::kBackwards) {
      offset = -static_cast<std::ptrdiff_t>(i + Lanes() - 1) * kDense;
      for (std::size_t j = 0; j < Lanes(); ++j) order[j] = static_cast<Unsigned>(Lanes() - 1 - j);
      hn::StoreU(Prepare(LoadOrder(order)), hn::Rebind<Unsigned, D>(), order);
    }
    if (s.input->kind != Kind::kOrders) return;
    const LinePattern& pattern = s.input->pattern;
    // i / period, exact since i < kMaxPatternLineElements and the period is at most kMaxPeriodBytes.
    const std::size_t periods = static_cast<std::size_t>(i * s.inverse >> 32);
    const std::size_t in_period = i - periods * pattern.period;
    const std::size_t element = periods * pattern.advance;
    const std::size_t from = s.read == Read::kFew ? 0 : HWY_MIN(element, s.count - Lanes());
    offset = static_cast<std::ptrdiff_t>(from) * kDense;
    const hn::Rebind<Unsigned, D> d;
    const auto in_source = LoadOrder(reinterpret_cast<const Unsigned*>(s.input->orders) + in_period);
    hn::StoreU(Prepare(hn::Add(in_source, hn::Set(d, static_cast<Unsigned>(element - from)))), d, order);
  }

  static HWY_INLINE std::uintptr_t AddressOf(const std::byte* at) {
    return reinterpret_cast<std::uintptr_t>(at);
  }

  // What all vectors of a group of the line at `line` have, or permute.
  template <Read kRead>
  static HWY_INLINE V LoadSame(const Source& s, const std::byte* line) {
    if constexpr (kRead == Read::kSame) return Broadcast(line);
    if constexpr (kRead == Read::kFew) {
      const std::uintptr_t at = AddressOf(line);
      return Load(reinterpret_cast<const std::byte*>(at + (at <= s.whole ? 0 : s.to_end)));
    }
    return hn::Set(D(), typename A::Bits{0});
  }

  // The vector at `at` in this order, prepared; `same` as above.
  template <Read kRead>
  static HWY_INLINE V VectorOf(V same, const std::byte* at, typename A::Order order) {
    if constexpr (kRead == Read::kLoad) return Load(at);
    if constexpr (kRead == Read::kPermuted) return PermutePrepared(Load(at), order);
    if constexpr (kRead == Read::kFew) return PermutePrepared(same, order);
    return same;
  }

  // call(read) with the way in which s is read, as a constant.
  template <class Call>
  static HWY_INLINE auto WithRead(const Source& s, Call call) {
    switch (s.read) {
      case Read::kLoad:
        return call(Constant<Read::kLoad>());
      case Read::kSame:
        return call(Constant<Read::kSame>());
      case Read::kPermuted:
        return call(Constant<Read::kPermuted>());
      case Read::kFew:
        break;
    }
    return call(Constant<Read::kFew>());
  }
  template <auto kConstant>
  struct Constant {
    static constexpr auto kValue = kConstant;
  };

  // The vector at this place, in this order, of the line at `line`. Not inline: it is called for each block
  // of lines, not for each line, or where there are few vectors.
  static HWY_NOINLINE V VectorIn(const Source& s, const std::byte* line, std::ptrdiff_t offset,
                                 const Unsigned* order) {
    return WithRead(s, [&](auto read) HWY_ATTR {
      constexpr Read kRead = decltype(read)::kValue;
      return VectorOf<kRead>(LoadSame<kRead>(s, line), line + offset, LoadOrder(order));
    });
  }

  // The vector of elements from i on.
  static HWY_INLINE V VectorAt(const Source& s, const std::byte* line, std::size_t i) {
    std::ptrdiff_t offset;
    HWY_ALIGN Unsigned order[kMostLanes] = {};
    FindPlace(s, i, offset, order);
    return VectorIn(s, line, offset, order);
  }

  // The first n elements of a line that is shorter than a vector.
  static HWY_INLINE V FirstOf(const Source& s, const std::byte* line, std::size_t n) {
    if (s.input->kind == Kind::kBackwards) return BackwardLine{line}.First(n);
    return s.input->kind == Kind::kDense ? LoadFirst(line, n) : VectorAt(s, line, 0);
  }

  // The vectors of a group begin at its elements 0, step, 2 step and last.
  struct GroupOffsets {
    std::size_t step, last;

    HWY_INLINE std::size_t At(std::size_t k) const { return k + 1 < kGroup ? k * step : last; }
  };

  // v[k] = vector k of the group in the line at `line`, or the join of v[k] and it.
  template <bool kJoins>
  static HWY_INLINE void Take(const Source& s, const Place& place, const std::byte* line,
                              Held<V> (&v)[kGroup]) {
    WithRead(s, [&](auto read) HWY_ATTR {
      constexpr Read kRead = decltype(read)::kValue;
      const V same = LoadSame<kRead>(s, line);
      HWY_UNROLL(4)
      for (std::size_t k = 0; k < kGroup; ++k) {
        const V with = VectorOf<kRead>(same, line + place.offset[k], LoadOrder(place.order[k]));
        v[k] = kJoins ? L::Join(v[k], with) : with;
      }
    });
  }

  static HWY_INLINE void StoreGroup(const Held<V> (&v)[kGroup], const GroupOffsets& offsets, std::byte* y) {
    HWY_UNROLL(4)
    for (std::size_t k = 0; k < kGroup; ++k) Store(v[k], y + offsets.At(k) * kWidth);
  }

  // The group from element i on, in all lines of all blocks.
  static void JoinGroup(const Source* sources, std::size_t count, std::size_t i, const GroupOffsets& offsets,
                        const LinesTo& to) {
    Place places[kMaxPatternInputs];
    for (std::size_t m = 0; m < count; ++m) {
      for (std::size_t k = 0; k < kGroup; ++k) {
        FindPlace(sources[m], i + offsets.At(k), places[m].offset[k], places[m].order[k]);
      }
    }
    for (std::size_t block = 0; block < to.blocks; ++block) {
      JoinBlock(sources, places, count, static_cast<std::ptrdiff_t>(block), i, offsets, to);
    }
  }

  static HWY_INLINE const std::byte* FirstLine(const Source& s, std::ptrdiff_t block) {
    return s.input->data + block * s.input->block_stride;
  }

  // An input that differs from line to line, and its next line.
  struct Varying {
    const Source* source;
    const Place* place;
    const std::byte* line;
    std::ptrdiff_t line_stride;
  };

  // The same in the lines of one block.
  static HWY_INLINE void JoinBlock(const Source* sources, const Place* places, std::size_t count,
                                   std::ptrdiff_t block, std::size_t i, const GroupOffsets& offsets,
                                   const LinesTo& to) {
    Varying varying[kMaxPatternInputs];
    std::size_t varying_count = 0;
    Held<V> fixed[kGroup];
    for (std::size_t k = 0; k < kGroup; ++k)
      fixed[k] = hn::Set(D(), typename A::Bits{0});  // GCC does not see that it is set
    bool has_fixed = false;
    for (std::size_t m = 0; m < count; ++m) {
      const Source& s = sources[m];
      if (s.input->line_stride != 0 && to.lines > 1) {
        varying[varying_count++] = {&s, &places[m], FirstLine(s, block), s.input->line_stride};
      } else {
        for (std::size_t k = 0; k < kGroup; ++k) {
          const V v = VectorIn(s, FirstLine(s, block), places[m].offset[k], places[m].order[k]);
          fixed[k] = has_fixed ? L::Join(fixed[k], v) : v;
        }
        has_fixed = true;
      }
    }
    std::byte* y = to.data + block * to.block_stride + i * kWidth;
    if (varying_count == 1 && has_fixed) return JoinOne(varying[0], fixed, offsets, y, to);
    for (std::size_t left = to.lines; left > 0; y += to.line_stride) {
      Held<V> v[kGroup];
      for (std::size_t k = 0; k < kGroup; ++k) v[k] = fixed[k];
      std::size_t next = 0;
      if (!has_fixed) {
        Take<false>(*varying[0].source, *varying[0].place, varying[0].line, v);
        next = 1;
      }
      for (; next < varying_count; ++next) {
        Take<true>(*varying[next].source, *varying[next].place, varying[next].line, v);
      }
      StoreGroup(v, offsets, y);
      if (--left == 0) break;  // after the last line, the pointers would leave the objects
      for (std::size_t m = 0; m < varying_count; ++m) varying[m].line += varying[m].line_stride;
    }
  }

  // A vector that is the same in each line of a block, for JoinOne: an operand, except of vectors of 64
  // bytes. Those take longer to join as operands if lines are not whole cache lines: the stores take the time
  // there. Cases: max * pairwise, two-sided.
  using Operand = std::conditional_t<kVectorBytes == 64, Held<V>, typename L::Operand>;
  static HWY_INLINE Operand OperandOf(V v) {
    if constexpr (kVectorBytes == 64) {
      return v;
    } else {
      return L::OperandOf(v);
    }
  }

  // One input differs from line to line. What a line needs is copied, so that it can stay in registers: the
  // compiler takes a store to the output for one to any memory.
  static HWY_INLINE void JoinOne(const Varying& varying, const Held<V> (&fixed)[kGroup],
                                 const GroupOffsets& offsets, std::byte* y, const LinesTo& to) {
    WithRead(*varying.source, [&](auto read) HWY_ATTR {
      constexpr Read kRead = decltype(read)::kValue;
      const Source source = *varying.source;
      const Place& place = *varying.place;
      const GroupOffsets at = offsets;
      const std::ptrdiff_t line_stride = varying.line_stride, y_stride = to.line_stride;
      std::ptrdiff_t offset[kGroup] = {};
      Held<typename A::Order> order[kGroup];
      Operand operand[kGroup];
      for (std::size_t k = 0; k < kGroup; ++k) {
        operand[k] = OperandOf(fixed[k]);
        offset[k] = place.offset[k];
        order[k] = LoadOrder(place.order[k]);
      }
      const std::byte* line = varying.line;
      std::byte* line_of_y = y;
      for (std::size_t left = to.lines; left > 0; line_of_y += y_stride, line += line_stride) {
        const V same = LoadSame<kRead>(source, line);
        Held<V> v[kGroup];
        HWY_UNROLL(4)
        for (std::size_t k = 0; k < kGroup; ++k) {
          v[k] = L::Join(VectorOf<kRead>(same, line + offset[k], order[k]), operand[k]);
        }
        StoreGroup(v, at, line_of_y);
        if (--left == 0) break;  // as in JoinBlock
      }
    });
  }

  static void JoinPatterns(const PatternInput* inputs, std::size_t count, const LinesTo& y) {
    if (y.n == 0 || y.lines == 0 || y.blocks == 0) return;
    const std::size_t lanes = Lanes();
    Source sources[kMaxPatternInputs];
    HWY_ALIGN std::byte ends[kMaxPatternInputs][kEndBytes];
    for (std::size_t m = 0; m < count; ++m) {
      sources[m].end = ends[m];
      Describe(inputs[m], y.n, sources[m]);
      CopyEnd(y.blocks, y.lines, sources[m]);
    }
    const std::ptrdiff_t length = static_cast<std::ptrdiff_t>(y.n) * kDense;
    // As in JoinEachLine.
    const bool streams = y.non_temporal && y.n >= lanes && (y.lines == 1 || y.line_stride == length) &&
                         LineStream::IsAligned(y.data);
    if (!streams && y.n >= lanes) {
      // The last group overlaps the one before, as the last vector does in ForEachVector.
      const std::size_t last = HWY_MIN(y.n, kGroup * lanes) - lanes;
      const GroupOffsets offsets{HWY_MIN(lanes, last / 2), last};
      for (std::size_t i = 0; i < y.n; i += kGroup * lanes) {
        JoinGroup(sources, count, HWY_MIN(i, y.n - lanes - last), offsets, y);
      }
      return;
    }
    for (std::size_t k = 0; k < y.blocks; ++k) {
      const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(k);
      std::byte* const to = y.data + block * y.block_stride;
      LineStream stream(to);
      for (std::size_t j = 0; j < y.lines; ++j) {
        const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(j);
        const auto join = [&](auto vector_of) HWY_ATTR {
          const auto of = [&](std::size_t m) HWY_ATTR {
            return vector_of(sources[m], FirstLine(sources[m], block) + line * inputs[m].line_stride);
          };
          V v = of(0);
          for (std::size_t m = 1; m < count; ++m) v = L::Join(v, of(m));
          return v;
        };
        if (streams) {
          stream.Write(y.n, [&](std::size_t i) HWY_ATTR {
            return join([&](const Source& s, const std::byte* from)
                            HWY_ATTR { return VectorAt(s, from, i); });
          });
        } else {
          const V v =
              join([&](const Source& s, const std::byte* from) HWY_ATTR { return FirstOf(s, from, y.n); });
          A::StoreFirst(v, to + line * y.line_stride, y.n);
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
      static_assert(kMaxPeriodBytes + HWY_NAMESPACE::kVectorBytes <= kMaxOrdersBytes);
      return PatternKernels{&P::JoinPatterns, HWY_NAMESPACE::kVectorBytes};
    });

}  // namespace supremum::kernels
HWY_AFTER_NAMESPACE();

#endif  // per target
