// The thresholds of schedules and of calls without a plan, in one place: no result depends on them (ORD-5).
#ifndef SUPREMUM_SRC_OPS_TUNING_H_
#define SUPREMUM_SRC_OPS_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace supremum {

/// A threshold without a measurement was chosen by estimate. "Cases" are the lines of supremum_bench to
/// measure when it changes.
struct Tuning {
  // Threads.

  /// Below this many bytes for each thread, starting another worker thread costs more than it saves. Cases:
  /// those that move 64 KiB to 1 MiB, with two threads.
  std::size_t min_bytes_per_thread = 256 * 1024;
  /// With fewer tiles for each thread, tiles are made smaller: one tile more for some threads is much of the
  /// work. Cases: reduce * last, subset, max * pairwise, with two threads.
  std::int64_t min_tiles_per_thread = 4;
  /// Elements of an enclosure that one thread computes at a time.
  std::int64_t enclosed_elements_per_unit = 4096;

  // Lengths of lines and runs, in bytes.

  /// Lines of at least this many bytes are joined one by one in two cases. In the first, all inputs are read
  /// in place and one tile has the whole output: an expanded input would be read once. In the second, one of
  /// two inputs is expanded: patterns take 1.2 to 1.7 times as long with 40 to 80 bytes, 0.3 to 0.7 with 12
  /// to 24. Cases: max * tiny, alternating.
  std::int64_t min_single_line_bytes = 32;
  /// Lines of at least this many bytes that are read in place are extended by the next loop only if that
  /// costs nothing. Lines of patterns are not extended from here on if they are nearly whole groups of
  /// vectors, and at least min_short_lines. Cases: max * alternating, pairwise, two-sided.
  std::int64_t min_medium_line_bytes = 128;
  /// Other lines of at least this many bytes are extended only if that costs nothing. Shorter lines have no
  /// non-temporal stores: the partial vector at a line's end waits for the next line. With lines of 64 bytes
  /// such stores took 2 to 3 times as long as cached ones. Cases: max * alternating, pairwise, 64 MiB.
  std::int64_t min_separate_line_bytes = 256;
  /// With lines and runs of at least this many bytes, a call of a kernel costs little compared with its
  /// elements. Lines that are read in place or by patterns are not extended, and several inputs are joined in
  /// passes (max_inputs_in_passes). Runs are not folded as blocks first; those with gaps are copied to a
  /// buffer. Cases: max * inner row, two-sided, pairwise, three shapes, reduce * subset.
  std::int64_t min_long_line_bytes = 512;
  /// Lines of at least this many bytes are never extended. Smaller outputs that are one line are not joined
  /// by patterns. Cases: max * inner row, alternating, row, column, three shapes.
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

  // Patterns: lines that join_patterns joins.

  /// Lines of at least min_medium_line_bytes are not extended if there are at least this many.
  std::int64_t min_short_lines = 16;
  /// Upper bound of a tile's bytes, and of its part of the core's own cache. Measured: tiles of 256 KiB take
  /// 0.34 to 0.8 of the time of tiles of 32 KiB. Cases: max * pairwise, two-sided, three shapes.
  std::int64_t max_pattern_tile_bytes = 256 * 1024;
  double max_pattern_tile_part = 0.25;
  /// Shorter lines of two broadcast inputs are joined by patterns although they could be read in place.
  /// Measured: 0.46 to 0.85 of the time for lines of 64 to 132 bytes, up to 1.7 from 200 bytes on. Cases: max
  /// * two-sided, pairwise.
  std::int64_t max_permuted_line_bytes = 192;
  /// Three inputs up to this many are joined two at a time along long lines. Measured: 0.4 to 1.05 of the
  /// time of one pass by patterns from 512 bytes on. Cases: max * three shapes.
  std::size_t max_inputs_in_passes = 4;
  /// Upper bound of the bytes of the lines into which a long line is cut in whole groups of vectors.
  std::int64_t max_cut_bytes = 2048;
};

/// The values of every call outside tests. Those that are sizes of buffers bound `tuning` from above.
inline constexpr Tuning kDefaultTuning;

/// The values in use. Only tests change them, between calls.
inline constinit Tuning tuning;

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_TUNING_H_
