// Whole graphs against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontends/onnx/testing.h"
#include "support/values.h"
#include "supremum/model.h"
#include "supremum/reference.h"

namespace supremum::test {
namespace {

// In memory of random strides, with gaps, backwards and in any order of the dimensions.
StridedTensor Scattered(Rng& rng, const Shape& shape) {
  return StridedTensor(rng, DType::kFloat32, shape, StridedTensor::Layout::kAny, StridedTensor::Use::kOutput);
}

std::vector<std::uint64_t> BitsOf(const Tensor& tensor) {
  const auto* const bits = static_cast<const std::uint32_t*>(tensor.data());
  return {bits, bits + tensor.size()};
}

// The same model with inputs and outputs in the caller's memory: from one plan, which is bound to other
// memory, and from a plan that the model has kept.
void ExpectPlansGiveTheSame(Rng& rng, const ModelBuilder& builder, std::vector<NamedTensor>& inputs) {
  const auto model = Parsed(builder), other = Parsed(builder);
  ASSERT_TRUE(model && other);
  std::deque<StridedTensor> memory;
  std::vector<NamedView> views;
  std::vector<std::size_t> places;  // of the inputs' memory; the axes stay where they are
  for (const NamedTensor& input : inputs) {
    places.push_back(memory.size());
    if (input.tensor.dtype() != DType::kFloat32) {
      views.push_back({input.name, input.tensor.View()});
      continue;
    }
    memory.push_back(Scattered(rng, input.tensor.shape()));
    memory.back().Set(BitsOf(input.tensor));
    views.push_back({input.name, memory.back().View()});
  }
  for (int round = 0; round < 3; ++round) {
    const auto expected = Parsed(builder)->Run(inputs), kept = other->Run(inputs);
    ASSERT_TRUE(expected && kept);
    std::deque<StridedTensor> results;
    std::vector<NamedMutableView> outputs;
    std::vector<StridedTensor*> result_of(expected->size(), nullptr);
    for (std::size_t k = 0; k < expected->size(); ++k) {
      if (Below(rng, 2) == 0) continue;
      result_of[k] = &results.emplace_back(Scattered(rng, (*expected)[k].tensor.shape()));
      outputs.push_back({(*expected)[k].name, result_of[k]->MutableView()});
    }
    auto plan = model->Prepare(views, round == 2 ? std::span<const NamedMutableView>() : outputs);
    ASSERT_TRUE(plan) << plan.error().message;
    for (int run = 0; run < 2; ++run) {
      plan->Run();
      for (std::size_t k = 0; k < expected->size(); ++k) {
        const TensorView output = plan->output(k);
        const auto bits = BitsOf((*expected)[k].tensor);
        ASSERT_TRUE(SameDims(output.shape, (*expected)[k].tensor.shape()));
        ASSERT_EQ(BitsOf((*kept)[k].tensor), bits);
        if (round < 2 && result_of[k] != nullptr) {
          ASSERT_EQ(result_of[k]->Elements(), bits);
          ASSERT_TRUE(result_of[k]->GuardsIntact());
        } else if (!bits.empty()) {
          ASSERT_EQ(std::memcmp(output.data, (*expected)[k].tensor.data(), 4 * bits.size()), 0);
        }
      }
    }
    for (std::size_t m = 0; m < inputs.size(); ++m) {  // other elements, which the plan reads
      if (inputs[m].tensor.dtype() != DType::kFloat32) continue;
      const auto special = SpecialBits(DType::kFloat32);
      for (std::uint32_t& bits : std::span(static_cast<std::uint32_t*>(inputs[m].tensor.data()),
                                           static_cast<std::size_t>(inputs[m].tensor.size()))) {
        bits = static_cast<std::uint32_t>(RandomBits(rng, DType::kFloat32, special));
      }
      memory[places[m]].Set(BitsOf(inputs[m].tensor));
    }
  }
}

// Random graphs of Max and ReduceMax: each node reads any values that exist by then; every output is compared
// with a walk by the oracle.
// Rules: MAX-2, BRO-5, ORD-4, RED-1, RED-3, RED-5, RED-6
TEST(Run, RandomGraphsGiveTheBitsOfTheOracle) {
  std::size_t reductions = 0, empty_sets = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed);
    const std::int64_t opset = seed % 2 == 0 ? 13 : 18 + static_cast<std::int64_t>(Below(rng, 3));
    ModelBuilder builder(opset);
    std::vector<NamedTensor> inputs;
    std::vector<std::string> names;
    std::vector<reference::Tensor<std::uint32_t>> values;
    const auto random_tensor = [&](const std::string& name) {
      const Shape shapes[] = {{}, {1}, {3}, {2, 1}, {2, 3}, {4, 1, 1}, {0}, {2, 1, 3}};
      const Shape shape = shapes[Below(rng, seed % 10 == 0 ? 8 : 6)];
      reference::Tensor<std::uint32_t> tensor{{shape.begin(), shape.end()}, {}};
      const auto special = SpecialBits(DType::kFloat32);
      for (std::int64_t i = 0; i < *ElementCount(shape); ++i) {
        tensor.values.push_back(static_cast<std::uint32_t>(RandomBits(rng, DType::kFloat32, special)));
      }
      names.push_back(name);
      values.push_back(tensor);
      return tensor;
    };
    for (std::size_t i = 0; i < 1 + Below(rng, 3); ++i) {
      const std::string name = "in" + std::to_string(i);
      const auto tensor = random_tensor(name);
      builder.Input(name, kFloat,
                    ModelShape(std::vector<ModelDim>(tensor.shape.begin(), tensor.shape.end())));
      std::vector<float> floats(tensor.values.size());
      if (!floats.empty()) std::memcpy(floats.data(), tensor.values.data(), 4 * floats.size());
      inputs.push_back(Named("in" + std::to_string(i), *Shape::FromSpan(tensor.shape), floats));
    }
    for (std::size_t i = 0; i < Below(rng, 3); ++i) {
      const auto tensor = random_tensor("w" + std::to_string(i));
      builder.Initializer("w" + std::to_string(i), kFloat, tensor.shape, tensor.values);
    }
    // Max by the oracle, one node at a time; nothing if the shapes do not fit.
    const auto oracle = [&](const std::vector<std::size_t>& operands) {
      std::vector<TensorView> views;
      std::vector<std::vector<std::int64_t>> shapes;
      for (std::size_t operand : operands) {
        views.push_back({DType::kFloat32, values[operand].shape, {}, values[operand].values.data()});
        shapes.push_back(values[operand].shape);
      }
      reference::Tensor<std::uint32_t> y;
      const auto shape = reference::BroadcastShape(shapes);
      if (!shape) return y;
      y.shape = *shape;
      y.values.resize(static_cast<std::size_t>(*ElementCount(y.shape)));
      EXPECT_TRUE(reference::Max(views, {DType::kFloat32, y.shape, {}, y.values.data()}));
      return y;
    };
    // A ReduceMax of any value over any axes, as an attribute or an input, as the opset and chance decide.
    const auto add_reduction = [&](const std::string& y) {
      const std::size_t source = Below(rng, values.size());
      const reference::Tensor<std::uint32_t>& x = values[source];
      std::vector<std::int64_t> axes;
      std::vector<bool> reduced(x.shape.size());
      for (std::size_t d = 0; d < x.shape.size(); ++d) {
        if (Below(rng, 2) == 0) continue;
        reduced[d] = true;
        const auto rank = static_cast<std::int64_t>(x.shape.size());
        axes.push_back(static_cast<std::int64_t>(d) - (Below(rng, 2) == 0 ? rank : 0));
      }
      std::shuffle(axes.begin(), axes.end(), rng);
      const bool keepdims = Below(rng, 2) == 0, noop = opset >= 18 && Below(rng, 2) == 0;
      std::vector<std::string> operands = {names[source]};
      const std::string list = "axes_" + y;
      const auto proto = MakeTensorProto<std::int64_t>(list, onnx::TensorProto::INT64,
                                                       {static_cast<std::int64_t>(axes.size())}, axes);
      const std::size_t place = opset < 18 ? 0 : 1 + Below(rng, 4);
      if (place > 0 && (!axes.empty() || Below(rng, 2) == 0)) {
        operands.push_back(list);
        if (place == 1) builder.Initializer(proto);
        if (place == 2) builder.Constant(list, proto);
        if (place > 2) {  // given with the run, perhaps through another node
          const std::string given = place == 3 ? list : "given_" + list;
          builder.Input(given, onnx::TensorProto::INT64, {"count_" + list});
          inputs.push_back(Named(given, {static_cast<std::int64_t>(axes.size())}, axes));
          if (place == 4) builder.Node(Below(rng, 2) == 0 ? "Identity" : "Max", {given}, {list});
        }
      }
      onnx::NodeProto& node = builder.Node("ReduceMax", operands, {y});
      if (place == 0 && (!axes.empty() || Below(rng, 2) == 0)) ModelBuilder::SetInts(node, "axes", axes);
      if (!keepdims || Below(rng, 2) == 0) ModelBuilder::SetInt(node, "keepdims", keepdims);
      if (noop) ModelBuilder::SetInt(node, "noop_with_empty_axes", 1);
      // RED-5 in the oracle's terms.
      std::optional<std::span<const std::int64_t>> wanted = axes;
      if (axes.empty() && !noop) wanted.reset();
      reference::Tensor<std::uint32_t> result;
      for (std::size_t d = 0; d < x.shape.size(); ++d) {
        const bool gone = wanted ? reduced[d] : true;
        if (!gone || keepdims) result.shape.push_back(gone ? 1 : x.shape[d]);
      }
      result.values.resize(static_cast<std::size_t>(*ElementCount(result.shape)));
      EXPECT_TRUE(reference::ReduceMax({DType::kFloat32, x.shape, {}, x.values.data()},
                                       {DType::kFloat32, result.shape, {}, result.values.data()}, wanted,
                                       keepdims));
      ++reductions;
      empty_sets += x.values.empty() && !result.values.empty();
      names.push_back(y);
      values.push_back(std::move(result));
      if (Below(rng, 2) == 0) builder.Output(y, kFloat, std::nullopt);
    };
    for (std::size_t i = 0; i < 1 + Below(rng, 9); ++i) {
      if (Below(rng, 2) == 0) {
        add_reduction("r" + std::to_string(i));
        continue;
      }
      std::vector<std::size_t> operands;
      std::vector<std::string> operand_names;
      for (std::size_t k = 0; k < 1 + Below(rng, 4); ++k) {
        operands.push_back(Below(rng, values.size()));
        operand_names.push_back(names[operands.back()]);
      }
      std::vector<std::vector<std::int64_t>> shapes;
      for (std::size_t operand : operands) shapes.push_back(values[operand].shape);
      if (!reference::BroadcastShape(shapes)) continue;
      const auto result = oracle(operands);
      names.push_back("n" + std::to_string(i));
      values.push_back(result);
      builder.Node("Max", operand_names, {names.back()});
      if (Below(rng, 2) == 0) builder.Output(names.back(), kFloat, std::nullopt);
    }
    if (builder.graph()->output_size() == 0) continue;
    const auto model = Parsed(builder);
    ASSERT_TRUE(model) << model.error().message;
    const auto outputs = model->Run(inputs);
    ASSERT_TRUE(outputs) << outputs.error().message;
    for (const NamedTensor& output : *outputs) {
      const auto at =
          static_cast<std::size_t>(std::find(names.begin(), names.end(), output.name) - names.begin());
      ASSERT_TRUE(SameDims(output.tensor.shape(), values[at].shape)) << "seed " << seed;
      ASSERT_EQ(output.tensor.byte_size(), 4 * values[at].values.size());
      ASSERT_TRUE(std::ranges::equal(output.tensor.bytes(), std::as_bytes(std::span(values[at].values))))
          << "seed " << seed;
    }
    ExpectPlansGiveTheSame(rng, builder, inputs);
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(reductions, 500u);
  EXPECT_GT(empty_sets, 5u);
}

}  // namespace
}  // namespace supremum::test
