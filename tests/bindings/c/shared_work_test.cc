// Calls and plans of the C interface on operands that threads share.
#include "support/shared_work.h"

#include <gtest/gtest.h>

#include "bindings/c/testing.h"
#include "supremum/shape.h"

namespace supremum::test {
namespace {

// The outputs of a call and of a plan, which must not differ.
std::vector<float> Computed(const SharedWork& work, SharedOperands& operands, std::size_t threads) {
  std::vector<DlTensor> tensors;
  std::vector<const DLTensor*> inputs;
  for (std::size_t m = 0; m < work.shapes.size(); ++m) {
    tensors.push_back(DlTensor::Of(operands.inputs[m], Shape::FromSpan(work.shapes[m]).value()));
  }
  for (DlTensor& tensor : tensors) inputs.push_back(tensor.get());
  std::vector<float> y(operands.expected.size()), again(y.size());
  const Shape shape = Shape::FromSpan(operands.output_shape).value();
  DlTensor output = DlTensor::Of(y, shape), output_of_plan = DlTensor::Of(again, shape);
  supremum_options options = SUPREMUM_OPTIONS_INIT;
  options.threads = static_cast<std::uint32_t>(threads);
  if (work.IsReduction()) {
    const std::vector<std::int64_t>& axes = *work.axes;
    EXPECT_EQ(Outcome(supremum_reduce_max(inputs[0], axes.data(), axes.size(), 0, output.get(), &options)),
              "ok");
    supremum_reduce_max_plan* plan = nullptr;
    EXPECT_EQ(Outcome(supremum_reduce_max_prepare(inputs[0], axes.data(), axes.size(), 0,
                                                  output_of_plan.get(), &options, &plan)),
              "ok");
    supremum_reduce_max_run(plan);
    supremum_reduce_max_destroy(plan);
  } else {
    EXPECT_EQ(Outcome(supremum_max(inputs.data(), inputs.size(), output.get(), &options)), "ok");
    supremum_max_plan* plan = nullptr;
    EXPECT_EQ(
        Outcome(supremum_max_prepare(inputs.data(), inputs.size(), output_of_plan.get(), &options, &plan)),
        "ok");
    supremum_max_run(plan);
    supremum_max_destroy(plan);
  }
  EXPECT_EQ(y, again);
  return y;
}

// Rules: ORD-5, MAX-2, RED-1
TEST(CApiSharedWork, EveryShareOfEachNumberOfThreadsCounts) {
  for (const SharedWork& work : SharedWorks()) {
    SharedOperands operands(work);
    for (const std::size_t turn : {0u, 3u, 7u}) {
      if (turn != 0 && !work.IsReduction()) continue;
      operands.SetHighPart(turn);
      for (const std::size_t threads : kThreadCounts) {
        EXPECT_TRUE(Computed(work, operands, threads) == operands.expected)
            << work.Title() << ", " << threads << " threads, maxima from part " << turn << " on";
      }
    }
  }
}

}  // namespace
}  // namespace supremum::test
