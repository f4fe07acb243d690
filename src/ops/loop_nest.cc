#include "ops/loop_nest.h"

#include <algorithm>
#include <new>
#include <string>

#include "core/out_of_memory.h"
#include "core/sort.h"

namespace supremum {

Result<LoopNest> LoopNest::Make(DimsView extents, DimsView driving_strides, std::size_t others) {
  LoopNest nest;
  // Dimensions of extent 1 are no loops. The others in the order of the driving operand's memory: any order
  // of the indices gives the same bits (ORD-5), this one moves forward.
  std::size_t rank = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] != 1) nest.order_[rank++] = {d, driving_strides[d] < 0};
  }
  const auto magnitude = [&](const Dimension& d) {
    return d.reversed ? -driving_strides[d.index] : driving_strides[d.index];
  };
  SortFew(std::span(nest.order_).first(rank),
          [&](const Dimension& a, const Dimension& b) { return magnitude(a) > magnitude(b); });
  for (std::size_t k = 0; k < rank; ++k) {
    const Dimension& d = nest.order_[k];
    nest.extents_.PushBack(extents[d.index]);
    nest.driving_steps_.PushBack(magnitude(d));
    if (d.reversed) nest.driving_origin_ += driving_strides[d.index] * (extents[d.index] - 1);
  }

  nest.others_ = others;
  nest.made_rank_ = rank;
  nest.room_ = rank + 1;  // SplitLoop adds one
  nest.steps_.reset(new (std::nothrow) std::int64_t[others * nest.room_]);
  nest.origins_.reset(new (std::nothrow) std::int64_t[others]);
  nest.memory_bytes_ = others * (nest.room_ + 1) * sizeof(std::int64_t);
  if (nest.steps_ == nullptr || nest.origins_ == nullptr) {
    return AllocationError(nest.memory_bytes_, "the strides of " + std::to_string(others) +
                                                   (others == 1 ? " tensor" : " inputs"));
  }
  return nest;
}

void LoopNest::SetStrides(std::size_t m, DimsView strides) {
  std::int64_t* steps = steps_.get() + m * room_;
  origins_[m] = 0;
  for (std::size_t k = 0; k < made_rank_; ++k) {
    // Where the driving operand runs backwards, the others are reversed too.
    const std::int64_t step = strides[order_[k].index];
    steps[k] = order_[k].reversed ? -step : step;
    if (order_[k].reversed) origins_[m] += step * (extents_[k] - 1);
  }
}

// Two neighbouring loops are one where every operand's outer step is the inner one times the inner extent.
void LoopNest::Merge() {
  Shape extents, driving_steps;
  for (std::size_t k = 0; k < made_rank_; ++k) {
    const std::size_t last = extents.rank() - 1;  // meaningful only if something has been kept
    bool merge = extents.rank() > 0 && driving_steps[last] == driving_steps_[k] * extents_[k];
    for (std::size_t m = 0; merge && m < others_; ++m) {
      const std::int64_t* steps = steps_.get() + m * room_;
      merge = steps[last] == steps[k] * extents_[k];
    }
    // Kept steps move to the front of each operand's list; the place written is never beyond the one read.
    const std::size_t place = merge ? last : extents.rank();
    for (std::size_t m = 0; m < others_; ++m) {
      std::int64_t* steps = steps_.get() + m * room_;
      steps[place] = steps[k];
    }
    if (merge) {
      extents[last] *= extents_[k];
      driving_steps[last] = driving_steps_[k];
    } else {
      extents.PushBack(extents_[k]);
      driving_steps.PushBack(driving_steps_[k]);
    }
  }
  extents_ = extents;
  driving_steps_ = driving_steps;
}

void LoopNest::MoveLoop(std::size_t from, std::size_t to) {
  const auto move = [&](std::int64_t* of) { std::rotate(of + from, of + from + 1, of + to + 1); };
  move(extents_.begin());
  move(driving_steps_.begin());
  for (std::size_t m = 0; m < others_; ++m) move(steps_.get() + m * room_);
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
    std::int64_t* steps = steps_.get() + m * room_;
    split(steps, steps[d] * inner, steps[d]);
  }
}

}  // namespace supremum
