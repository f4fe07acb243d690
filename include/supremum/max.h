// Max: the element-wise maximum of any number of tensors, with broadcasting.
#ifndef SUPREMUM_MAX_H_
#define SUPREMUM_MAX_H_

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include "supremum/borrowed.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum {

struct CheckedMax;

struct MaxOptions {
  /// The version of the operator, which decides the admitted types (TYP-3) and whether shapes may differ
  /// (MAX-3, MAX-4).
  MaxVersion version = kLatestMax;

  /// PRO-6: refuse inputs of different shapes (kBroadcastRefused), whatever the version admits.
  bool identical_shapes_only = false;

  /// The maximum number of threads that compute, including the calling thread. 0: as many as affinity and CPU
  /// quota of the process allow and the size of the work justifies. The others are oneTBB's; a build without
  /// oneTBB uses the calling thread alone. The number changes no bit of any result (ORD-5).
  std::size_t threads = 1;

  /// The names of the inputs and the output in error texts. Empty: "input 0", "input 1", ..., "the output".
  /// Read only during the call; a temporary does not compile (borrowed.h).
  Borrowed<std::span<const std::string_view>> input_names = {};
  Borrowed<std::string_view> output_name = {};
};

/// The shape of the output of Max: what to allocate before the call. Data pointers are not read and may be
/// null.
///
/// Errors: those of Max that concern the inputs' count, types, ranks and shapes.
/// Cost: one pass over the extents, no allocation unless there is an error.
///
///   Result<Shape> shape = MaxOutputShape(inputs);
Result<Shape> MaxOutputShape(std::span<const TensorView> inputs, const MaxOptions& options = {});

/// The element-wise maximum of `inputs`, broadcast to their common shape, into `output`.
///
///   output[i] = max over m of z_m[i],   z_m = inputs[m] broadcast to shape(output)   (MAX-2, BRO-5).
///
/// The order is that of section 1 of docs/semantics.md: -0 < +0, NaN absorbs, every NaN written is the
/// canonical one of its type (ORD-1..4). The bits of the result depend on the set of operands at each i and
/// on nothing else (ORD-5, ORD-6).
///
/// Requires: the views' data may be read, and the output's written, at every index of their shapes.
/// Ensures: on an error nothing is written. No byte is written outside the output's elements (MEM-1). With
///   one input, the output is a copy in canonical form (MAX-6).
/// Errors, the first that applies in this order: kInvalidArgument for null data; kInputCount (MAX-1);
///   kTypeMismatch (TYP-2); kTypeNotAdmitted (TYP-3); kBroadcastRefused (PRO-6); kRank (BRO-4);
///   kInvalidShape. Then kNotBroadcastable, E1 (BRO-2, MAX-3); kOutputShapeMismatch, E2; kOverlap;
///   kOutOfMemory. Overlap means that two elements of the output have one address (MEM-1). It also means
///   that the output shares memory with an input without being exactly that input, in address, shape and
///   strides (in-place, MEM-2).
/// Cost: time and memory linear in the number of inputs (MAX-1). Two inputs of up to eight dimensions need no
///   allocation unless there is an error; other memory is freed on return.
///
///   const float a[] = {3, 2, 1}, b[] = {1, 4, 4};
///   float y[3];
///   const Shape shape{3};
///   Result<void> done = Max({TensorView::Of(a, shape), TensorView::Of(b, shape)},
///                           MutableTensorView::Of(y, shape));  // y is {3, 4, 4}
Result<void> Max(std::span<const TensorView> inputs, MutableTensorView output,
                 const MaxOptions& options = {});

/// The same for a braced list of inputs.
inline Result<void> Max(std::initializer_list<TensorView> inputs, MutableTensorView output,
                        const MaxOptions& options = {}) {
  return Max(std::span<const TensorView>(inputs.begin(), inputs.size()), output, options);
}

/// A Max that is checked once and can then be run any number of times. A run neither allocates nor fails
/// (MEM-3).
///
///   Result<MaxPlan> plan = MaxPlan::Prepare(inputs, output);
///   if (!plan) return plan.error();
///   for (;;) { Fill(a, b); plan->Run(); Use(y); }
///
/// Run does not change the plan: threads may share one, as long as they do not write to the same memory.
class MaxPlan {
 public:
  /// Checks everything that Max checks, and binds the plan to the views' memory. The views' shapes and
  /// strides are copied.
  ///
  /// Errors: those of Max.
  /// Cost: time linear in the number of inputs; the memory that MemoryBytes() reports.
  static Result<MaxPlan> Prepare(std::span<const TensorView> inputs, MutableTensorView output,
                                 const MaxOptions& options = {});
  static Result<MaxPlan> Prepare(std::initializer_list<TensorView> inputs, MutableTensorView output,
                                 const MaxOptions& options = {}) {
    return Prepare(std::span<const TensorView>(inputs.begin(), inputs.size()), output, options);
  }

  MaxPlan(MaxPlan&&) noexcept;
  MaxPlan& operator=(MaxPlan&&) noexcept;
  ~MaxPlan();

  /// Binds the plan to other memory for tensors of the same types, shapes and strides: `inputs[m]` and
  /// `output` replace the views' data pointers.
  ///
  /// Ensures: on an error the plan is unchanged.
  /// Errors: kInputCount, kInvalidArgument (null data), kInvalidShape (elements outside the address space),
  ///   kOverlap (MEM-2).
  /// Cost: linear in the number of inputs, no allocation unless there is an error.
  Result<void> Rebind(std::span<const void* const> inputs, void* output);

  /// Computes the maximum of the current elements of the bound inputs.
  ///
  /// Requires: the bound memory is still valid.
  /// Cost: no allocation; less than 96 KiB of stack; every element of every input is read once for each time
  ///   that broadcasting repeats it.
  void Run() const noexcept;

  /// The memory of this plan in bytes, all of it allocated by Prepare. Run allocates none (MEM-3).
  std::size_t MemoryBytes() const noexcept;

 private:
  struct State;
  // The library's own way to a plan of operands that it has checked.
  friend Result<MaxPlan> PrepareChecked(const CheckedMax&, std::span<const TensorView>,
                                        const MutableTensorView&, const MaxOptions&);
  explicit MaxPlan(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace supremum

#endif  // SUPREMUM_MAX_H_
