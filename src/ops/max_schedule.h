// How a Max iterates: its loops, lines and tiles, and how each input is read. It has no pointer to elements.
#ifndef SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_
#define SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/few.h"
#include "kernels/kernels.h"
#include "ops/loop_nest.h"
#include "ops/reading.h"
#include "ops/tuning.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// The innermost loops of a nest make a line of the output: one loop where that is long enough, otherwise as
/// many as are contiguous in the output's memory. A tile, the unit of work of a thread, is a part of some
/// lines of some blocks. All steps are in elements.
///
// clang-format off
///   loops of the nest, outermost first                     a tile of 2 blocks of 3 lines of 4 parts
///
///   0 .. line-3   1 step                                   block 0   |part|part|part|part|   line 0
///   line-2        tile_extents[line-2] blocks of a tile              |part|part|part|part|   line 1
///   line-1        tile_extents[line-1] lines of a block              |part|part|part|part|   line 2
///   line          tile_extents[line] parts of a line       block 1   |part|part|part|part|   line 0
///   line+1 ..     part_elements of a part                            |part|part|part|part|   line 1
///                                                                    |part|part|part|part|   line 2
// clang-format on
struct MaxSchedule {
  struct Input {
    std::size_t index;    ///< its position among the inputs of the call
    Reading reading;      ///< along a line
    bool owns_buffer;     ///< no other input is expanded into its buffer, which can be reused
    std::uint8_t buffer;  ///< number of the temporary buffer into which it is expanded
  };

  /// Upper bound of a tile's bytes where needs_buffer: the first-level cache holds a tile of the output and
  /// one of each temporary buffer. Chosen by estimate; no benchmark line yet. Cases: max * inner row,
  /// two-sided.
  static constexpr std::size_t kMaxTileBytes = kDefaultTuning.max_buffered_tile_bytes;

  /// The side of the squares in which a transposed input is read, so that whole cache lines are used, limited
  /// by both members of `tuning`. Cases: max * transposed.
  static std::size_t SquareSide(std::size_t width) {
    return std::min(tuning.max_square_side_elements, tuning.max_square_side_bytes / width);
  }

  /// The number of temporary buffers for expanded inputs. Each of the first kMaxExpandBuffers - 1 expanded
  /// inputs owns one; the others share the last one.
  static constexpr std::uint8_t kMaxExpandBuffers = 3;

  std::size_t width = 0;      ///< bytes of an element
  bool has_elements = false;  ///< of the output; without them, the fields from `nest` on are not set
  kernels::RowKernels row;    ///< the kernels of the element type, of the target that was active
  std::size_t input_count = 0;
  Few<Input, kFewOperands> inputs;            ///< in the order in which kernels read them
  Few<bool, kFewOperands> has_output_layout;  ///< by index: such an input may be the output itself (MEM-2)

  LoopNest nest;                   ///< its driving operand is the output
  std::size_t line = 0;            ///< the first loop of a line; the nest's rank if it has no loops
  std::int64_t part_elements = 1;  ///< elements of one step of that loop
  bool dense = true;               ///< a line of the output is contiguous
  bool needs_buffer = false;       ///< a temporary buffer holds an expanded input or an intermediate result
  Shape tile_extents;              ///< steps of a tile along each loop up to `line`: 1 before loop line-2
  Shape tile_counts;               ///< number of tiles along each of these loops
  std::int64_t tile_count = 1;     ///< tiles of the whole output
  std::size_t inputs_like_output = 0;  ///< so many of the first have the output's steps; 0 unless `dense`

  /// Not 0: two inputs, both of this step along a line, which is one loop: a call of `join` for each line.
  std::int64_t joined_step = 0;

  /// Not 0: the elements of the output where one call of `join` computes it. There are two inputs, with these
  /// strides in bytes, and the output is one line in one tile.
  std::size_t one_join = 0;
  std::array<std::ptrdiff_t, 2> one_join_strides = {};

  std::size_t threads = 1;    ///< the maximum number of threads that share the tiles
  bool non_temporal = false;  ///< the output is written by non-temporal stores, unless it is an input

  /// Decides everything above for these operands; their data pointers are not read. `max_threads` as in
  /// MaxOptions.
  ///
  /// Requires: CheckMax holds; *this is as constructed.
  /// Errors: kOutOfMemory. Cost: time and memory linear in the number of inputs.
  Result<void> Init(std::span<const TensorView> operands, const TensorView& output, std::size_t max_threads);

  /// The same distance in bytes.
  std::ptrdiff_t Bytes(std::int64_t elements) const {
    return static_cast<std::ptrdiff_t>(elements) * static_cast<std::ptrdiff_t>(width);
  }

  /// Bytes allocated by Init.
  std::size_t MemoryBytes() const;

 private:
  Error OutOfMemory() const;
  void MakeTiles(double output_bytes, Few<Reading, kFewOperands>& readings);
  void OrderInputs(const Few<Reading, kFewOperands>& readings);
  void ChooseBuffers();
  std::int64_t JoinedStep() const;
  void FindOneJoin();
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_SCHEDULE_H_
