#include "ops/reading.h"

#include "kernels/kernels.h"

namespace supremum {

Reading ReadingOf(const LoopNest& nest, std::size_t m, std::size_t line) {
  const DimsView all = nest.Steps(m), steps = all.subspan(line), extents = nest.extents().subspan(line);
  if (steps.size() == 1 && steps[0] == -1) return {Reading::kBackwards};
  std::size_t d = steps.size();
  std::int64_t repeat_count = 1;
  for (; d > 0 && steps[d - 1] == 0; --d) repeat_count *= extents[d - 1];
  if (d == 0) return {repeat_count == 1 ? 1 : Reading::kWholeLine};
  std::int64_t contiguous = 1;
  for (; d > 0; --d) {
    if (steps[d - 1] != contiguous) return {Reading::kExpanded};
    contiguous *= extents[d - 1];
  }
  const auto same_for_each = [&](std::size_t loops_before) {
    return line >= loops_before && all[line - loops_before] == 0;
  };
  if (repeat_count > 1 && (same_for_each(1) || same_for_each(2))) return {Reading::kExpanded};
  if (repeat_count > static_cast<std::int64_t>(kernels::kMaxRepeatCount)) return {Reading::kExpanded};
  return {static_cast<std::uint32_t>(repeat_count)};
}

}  // namespace supremum
