// Which inputs of a Max join_patterns can read, and along which lines.
#ifndef SUPREMUM_SRC_OPS_PATTERN_READING_H_
#define SUPREMUM_SRC_OPS_PATTERN_READING_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/kernels.h"
#include "ops/loop_nest.h"
#include "ops/tuning.h"

namespace supremum {

/// How join_patterns reads an input along a line.
struct PatternReading {
  kernels::PatternInput::Kind kind = kernels::PatternInput::Kind::kDense;
  kernels::LinePattern pattern = {};
};

/// The vectors of the kernels that read: bytes of an element and of a vector.
struct VectorSize {
  std::size_t width;
  std::size_t vector_bytes;

  std::size_t lanes() const { return vector_bytes / width; }
};

/// How an input is read along a line of these loops, outermost first, or nullopt if join_patterns cannot read
/// it: its steps are others than those of kernels::LinePattern, a period has more than kMaxPeriodBytes, or a
/// vector spans more elements of the source than it has lanes.
std::optional<PatternReading> PatternReadingOf(DimsView extents, DimsView steps, const VectorSize& size);

/// The same of input m of a nest, along a line of its loops from `line` on; nullopt too if there are gaps
/// between its elements and it would be read by orders, which loads whole vectors.
std::optional<PatternReading> PatternReadingOf(const LoopNest& nest, std::size_t m, std::size_t line,
                                               const VectorSize& size);

/// The most elements of a step of a line, which is cut along its first loop only: a step and a line of a tile
/// have no more than kernels::kMaxPatternLineElements.
inline constexpr std::int64_t kMaxPatternStepElements = 4096;

/// The steps of the lines into which a long line is cut, of `step` bytes each: a few hundred bytes, if
/// possible whole groups of vectors of join_patterns, or whole cache lines, so that all of them begin alike.
std::int64_t CutSteps(std::int64_t step);

/// True if so many lines of a block, of so many bytes each, are long enough for join_patterns.
inline bool AreLongEnough(std::int64_t lines, std::int64_t bytes, const VectorSize& size) {
  if (bytes >= tuning.min_long_line_bytes) return true;
  const std::int64_t group = 4 * static_cast<std::int64_t>(size.vector_bytes);
  const std::int64_t joined = (bytes + group - 1) / group * group;
  return bytes >= tuning.min_medium_line_bytes && lines >= tuning.min_short_lines && bytes * 4 >= joined * 3;
}

/// The first loop of the line along which join_patterns reads all inputs: the shortest line that is long
/// enough, or else the longest; nullopt if none has a vector. read(line) returns whether it reads all of them
/// along the line of the loops from `line` on.
///
/// Requires: the output's innermost step is 1.
template <class AllAreRead>
std::optional<std::size_t> LineOfPatterns(DimsView extents, DimsView output_steps, const VectorSize& size,
                                          AllAreRead all_are_read) {
  std::optional<std::size_t> longest;
  std::int64_t elements = 1;
  for (std::size_t line = extents.size(); line-- > 0;) {
    if (output_steps[line] != elements || elements > kMaxPatternStepElements) break;
    elements *= extents[line];
    const std::int64_t bytes = elements * static_cast<std::int64_t>(size.width);
    if (bytes < static_cast<std::int64_t>(size.vector_bytes) || !all_are_read(line)) continue;
    longest = line;
    if (AreLongEnough(line > 0 ? extents[line - 1] : 1, bytes, size)) break;
  }
  return longest;
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_PATTERN_READING_H_
