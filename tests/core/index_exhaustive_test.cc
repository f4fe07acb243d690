// Compares index code with its definition, for all small ranks, extents and strides, and for extreme ones.
//
// The definitions are those of verification/proofs/why3: extent, agree and broadcasts_to of shape.mlw,
// normal, valid and kept of reduce_max.mlw, dot of layout.mlw. Their statements about memory are checked by
// counting addresses.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/align.h"
#include "core/axes.h"
#include "core/overlap.h"

namespace supremum {
namespace {

// All shapes of at most `rank` dimensions with these extents.
std::vector<Shape> AllShapes(std::size_t rank, std::span<const std::int64_t> extents) {
  std::vector<Shape> all{Shape{}};
  for (std::size_t begin = 0, d = 0; d < rank; ++d) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (std::int64_t extent : extents) {
        Shape longer = all[begin];
        longer.PushBack(extent);
        all.push_back(longer);
      }
    }
  }
  return all;
}

// shape.mlw: dimensions are counted from the last one; those that a shape lacks have extent 1.
std::int64_t ExtentAt(DimsView s, std::size_t j) { return j < s.size() ? s[s.size() - 1 - j] : 1; }
bool Agree(DimsView s, DimsView r, std::size_t j) {
  return ExtentAt(s, j) == 1 || ExtentAt(r, j) == 1 || ExtentAt(s, j) == ExtentAt(r, j);
}
bool BroadcastsToByDefinition(DimsView s, DimsView c) {
  bool fits = s.size() <= c.size();
  for (std::size_t j = 0; j < c.size(); ++j)
    fits = fits && (ExtentAt(s, j) == 1 || ExtentAt(s, j) == ExtentAt(c, j));
  return fits;
}

// Rules: BRO-1, BRO-2, BRO-3, BRO-4, BRO-5
TEST(IndexCode, ShapesAreAlignedAndBroadcastAsTheDefinitionSays) {
  const std::int64_t extents[] = {0, 1, 2, 3};
  const std::vector<Shape> shapes = AllShapes(3, extents);
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      ASSERT_EQ(BroadcastsTo(a, b), BroadcastsToByDefinition(a, b)) << ToString(a) << " " << ToString(b);
      const std::size_t rank = std::max(a.rank(), b.rank());
      bool compatible = true;
      for (std::size_t j = 0; j < rank; ++j) compatible = compatible && Agree(a, b, j);
      CommonExtents common(rank);
      bool added = true;
      for (std::size_t m = 0; m < 2; ++m) {
        const Shape& s = m == 0 ? a : b;
        for (std::size_t d = 0; d < s.rank(); ++d) {
          added = added && common.Add(CommonDimension(d, s.rank(), rank), s[d], m);
        }
      }
      ASSERT_EQ(added, compatible) << ToString(a) << " " << ToString(b);
      for (std::size_t j = 0; j < rank; ++j) {
        const std::int64_t extent = ExtentAt(common.shape(), j);
        if (extent != 1) {
          ASSERT_EQ(common.owner(rank - 1 - j), ExtentAt(a, j) == extent ? 0u : 1u)
              << ToString(a) << " " << ToString(b);
        }
      }
      if (!compatible) continue;
      ASSERT_TRUE(BroadcastsToByDefinition(a, common.shape()) && BroadcastsToByDefinition(b, common.shape()));
      for (std::size_t j = 0; j < rank; ++j) {
        const std::int64_t extent = ExtentAt(common.shape(), j);
        ASSERT_TRUE(extent == ExtentAt(a, j) || extent == ExtentAt(b, j)) << ToString(common.shape());
      }
      const Shape strides = [&] {
        Shape some;
        for (std::size_t d = 0; d < a.rank(); ++d)
          some.PushBack(d == 0 ? INT64_MIN : 7 + static_cast<std::int64_t>(d));
        return some;
      }();
      const Shape aligned = AlignedStrides({DType::kInt8, a, strides, nullptr}, rank);
      ASSERT_EQ(aligned.rank(), rank);
      for (std::size_t j = 0; j < rank; ++j) {
        const bool reads = ExtentAt(a, j) != 1;
        ASSERT_EQ(ExtentAt(aligned, j), reads ? ExtentAt(strides, j) : 0)
            << ToString(a) << " in rank " << rank;
      }
    }
  }
}

