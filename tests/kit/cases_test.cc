// Every valid conformance case through the library, its models and its oneDNN graphs.
#include "kit/cases.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "supremum/max.h"
#include "supremum/model.h"
#include "supremum/onednn_graph.h"
#include "supremum/opset.h"
#include "supremum/reduce_max.h"
#include "supremum/target.h"
#include "verbs/one_node.h"

namespace supremum::test {
namespace {

Result<Tensor> Compute(const GivenCase& one, const std::vector<NamedTensor>& inputs, std::size_t threads) {
  std::vector<TensorView> views;
  for (const NamedTensor& input : inputs) views.push_back(input.tensor.View());
  std::optional<std::span<const std::int64_t>> axes;
  if (one.axes) axes = *one.axes;
  ReduceMaxOptions reduce;
  reduce.axes = AxesOfOnnx(axes, one.noop_with_empty_axes);
  reduce.keepdims = one.keepdims;
  reduce.threads = threads;
  MaxOptions max;
  max.threads = threads;
  const Result<Shape> shape =
      one.reduces ? ReduceMaxOutputShape(views[0], reduce) : MaxOutputShape(views, max);
  if (!shape) return shape.error();
  Result<Tensor> output = Tensor::Create(one.dtype, *shape);
  if (!output) return output;
  // A fixed pattern, so that an element that is not written is unlikely to equal the expected one.
  std::ranges::fill(output->bytes(), std::byte{0xA5});
  const Result<void> done = one.reduces ? ReduceMax(views[0], output->MutableView(), reduce)
                                        : Max(views, output->MutableView(), max);
  if (!done) return done.error();
  return output;
}

// `of_small` below 512 KiB, where one thread computes.
std::vector<std::size_t> ThreadsFor(const std::vector<NamedTensor>& inputs,
                                    std::vector<std::size_t> of_small) {
  std::size_t bytes = 0;
  for (const NamedTensor& input : inputs) bytes += input.tensor.byte_size();
  return bytes < std::size_t{512} * 1024 ? of_small : std::vector<std::size_t>{1, 2, 3, 8};
}

/// The difference between the reference implementation's output and the expected one, or an error; empty if
/// there is neither.
std::string WrongByReference(const GivenCase& one) {
  const std::vector<NamedTensor> inputs = one.Inputs("x");
  io::OneNodeModel model;
  model.op_type = one.reduces ? "ReduceMax" : "Max";
  model.dtype = one.dtype;
  for (const GivenTensor& input : one.inputs) model.inputs.push_back(input.shape);
  model.output = one.output.shape;
  model.axes = one.axes;
  model.keepdims = one.keepdims;
  model.noop_with_empty_axes = one.noop_with_empty_axes;
  const Result<std::vector<std::int64_t>> extents = cli::OutputExtents(model);
  if (!extents) return extents.error().message;
  if (!std::ranges::equal(*extents, one.output.shape)) return "shape " + ToString(DimsView(*extents));
  const Result<Tensor> output = cli::ReferenceOutput(model, inputs);
  return output ? Wrong(*output, one) : output.error().message;
}

// Rules: ORD-1..6, TYP-1, TYP-2, MAX-1, MAX-2, MAX-6, BRO-1..5, RED-1..3, RED-6, RED-7
TEST(Conformance, EveryTargetAndNumberOfThreadsGivesTheExpectedBits) {
  const std::vector<GivenCase> cases = ReadCases();
  EXPECT_GE(cases.size(), AtLeast(5000));
  Failures failures;
  std::size_t targets = 0;
  for (const TargetInfo& target : Targets()) {
    if (!target.runs_here) continue;
    ++targets;
    UseTarget(target.name).value();
    for (const GivenCase& one : cases) {
      const std::vector<NamedTensor> inputs = one.Inputs("x");
      for (const std::size_t threads : ThreadsFor(inputs, {1, 2})) {
        const Result<Tensor> output = Compute(one, inputs, threads);
        const std::string wrong = output ? Wrong(*output, one) : output.error().message;
        if (!wrong.empty()) failures.Add(one.id, std::string(target.name) + ": " + wrong);
      }
    }
  }
  UseTarget("").value();
  EXPECT_GE(targets, 1u);
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

// The second oracle, kit/cases/oracle.py, has computed the expected outputs; the two share no code.
TEST(Conformance, TheReferenceGivesTheExpectedBits) {
  Failures failures;
  for (const GivenCase& one : ReadCases()) {
    const std::string wrong = WrongByReference(one);
    if (!wrong.empty()) failures.Add(one.id, wrong);
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

// Rules: TYP-3, TYP-4, TYP-5
TEST(Conformance, ACaseHasAModelAndAGraphIfTheVersionHasItsType) {
  Failures failures;
  for (const GivenCase& one : ReadCases()) {
    const bool in_onnx = one.reduces ? Admits(ReduceMaxVersionForOpset(one.opset).value(), one.dtype)
                                     : Admits(MaxVersionForOpset(one.opset).value(), one.dtype);
    const bool in_onednn =
        Admits(ReduceMaxVersion::kOneDnn, one.dtype) && (one.reduces || one.inputs.size() == 2);
    if (in_onnx == one.onnx.empty() || in_onednn == one.onednn.empty()) failures.Add(one.id, "other formats");
  }
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

/// Every case that `path` names a file of, by `run(case, inputs, threads)`.
template <class Run>
void ExpectTheBits(std::string GivenCase::*path, const std::string& prefix, std::size_t least, Run run) {
  Failures failures;
  std::size_t count = 0;
  for (const GivenCase& one : ReadCases()) {
    if ((one.*path).empty()) continue;
    ++count;
    const std::vector<NamedTensor> inputs = one.Inputs(prefix);
    for (const std::size_t threads : ThreadsFor(inputs, {1})) {
      const Result<std::vector<NamedTensor>> outputs = run(one, inputs, threads);
      const std::string wrong = outputs ? Wrong(outputs->at(0).tensor, one) : outputs.error().message;
      if (!wrong.empty()) failures.Add(one.id, wrong);
    }
  }
  EXPECT_GE(count, AtLeast(least));
  EXPECT_EQ(failures.count(), 0u) << failures.texts();
}

// Rules: TYP-3, TYP-4, MAX-3..6, RED-5
TEST(Conformance, EveryModelGivesTheExpectedBits) {
  const auto run = [](const GivenCase& one, const std::vector<NamedTensor>& inputs,
                      std::size_t threads) -> Result<std::vector<NamedTensor>> {
    const Result<Model> model = Model::Load(ConformanceFolder() + "/" + one.onnx + "/model.onnx");
    if (!model) return model.error();
    RunOptions options;
    options.threads = threads;
    return model->Run(inputs, options);
  };
  ExpectTheBits(&GivenCase::onnx, "x", 5000, run);
}

// Rules: TYP-5, RED-4
TEST(Conformance, EveryOneDnnGraphGivesTheExpectedBits) {
  const auto run = [](const GivenCase& one, const std::vector<NamedTensor>& inputs,
                      std::size_t threads) -> Result<std::vector<NamedTensor>> {
    const Result<OneDnnGraph> graph = OneDnnGraph::Parse(ConformanceFile(one.onednn), one.onednn);
    if (!graph) return graph.error();
    OneDnnRunOptions options;
    options.threads = threads;
    return graph->Run(inputs, options);
  };
  ExpectTheBits(&GivenCase::onednn, "", 1000, run);
}

}  // namespace
}  // namespace supremum::test
