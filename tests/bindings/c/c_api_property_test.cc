// The C interface against the oracle, bit by bit: every type and layout, on every target that runs here.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bindings/c/testing.h"
#include "support/shapes.h"
#include "support/values.h"
#include "supremum/reference.h"
#include "supremum/target.h"

namespace supremum {
namespace {

using test::Below;
using test::DlTensor;
using test::Outcome;
using test::Rng;
using test::StridedTensor;
using Layout = StridedTensor::Layout;
using Use = StridedTensor::Use;

constexpr Layout kLayouts[] = {Layout::kDense, Layout::kReversed, Layout::kTransposed, Layout::kAny,
                               Layout::kAny};

class CApiProperty : public testing::TestWithParam<DType> {
 protected:
  ~CApiProperty() override { supremum_use_target(""); }

  // Calls check(options) on each target, with 1 and 3 threads.
  template <class Check>
  static void ForEachConfiguration(Check check) {
    for (const TargetInfo& target : Targets()) {
      if (!target.runs_here) continue;
      ASSERT_EQ(supremum_use_target(std::string(target.name).c_str()), SUPREMUM_OK);
      for (std::uint32_t threads : {1u, 3u}) {
        supremum_options options = SUPREMUM_OPTIONS_INIT;
        options.threads = threads;
        SCOPED_TRACE("target " + std::string(target.name));
        ASSERT_NO_FATAL_FAILURE(check(options));
      }
    }
  }

  // Some of the address as byte_offset: in front of the elements there are 16 bytes. Row-major strides are
  // left out now and then.
  static DlTensor Describe(Rng& rng, TensorView view) {
    if (SameDims(view.strides, RowMajorStrides(view.shape)) && Below(rng, 2) == 0) view.strides = {};
    return DlTensor(view, Below(rng, 17));
  }
};

INSTANTIATE_TEST_SUITE_P(AllTypes, CApiProperty, testing::ValuesIn(kAllDTypes),
                         [](const auto& param) { return std::string(Name(param.param)); });

// Rules: MAX-2, ORD-5, BRO-5, MEM-1
TEST_P(CApiProperty, MaxGivesTheBitsOfTheOracle) {
  if (GetParam() == DType::kBool) return;  // TYP-3: dl_operands_test.cc
  Rng rng(21);
  for (int i = 0; i < 150; ++i) {
    const Shape common = test::RandomShape(rng, Below(rng, 6));
    std::vector<StridedTensor> inputs;
    std::vector<std::vector<std::int64_t>> shapes;
    const std::size_t count = 1 + Below(rng, 5);
    for (std::size_t m = 0; m < count; ++m) {
      const Shape shape = test::RandomOperandShape(rng, common);
      inputs.emplace_back(rng, GetParam(), shape, kLayouts[Below(rng, 5)], Use::kInput);
      inputs.back().Fill(rng);
      shapes.emplace_back(shape.begin(), shape.end());
    }
    const std::vector<std::int64_t> shape = *reference::BroadcastShape(shapes);
    SCOPED_TRACE(ToString(shape) + " of " + std::to_string(count));
    const StridedTensor output(rng, GetParam(), *Shape::FromSpan(shape), kLayouts[Below(rng, 5)],
                               Use::kOutput);
    StridedTensor expected = output;
    std::vector<TensorView> views;
    std::vector<DlTensor> tensors;
    for (const StridedTensor& input : inputs) {
      views.push_back(input.View());
      tensors.push_back(Describe(rng, input.View()));
    }
    std::vector<const DLTensor*> pointers;
    for (DlTensor& tensor : tensors) pointers.push_back(tensor.get());
    ASSERT_TRUE(reference::Max(views, expected.MutableView()));
    ForEachConfiguration([&](const supremum_options& options) {
      StridedTensor once = output, planned = output;
      DlTensor to = Describe(rng, once.MutableView()), to_plan = Describe(rng, planned.MutableView());
      ASSERT_EQ(Outcome(supremum_max(pointers.data(), count, to.get(), &options)), "ok");
      ASSERT_TRUE(once.SameBytes(expected));
      supremum_max_plan* plan = nullptr;
      ASSERT_EQ(Outcome(supremum_max_prepare(pointers.data(), count, to_plan.get(), &options, &plan)), "ok");
      ASSERT_TRUE(planned.SameBytes(output)) << "preparing writes nothing";
      EXPECT_EQ(supremum_max_run(plan), SUPREMUM_OK);
      supremum_max_destroy(plan);
      ASSERT_TRUE(planned.SameBytes(expected));
    });
  }
}

// Rules: RED-1, RED-2, RED-3, RED-6, ORD-5, MEM-1
TEST_P(CApiProperty, ReduceMaxGivesTheBitsOfTheOracle) {
  Rng rng(22);
  for (int i = 0; i < 150; ++i) {
    const Shape shape = test::RandomShape(rng, Below(rng, 6));
    StridedTensor source(rng, GetParam(), shape, kLayouts[Below(rng, 5)], Use::kInput);
    source.Fill(rng);
    std::vector<std::int64_t> axes;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      const std::int64_t axis = static_cast<std::int64_t>(d);
      if (Below(rng, 2) == 0)
        axes.push_back(Below(rng, 2) == 0 ? axis : axis - static_cast<std::int64_t>(shape.rank()));
    }
    const bool all = axes.size() == shape.rank() && Below(rng, 2) == 0, keepdims = Below(rng, 2) == 0;
    const std::size_t axis_count = all ? SUPREMUM_ALL_AXES : axes.size();
    SCOPED_TRACE(ToString(shape) + " along " + ToString(axes) + (keepdims ? ", kept" : ""));
    DlTensor x = Describe(rng, source.View());
    std::int64_t reduced[SUPREMUM_MAX_RANK] = {};
    std::int32_t rank = 0;
    ASSERT_EQ(Outcome(supremum_reduce_max_shape(x.get(), axes.data(), axis_count, keepdims, nullptr, reduced,
                                                &rank)),
              "ok");
    const Shape output_shape = *Shape::FromSpan(DimsView(reduced, static_cast<std::size_t>(rank)));
    const StridedTensor output(rng, GetParam(), output_shape, kLayouts[Below(rng, 5)], Use::kOutput);
    StridedTensor expected = output;
    ASSERT_TRUE(reference::ReduceMax(source.View(), expected.MutableView(), axes, keepdims));
    ForEachConfiguration([&](const supremum_options& options) {
      StridedTensor once = output, planned = output;
      DlTensor to = Describe(rng, once.MutableView()), to_plan = Describe(rng, planned.MutableView());
      ASSERT_EQ(Outcome(supremum_reduce_max(x.get(), axes.data(), axis_count, keepdims, to.get(), &options)),
                "ok");
      ASSERT_TRUE(once.SameBytes(expected));
      supremum_reduce_max_plan* plan = nullptr;
      ASSERT_EQ(Outcome(supremum_reduce_max_prepare(x.get(), axes.data(), axis_count, keepdims, to_plan.get(),
                                                    &options, &plan)),
                "ok");
      EXPECT_EQ(supremum_reduce_max_run(plan), SUPREMUM_OK);
      supremum_reduce_max_destroy(plan);
      ASSERT_TRUE(planned.SameBytes(expected));
    });
  }
}

}  // namespace
}  // namespace supremum
