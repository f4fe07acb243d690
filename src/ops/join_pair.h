// Max of two dense operands, one or both of which are broadcast, with few loops, as some calls of join_lines:
// for small outputs, without a plan or where a plan would expand an operand.
#ifndef SUPREMUM_SRC_OPS_JOIN_PAIR_H_
#define SUPREMUM_SRC_OPS_JOIN_PAIR_H_

#include <array>
#include <cstddef>

#include "kernels/kernels.h"
#include "ops/pair_loops.h"
#include "supremum/shape.h"

namespace supremum {

/// The elements, lines and blocks of a call of join_lines, and the calls.
inline constexpr std::size_t kMaxPairLoops = 4;

/// The loops of two broadcast inputs, steps in elements. One input is dense along the innermost loop; where
/// one is dense in the next loop too, it is that one.
struct BroadcastPair : PairLoops<kMaxPairLoops, std::size_t> {
  std::size_t dense = 0;  ///< which input is the dense one

  /// No loops.
  BroadcastPair();

  const std::array<std::size_t, kMaxPairLoops>& DenseSteps() const { return step[dense]; }
  const std::array<std::size_t, kMaxPairLoops>& OtherSteps() const { return step[1 - dense]; }
  bool DenseIsContiguous() const { return extent[1] > 1 && DenseSteps()[1] == extent[0]; }

  /// The bytes of a line.
  std::size_t LineBytes(std::size_t width) const { return extent[0] * width; }
  /// True if each element of the other input is read as often as a line is long, in one longer line. Where
  /// the dense input is contiguous, the other one's step in the next loop is 1 if it is 0 in this one, and 0
  /// if it is 1: else the two were merged.
  bool OtherRepeats(std::size_t width) const;
  /// True if the same short row of the other input, in each line, is copied and read as one longer line.
  bool OtherIsPeriodic(std::size_t width) const;
  /// True if a call of a kernel for each line would take most of the time.
  bool HasManyShortLines(std::size_t width, std::size_t vector_bytes) const;
};

/// Finds the loops of dense inputs of these shapes, and writes them to `pair`, which is new: a copy of it
/// would wait for what was just written. False if `output` is not their common shape, has more than 64 KiB,
/// too many loops, or very many short lines.
///
/// Requires: no input has more dimensions than the output, which has elements.
bool FindBroadcastPair(const std::array<DimsView, 2>& inputs, DimsView output, std::size_t width,
                       BroadcastPair& pair);

/// y = the maximum of both inputs, of which one may be y.
///
/// Requires: FindBroadcastPair found `pair` for them.
/// Cost: no allocation.
void JoinPair(const kernels::RowKernels& row, std::size_t width, const std::array<const std::byte*, 2>& data,
              const BroadcastPair& pair, std::byte* y);

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_JOIN_PAIR_H_
