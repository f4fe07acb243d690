#include "ops/pattern_reading.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>

#include "core/sort.h"

namespace supremum {
namespace {

using Kind = kernels::PatternInput::Kind;
using kernels::LinePattern;

// The loops of a line that are not yet part of a pattern: taken from the innermost one outwards.
class RemainingLoops {
 public:
  RemainingLoops(DimsView extents, DimsView steps) : extents_(extents), steps_(steps) {}

  bool empty() const { return extents_.empty(); }
  std::int64_t step() const { return steps_.back(); }
  std::int64_t extent() const { return extents_.back(); }

  // Takes loops while each one's step is that of the loop inside it times its extent, `step` for the first
  // one. Returns the product of their extents.
  std::int64_t Take(std::int64_t step) {
    std::int64_t product = 1;
    while (!empty() && this->step() == step * product) {
      product *= extent();
      extents_ = extents_.first(extents_.size() - 1);
      steps_ = steps_.first(steps_.size() - 1);
    }
    return product;
  }

 private:
  DimsView extents_, steps_;
};

// True if there is an element at every place between the first and the last one.
bool HasNoGaps(DimsView extents, DimsView steps) {
  struct Loop {
    std::int64_t step, extent;
  };
  std::array<Loop, kMaxRank> loops;
  for (std::size_t d = 0; d < extents.size(); ++d) loops[d] = {std::abs(steps[d]), extents[d]};
  const std::span<Loop> all = std::span(loops).first(extents.size());
  SortFew(all, [](const Loop& a, const Loop& b) { return a.step < b.step; });
  std::int64_t reach = 0;  // places 0 to `reach` have elements
  for (const Loop& loop : all) {
    if (loop.step > reach + 1) return false;
    reach += loop.step * (loop.extent - 1);
  }
  return true;
}

}  // namespace

std::optional<PatternReading> PatternReadingOf(DimsView extents, DimsView steps, const VectorSize& size) {
  RemainingLoops loops(extents, steps);
  if (steps.size() == 1 && steps[0] == -1) return PatternReading{Kind::kBackwards};
  const std::int64_t repeat_count = loops.Take(0);
  if (loops.empty()) return PatternReading{Kind::kScalar};
  std::int64_t run = loops.Take(1), repeats = 1, advance = 0;
  if (loops.empty()) {
    if (repeat_count == 1) return PatternReading{Kind::kDense};
    run = advance = 1;  // each element of a dense source
  } else {
    repeats = loops.Take(0);
    if (!loops.empty()) {
      advance = loops.step();
      if (advance < run) return std::nullopt;
      loops.Take(advance);
      if (!loops.empty()) return std::nullopt;
    } else {
      repeats = 1;
    }
  }
  // Extents of a tensor that may have no memory: their product must not overflow.
  const std::int64_t width = static_cast<std::int64_t>(size.width);
  constexpr std::int64_t kMax = kernels::kMaxPeriodBytes;
  if (repeat_count > kMax || run > kMax || repeats > kMax) return std::nullopt;
  if (repeat_count * run * repeats * width > kMax) return std::nullopt;
  const auto unsigned_of = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  const LinePattern pattern{unsigned_of(repeat_count), unsigned_of(run),
                            unsigned_of(repeat_count * run * repeats), unsigned_of(advance)};
  // advance may be as large as memory: no period may follow another one within a vector then.
  const bool few =
      advance <= kMax && pattern.SourceElements(pattern.period + size.lanes() - 1) <= size.lanes();
  return few ? std::optional(PatternReading{Kind::kOrders, pattern}) : std::nullopt;
}

std::optional<PatternReading> PatternReadingOf(const LoopNest& nest, std::size_t m, std::size_t line,
                                               const VectorSize& size) {
  const DimsView extents = nest.extents(), steps = nest.Steps(m);
  const auto reading = PatternReadingOf(extents.subspan(line), steps.subspan(line), size);
  const bool may_read_gaps = reading && reading->kind == Kind::kOrders;
  return may_read_gaps && !HasNoGaps(extents, steps) ? std::nullopt : reading;
}

std::int64_t CutSteps(std::int64_t step) {
  constexpr std::int64_t kGroupBytes = 4 * kCacheLineBytes;
  std::int64_t steps = kGroupBytes / std::gcd(step, kGroupBytes);
  if (steps * step > tuning.max_cut_bytes) steps = kCacheLineBytes / std::gcd(step, kCacheLineBytes);
  return steps;
}

}  // namespace supremum
