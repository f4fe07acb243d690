// Every allocation that preparing makes fails once: out of memory is reported, nothing is written or leaked.
#include "support/out_of_memory.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "supremum/bounds.h"
#include "supremum/broadcast.h"
#include "supremum/max.h"
#include "supremum/reduce_max.h"
#include "supremum/tensor.h"

namespace supremum {
namespace {

using test::Outcome;
using test::WalkOutOfMemory;

class OutOfMemory : public testing::Test {
 protected:
  // A has gaps in both dimensions.
  const Shape shape_{2, 3}, strides_{2, 3}, rows_{2};
  std::vector<float> a_{1, 0, 5, 2, 0, 4, 3, 0, 6}, b_{0, 9, 0, 9, 0, 9}, e_{1, 1, 1, 1, 1, 1},
      y_{7, 7, 7, 7, 7, 7};
  std::vector<float> bound_ = y_, lower_ = y_, upper_ = y_;
  const std::vector<std::int64_t> axes_{-1};

  TensorView A() const { return TensorView::Of(a_.data(), shape_, strides_); }
  TensorView B() const { return TensorView::Of(b_.data(), shape_); }
  MutableTensorView Y() { return MutableTensorView::Of(y_.data(), shape_); }
  MutableTensorView Rows(std::vector<float>& of) { return MutableTensorView::Of(of.data(), rows_); }
};

// Rules: MEM-3
TEST_F(OutOfMemory, OfATensorAndItsCloneIsAnError) {
  const Tensor tensor = *Tensor::Create(DType::kFloat32, shape_);
  WalkOutOfMemory("Tensor::Clone", [&] { return Outcome(tensor.Clone()); });
}

// Rules: MEM-3
TEST_F(OutOfMemory, OfMaxAndOfItsPlanIsAnError) {
  const std::vector<float> before = y_;
  WalkOutOfMemory("MaxPlan::Prepare", [&] { return Outcome(MaxPlan::Prepare({A(), B()}, Y())); });
  EXPECT_EQ(y_, before);
  const std::vector<float> rows(64 * 3), columns(32 * 3);
  std::vector<float> pairs(64 * 32 * 3);
  const Shape left{64, 1, 3}, right{1, 32, 3}, both{64, 32, 3};
  WalkOutOfMemory("MaxPlan::Prepare of pairs", [&] {
    return Outcome(
        MaxPlan::Prepare({TensorView::Of(rows.data(), left), TensorView::Of(columns.data(), right)},
                         MutableTensorView::Of(pairs.data(), both)));
  });
  const std::vector<TensorView> many(300, A());
  WalkOutOfMemory("MaxPlan::Prepare of 300", [&] { return Outcome(MaxPlan::Prepare(many, Y())); });
  EXPECT_EQ(y_, before);
  WalkOutOfMemory("Max of 300", [&] { return Max(many, Y()); });
}

// Rules: MEM-3
TEST_F(OutOfMemory, OfReduceMaxAndOfItsPlanIsAnError) {
  const ReduceMaxOptions options{.axes = axes_};
  const std::vector<float> before = y_;
  WalkOutOfMemory("ReduceMaxPlan::Prepare",
                  [&] { return Outcome(ReduceMaxPlan::Prepare(A(), Rows(y_), options)); });
  EXPECT_EQ(y_, before);
  const test::FailingAllocations failing(0);
  EXPECT_TRUE(ReduceMax(A(), Rows(y_), options)) << "it allocates nothing";
}

// Rules: ACC-2
TEST_F(OutOfMemory, OfBoundsIsAnErrorBeforeAnythingIsWritten) {
  const TensorView values[] = {A(), B()}, bounds[] = {TensorView::Of(e_.data(), shape_), B()};
  const ReduceMaxOptions options{.axes = axes_};
  WalkOutOfMemory("MaxWithBounds", [&] {
    const auto view = [&](std::vector<float>& of) { return MutableTensorView::Of(of.data(), shape_); };
    return MaxWithBounds(values, bounds, {view(y_), view(bound_), view(lower_), view(upper_)});
  });
  WalkOutOfMemory("ReduceMaxWithBounds", [&] {
    return ReduceMaxWithBounds(A(), bounds[0], {Rows(y_), Rows(bound_), Rows(lower_), Rows(upper_)}, options);
  });
}

TEST_F(OutOfMemory, OfTheTextOfAnErrorIsAnErrorToo) {
  const Shape other{4};
  const TensorView c = TensorView::Of(a_.data(), other);
  WalkOutOfMemory("the text of E1", [&] { return Max({A(), c}, Y()); });
  const std::vector<std::int64_t> axes{5};
  WalkOutOfMemory("the text of an axis", [&] { return Outcome(ReduceMaxOutputShape(A(), {.axes = axes})); });
  WalkOutOfMemory("the text of shapes", [&] {
    const DimsView shapes[] = {shape_, other};
    return Outcome(BroadcastShapes(shapes));
  });
  WalkOutOfMemory("a tensor", [&] { return Outcome(Tensor::Create(DType::kFloat32, shape_)); });
}

}  // namespace
}  // namespace supremum
