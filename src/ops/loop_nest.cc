#include "ops/loop_nest.h"

#include <algorithm>
#include <string>

#include "core/out_of_memory.h"
#include "core/sort.h"

namespace supremum {

Result<void> LoopNest::Init(DimsView extents, DimsView driving_strides, std::size_t others) {
  // Dimensions of extent 1 are no loops. The others in the order of the driving operand's memory: any order
  // of the indices gives the same bits (ORD-5), this one moves forward.
  std::size_t rank = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] != 1) order_[rank++] = {static_cast<std::uint8_t>(d), driving_strides[d] < 0};
  }
  const auto magnitude = [&](const Dimension& d) {
    return d.reversed ? -driving_strides[d.index] : driving_strides[d.index];
  };
  SortFew(std::span(order_).first(rank),
          [&](const Dimension& a, const Dimension& b) { return magnitude(a) > magnitude(b); });
  for (std::size_t k = 0; k < rank; ++k) {
    const Dimension& d = order_[k];
    extents_.PushBack(extents[d.index]);
    driving_steps_.PushBack(magnitude(d));
    if (d.reversed) driving_origin_ += driving_strides[d.index] * (extents[d.index] - 1);
  }

  others_ = others;
  made_rank_ = rank;
  room_ = rank + 1;  // SplitLoop adds one
  if (steps_.Resize(others * room_) && origins_.Resize(others)) return {};
  return AllocationError(others * (room_ + 1) * sizeof(std::int64_t),
                         "the strides of " + std::to_string(others) + (others == 1 ? " tensor" : " inputs"));
}

void LoopNest::SetStrides(std::size_t m, DimsView strides) {
  std::int64_t* steps = StepsOf(m);
  origins_[m] = 0;
  for (std::size_t k = 0; k < made_rank_; ++k) {
    // If the driving operand runs backwards, the others are reversed too.
    const std::int64_t step = strides[order_[k].index];
    steps[k] = order_[k].reversed ? -step : step;
    if (order_[k].reversed) origins_[m] += step * (extents_[k] - 1);
  }
}

// Two neighbouring loops are one where every operand's outer step is the inner one times the inner extent.
// Kept loops move to the front: the place written is never beyond the one read.
void LoopNest::Merge() {
  if (made_rank_ < 2) return;
  std::size_t last = 0;  // of the kept loops
  for (std::size_t k = 1; k < made_rank_; ++k) {
    const std::int64_t extent = extents_[k];
    bool merge = driving_steps_[last] == driving_steps_[k] * extent;
    for (std::size_t m = 0; merge && m < others_; ++m) {
      const std::int64_t* steps = StepsOf(m);
      merge = steps[last] == steps[k] * extent;
    }
    if (!merge) ++last;
    extents_[last] = merge ? extents_[last] * extent : extent;
    driving_steps_[last] = driving_steps_[k];
    for (std::size_t m = 0; m < others_; ++m) {
      std::int64_t* steps = StepsOf(m);
      steps[last] = steps[k];
    }
  }
  extents_.Truncate(last + 1);
  driving_steps_.Truncate(last + 1);
}

void LoopNest::MoveLoop(std::size_t from, std::size_t to) {
  const auto move = [&](std::int64_t* of) { std::rotate(of + from, of + from + 1, of + to + 1); };
  move(extents_.begin());
  move(driving_steps_.begin());
  for (std::size_t m = 0; m < others_; ++m) move(StepsOf(m));
}

void LoopNest::SplitLoop(std::size_t d, std::int64_t inner) {
  const std::size_t last = rank();
  extents_.PushBack(1);
  driving_steps_.PushBack(0);
  const auto split = [&](std::int64_t* of, std::int64_t outer_value, std::int64_t inner_value) {
    std::copy_backward(of + d + 1, of + last, of + last + 1);
    of[d] = outer_value;
    of[d + 1] = inner_value;
  };
  split(extents_.begin(), extents_[d] / inner, inner);
  split(driving_steps_.begin(), driving_steps_[d] * inner, driving_steps_[d]);
  for (std::size_t m = 0; m < others_; ++m) {
    std::int64_t* steps = StepsOf(m);
    split(steps, steps[d] * inner, steps[d]);
  }
}

}  // namespace supremum
