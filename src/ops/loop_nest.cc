#include "ops/loop_nest.h"

#include <algorithm>
#include <new>
#include <string>

#include "ops/max_check.h"

namespace supremum {

Result<LoopNest> LoopNest::Make(std::span<const TensorView> inputs, const MutableTensorView& output) {
  const Shape strides = StridesOf(output);

  // Dimensions of extent 1 are no loops. The others in the order of the output's memory: any order of the
  // indices gives the same bits (ORD-5), this one writes forward.
  std::array<std::size_t, kMaxRank> order{};
  std::size_t rank = 0;
  for (std::size_t d = 0; d < output.shape.size(); ++d) {
    if (output.shape[d] != 1) order[rank++] = d;
  }
  const auto magnitude = [&](std::size_t d) { return strides[d] < 0 ? -strides[d] : strides[d]; };
  std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rank),
                   [&](std::size_t a, std::size_t b) { return magnitude(a) > magnitude(b); });

  LoopNest nest;
  nest.stored_rank_ = rank;
  nest.input_steps_.reset(new (std::nothrow) std::int64_t[inputs.size() * rank + 1]);
  nest.input_origins_.reset(new (std::nothrow) std::int64_t[inputs.size()]);
  nest.memory_bytes_ = (inputs.size() * (rank + 1) + 1) * sizeof(std::int64_t);
  if (nest.input_steps_ == nullptr || nest.input_origins_ == nullptr) {
    return MakeError(ErrorCode::kOutOfMemory,
                     std::to_string(nest.memory_bytes_) + " bytes for the strides of " +
                         std::to_string(inputs.size()) + " inputs are not to be had");
  }
  for (std::size_t k = 0; k < rank; ++k) {
    const std::size_t d = order[k];
    nest.extents_.PushBack(output.shape[d]);
    nest.output_steps_.PushBack(magnitude(d));
    if (strides[d] < 0) nest.output_origin_ += strides[d] * (output.shape[d] - 1);
  }
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    const Shape input_strides = StridesOf(inputs[m]);
    const std::size_t missing = output.shape.size() - inputs[m].shape.size();  // BRO-1
    std::int64_t* steps = nest.input_steps_.get() + m * rank;
    std::int64_t origin = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      const std::size_t d = order[k];
      // BRO-5: a coordinate whose extent is 1, or that is missing, is always 0.
      const bool stands_still = d < missing || inputs[m].shape[d - missing] == 1;
      const std::int64_t step = stands_still ? 0 : input_strides[d - missing];
      // Where the output runs backwards, everyone turns round.
      steps[k] = strides[d] < 0 ? -step : step;
      if (strides[d] < 0) origin += step * (output.shape[d] - 1);
    }
    nest.input_origins_[m] = origin;
  }
  nest.Merge(inputs.size());
  return nest;
}

// Two neighbouring loops are one where every operand's outer step is the inner one times the inner extent.
void LoopNest::Merge(std::size_t inputs) {
  const std::size_t rank = extents_.rank();
  Shape extents, output_steps;
  for (std::size_t k = 0; k < rank; ++k) {
    const std::size_t last = extents.rank() - 1;  // meaningful only if something has been kept
    const auto continues = [&](DimsView steps, std::int64_t kept_step) {
      return kept_step == steps[k] * extents_[k];
    };
    bool merge = extents.rank() > 0 && continues(output_steps_, output_steps[last]);
    for (std::size_t m = 0; merge && m < inputs; ++m) {
      const std::int64_t* steps = input_steps_.get() + m * stored_rank_;
      merge = continues(DimsView(steps, rank), steps[last]);
    }
    // Kept steps move to the front of each input's list; the place written is never beyond the one read.
    const std::size_t place = merge ? last : extents.rank();
    for (std::size_t m = 0; m < inputs; ++m) {
      std::int64_t* steps = input_steps_.get() + m * stored_rank_;
      steps[place] = steps[k];
    }
    if (merge) {
      extents[last] *= extents_[k];
      output_steps[last] = output_steps_[k];
    } else {
      extents.PushBack(extents_[k]);
      output_steps.PushBack(output_steps_[k]);
    }
  }
  extents_ = extents;
  output_steps_ = output_steps;
}

}  // namespace supremum
