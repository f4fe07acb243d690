#include "ops/reading.h"

#include "kernels/kernels.h"

namespace supremum {

std::optional<Reading> ReadingOf(const LoopNest& nest, std::size_t m, std::size_t line) {
  const DimsView all = nest.Steps(m), steps = all.subspan(line), extents = nest.extents().subspan(line);
  if (steps.size() == 1 && steps[0] == -1) return Reading{1, true};
  std::size_t d = steps.size();
  std::int64_t repeat_count = 1;
  for (; d > 0 && steps[d - 1] == 0; --d) repeat_count *= extents[d - 1];
  if (d == 0) return Reading{repeat_count == 1 ? 1 : Reading::kWholeLine, false};
  std::int64_t contiguous = 1;
  for (; d > 0; --d) {
    if (steps[d - 1] != contiguous) return std::nullopt;
    contiguous *= extents[d - 1];
  }
  const auto same_for_each = [&](std::size_t loops_before) {
    return line >= loops_before && all[line - loops_before] == 0;
  };
  if (repeat_count > 1 && (same_for_each(1) || same_for_each(2))) return std::nullopt;
  if (repeat_count > static_cast<std::int64_t>(kernels::kMaxRepeatCount)) return std::nullopt;
  return Reading{static_cast<std::uint32_t>(repeat_count), false};
}

}  // namespace supremum
