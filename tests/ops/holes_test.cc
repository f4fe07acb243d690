// No page without elements is touched: those between the parts of each tensor can be neither read nor
// written.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

#include "support/configurations.h"
#include "support/holed.h"
#include "support/shapes.h"
#include "support/values.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using test::Below;
using test::HoledTensor;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;

class Holes : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(AllTypes, Holes, testing::ValuesIn(kNumberDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

Shape SomeShape(Rng& rng) {
  static constexpr std::int64_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 70};
  Shape shape;
  const std::size_t rank = 1 + Below(rng, 5);
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t extent = kExtents[Below(rng, std::size(kExtents))];
    if (count * extent > 1500) extent = 2;
    count *= extent;
    shape.PushBack(extent);
  }
  return shape;
}

// Rules: MAX-2, BRO-1, BRO-2, MEM-1
TEST_P(Holes, InTheOperandsAndTheOutputOfMaxAreNotTouched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const Shape shape = SomeShape(rng);
    std::deque<HoledTensor> inputs;
    std::vector<StridedTensor> values;
    std::vector<TensorView> views, dense;
    std::vector<std::vector<std::int64_t>> shapes;
    const std::size_t count = 1 + Below(rng, 4);
    values.reserve(count);
    for (std::size_t m = 0; m < count; ++m) {
      const Shape operand = test::RandomOperandShape(rng, shape);
      shapes.emplace_back(operand.begin(), operand.end());
      values.emplace_back(rng, GetParam(), operand, Layout::kDense, Use::kInput);
      values.back().Fill(rng);
      inputs.emplace_back(rng, GetParam(), operand).Take(values.back());
      views.push_back(inputs.back().View());
      dense.push_back(values.back().View());
    }
    const Shape common = *Shape::FromSpan(*reference::BroadcastShape(shapes));
    StridedTensor expected(rng, GetParam(), common, Layout::kDense, Use::kOutput), actual = expected;
    ASSERT_TRUE(reference::Max(dense, expected.MutableView()));
    HoledTensor output(rng, GetParam(), common);
    test::ForEachConfiguration([&](std::size_t threads) {
      output.Take(actual);
      ASSERT_TRUE(Max(views, output.MutableView(), {.threads = threads}));
      StridedTensor given = actual;
      output.Give(given);
      ASSERT_TRUE(given.SameBytes(expected));
    });
    if (HasFatalFailure()) return;
  }
}

// Rules: RED-1, MEM-1
TEST_P(Holes, InTheSourceAndTheOutputOfReduceMaxAreNotTouched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    const Shape shape = SomeShape(rng);
    StridedTensor values(rng, GetParam(), shape, Layout::kDense, Use::kInput);
    values.Fill(rng);
    HoledTensor source(rng, GetParam(), shape);
    source.Take(values);
    std::vector<std::int64_t> axes;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (Below(rng, 2) == 0) axes.push_back(static_cast<std::int64_t>(d));
    }
    ReduceMaxOptions options;
    options.axes = axes;
    options.keepdims = true;
    const Shape reduced = *ReduceMaxOutputShape(values.View(), options);
    StridedTensor expected(rng, GetParam(), reduced, Layout::kDense, Use::kOutput), fresh = expected;
    ASSERT_TRUE(reference::ReduceMax(values.View(), expected.MutableView(), axes, true));
    HoledTensor output(rng, GetParam(), reduced);
    test::ForEachConfiguration([&](std::size_t threads) {
      options.threads = threads;
      output.Take(fresh);
      ASSERT_TRUE(ReduceMax(source.View(), output.MutableView(), options));
      StridedTensor given = fresh;
      output.Give(given);
      ASSERT_TRUE(given.SameBytes(expected));
    });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace supremum
