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
  /// With at least this many tiles for each thread, one tile more for some threads is little more work.
  /// Cases: reduce * last, subset, with two threads.
  std::int64_t many_tiles_per_thread = 8;
  /// Elements of an enclosure that one thread computes at a time.
  std::int64_t enclosed_elements_per_unit = 4096;

  // Lines of Max.

  /// Lines of at least this many bytes are long: they are extended by the next loop only where that costs
  /// nothing. The second is for lines that are read in place. Cases: max * alternating.
  std::int64_t min_long_line_bytes = 256;
  std::int64_t min_long_in_place_line_bytes = 128;
  /// Lines of at least this many bytes are never extended. The second is for lines that are read in place.
  /// Cases: max * inner row, alternating, row, column.
  std::int64_t min_final_line_bytes = 4096;
  std::int64_t min_final_in_place_line_bytes = 512;
  /// The same where one tile has the whole output. Measured, Intel Xeon, f32: [60,1], [15] and [50,33], [33]
  /// take a third of the time that they take extended. Cases: max * inner row, two-sided, 4 KiB.
  std::int64_t min_in_place_line_bytes_of_one_tile = 32;
  /// Minimum line for non-temporal stores: the partial vector at a line's end waits for the next line.
  /// Measured, Zen 4: 2 to 3 times the time of cached stores with lines of 64 bytes, as much with 132, less
  /// with 800. Cases: max * pairwise, 64 MiB.
  std::int64_t min_streamed_line_bytes = 256;

  // Tiles of Max. Buffers bound them from above: the defaults.

  /// Upper bound of a tile's bytes with temporary buffers. Cases: max * inner row, two-sided.
  std::int64_t max_buffered_tile_bytes = 16 * 1024;
  /// The same with more than two inputs, whose intermediate result stays in the first-level cache. Cases: max
  /// * 3 inputs, 1 MiB and more.
  std::int64_t max_tile_bytes_of_many_inputs = 8 * 1024;
  /// The same without buffers, where tiles only divide the work among threads. Cases: max * equal, with two
  /// threads.
  std::int64_t max_unbuffered_tile_bytes = 32 * 1024;
  /// The side of the squares in which a transposed input is read, so that whole cache lines are used. Cases:
  /// max * transposed.
  std::size_t max_square_side_bytes = 256, max_square_side_elements = 64;

  // Patterns: lines that join_patterns joins.

  /// Lines of at least this many bytes are not extended, nor are, from the second number on, lines of nearly
  /// whole groups of vectors of which there are at least min_short_lines. Measured, Zen 5, over extended
  /// lines: u8 [16,1,16,1,16] 0.66, two groups for 280 bytes 1.44. Cases: max * pairwise, two-sided.
  std::int64_t min_pattern_line_bytes = 512, min_whole_group_bytes = 128, min_short_lines = 16;
  /// Upper bound of a tile's bytes, and of its part of the core's own cache; a thread gets at least some
  /// tiles. Measured, Zen 5: tiles of 256 KiB take 0.34 to 0.8 of the time of tiles of 32 KiB. Cases: max *
  /// pairwise, two-sided, three shapes.
  std::int64_t max_pattern_tile_bytes = 256 * 1024;
  double max_pattern_tile_part = 0.25, min_pattern_tiles_per_thread = 4;
  /// Smaller outputs that are one line are not joined by patterns. Cases: max * three shapes.
  double min_pattern_output_bytes = 4096;
  /// One of two inputs is expanded if the innermost extent has at least this many bytes. Measured: patterns
  /// take 1.2 to 1.7 times as long with 40 to 80 bytes, 0.3 to 0.7 with 12 to 24. Cases: max * alternating.
  std::int64_t min_expanded_run_bytes = 32;
  /// Shorter lines of two broadcast inputs are joined by patterns although they could be read in place.
  /// Measured: 0.46 to 0.85 of the time for lines of 64 to 132 bytes, up to 1.7 from 200 bytes on. Cases: max
  /// * two-sided, pairwise.
  std::int64_t max_permuted_line_bytes = 192;
  /// Three inputs up to max_inputs_in_passes are joined two at a time along lines of at least this many
  /// bytes. Measured, Zen 5: 0.4 to 1.05 of the time of one pass by patterns from 512 bytes on. Cases: max *
  /// three shapes.
  std::int64_t min_line_bytes_in_passes = 512;
  std::size_t max_inputs_in_passes = 4;
  /// Upper bound of the bytes of the lines into which a long line is cut in whole groups of vectors.
  std::int64_t max_cut_bytes = 2048;

  // ReduceMax.

  /// Runs and lines of fewer bytes are short: the cost of each call outweighs that of its elements. Cases:
  /// reduce * subset.
  std::int64_t min_long_run_bytes = 512;
  /// Upper bound of the bytes of a tile's accumulators, and of the block into which blocks are folded first:
  /// buffers in the first-level cache. Cases: reduce * first, middle, subset.
  std::int64_t max_reduced_tile_bytes = 8 * 1024;
  /// The same of all threads that share a tile. Cases: reduce * all, with two threads.
  std::int64_t max_shared_tile_bytes = 32 * 1024;
  /// Upper bound of the bytes that a tile of several blocks reads. Cases: reduce * inner, subset.
  std::int64_t max_tile_source_bytes = 32 * 1024;
};

/// The values of every call outside tests. Those that are sizes of buffers bound `tuning` from above.
inline constexpr Tuning kDefaultTuning;

/// The values in use. Only tests change them, between calls.
inline constinit Tuning tuning;

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_TUNING_H_