// Rules: RED-2, RED-3
TEST(IndexCode, AxesNameTheDimensionsThatTheDefinitionSays) {
  for (std::size_t rank = 0; rank <= kMaxRank; ++rank) {
    const std::int64_t r = static_cast<std::int64_t>(rank);
    for (std::int64_t axis : {INT64_MIN, INT64_MIN + 1, -r - 1, INT64_MAX - 1, INT64_MAX, r}) {
      ASSERT_EQ(DimensionOf(axis, rank), std::nullopt) << axis << " of " << rank;
    }
    for (std::int64_t axis = -r; axis < r; ++axis) {
      ASSERT_EQ(DimensionOf(axis, rank), static_cast<std::size_t>(axis < 0 ? axis + r : axis));
    }
    for (std::size_t d = 0; d < kMaxRank; ++d) ASSERT_EQ(AxisSet::All(rank).Has(d), d < rank);
  }
  const std::int64_t extents[] = {0, 1, 3};
  for (const Shape& shape : AllShapes(4, extents)) {
    for (unsigned set = 0; set < 1u << shape.rank(); ++set) {
      AxisSet reduced;
      Shape kept, with_ones;
      for (std::size_t d = 0; d < shape.rank(); ++d) {
        const bool is_reduced = (set >> d & 1) != 0;
        if (is_reduced) reduced.Add(d);
        with_ones.PushBack(is_reduced ? 1 : shape[d]);
        if (!is_reduced) kept.PushBack(shape[d]);
      }
      ASSERT_EQ(ReducedShape(shape, reduced, true), with_ones);
      ASSERT_EQ(ReducedShape(shape, reduced, false), kept);
    }
  }
}

// Rules: RED-2, RED-3, RED-5
TEST(IndexCode, ListsOfTwoAxesNameTheDimensionsThatTheDefinitionSays) {
  for (ReduceMaxVersion version : {ReduceMaxVersion::k1, ReduceMaxVersion::k11, ReduceMaxVersion::k13}) {
    for (std::size_t rank = 0; rank <= 3; ++rank) {
      const std::int64_t r = static_cast<std::int64_t>(rank), most = r + 1;
      const std::int64_t least = version == ReduceMaxVersion::k1 ? 0 : -r;
      const Result<AxisSet> of_none = ResolveAxes(std::nullopt, rank, version, "");
      for (std::size_t d = 0; d < kMaxRank; ++d) ASSERT_EQ(of_none->Has(d), d < rank);
      for (std::int64_t a = -most; a <= most; ++a) {
        for (std::int64_t b = -most; b <= most; ++b) {
          const std::int64_t axes[] = {a, b};
          const bool inside = least <= a && a < r && least <= b && b < r;
          const bool valid = inside && (a < 0 ? a + r : a) != (b < 0 ? b + r : b);
          const Result<AxisSet> resolved = ResolveAxes(std::span(axes), rank, version, "");
          ASSERT_EQ(static_cast<bool>(resolved), valid) << a << ", " << b << " of " << rank;
          for (std::size_t d = 0; valid && d < rank; ++d) {
            const std::int64_t n = static_cast<std::int64_t>(d);
            ASSERT_EQ(resolved->Has(d), n == a || n == a + r || n == b || n == b + r);
          }
        }
      }
    }
  }
}

#ifdef __SIZEOF_INT128__
__extension__ using Wide = __int128;

constexpr std::int64_t kFar = std::int64_t{1} << 61;  // the farthest distance in bytes
constexpr std::int64_t kSizes[] = {0,        1,    2,        3,        kFar / 8, kFar / 8 + 1, kFar / 2 + 1,
                                   kFar - 1, kFar, kFar + 1, INT64_MAX};
