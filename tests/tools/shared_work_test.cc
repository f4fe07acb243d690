// max, reduce-max and run on operands that threads share.
#include "support/shared_work.h"

#include "tools/command.h"

namespace supremum::test {
namespace {

class SharedWorkOfTheCommand : public CommandTest {
 protected:
  void Write(const SharedWork& work, SharedOperands& operands) {
    operands.SetHighPart(kParts - 1);
    inputs_.clear();
    ModelBuilder model(13);
    std::vector<std::string> names;
    for (std::size_t m = 0; m < work.shapes.size(); ++m) {
      names.push_back("x" + std::to_string(m));
      inputs_.push_back(names.back() + ".npy");
      WriteTensor<float>(inputs_.back(), Shape::FromSpan(work.shapes[m]).value(), operands.inputs[m]);
      model.Input(names.back(), kFloat, std::nullopt);
    }
    onnx::NodeProto& node = model.Node(work.IsReduction() ? "ReduceMax" : "Max", names, {"y"});
    axes_.clear();
    if (work.IsReduction()) {
      for (const std::int64_t axis : *work.axes) axes_ += (axes_.empty() ? "" : ",") + std::to_string(axis);
      ModelBuilder::SetInts(node, "axes", *work.axes);
      ModelBuilder::SetInt(node, "keepdims", 0);
    }
    model.Output("y", kFloat, std::nullopt).Save(File("m.onnx"));
  }

  std::vector<std::string> Verb() const {
    if (axes_.empty()) return With({"max"}, inputs_);
    return {"reduce-max", inputs_[0], "--axes", axes_};
  }

  std::vector<float> Output(const std::vector<std::string>& arguments, const std::string& file) const {
    const ProcessResult result = Supremum(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? ReadElements<float>(file) : std::vector<float>();
  }

  std::vector<std::string> inputs_;
  std::string axes_;
};

// Rules: ORD-5, MAX-2, RED-1
TEST_F(SharedWorkOfTheCommand, EveryShareOfEachNumberOfThreadsCounts) {
  for (const SharedWork& work : SharedWorks()) {
    SharedOperands operands(work);
    Write(work, operands);
    std::vector<std::string> run = {"run", "m.onnx", "--output-dir", "out"};
    for (const std::string& input : inputs_) run = With(run, {"--input", input});
    // Without --threads: as many as the process may run at once.
    std::vector<std::vector<std::string>> options = {{}};
    for (const std::size_t threads : kThreadCounts) options.push_back({"--threads", std::to_string(threads)});
    for (const std::vector<std::string>& option : options) {
      const std::string title = work.Title() + (option.empty() ? "" : ", threads " + option[1]);
      EXPECT_TRUE(Output(With(With(Verb(), option), {"-o", "y.npy"}), "y.npy") == operands.expected) << title;
      EXPECT_TRUE(Output(With(run, option), "out/y.npy") == operands.expected) << title << ", run";
    }
  }
}

// Rules: ORD-5, MAX-2, RED-1
TEST_F(SharedWorkOfTheCommand, EveryShareCountsWhereFilesAreReadInParts) {
  for (const SharedWork& work : SharedWorks()) {
    SharedOperands operands(work);
    Write(work, operands);
    for (const std::size_t threads : kThreadCounts) {
      // 24 MiB are the program's.
      const std::vector<std::string> line =
          With(Verb(), {"--memory", "25MiB", "--threads", std::to_string(threads), "-o", "y.npy"});
      EXPECT_TRUE(Output(line, "y.npy") == operands.expected) << work.Title() << ", threads " << threads;
    }
  }
}

}  // namespace
}  // namespace supremum::test
