// Max and ReduceMax of inputs with error bounds: how far the result can be from the true one (ACC-1..4).
#ifndef SUPREMUM_BOUNDS_H_
#define SUPREMUM_BOUNDS_H_

#include <initializer_list>
#include <optional>
#include <span>

#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum {

/// The outputs: the result, and the bounds of its true value y_true. All have the result's type and shape. An
/// output that is absent is not computed.
struct BoundedOutput {
  MutableTensorView value = {};                           ///< y, the result
  std::optional<MutableTensorView> bound = std::nullopt;  ///< the largest |y - y_true| (ACC-2)
  std::optional<MutableTensorView> lower = std::nullopt;  ///< the least possible y_true (ACC-3)
  std::optional<MutableTensorView> upper = std::nullopt;  ///< the largest possible y_true (ACC-3)
};

/// Max, and bounds of the error of its result that follow from bounds of the inputs' errors. Max itself adds
/// no error (ACC-1).
///
///   value[i] = max over m of z_m[i]
///   bound[i] = max over m of e_m[i]                                       (ACC-2)
///   lower[i] = max over m of z_m[i] - e_m[i],  upper[i] = max over m of z_m[i] + e_m[i]     (ACC-3).
///
/// Here z_m is values[m] broadcast to the common shape, and e_m is bounds[m] broadcast to the shape of
/// values[m] and then likewise. So a bound has any shape that broadcasts to its value's, such as that shape
/// or a scalar; the bound of an exact input is 0. If the true value of each input differs from the given one
/// by at most its bound,
///
///   |value[i] - y_true[i]| <= bound[i]   and   lower[i] <= y_true[i] <= upper[i].
///
/// Sums of floats are rounded outwards, to the next number of the type or to an infinity; sums of integers
/// saturate at the limits of their type. Apart from that rounding, neither end is further than bound[i] from
/// value[i]: an input that cannot be the maximum does not widen the interval.
///
/// If a value or a bound is NaN or infinite, nothing is known of that input (ACC-4): bound[i] is +inf,
/// upper[i] is +inf, and lower[i] is what the other inputs guarantee, -inf if there are none. None of the
/// three is ever NaN.
///
/// Requires: the views' data may be read, and the outputs' written, at every index of their shapes.
/// Ensures: on an error nothing is written. Nothing depends on the floating-point environment (ORD-6).
/// Errors: those of Max, in the same order, of values and bounds alike; kInputCount for another number of
///   bounds than of values; kNotBroadcastable (E1) for a bound that does not broadcast to its value;
///   kOutputShapeMismatch (E2) of any output. Overlap is kOverlap (MEM-2): outputs that share memory, an
///   output other than `value` that shares memory with an input, or `value` with a bound. Last,
///   kNegativeBound for a bound below zero, with its index.
/// Cost: the time of Max for each output, and one pass over each input; memory for the elements of all inputs
///   and for the plans, freed on return.
///
///   const float a[] = {3, 2}, b[] = {1, 4}, half = 0.5f, exact = 0;
///   float y[2], e[2];
///   const Shape two{2}, scalar{};
///   Result<void> done = MaxWithBounds({TensorView::Of(a, two), TensorView::Of(b, two)},
///                                     {TensorView::Of(&half, scalar), TensorView::Of(&exact, scalar)},
///                                     {.value = MutableTensorView::Of(y, two),
///                                      .bound = MutableTensorView::Of(e, two)});
///   // y is {3, 4}, e is {0.5, 0.5}
Result<void> MaxWithBounds(std::span<const TensorView> values, std::span<const TensorView> bounds,
                           const BoundedOutput& output, const MaxOptions& options = {});

/// The same for braced lists.
inline Result<void> MaxWithBounds(std::initializer_list<TensorView> values,
                                  std::initializer_list<TensorView> bounds, const BoundedOutput& output,
                                  const MaxOptions& options = {}) {
  return MaxWithBounds(std::span<const TensorView>(values.begin(), values.size()),
                       std::span<const TensorView>(bounds.begin(), bounds.size()), output, options);
}

/// ReduceMax, and bounds of the error of its result that follow from bounds of the source's errors: as
/// MaxWithBounds, over the elements that are reduced into one of the output (RED-1). A bool whose bound is
/// true may be either value.
///
/// The maximum over no elements is exact: its bound is 0, and both ends are Bottom (RED-6).
///
/// Errors: those of ReduceMax and of MaxWithBounds.
/// Cost: as that of MaxWithBounds, with ReduceMax for Max.
///
///   const float x[] = {1, 5, 2, 4}, e[] = {0.5f, 0.25f, 4, 1};
///   float y, low, high;
///   const Shape four{4}, scalar{};
///   Result<void> done = ReduceMaxWithBounds(TensorView::Of(x, four), TensorView::Of(e, four),
///                                           {.value = MutableTensorView::Of(&y, scalar),
///                                            .lower = MutableTensorView::Of(&low, scalar),
///                                            .upper = MutableTensorView::Of(&high, scalar)});
///   // y is 5, low 4.75, high 6
Result<void> ReduceMaxWithBounds(const TensorView& source, const TensorView& bound,
                                 const BoundedOutput& output, const ReduceMaxOptions& options = {});

}  // namespace supremum

#endif  // SUPREMUM_BOUNDS_H_