constexpr std::int64_t kSteps[] = {0,    1,        -1,        5,         1 << 30,  -kFar / 2,
                                   kFar, 1 - kFar, -2 * kFar, INT64_MIN, INT64_MAX};

// The first and last byte of elements that lie at most 2^61 bytes from `data`, and within the address space.
std::optional<ByteRange> RangeByDefinition(const StridedMemory& memory) {
  Wide first = 0, last = 0;
  for (std::size_t d = 0; d < memory.shape.size(); ++d) {
    if (memory.shape[d] == 0) return ByteRange{};
    const Wide reach = Wide{memory.shape[d] - 1} * memory.strides[d];
    (reach < 0 ? first : last) += reach;
  }
  const Wide width = static_cast<Wide>(memory.width), farthest = Wide{1} << 61;
  const Wide address = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(memory.data));
  if (first < -farthest || last > farthest) return std::nullopt;
  if (first * width < -farthest || (last + 1) * width > farthest) return std::nullopt;
  if (address + first * width < 0 || address + (last + 1) * width > static_cast<Wide>(UINTPTR_MAX))
    return std::nullopt;
  return ByteRange{static_cast<std::int64_t>(first * width), static_cast<std::int64_t>((last + 1) * width)};
}

// Rules: MEM-1
TEST(IndexCode, TheRangeOfAnySizesAndStridesIsThatOfExactArithmetic) {
  for (std::uintptr_t address : {std::uintptr_t{0}, std::uintptr_t{64}, UINTPTR_MAX / 2, UINTPTR_MAX - 64}) {
    for (std::size_t width : {1u, 2u, 4u, 8u}) {
      for (std::int64_t a : kSizes) {
        for (std::int64_t b : kSizes) {
          for (std::int64_t s : kSteps) {
            for (std::int64_t t : kSteps) {
              const Shape shape{a, b}, strides{s, t};
              const StridedMemory memory{reinterpret_cast<const void*>(address), width, shape, strides};
              const std::optional<ByteRange> range = RangeOf(memory), expected = RangeByDefinition(memory);
              ASSERT_EQ(range.has_value(), expected.has_value())
                  << ToString(shape) << " " << ToString(strides);
              if (!range) continue;
              ASSERT_EQ(range->first, expected->first) << ToString(shape) << " " << ToString(strides);
              ASSERT_EQ(range->last, expected->last) << ToString(shape) << " " << ToString(strides);
              // Nothing overflows here, which the sanitizers see; a tensor overlaps itself as a whole.
              const bool empty = range->first == range->last;
              ASSERT_EQ(Overlaps(memory, memory) == Overlap::kNone, empty);
              const Overlap itself = OverlapsItself(memory);
              ASSERT_TRUE(!empty || itself == Overlap::kNone);
              ASSERT_TRUE(empty || a == 1 || s != 0 || itself == Overlap::kSome);
            }
          }
        }
      }
    }
  }
}

