// Whole graphs against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "onnx/testing.h"
#include "support/values.h"
#include "supremum/model.h"
#include "supremum/reference.h"

namespace supremum {
namespace {

using test::kFloat;
using test::ModelBuilder;
using test::Named;
using test::Parsed;

// Random graphs: each node reads any values that exist by then; every output is compared with a walk by the
// oracle. Rules: MAX-2, BRO-5, ORD-4
TEST(Run, RandomGraphsGiveTheBitsOfTheOracle) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::Rng rng(seed);
    ModelBuilder builder(13);
    std::vector<NamedTensor> inputs;
    std::vector<std::string> names;
    std::vector<reference::Tensor<std::uint32_t>> values;
    const auto random_tensor = [&](const std::string& name) {
      const Shape shapes[] = {{}, {1}, {3}, {2, 1}, {2, 3}, {4, 1, 1}, {0}, {2, 1, 3}};
      const Shape shape = shapes[test::Below(rng, seed % 10 == 0 ? 8 : 6)];
      reference::Tensor<std::uint32_t> tensor{{shape.begin(), shape.end()}, {}};
      const auto special = test::SpecialBits(DType::kFloat32);
      for (std::int64_t i = 0; i < *ElementCount(shape); ++i) {
        tensor.values.push_back(static_cast<std::uint32_t>(test::RandomBits(rng, DType::kFloat32, special)));
      }
      names.push_back(name);
      values.push_back(tensor);
      return tensor;
    };
    for (std::size_t i = 0; i < 1 + test::Below(rng, 3); ++i) {
      const std::string name = "in" + std::to_string(i);
      const auto tensor = random_tensor(name);
      builder.Input(name, kFloat,
                    test::ModelShape(std::vector<test::ModelDim>(tensor.shape.begin(), tensor.shape.end())));
      std::vector<float> floats(tensor.values.size());
      if (!floats.empty()) std::memcpy(floats.data(), tensor.values.data(), 4 * floats.size());
      inputs.push_back(Named("in" + std::to_string(i), *Shape::FromSpan(tensor.shape), floats));
    }
    for (std::size_t i = 0; i < test::Below(rng, 3); ++i) {
      const auto tensor = random_tensor("w" + std::to_string(i));
      builder.Initializer("w" + std::to_string(i), kFloat, tensor.shape, tensor.values);
    }
    // Max by the oracle's own door, one node at a time; nothing if the shapes do not fit.
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
    bool fits = true;
    for (std::size_t i = 0; fits && i < 1 + test::Below(rng, 6); ++i) {
      std::vector<std::size_t> operands;
      std::vector<std::string> operand_names;
      for (std::size_t k = 0; k < 1 + test::Below(rng, 4); ++k) {
        operands.push_back(test::Below(rng, values.size()));
        operand_names.push_back(names[operands.back()]);
      }
      std::vector<std::vector<std::int64_t>> shapes;
      for (std::size_t operand : operands) shapes.push_back(values[operand].shape);
      if (!reference::BroadcastShape(shapes)) continue;
      const auto result = oracle(operands);
      names.push_back("n" + std::to_string(i));
      values.push_back(result);
      builder.Node("Max", operand_names, {names.back()});
      builder.Output(names.back(), kFloat, std::nullopt);
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
  }
}

}  // namespace
}  // namespace supremum
