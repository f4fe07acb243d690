// The specification as plain loops over any ordered type. People read it to know what Max and ReduceMax mean,
// and tests compare every implementation with it. It is not optimised, and it shares no code with them.
#ifndef SUPREMUM_REFERENCE_H_
#define SUPREMUM_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "supremum/result.h"
#include "supremum/tensor_view.h"

namespace supremum::reference {

/// A tensor of any type, its elements in row-major order.
///
/// Invariant: values.size() is the product of the extents.
template <class T>
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<T> values;
};

/// The maximum of two values under a strict weak order: b if a < b, else a. If two values are equivalent but
/// not equal, the result is the first. If the order has no such pairs, the result does not depend on the
/// order of the inputs (ORD-1).
template <class Less>
struct JoinBy {
  Less less;

  template <class T>
  T operator()(const T& a, const T& b) const {
    return less(a, b) ? b : a;
  }
};

/// The common shape of `shapes` (BRO-1..4), of any rank.
///
/// Errors: kInputCount, kInvalidShape, kNotBroadcastable (E1).
Result<std::vector<std::int64_t>> BroadcastShape(const std::vector<std::vector<std::int64_t>>& shapes);

/// The row-major position of the element of a tensor of shape `shape` that broadcasting puts at `index` of
/// the common shape (BRO-5).
///
/// Requires: `shape` broadcasts to the shape that `index` belongs to.
std::size_t BroadcastPosition(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& index);

/// Replaces `index` by the next index within `shape` in row-major order, and returns true. After the last
/// index, sets all coordinates to 0 and returns false.
bool NextIndex(const std::vector<std::int64_t>& shape, std::vector<std::int64_t>& index);

/// Max over any type T and any join, written as a fold from the first input to the last.
///
///   y[i] = join(... join(join(z_0[i], z_1[i]), z_2[i]) ..., z_n-1[i])
///   z_m  = inputs[m] broadcast to the common shape                            (MAX-2).
///
/// The type T may be a rational of any size (the `real` of the specification), a string or a structure. It
/// may be a scalar with its own error terms (ORD-7). A single input is copied unchanged.
///
/// Requires: T join(const T&, const T&); the inputs satisfy Tensor's invariant.
/// Errors: those of BroadcastShape.
///
///   Tensor<std::string> a{{2}, {"ant", "dog"}}, b{{1}, {"cat"}};
///   auto y = reference::Max<std::string>({a, b});    // {"cat", "dog"}
template <class T, class Join>
Result<Tensor<T>> Max(const std::vector<Tensor<T>>& inputs, Join join) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const Tensor<T>& input : inputs) shapes.push_back(input.shape);
  Result<std::vector<std::int64_t>> shape = BroadcastShape(shapes);
  if (!shape) return shape.error();

  Tensor<T> output{*shape, {}};
  std::vector<std::int64_t> index(output.shape.size(), 0);
  for (std::int64_t extent : output.shape) {
    if (extent == 0) return output;  // BRO-3
  }
  do {
    T joined = inputs[0].values[BroadcastPosition(inputs[0].shape, index)];
    for (std::size_t m = 1; m < inputs.size(); ++m) {
      joined = join(joined, inputs[m].values[BroadcastPosition(inputs[m].shape, index)]);
    }
    output.values.push_back(std::move(joined));
  } while (NextIndex(output.shape, index));
  return output;
}

/// Max by the type's own order.
template <class T>
Result<Tensor<T>> Max(const std::vector<Tensor<T>>& inputs) {
  return Max(inputs, JoinBy<std::less<T>>{});
}

/// Max on the twelve types: the oracle. A correct implementation returns the same bits (ORD-4, ORD-5).
///
/// Requires: all views and the output have one type; the output has the common shape.
/// Errors: those of BroadcastShape.
Result<void> Max(std::span<const TensorView> inputs, MutableTensorView output);

/// For each dimension of a tensor of rank `rank`, whether `axes` names it; true for all if `axes` is absent
/// (RED-2).
///
/// Errors: kAxis.
Result<std::vector<bool>> ReducedDimensions(const std::optional<std::vector<std::int64_t>>& axes,
                                            std::size_t rank);

/// ReduceMax over any type T and any join: a fold over the elements that differ in the reduced coordinates
/// alone, in row-major order, from `bottom`.
///
///   y[i] = join(... join(join(bottom, x[j_1]), x[j_2]) ..., x[j_n])    j_k = i outside the axes  (RED-1).
///
/// The value `bottom` is the maximum over no elements (RED-6).
///
/// Requires: `join` as in Max, with `bottom` as its identity element: join(bottom, a) = a (RED-7); `source`
///   satisfies Tensor's invariant.
/// Errors: kAxis (RED-2).
///
///   Tensor<std::string> x{{2, 2}, {"ant", "dog", "cat", "bee"}};
///   auto y = reference::ReduceMax<std::string>(x, {{1}}, false, "", JoinBy<std::less<>>{});
///   // y is {"dog", "cat"}
template <class T, class Join>
Result<Tensor<T>> ReduceMax(const Tensor<T>& source, const std::optional<std::vector<std::int64_t>>& axes,
                            bool keepdims, const T& bottom, Join join) {
  const std::size_t rank = source.shape.size();
  const Result<std::vector<bool>> reduced = ReducedDimensions(axes, rank);
  if (!reduced) return reduced.error();

  // `full` is the output's shape with keepdims (RED-3). Extent 1 makes a coordinate move no position.
  std::vector<std::int64_t> full = source.shape;
  Tensor<T> output;
  std::size_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    if ((*reduced)[d]) full[d] = 1;
    count *= static_cast<std::size_t>(full[d]);
    if (keepdims || !(*reduced)[d]) output.shape.push_back(full[d]);
  }
  output.values.assign(count, bottom);
  for (std::int64_t extent : source.shape) {
    if (extent == 0) return output;  // RED-6
  }
  std::vector<std::int64_t> index(rank, 0);
  do {
    const std::size_t to = BroadcastPosition(full, index);
    output.values[to] = join(output.values[to], source.values[BroadcastPosition(source.shape, index)]);
  } while (NextIndex(source.shape, index));
  return output;
}

/// ReduceMax on the twelve types and bool: the oracle.
///
/// Requires: both views have one type; the output has the reduced shape. Errors: kAxis (RED-2).
Result<void> ReduceMax(const TensorView& source, MutableTensorView output,
                       std::optional<std::span<const std::int64_t>> axes, bool keepdims);

}  // namespace supremum::reference

#endif  // SUPREMUM_REFERENCE_H_
