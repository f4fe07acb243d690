// The thresholds of schedules and of calls without a plan, in one place: no result depends on them (ORD-5).
#ifndef SUPREMUM_SRC_OPS_TUNING_H_
#define SUPREMUM_SRC_OPS_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace supremum {

/// A threshold without a measurement was chosen by estimate. "Cases" are the lines of supremum_bench --all
/// to measure when it changes.
struct Tuning {
  // Threads.

  /// Below this many bytes for each thread, starting another worker thread costs more than it saves. Cases:
  /// those that move 64 KiB to 1 MiB, with two threads.
  std::size_t min_bytes_per_thread = 256 * 1024;
  /// With fewer tiles for each thread, tiles are made smaller: one tile more for some threads is much of the
  /// work. Cases: reduce * last, subset, with two threads.
  std::int64_t min_tiles_per_thread = 4;
  /// Elements of an enclosure that one thread computes at a time.
  std::int64_t enclosed_elements_per_unit = 4096;

  // Lengths of lines and runs, in bytes.

  /// Lines of at least this many bytes are joined one by one where all inputs are read in place and one tile
  /// has the whole output: an expanded input would be read once. Cases: max * tiny.
  std::int64_t min_single_line_bytes = 32;
  /// Lines of at least this many bytes that are read in place are extended by the next loop only if that
  /// costs nothing. Cases: max * alternating, pairwise, two-sided.
  std::int64_t min_medium_line_bytes = 128;
  /// Other lines of at least this many bytes are extended only if that costs nothing. Shorter lines have no
  /// non-temporal stores: the partial vector at a line's end waits for the next line. With lines of 64 bytes
  /// such stores took 2 to 3 times as long as cached ones. Cases: max * alternating, pairwise, 64 MiB.
  std::int64_t min_separate_line_bytes = 256;
  /// With lines and runs of at least this many bytes, a call of a kernel costs little compared with its
  /// elements. Lines that are read in place are not extended. Runs are not folded as blocks first; those with
  /// gaps are copied to a buffer. Cases: max * inner row, two-sided, reduce * subset.
  std::int64_t min_long_line_bytes = 512;
  /// Lines of at least this many bytes are never extended. Cases: max * inner row, alternating, row, column.
  std::int64_t min_final_line_bytes = 4096;

  // Sizes of tiles, in bytes. Buffers bound them from above: the defaults.

  /// Upper bound of a tile's accumulators, which stay in the first-level cache: those of ReduceMax, the block
  /// into which blocks are folded first, and the intermediate results of Max of more than two inputs. Cases:
  /// reduce * first, middle, subset, max * 3 inputs, 1 MiB and more.
  std::int64_t max_accumulator_bytes = 8 * 1024;
  /// Upper bound of a tile of Max with temporary buffers. Cases: max * inner row, two-sided.
  std::int64_t max_buffered_tile_bytes = 16 * 1024;
  /// Upper bound of other tiles. These are a tile of Max without buffers, the elements that a tile of several
  /// blocks reads, and the accumulators of all threads that share a tile. Cases: max * equal, reduce * all,
  /// with two threads, reduce * inner, subset.
  std::int64_t max_tile_bytes = 32 * 1024;
  /// The side of the squares in which a transposed input is read, so that whole cache lines are used. Cases:
  /// max * transposed.
  std::size_t max_square_side_bytes = 256, max_square_side_elements = 64;
};

/// The values of every call outside tests. Those that are sizes of buffers bound `tuning` from above.
inline constexpr Tuning kDefaultTuning;

/// The values in use. Only tests change them, between calls.
inline constinit Tuning tuning;

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_TUNING_H_
