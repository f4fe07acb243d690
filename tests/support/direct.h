// Whether a function computes a Max without a plan.
#ifndef SUPREMUM_TESTS_SUPPORT_DIRECT_H_
#define SUPREMUM_TESTS_SUPPORT_DIRECT_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "support/allocations.h"
#include "supremum/shape.h"
#include "supremum/tensor_view.h"

namespace supremum::test {

/// What `compute` returns for inputs and an output of these shapes: true if it has written the maximum, false
/// if it has written nothing. Expects one of both, and no allocation.
inline bool Computes(bool (*compute)(std::span<const TensorView>, const MutableTensorView&),
                     const std::vector<Shape>& shapes, const Shape& output) {
  const std::size_t elements = static_cast<std::size_t>(*ElementCount(output));
  const std::vector<float> x(elements, 7);
  std::vector<float> y(elements, 0);
  std::vector<TensorView> views;
  for (const Shape& shape : shapes) views.push_back(TensorView::Of(x.data(), shape));
  const std::size_t before = Allocations();
  const bool computes = compute(views, MutableTensorView::Of(y.data(), output));
  EXPECT_EQ(Allocations(), before);
  EXPECT_EQ(y, std::vector<float>(elements, computes ? 7 : 0));
  return computes;
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_DIRECT_H_
