// How an input repeats along a line: the layouts that join_patterns reads without expanding them.
#ifndef SUPREMUM_SRC_KERNELS_LINE_PATTERN_H_
#define SUPREMUM_SRC_KERNELS_LINE_PATTERN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace supremum::kernels {

/// Which element of the source is element i of a line: with t = i % period,
///
///   (i / period) * advance + (t / repeat_count) % run
///
// clang-format off
///                                            period   advance   as read along a line
///   a[n], of [N,1] along [N,3]                  3         1     a0 a0 a0 a1 a1 a1 a2 a2 a2 ...
///   a[k], of [1,2] along [N,2]                  2         0     a0 a1 a0 a1 a0 a1 a0 a1 a0 ...
///   a[k], of [1,2,1] along [N,2,2]              4         0     a0 a0 a1 a1 a0 a0 a1 a1 a0 ...
///   a[n][k], of [N,1,2] along [N,3,2]           6         2     a0 a1 a0 a1 a0 a1 a2 a3 a2 ...
///
///   repeat_count: how often an element follows itself; run: the elements of a period
// clang-format on
struct LinePattern {
  std::size_t repeat_count = 1;
  std::size_t run = 1;
  std::size_t period = 1;
  std::size_t advance = 1;  // 0, or at least `run`

  /// How many elements of the source the first n elements of a line span. Requires: n > 0.
  constexpr std::size_t SourceElements(std::size_t n) const {
    if (advance == 0) return std::min(run, (n + repeat_count - 1) / repeat_count);
    const std::size_t last = n - 1, in_period = last % period;
    return last / period * advance + std::min(run, in_period / repeat_count + 1);
  }

  friend constexpr bool operator==(const LinePattern&, const LinePattern&) = default;
};

/// The longest period, in bytes of the line. Longer ones make lines of their own, which are long enough.
/// Chosen by estimate; no benchmark line yet. Cases: max * pairwise.
inline constexpr std::size_t kMaxPeriodBytes = 512;

/// The most elements of a line of join_patterns: keeps the division by a period exact
/// (simd_patterns-inl.h).
inline constexpr std::size_t kMaxPatternLineElements = 1 << 16;

/// The most inputs of a call of join_patterns, whose descriptions are kept on the stack. Chosen by estimate;
/// no benchmark line yet. Cases: max * three shapes.
inline constexpr std::size_t kMaxPatternInputs = 8;

/// An input of join_patterns: blocks of lines, as in Lines, and how each line is read.
struct PatternInput {
  enum class Kind : std::uint8_t {
    kDense,      ///< element i of a line is at data + i * width
    kScalar,     ///< every element is the one at data
    kBackwards,  ///< element i is at data - i * width
    kOrders,     ///< element i is the one that `pattern` says; a vector spans at most as many source elements
  };

  const std::byte* data;
  std::ptrdiff_t block_stride;
  std::ptrdiff_t line_stride;
  Kind kind;
  LinePattern pattern = {};           ///< of kOrders
  const std::byte* orders = nullptr;  ///< of kOrders, made by WriteOrders
};

/// The bytes of the orders of a pattern, at most.
inline constexpr std::size_t kMaxOrdersBytes = kMaxPeriodBytes + 64;

/// The lanes of a vector of the source that the elements of a line from i on are taken from, for every
/// i % period: a window of one sequence, element t of which is t / period * advance + (t % period /
/// repeat_count) % run. Written as unsigned integers of `width` bytes, for a vector after the period too.
///
/// Requires: period * width <= kMaxPeriodBytes; `orders` has kMaxOrdersBytes.
void WriteOrders(const LinePattern& pattern, std::size_t width, std::size_t vector_bytes, std::byte* orders);

}  // namespace supremum::kernels

#endif  // SUPREMUM_SRC_KERNELS_LINE_PATTERN_H_
