// Max of two spans and ReduceMax of one, where no shape is needed.
#ifndef SUPREMUM_SPANS_H_
#define SUPREMUM_SPANS_H_

#include <cstddef>
#include <span>
#include <type_traits>

#include "supremum/dtype.h"
#include "supremum/result.h"

namespace supremum {

namespace internal {
/// Max and ReduceMax of contiguous elements of `dtype`. ReduceMaxOfSpan writes one element.
Result<void> MaxOfSpans(DType dtype, const void* a, std::size_t a_size, const void* b, std::size_t b_size,
                        void* y, std::size_t y_size);
void ReduceMaxOfSpan(DType dtype, const void* x, std::size_t size, void* y);
}  // namespace internal

/// TYP-3: a C++ element type that Max has: every one but bool.
template <class T>
// clang-format off
concept ElementOfMax = Element<T> && !std::is_same_v<T, bool>;
// clang-format on

/// The element-wise maximum of `a` and `b` into `y`:
///
///   y[i] = max(a[i], b[i]).
///
/// The order is that of section 1 of docs/semantics.md, as for Max of tensors. One thread computes.
///
/// Requires: T is one of the twelve types of Max (TYP-3). Ensures: on an error nothing is written.
/// Errors, the first that applies in this order: kNotBroadcastable, E1, if `a` and `b` differ in size
///   (MAX-3); kOutputShapeMismatch, E2, if `y` does; kOverlap (MEM-2). Overlap means that `y` shares memory
///   with `a` or `b` without being exactly that span.
/// Cost: a few nanoseconds in addition to the loop over the elements; no allocation unless there is an error.
///
///   const std::vector<float> a{3, 2, 1}, b{1, 4, 4};
///   std::vector<float> y(3);
///   Result<void> done = Max<float>(a, b, y);  // y is {3, 4, 4}
template <ElementOfMax T>
Result<void> Max(std::type_identity_t<std::span<const T>> a, std::type_identity_t<std::span<const T>> b,
                 std::type_identity_t<std::span<T>> y) {
  return internal::MaxOfSpans(kDTypeOf<T>, a.data(), a.size(), b.data(), b.size(), y.data(), y.size());
}

/// The maximum of `x`, in canonical form; the least value of the type if `x` is empty (RED-6).
///
///   max over i of x[i].
///
/// Cost: a few nanoseconds in addition to the loop over the elements; one thread, no allocation, no error.
///
///   const std::vector<float> x{3, 2, 1};
///   float largest = ReduceMax<float>(x);  // 3
template <Element T>
T ReduceMax(std::type_identity_t<std::span<const T>> x) {
  T y;
  internal::ReduceMaxOfSpan(kDTypeOf<T>, x.data(), x.size(), &y);
  return y;
}

}  // namespace supremum

#endif  // SUPREMUM_SPANS_H_
