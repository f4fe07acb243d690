// Model::Run on operands that threads share.
#include "support/shared_work.h"

#include "frontends/onnx/testing.h"

namespace supremum::test {
namespace {

// Rules: ORD-5, MAX-2, RED-1
TEST(RunModel, EveryShareOfEachNumberOfThreadsCounts) {
  for (const SharedWork& work : SharedWorks()) {
    SharedOperands operands(work);
    operands.SetHighPart(kParts - 1);
    std::vector<NamedTensor> inputs;
    for (std::size_t m = 0; m < work.shapes.size(); ++m) {
      inputs.push_back(Named<float>(work.IsReduction() ? "x" : "x" + std::to_string(m),
                                    Shape::FromSpan(work.shapes[m]).value(), operands.inputs[m]));
    }
    const auto model =
        Parsed(work.IsReduction() ? ReduceMaxModel({.axes = work.axes, .keepdims = 0, .x = std::nullopt})
                                  : MaxModel(std::vector<ModelShape>(inputs.size(), std::nullopt)));
    ASSERT_TRUE(model) << model.error().message;
    for (const std::size_t threads : kThreadCounts) {
      RunOptions options;
      options.threads = threads;
      const auto outputs = model->Run(inputs, options);
      ASSERT_TRUE(outputs) << outputs.error().message;
      EXPECT_TRUE(Values<float>(outputs->front()) == operands.expected)
          << work.Title() << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace supremum::test
