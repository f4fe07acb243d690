// The walk over an index space of N dimensions, and where strided tensors have the elements at each index.
#ifndef SUPREMUM_SRC_CORE_WALK_H_
#define SUPREMUM_SRC_CORE_WALK_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "supremum/shape.h"

namespace supremum {

/// index . steps.
constexpr std::int64_t DistanceTo(DimsView index, DimsView steps) {
  std::int64_t distance = 0;
  for (std::size_t d = 0; d < index.size(); ++d) distance += index[d] * steps[d];
  return distance;
}

/// Visits the indices below `extents` in row-major order, the last dimension fastest. For each of `kTensors`
/// tensors it keeps
///
///   offset(k) = index() . steps[k].
///
/// Without dimensions there is one index. `extents` and `steps` are not copied: their data must outlive
/// the walk.
///
/// Requires: at most kMaxRank extents, as many steps for each tensor; for all but the construction, no extent
/// is 0. A step along an extent of 1 may be any number: it is never added.
/// Cost: no allocation; Next visits 2 dimensions on average at most, where no extent is 1.
///
///   Walk<2> walk(extents, {x_strides, y_strides});
///   do y[walk.offset(1)] = x[walk.offset(0)];
///   while (walk.Next());
template <std::size_t kTensors>
class Walk {
 public:
  using Steps = std::array<DimsView, kTensors>;

  /// Begins at the first index.
  constexpr Walk(DimsView extents, const Steps& steps) : extents_(extents) {
    for (std::size_t d = 0; d < extents.size(); ++d) index_[d] = 0;
    std::size_t k = 0;
    for (Strided& tensor : tensors_) tensor = {steps[k++], 0};
  }

  /// Begins at index number `first` of the order. Requires: 0 <= first <= the number of indices.
  constexpr Walk(DimsView extents, const Steps& steps, std::int64_t first) : Walk(extents, steps) {
    if (first == 0) return;  // small tensors: the divisions would take as long as the rest
    for (std::size_t d = extents.size(); d-- > 0; first /= extents[d]) index_[d] = first % extents[d];
    for (Strided& tensor : tensors_) tensor.offset = DistanceTo(index(), tensor.steps);
  }

  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  /// The view stays valid, and shows the next index after Next.
  constexpr DimsView index() const { return {index_.data(), extents_.size()}; }

  /// Requires: k < kTensors.
  constexpr std::int64_t offset(std::size_t k) const { return tensors_[k].offset; }

  /// Goes to the next index. False after the last one: then the walk is at the first again.
  constexpr bool Next() {
    return Next([](std::size_t) {});
  }

  /// The same; calls completed(d) on the way for each dimension d whose last coordinate has been visited, the
  /// innermost first, when the walk is at its first coordinate again.
  template <class Completed>
  constexpr bool Next(Completed completed) {
    for (std::size_t d = extents_.size(); d-- > 0;) {
      if (++index_[d] < extents_[d]) {
        for (Strided& tensor : tensors_) tensor.offset += tensor.steps[d];
        return true;
      }
      index_[d] = 0;
      for (Strided& tensor : tensors_) tensor.offset -= tensor.steps[d] * (extents_[d] - 1);
      completed(d);
    }
    return false;
  }

 private:
  struct Strided {
    DimsView steps;
    std::int64_t offset;
  };

  DimsView extents_;
  std::array<Strided, kTensors> tensors_;
  std::array<std::int64_t, kMaxRank> index_;  // as many as there are extents
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_WALK_H_
