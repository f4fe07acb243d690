#include "core/overlap.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/sort.h"

namespace supremum {
namespace {

// About a millisecond. Views made by slicing, transposing and reversing dense tensors take a few steps.
constexpr int kMostSteps = 200'000;

// 64 bits also on 32-bit targets: differences of addresses and sizes of untrusted shapes are computed in
// these.
std::uint64_t AddressOf(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

std::int64_t Magnitude(std::int64_t stride) { return stride < 0 ? -stride : stride; }

bool HasNoElements(const StridedMemory& memory) {
  return std::find(memory.shape.begin(), memory.shape.end(), 0) != memory.shape.end();
}

// The question  exists x: 0 <= x[k] <= bound[k], sum of coefficient[k] * x[k] = target,  coefficients
// positive.
class BoundedSum {
 public:
  // Equal coefficients become one term: x1 + x2 takes every value up to the sum of the bounds.
  void Add(std::int64_t coefficient, std::int64_t bound) {
    if (bound == 0 || coefficient == 0) return;
    for (std::size_t k = 0; k < size_; ++k) {
      if (terms_[k].coefficient == coefficient) {
        terms_[k].bound += bound;
        return;
      }
    }
    terms_[size_++] = Term{coefficient, bound, 0, 0};
  }

  // Depth first, largest coefficient first, with two prunings: what the later terms can reach, and what they
  // all divide. Requires: target >= 0.
  Overlap CanReach(std::int64_t target) {
    SortFew(std::span(terms_).first(size_),
            [](const Term& a, const Term& b) { return a.coefficient > b.coefficient; });
    std::int64_t reach = 0, divisor = 0;
    for (std::size_t k = size_; k-- > 0;) {
      reach += terms_[k].coefficient * terms_[k].bound;
      divisor = std::gcd(divisor, terms_[k].coefficient);
      terms_[k].reach = reach;
      terms_[k].divisor = divisor;
    }

    struct Level {
      std::int64_t rest;  // what the terms from here on must add up to
      std::int64_t x;     // the next value to try
      std::int64_t low;   // the last one
    };
    std::array<Level, kMostTerms + 1> levels;
    std::size_t depth = 0;
    const auto open = [&](std::int64_t rest) {
      Level& level = levels[depth];
      level.rest = rest;
      level.x = -1;
      level.low = 0;
      if (depth == size_) return;
      const Term& term = terms_[depth];
      if (rest % term.divisor != 0) return;
      const std::int64_t later = depth + 1 < size_ ? terms_[depth + 1].reach : 0;
      level.x = std::min(term.bound, rest / term.coefficient);
      level.low = rest > later ? (rest - later - 1) / term.coefficient + 1 : 0;
    };
    open(target);
    for (int step = 0; step < kMostSteps; ++step) {
      Level& level = levels[depth];
      if (level.rest == 0) return Overlap::kSome;
      if (level.x < level.low) {
        if (depth == 0) return Overlap::kNone;
        --depth;
        continue;
      }
      const std::int64_t rest = level.rest - terms_[depth].coefficient * level.x--;
      ++depth;
      open(rest);
    }
    return Overlap::kNotShown;
  }

 private:
  struct Term {
    std::int64_t coefficient;
    std::int64_t bound;
    std::int64_t reach;    // of this term and those after it
    std::int64_t divisor;  // of this term and those after it
  };
  static constexpr std::size_t kMostTerms = 2 * kMaxRank + 1;

  std::array<Term, kMostTerms> terms_{};
  std::size_t size_ = 0;
};

// Overlaps for ranges that overlap. A function of its own: its terms take kilobytes of stack, which most
// calls need not touch.
Overlap SearchOverlap(const StridedMemory& a, const ByteRange& a_range, const StridedMemory& b,
                      const ByteRange& b_range) {
  const std::uint64_t a_first = AddressOf(a.data) + static_cast<std::uint64_t>(a_range.first);
  const std::uint64_t b_first = AddressOf(b.data) + static_cast<std::uint64_t>(b_range.first);
  const std::uint64_t b_size = static_cast<std::uint64_t>(b_range.last - b_range.first);

  // Byte p of the element of a at index x, and byte q of the element of b at index y (both counted from the
  // lowest address), have one address if
  //   a_first + |a.strides| . x + p = b_first + |b.strides| . y + q.
  // The search needs unknowns that are bounded and non-negative: y' = reach - y, counted from the highest
  // address, and r = p - q + (b.width - 1). With these:
  //   |a.strides| . x + |b.strides| . y' + r = b_first - a_first + |b.strides| . reach + (b.width - 1)
  const std::int64_t distance = static_cast<std::int64_t>(b_first - a_first);
  const std::int64_t a_width = static_cast<std::int64_t>(a.width),
                     b_width = static_cast<std::int64_t>(b.width);
  const bool in_step = a_width == b_width && distance % a_width == 0;
  // In step, elements share all bytes or none: r is constant, and everything is counted in elements.
  const std::int64_t unit = in_step ? a_width : 1;
  BoundedSum sum;
  const auto add_elements = [&sum, unit](const StridedMemory& memory, std::int64_t width) {
    for (std::size_t d = 0; d < memory.shape.size(); ++d) {
      if (memory.shape[d] > 1) sum.Add(Magnitude(memory.strides[d]) * (width / unit), memory.shape[d] - 1);
    }
  };
  add_elements(a, a_width);
  add_elements(b, b_width);
  if (!in_step) sum.Add(1, a_width - 1 + b_width - 1);
  const std::int64_t b_reach = static_cast<std::int64_t>(b_size) - b_width;
  return sum.CanReach((distance + b_reach) / unit + (in_step ? 0 : b_width - 1));
}

}  // namespace

std::optional<ByteRange> RangeOf(const StridedMemory& memory) {
  if (HasNoElements(memory)) return ByteRange{};
  std::int64_t first = 0, last = 0;
  for (std::size_t d = 0; d < memory.shape.size(); ++d) {
    std::int64_t distance = 0;
    if (memory.shape[d] == 1) continue;
    if (__builtin_mul_overflow(memory.shape[d] - 1, memory.strides[d], &distance)) return std::nullopt;
    std::int64_t& end = distance < 0 ? first : last;
    if (__builtin_add_overflow(end, distance, &end)) return std::nullopt;
  }
  const std::int64_t width = static_cast<std::int64_t>(memory.width);
  if (first < -kFarthestByte / width || last > kFarthestByte / width - 1) return std::nullopt;
  const ByteRange range{first * width, (last + 1) * width};
  return FitsAddressSpace(memory.data, range) ? std::optional(range) : std::nullopt;
}

Overlap OverlapsItself(const StridedMemory& memory) {
  if (HasNoElements(memory)) return Overlap::kNone;
  struct Axis {
    std::int64_t stride, reach;
  };
  std::array<Axis, kMaxRank> axes{};
  std::size_t rank = 0;
  for (std::size_t d = 0; d < memory.shape.size(); ++d) {
    if (memory.shape[d] == 1) continue;
    if (memory.strides[d] == 0) return Overlap::kSome;
    axes[rank++] = Axis{Magnitude(memory.strides[d]), memory.shape[d] - 1};
  }
  SortFew(std::span(axes).first(rank), [](const Axis& a, const Axis& b) { return a.stride < b.stride; });

  // Two indices differ by a vector e, |e[d]| <= reach[d]. Its highest nonzero entry e[k] may be assumed
  // positive. Let e[d] = x[d] - reach[d] below k and e[k] = x[k] + 1. Then all x are non-negative and
  // bounded:
  //   sum of stride[d] * x[d] + stride[k] * x[k] = sum of stride[d] * reach[d] - stride[k]
  std::int64_t smaller_reach = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    const std::int64_t target = smaller_reach - axes[k].stride;
    if (target >= 0) {
      BoundedSum sum;
      for (std::size_t d = 0; d < k; ++d) sum.Add(axes[d].stride, 2 * axes[d].reach);
      sum.Add(axes[k].stride, axes[k].reach - 1);
      const Overlap overlap = sum.CanReach(target);
      if (overlap != Overlap::kNone) return overlap;
    }
    smaller_reach += axes[k].stride * axes[k].reach;
  }
  return Overlap::kNone;
}

Overlap Overlaps(const StridedMemory& a, const StridedMemory& b) {
  const std::optional<ByteRange> a_range = RangeOf(a), b_range = RangeOf(b);
  if (!a_range || !b_range) return Overlap::kNotShown;
  if (Apart(a.data, *a_range, b.data, *b_range)) return Overlap::kNone;
  return SearchOverlap(a, *a_range, b, *b_range);
}

}  // namespace supremum
