// How a ReduceMax goes through its source: which loops a primitive takes at once, and which are around it.
#ifndef SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_
#define SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_

#include <cstddef>
#include <cstdint>

#include "core/axes.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// The source's dimensions, merged, in the order of its memory: kept ones, along which the output moves with
/// the source, and reduced ones, along which it stands still. The innermost kept dimension, the line, and the
/// innermost reduced one, the run, make a block that a primitive folds at once; the others are loops around
/// it. All steps in elements.
struct ReduceSchedule {
  /// Loops, outermost first; of the reduced ones, output_steps are not used.
  struct Loops {
    Shape extents, source_steps, output_steps;
  };
  /// A dimension of the block; extent 1 where there is none, 0 for a run of nothing (RED-6).
  struct Inner {
    std::int64_t extent = 1, source_step = 0, output_step = 0;
  };
  /// What lies closest together in a block.
  enum class Order : std::uint8_t {
    kRuns,  ///< runs, each to one accumulator
    kRows,  ///< lines, which are folded into a row of accumulators
  };

  Loops kept, reduced;
  Inner run, line;
  Order order = Order::kRows;
  /// Blocks have short lines or runs, and their elements lie side by side: whole blocks are folded into one
  /// along the reduced loops first, as rows, and that one block then.
  bool fold_blocks_first = false;
  std::int64_t source_origin = 0, output_origin = 0;

  /// The most that fold_blocks_first folds into.
  static constexpr std::int64_t kMaxFoldedBlockBytes = 8 * 1024;

  /// Requires: the output has elements, and is what the source is reduced to. Errors: kOutOfMemory.
  static Result<ReduceSchedule> Make(const TensorView& source, const TensorView& output, AxisSet axes,
                                  bool keepdims);

  /// Elements of the source that are read, each counted once.
  std::int64_t SourceElements() const;
  std::int64_t OutputElements() const;

  /// The loops and the block's dimensions of the source, and of the output, as one rectangle each, from their
  /// origins.
  Loops Source() const;
  Loops Output() const;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_
