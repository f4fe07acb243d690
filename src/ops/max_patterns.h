// Runs the tiles of a Max whose inputs are read by their patterns (kernels/line_pattern.h).
#ifndef SUPREMUM_SRC_OPS_MAX_PATTERNS_H_
#define SUPREMUM_SRC_OPS_MAX_PATTERNS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "ops/max_execute.h"
#include "ops/max_schedule.h"
#include "ops/max_tile.h"
#include "ops/tuning.h"

namespace supremum {

/// Computes tiles, on one thread. Its memory is on the stack of that thread.
class PatternTileRunner {
 public:
  /// Requires: schedule.by_patterns; both outlive this.
  PatternTileRunner(const MaxSchedule& schedule, const MaxBindings& bindings)
      : s_(schedule), bindings_(bindings) {}
  PatternTileRunner(const PatternTileRunner&) = delete;
  PatternTileRunner& operator=(const PatternTileRunner&) = delete;

  void RunTile(const MaxTile& tile);

 private:
  using PatternInputs = std::array<kernels::PatternInput, kernels::kMaxPatternInputs>;

  void Join(const PatternInputs& inputs, const kernels::LinesTo& y) const;
  bool CuttingPays(const PatternInputs& inputs, const kernels::LinesTo& output, std::int64_t cuts) const;
  std::ptrdiff_t StepOf(std::size_t k) const;
  void JoinCutLines(const PatternInputs& inputs, const kernels::LinesTo& output, std::ptrdiff_t block,
                    std::int64_t cuts) const;
  void JoinRest(const PatternInputs& inputs, const kernels::LinesTo& output, std::int64_t first,
                std::int64_t steps) const;
  kernels::PatternInput InputOf(std::size_t k, const MaxTile& tile, std::byte*& windows) const;

  const MaxSchedule& s_;
  const MaxBindings& bindings_;
  // The windows of the lines of one tile: a period and a vector each.
  alignas(64) std::array<std::byte, kDefaultTuning.max_window_bytes> windows_;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_MAX_PATTERNS_H_
