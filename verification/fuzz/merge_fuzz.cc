// Merged loops visit the same elements as the loops before merging; axes name the dimensions that the
// reference gives (RED-2, RED-3).
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "core/axes.h"
#include "fuzz.h"
#include "ops/loop_nest.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"

using namespace supremum;

namespace {

using Place = std::vector<std::int64_t>;  // of the leader, then of each follower

// Calls visit(index) for each index below `extents`.
template <class Visit>
void ForEachIndex(DimsView extents, Visit visit) {
  if (ElementCount(extents) == 0) return;
  const std::vector<std::int64_t> shape(extents.begin(), extents.end());
  std::vector<std::int64_t> index(shape.size(), 0);
  do visit(index);
  while (reference::NextIndex(shape, index));
}

std::int64_t Distance(const std::vector<std::int64_t>& index, DimsView steps) {
  std::int64_t distance = 0;
  for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * steps[d];
  return distance;
}

void CheckMerging(fuzz::Choices& choices) {
  const std::size_t rank = choices.Below(7), others = 1 + choices.Below(3);
  Shape extents;
  for (std::size_t d = 0; d < rank; ++d) extents.PushBack(static_cast<std::int64_t>(1 + choices.Below(4)));
  std::vector<Shape> strides(1 + others);
  for (std::size_t m = 0; m < strides.size(); ++m) {
    // Row-major, turned, standing still or anything; the leader visits no address twice, but need not here.
    const Shape dense = RowMajorStrides(extents);
    for (std::size_t d = 0; d < rank; ++d) {
      const std::size_t kind = choices.Below(8);
      strides[m].PushBack(kind < 4   ? dense[d]
                          : kind < 6 ? -dense[d]
                          : kind < 7 ? 0
                                     : static_cast<std::int64_t>(choices.Byte()) - 128);
    }
  }
  std::vector<Place> expected, actual;
  ForEachIndex(extents, [&](const std::vector<std::int64_t>& index) {
    Place place;
    for (const Shape& steps : strides) place.push_back(Distance(index, steps));
    expected.push_back(std::move(place));
  });
  LoopNest nest;
  if (!nest.Init(extents, strides[0], others)) return;
  for (std::size_t m = 0; m < others; ++m) nest.SetStrides(m, strides[1 + m]);
  nest.Merge();
  fuzz::Expect(nest.rank() <= rank, "merging made loops");
  if (nest.rank() > 1 && choices.Bool()) {
    const std::size_t to = choices.Below(nest.rank());
    nest.MoveLoop(choices.Below(to + 1), to);
  }
  if (nest.rank() > 0 && choices.Bool()) {
    const std::size_t d = choices.Below(nest.rank());
    const auto inner = static_cast<std::int64_t>(1 + choices.Below(4));
    if (nest.extents()[d] % inner == 0) nest.SplitLoop(d, inner);
  }
  ForEachIndex(nest.extents(), [&](const std::vector<std::int64_t>& index) {
    Place place = {nest.DrivingOrigin() + Distance(index, nest.DrivingSteps())};
    for (std::size_t m = 0; m < others; ++m) place.push_back(nest.Origin(m) + Distance(index, nest.Steps(m)));
    actual.push_back(std::move(place));
  });
  std::ranges::sort(expected);
  std::ranges::sort(actual);
  fuzz::Expect(actual == expected, "merged loops meet other elements");
}

void CheckAxes(fuzz::Choices& choices) {
  const std::size_t rank = choices.Bool() ? choices.Below(6) : choices.Below(65);
  std::optional<std::vector<std::int64_t>> axes;
  if (choices.Below(8) > 0) {
    axes.emplace(choices.Below(rank + 3));
    for (std::int64_t& axis : *axes) {
      axis = choices.Below(6) == 0
                 ? choices.Integer()
                 : static_cast<std::int64_t>(choices.Below(2 * rank + 1)) - static_cast<std::int64_t>(rank);
    }
  }
  // The library looks at the tensor too, the reference at the axes alone: it stays within the address space.
  Shape shape;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto extent = static_cast<std::int64_t>(choices.Below(4));
    shape.PushBack(extent > 1 && count > (std::int64_t{1} << 40) ? 1 : extent);
    count *= std::max<std::int64_t>(shape[d], 1);
  }
  const bool keepdims = choices.Bool();
  ReduceMaxOptions options;
  if (axes) options.axes = *axes;
  options.keepdims = keepdims;
  const Result<Shape> actual = ReduceMaxOutputShape({DType::kFloat32, shape, {}, nullptr}, options);
  const Result<std::vector<bool>> expected = reference::ReducedDimensions(axes, rank);
  fuzz::Expect(actual.has_value() == expected.has_value(), "axes that one takes and the other refuses");
  if (!actual) return fuzz::ExpectShowable(actual.error());
  Shape kept;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!(*expected)[d]) {
      kept.PushBack(shape[d]);
    } else if (keepdims) {
      kept.PushBack(1);
    }
  }
  fuzz::Expect(*actual == kept, "another reduced shape than the rule's");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  if (choices.Bool()) {
    CheckMerging(choices);
  } else {
    CheckAxes(choices);
  }
  return 0;
}
