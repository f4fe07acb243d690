// OneDnnGraph::Run on operands that threads share.
#include "support/shared_work.h"

#include "frontends/onednn/testing.h"

namespace supremum::test {
namespace {

// Rules: ORD-5, MAX-2, RED-1
TEST(OneDnnRun, EveryShareOfEachNumberOfThreadsCounts) {
  for (const SharedWork& work : SharedWorks()) {
    if (work.shapes.size() > 2) continue;  // Maximum has two inputs
    SharedOperands operands(work);
    operands.SetHighPart(kParts - 1);
    std::vector<NamedTensor> inputs;
    std::vector<std::string> texts;
    for (std::size_t m = 0; m < work.shapes.size(); ++m) {
      inputs.push_back(
          Named<float>(std::to_string(m), Shape::FromSpan(work.shapes[m]).value(), operands.inputs[m]));
      texts.push_back(F32(m, work.shapes[m]));
    }
    const std::string y = F32(9, operands.output_shape);
    const std::string graph =
        work.IsReduction() ? Reduce(Axes(*work.axes), texts, y) : MaximumText(texts[0], texts[1], y);
    for (const std::size_t threads : kThreadCounts) {
      OneDnnRunOptions options;
      options.threads = threads;
      const auto outputs = RunText(graph, inputs, options);
      ASSERT_TRUE(outputs) << outputs.error().message;
      EXPECT_TRUE(Values<float>(outputs->front()) == operands.expected)
          << work.Title() << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace supremum::test
