// No page without elements is touched: those between the parts of each tensor can be neither read nor
// written.
#include <gtest/gtest.h>

#include <cstddef>
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
      inputs.emplace_back(rng, GetParam(), operand).Set(values.back().Elements());
      views.push_back(inputs.back().View());
      dense.push_back(values.back().View());
    }
    const Shape common = *Shape::FromSpan(*reference::BroadcastShape(shapes));
    StridedTensor expected(rng, GetParam(), common, Layout::kDense, Use::kOutput), fresh = expected;
    ASSERT_TRUE(reference::Max(dense, expected.MutableView()));
    HoledTensor output(rng, GetParam(), common);
    test::ForEachConfiguration([&](std::size_t threads) {
      output.Set(fresh.Elements());
      ASSERT_TRUE(Max(views, output.MutableView(), {.threads = threads}));
      ASSERT_EQ(output.Elements(), expected.Elements());
    });
    if (HasFatalFailure()) return;
  }
}

// A ReduceMax whose source has holes, along some axes.
struct Reduction {
  Reduction(Rng& rng, DType dtype)
      : shape(SomeShape(rng)),
        values(rng, dtype, shape, Layout::kDense, Use::kInput),
        source(rng, dtype, shape) {
    values.Fill(rng);
    source.Set(values.Elements());
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (Below(rng, 2) == 0) axes.push_back(static_cast<std::int64_t>(d));
    }
    options.axes = axes;
    options.keepdims = Below(rng, 2) == 0;
    reduced = *ReduceMaxOutputShape(values.View(), options);
  }
  Reduction(const Reduction&) = delete;  // options.axes are its own
  Reduction& operator=(const Reduction&) = delete;

  // What is written to an output like `fresh`.
  StridedTensor ExpectedIn(StridedTensor fresh) const {
    EXPECT_TRUE(reference::ReduceMax(values.View(), fresh.MutableView(), axes, options.keepdims));
    return fresh;
  }

  Shape shape, reduced;
  StridedTensor values;
  HoledTensor source;
  std::vector<std::int64_t> axes;
  ReduceMaxOptions options;
};

// Rules: RED-1, MEM-1
TEST_P(Holes, InTheSourceAndTheOutputOfReduceMaxAreNotTouched) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    Reduction r(rng, GetParam());
    StridedTensor fresh(rng, GetParam(), r.reduced, Layout::kDense, Use::kOutput);
    StridedTensor expected = r.ExpectedIn(fresh);
    HoledTensor output(rng, GetParam(), r.reduced);
    test::ForEachConfiguration([&](std::size_t threads) {
      r.options.threads = threads;
      output.Set(fresh.Elements());
      ASSERT_TRUE(ReduceMax(r.source.View(), output.MutableView(), r.options));
      ASSERT_EQ(output.Elements(), expected.Elements());
    });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace supremum
