// The loops that an operator runs as: the dimensions of one tensor, the driving operand, and the steps of all
// operands through them, merged to the smallest number.
#ifndef SUPREMUM_SRC_OPS_LOOP_NEST_H_
#define SUPREMUM_SRC_OPS_LOOP_NEST_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/few.h"
#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// One cache line, which is also the widest supported vector: whole vectors need lines of a multiple of it,
/// and no two threads should write the same one.
inline constexpr std::int64_t kCacheLineBytes = 64;

/// A rectangle of elements and how each operand steps through it, outermost dimension first. All steps are in
/// elements. The driving operand's steps are not negative and descend, whatever its strides are. Another
/// operand's step is 0 where it is broadcast (an input of Max, BRO-5) or reduced (the output of ReduceMax).
///
/// Ensures: a point of the nest is one index of the driving operand, and the elements of all operands at that
/// index; every index of the driving operand is visited exactly once.
class LoopNest {
 public:
  /// Makes the loops over a driving operand, with room for `others` further operands: call SetStrides for
  /// each of them, then Merge.
  ///
  /// Requires: *this is as constructed; as many strides as extents, at most kMaxRank; the driving operand's
  /// elements are within the address space. Errors: kOutOfMemory.
  Result<void> Init(DimsView extents, DimsView driving_strides, std::size_t others);

  /// Sets the strides of operand m over the driving operand's dimensions, as Init was given them.
  void SetStrides(std::size_t m, DimsView strides);

  /// Makes one loop of two neighbours wherever that changes nothing for any operand.
  void Merge();

  /// Puts loop `from` at place `to`, further inside; those between move outwards. Any order of the loops
  /// gives the same bits (ORD-5).
  ///
  /// Requires: from <= to < rank(). Afterwards the driving operand's steps need not descend any more.
  void MoveLoop(std::size_t from, std::size_t to);

  /// Makes two loops of loop d, the inner one of extent `inner`.
  ///
  /// Requires: `inner` divides the extent; rank() < kMaxRank; at most once in the life of a nest.
  void SplitLoop(std::size_t d, std::int64_t inner);

  std::size_t rank() const { return extents_.rank(); }
  DimsView extents() const { return extents_; }

  /// The driving operand's steps, and the distance from its data pointer to its element at the nest's origin.
  DimsView DrivingSteps() const { return driving_steps_; }
  std::int64_t DrivingOrigin() const { return driving_origin_; }

  /// The same of operand m.
  DimsView Steps(std::size_t m) const { return {StepsOf(m), rank()}; }
  std::int64_t Origin(std::size_t m) const { return origins_[m]; }

  /// Bytes allocated.
  std::size_t MemoryBytes() const { return steps_.MemoryBytes() + origins_.MemoryBytes(); }

 private:
  // A dimension of the driving operand as Init was given it; SetStrides treats every operand alike.
  struct Dimension {
    std::uint8_t index;
    bool reversed;
  };

  std::int64_t* StepsOf(std::size_t m) { return steps_.data() + m * room_; }
  const std::int64_t* StepsOf(std::size_t m) const { return steps_.data() + m * room_; }

  Shape extents_;
  Shape driving_steps_;
  std::int64_t driving_origin_ = 0;
  std::array<Dimension, kMaxRank> order_;  // the first made_rank_
  std::size_t others_ = 0;
  std::size_t made_rank_ = 0;  // as Init found it
  std::size_t room_ = 0;       // steps from one operand's list to the next
  Few<std::int64_t, kFewOperands*(kFewDimensions + 1)> steps_;
  Few<std::int64_t, kFewOperands> origins_;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_LOOP_NEST_H_
