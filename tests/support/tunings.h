// Thresholds for tests: with small ones, threads, tiles and streams occur from a few elements on.
#ifndef SUPREMUM_TESTS_SUPPORT_TUNINGS_H_
#define SUPREMUM_TESTS_SUPPORT_TUNINGS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ops/tuning.h"
#include "support/values.h"
#include "supremum/target.h"

namespace supremum::test {

/// Every threshold of `from`, in the order of their declaration, as visit(value). A threshold that is left out
/// here is not varied: the size of Tuning is checked beside.
template <class Visit>
void ForEachThreshold(Tuning& t, Visit visit) {
  const auto all = [&](auto&... each) { (visit(each), ...); };
  all(t.min_bytes_per_thread, t.many_tiles_per_thread, t.enclosed_elements_per_unit, t.min_long_line_bytes,
      t.min_long_in_place_line_bytes, t.min_final_line_bytes, t.min_final_in_place_line_bytes,
      t.min_streamed_line_bytes, t.min_unaligned_line_bytes, t.min_repeat_streamed_bytes,
      t.max_buffered_tile_bytes, t.max_tile_bytes_of_many_inputs, t.max_unbuffered_tile_bytes,
      t.max_square_side_bytes, t.max_square_side_elements, t.min_pattern_line_bytes, t.min_whole_group_bytes,
      t.min_short_lines, t.max_pattern_tile_bytes, t.max_pattern_tile_part, t.min_pattern_tiles_per_thread,
      t.min_pattern_output_bytes, t.min_expanded_run_bytes, t.max_permuted_line_bytes,
      t.min_line_bytes_in_passes, t.max_inputs_in_passes, t.min_cuts, t.same_sets_bytes, t.max_cut_bytes,
      t.max_pair_bytes, t.min_pair_line_bytes, t.max_short_lines, t.few_short_lines, t.few_parts_of_vectors,
      t.min_scalar_line_bytes, t.period_bytes, t.min_planned_pair_line_bytes, t.max_strided_bytes,
      t.min_strided_line_bytes, t.max_short_strided_lines, t.min_long_run_bytes, t.max_folded_block_bytes,
      t.max_reduced_tile_bytes, t.max_shared_tile_bytes, t.max_tile_source_bytes,
      t.max_unplanned_output_bytes, t.max_partial_bytes);
}
static_assert(sizeof(Tuning) == 47 * 8, "a threshold was added: add it above");

/// Each threshold at random between the smallest with a meaning, 8, and its default, small ones as often as large ones.
inline Tuning RandomTuning(Rng& rng) {
  Tuning t;
  ForEachThreshold(t, [&](auto& value) {
    const auto most = static_cast<std::uint64_t>(value);
    if (most <= 8) return;
    value = static_cast<std::remove_reference_t<decltype(value)>>(
        8 + (rng() % (most - 7) >> Below(rng, static_cast<std::size_t>(std::bit_width(most)))));
  });
  return t;
}

/// The smallest thresholds: everything is divided as far as possible.
inline Tuning SmallestTuning() {
  Tuning t;
  ForEachThreshold(t, [](auto& value) {
    if (value > 8) value = 8;
  });
  return t;
}

/// The thresholds, and caches of these sizes, while it exists.
class ScopedTuning {
 public:
  explicit ScopedTuning(const Tuning& values, std::optional<CacheSizes> caches = std::nullopt) {
    tuning = values;
    AssumeCaches(caches);
  }
  ~ScopedTuning() {
    tuning = kDefaultTuning;
    AssumeCaches(std::nullopt);
  }
  ScopedTuning(const ScopedTuning&) = delete;
  ScopedTuning& operator=(const ScopedTuning&) = delete;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_TUNINGS_H_
