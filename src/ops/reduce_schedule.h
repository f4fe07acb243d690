// How a ReduceMax iterates over its source: which two loops are one call of a primitive, and which are around
// it.
#ifndef SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_
#define SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_

#include <cstddef>
#include <cstdint>

#include "core/axes.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// The source's dimensions, merged, in the order of its memory: kept ones, and reduced ones, along which the
/// output's step is 0. The innermost kept dimension is the line, the innermost reduced one the run; both
/// together are a block, which one call of a primitive folds. The others are loops around it. All steps are
/// in elements.
///
// clang-format off
///   for each index of kept.extents              a block, order kRuns         order kRows
///     for each index of reduced.extents
///       fold a block                            line |run------->|          run |line------->|
///                                                    |run------->|              |line------->|
///                                                    ...                        ...
///                                               line.extent runs,            run.extent lines,
///                                               an accumulator each          one row of accumulators
// clang-format on
struct ReduceSchedule {
  /// Loops, outermost first. The output_steps of the reduced ones are not used.
  struct Loops {
    Shape extents, source_steps, output_steps;
  };
  /// A dimension of the block: extent 1 where there is none, extent 0 for a run without elements (RED-6).
  struct Inner {
    std::int64_t extent = 1, source_step = 0, output_step = 0;
  };
  /// The dimension of a block with the smaller step in the source.
  enum class Order : std::uint8_t {
    kRuns,  ///< runs, each to one accumulator
    kRows,  ///< lines, which are folded into a row of accumulators
  };

  Loops kept, reduced;
  Inner run, line;
  Order order = Order::kRows;
  /// Blocks are contiguous and their lines or runs are short: whole blocks are folded into one block along
  /// the reduced loops first, as rows, and then that block is folded.
  bool fold_blocks_first = false;
  std::int64_t source_origin = 0, output_origin = 0;

  /// Upper bound of the bytes of the block into which fold_blocks_first folds, a temporary buffer in the
  /// first-level cache. Chosen by estimate; no benchmark line yet. Cases: reduce * subset.
  static constexpr std::int64_t kMaxFoldedBlockBytes = 8 * 1024;

  /// Requires: the output has elements, and has the shape of the reduced source. Errors: kOutOfMemory.
  static Result<ReduceSchedule> Make(const TensorView& source, const TensorView& output, AxisSet axes,
                                     bool keepdims);

  /// Elements of the source that are read, an element that is repeated by a step of 0 counted once.
  std::int64_t SourceElements() const;
  std::int64_t OutputElements() const;

  /// The loops and the block's dimensions as one index space, of the source and of the output.
  Loops Source() const;
  Loops Output() const;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_
