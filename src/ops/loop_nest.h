// The loops that an operator runs as: the dimensions of one tensor, the leader, and the steps of all operands
// through them, merged to as few as there can be.
#ifndef SUPREMUM_SRC_OPS_LOOP_NEST_H_
#define SUPREMUM_SRC_OPS_LOOP_NEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "supremum/result.h"
#include "supremum/shape.h"

namespace supremum {

/// A rectangle of elements and how each operand steps through it, outermost dimension first. All steps are in
/// elements. The leader's steps are not negative and descend, whatever strides it came with; a follower's
/// step is 0 where it stands still: an input of Max that is broadcast (BRO-5), the output of ReduceMax along
/// a reduced dimension.
///
/// Ensures: the elements that the operands meet at a point of the nest are those that they have at one index
/// of the leader; every index of the leader is met exactly once.
class LoopNest {
 public:
  LoopNest() = default;

  /// The loops over a leader, with room for `followers`, each of which must be set by Follow; then Merge.
  ///
  /// Requires: as many strides as extents, at most kMaxRank; the leader's elements lie within the address
  /// space. Errors: kOutOfMemory.
  static Result<LoopNest> Make(DimsView extents, DimsView leader_strides, std::size_t followers);

  /// Gives follower m its strides over the leader's dimensions, as Make was given them.
  void Follow(std::size_t m, DimsView strides);

  /// Makes one loop of two neighbours wherever that changes nothing for any operand.
  void Merge();

  /// Puts loop `from` at place `to`, further inside; those between move outwards. Any order of the loops
  /// gives the same bits (ORD-5).
  ///
  /// Requires: from <= to < rank(). Afterwards the leader's steps need not descend any more.
  void MoveLoop(std::size_t from, std::size_t to);

  /// Makes two loops of loop d, the inner one of extent `inner`.
  ///
  /// Requires: `inner` divides the extent; rank() < kMaxRank; at most once in the life of a nest.
  void SplitLoop(std::size_t d, std::int64_t inner);

  std::size_t rank() const { return extents_.rank(); }
  DimsView extents() const { return extents_; }

  /// The leader's steps, and the distance from its data pointer to its element at the nest's origin.
  DimsView LeaderSteps() const { return leader_steps_; }
  std::int64_t LeaderOrigin() const { return leader_origin_; }

  /// The same of follower m.
  DimsView Steps(std::size_t m) const { return {steps_.get() + m * room_, rank()}; }
  std::int64_t Origin(std::size_t m) const { return origins_[m]; }

  /// Bytes allocated.
  std::size_t MemoryBytes() const { return memory_bytes_; }

 private:
  // A dimension of the leader, as it came: Follow must treat every operand alike.
  struct Dimension {
    std::size_t index;
    bool reversed;
  };

  Shape extents_;
  Shape leader_steps_;
  std::int64_t leader_origin_ = 0;
  std::array<Dimension, kMaxRank> order_ = {};
  std::size_t followers_ = 0;
  std::size_t made_rank_ = 0;  // as Make found it
  std::size_t room_ = 0;       // steps from one follower's list to the next
  std::unique_ptr<std::int64_t[]> steps_;
  std::unique_ptr<std::int64_t[]> origins_;
  std::size_t memory_bytes_ = 0;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_LOOP_NEST_H_
