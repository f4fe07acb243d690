// The loops that a Max runs as: the output's dimensions and every operand's strides over them, merged to as
// few as there can be.
#ifndef SUPREMUM_SRC_OPS_LOOP_NEST_H_
#define SUPREMUM_SRC_OPS_LOOP_NEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// A rectangle of elements and how each operand steps through it, outermost dimension first. All steps are in
/// elements. The output's steps are positive and descend, whatever strides the tensors came with; an input's
/// step is 0 where it is broadcast.
///
/// Ensures (BRO-5): the elements that the operands meet at a point of the nest are those that they have at
/// one index of the output; every index of the output is met exactly once.
class LoopNest {
 public:
  LoopNest() = default;

  /// Requires: CheckMax accepts `inputs` and `output`, and the output has elements. Errors: kOutOfMemory.
  static Result<LoopNest> Make(std::span<const TensorView> inputs, const MutableTensorView& output);

  std::size_t rank() const { return extents_.rank(); }
  DimsView extents() const { return extents_; }

  /// The steps of input m, rank() of them, and the distance from its data pointer to its element at the
  /// nest's origin.
  DimsView InputSteps(std::size_t m) const { return {input_steps_.get() + m * stored_rank_, rank()}; }
  std::int64_t InputOrigin(std::size_t m) const { return input_origins_[m]; }

  DimsView OutputSteps() const { return output_steps_; }
  std::int64_t OutputOrigin() const { return output_origin_; }

  /// Bytes allocated.
  std::size_t MemoryBytes() const { return memory_bytes_; }

 private:
  void Merge(std::size_t inputs);

  Shape extents_;
  Shape output_steps_;
  std::int64_t output_origin_ = 0;
  std::size_t stored_rank_ = 0;
  std::unique_ptr<std::int64_t[]> input_steps_;
  std::unique_ptr<std::int64_t[]> input_origins_;
  std::size_t memory_bytes_ = 0;
};

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_LOOP_NEST_H_
