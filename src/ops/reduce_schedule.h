// How a ReduceMax iterates: which loops are one call of a primitive, which are around it, and which part of
// the output is the work of one thread. It has no pointer to elements.
#ifndef SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_
#define SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_

#include <cstddef>
#include <cstdint>

#include "core/axes.h"
#include "kernels/kernels.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// The source's dimensions, merged, in the order of its memory: kept ones, and reduced ones, along which the
/// output's step is 0. The innermost kept dimension is the line, the innermost reduced one the run; both
/// together are a block, which one call of a primitive folds. The others are loops around it. All steps are
/// in elements. A tile, the unit of work of a thread, is a part of a line; or, where lines are short and the
/// output is dense, several whole lines.
///
// clang-format off
///   for each tile:                              block, order kRuns           block, order kRows
///     for each index of reduced.extents:
///       fold a block into the accumulators      line |run------->|          run |line------->|
///       of the tile                                  |run------->|              |line------->|
///     write the accumulators to the output           ...                        ...
///                                               line.extent runs,            run.extent lines,
///                                               an accumulator each          one row of accumulators
///
///   tiles of a line, blocks_per_tile = 1        a tile of blocks_per_tile = 3 blocks
///
///   |line---------------------------->|         index i   of the last kept loop   |line--->|
///   |tile 0     |tile 1     |tile 2   |         index i+1                         |line--->|
///   |<--------->|                               index i+2                         |line--->|
///   line_elements_per_tile
///
///   If there are few tiles, lines are divided further, for the same number of tiles for each thread.
///   If there are still fewer tiles than threads, several threads share each tile:
///
///   the outermost reduced loop, or the run      |share 0     |share 1     | ... |share threads_per_tile-1|
///   if there is none                            each thread folds a share; then the results are joined
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

  std::size_t width = 0;           ///< bytes of an element
  bool has_elements = false;       ///< of the output; without them, the fields from `kept` on are not set
  kernels::RowKernels row;         ///< the kernels of the element type, of the target that was active
  bool has_output_layout = false;  ///< the output may be the source itself (MEM-2)

  Loops kept, reduced;
  Inner run, line;
  Order order = Order::kRows;
  /// Blocks are contiguous and their lines or runs are short: whole blocks are folded into one block along
  /// the reduced loops first, as rows, and then that block is folded.
  bool fold_blocks_first = false;
  bool is_copy = false;  ///< nothing is reduced
  std::int64_t source_origin = 0, output_origin = 0;

  std::int64_t line_elements_per_tile = 1;
  std::int64_t blocks_per_tile = 1;
  /// The loops over tiles: the kept ones, the last one in steps of blocks_per_tile; where that is 1, then the
  /// line in steps of line_elements_per_tile.
  Loops tiles;
  std::int64_t tile_count = 1;

  std::size_t threads = 1;           ///< the maximum number of threads
  std::size_t threads_per_tile = 1;  ///< above 1, threads share each tile; otherwise they share the tiles

  /// Decides everything above for these operands; their data pointers are not read. `max_threads` as in
  /// ReduceMaxOptions.
  ///
  /// Requires: the output has the shape of the source reduced along `axes`; *this is as constructed.
  /// Errors: kOutOfMemory. Cost: linear in the ranks.
  Result<void> Init(const TensorView& source_view, const TensorView& output_view, AxisSet axes, bool keepdims,
                    std::size_t max_threads);

  /// The extent of the loop that threads share: the outermost reduced one, or the run where there is none.
  std::int64_t SharedExtent() const { return reduced.extents.empty() ? run.extent : reduced.extents[0]; }
  /// The source's step along it.
  std::int64_t SharedStep() const {
    return reduced.extents.empty() ? run.source_step : reduced.source_steps[0];
  }

  /// The loops and the block's dimensions as one index space, of the source and of the output.
  Loops Source() const;
  Loops Output() const;

 private:
  Result<void> MakeLoops(const TensorView& source, const TensorView& output, AxisSet axes, bool keepdims);
  void MakeTiles(std::size_t max_threads);
  void DivideLines(std::int64_t lines);
  std::int64_t ChooseBlocksPerTile() const;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_REDUCE_SCHEDULE_H_