// Rules: MEM-1, MEM-2
TEST(IndexCode, RangesOfBytesAtBothEndsOfTheAddressSpaceAreApartAsExactArithmeticSays) {
  std::vector<std::uintptr_t> numbers;
  for (std::uintptr_t n = 0; n <= 5; ++n) {
    numbers.insert(numbers.end(), {n, UINTPTR_MAX / 2 - n, UINTPTR_MAX / 2 + 1 + n, UINTPTR_MAX - n});
  }
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<const void*>(address); };
  const auto end = [](std::uintptr_t address, std::uintptr_t bytes) { return Wide{address} + Wide{bytes}; };
  for (std::uintptr_t a : numbers) {
    for (std::uintptr_t a_bytes : numbers) {
      const bool fits = end(a, a_bytes) <= Wide{UINTPTR_MAX};
      ASSERT_EQ(FitsAddressSpace(at(a), a_bytes), fits) << a << " " << a_bytes;
      if (a_bytes <= INT64_MAX && fits) {
        ASSERT_EQ(AddressAt(at(a), static_cast<std::int64_t>(a_bytes)), at(a + a_bytes));
        ASSERT_EQ(AddressAt(at(a + a_bytes), -static_cast<std::int64_t>(a_bytes)), at(a));
      }
      for (std::uintptr_t b : numbers) {
        for (std::uintptr_t b_bytes : numbers) {
          if (!fits || end(b, b_bytes) > Wide{UINTPTR_MAX} || a_bytes == 0 || b_bytes == 0) continue;
          ASSERT_EQ(Apart(at(a), a_bytes, at(b), b_bytes),
                    end(a, a_bytes) <= Wide{b} || end(b, b_bytes) <= Wide{a})
              << a << " " << a_bytes << " " << b << " " << b_bytes;
        }
      }
    }
  }
}

#endif

// The bytes of all elements, from 96 bytes before `data` on, and whether one is covered twice.
struct Covered {
  std::bitset<192> bytes;
  bool twice = false;

  Covered(const Shape& shape, const Shape& strides, std::int64_t width, std::int64_t begin) {
    for (std::int64_t i = 0; i < shape[0]; ++i) {
      for (std::int64_t j = 0; j < shape[1]; ++j) {
        const std::int64_t at = 96 + begin + width * (i * strides[0] + j * strides[1]);
        for (std::int64_t k = 0; k < width; ++k) {
          twice = twice || bytes[static_cast<std::size_t>(at + k)];
          bytes.set(static_cast<std::size_t>(at + k));
        }
      }
    }
  }
};

// Rules: MEM-1, MEM-2
TEST(IndexCode, OverlapIsWhatCountingTheBytesOfAllSmallTensorsFinds) {
  alignas(8) static std::array<std::byte, 192> memory;
  struct Case {
    Shape shape, strides;
  };
  std::vector<Case> all;
  for (std::int64_t a = 0; a <= 3; ++a) {
    for (std::int64_t b = 1; b <= 3; ++b) {
      for (std::int64_t s = -4; s <= 4; ++s) {
        for (std::int64_t t : {-2, -1, 0, 1, 3}) all.push_back({{a, b}, {s, t}});
      }
    }
  }
  const auto in_memory = [](const Case& c, std::int64_t width, std::int64_t begin) {
    return StridedMemory{memory.data() + 96 + begin, static_cast<std::size_t>(width), c.shape, c.strides};
  };
  for (const Case& a : all) {
    const bool twice = Covered(a.shape, a.strides, 1, 0).twice;
    ASSERT_EQ(OverlapsItself(in_memory(a, 1, 0)), twice ? Overlap::kSome : Overlap::kNone)
        << ToString(a.shape) << " " << ToString(a.strides);
  }
  // Elements of the same width may be in step; those of different widths never are.
  struct Widths {
    std::int64_t a, b;
    std::vector<std::int64_t> begins;
  };
  for (const auto& [a_width, b_width, begins] :
       {Widths{2, 2, {-5, -1, 0, 2, 6}}, Widths{1, 2, {-3}}, Widths{4, 2, {1}}}) {
    for (const Case& a : all) {
      const Covered of_a(a.shape, a.strides, a_width, 0);
      for (const Case& b : all) {
        for (std::int64_t begin : begins) {
          const bool share = (of_a.bytes & Covered(b.shape, b.strides, b_width, begin).bytes).any();
          ASSERT_EQ(Overlaps(in_memory(a, a_width, 0), in_memory(b, b_width, begin)),
                    share ? Overlap::kSome : Overlap::kNone)
              << ToString(a.shape) << " " << ToString(a.strides) << " of " << a_width << " bytes and "
              << ToString(b.shape) << " " << ToString(b.strides) << " of " << b_width << " at " << begin;
        }
      }
    }
  }
}

}  // namespace
}  // namespace supremum
