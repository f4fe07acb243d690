// Models of one node, and how the tests of the ONNX front read them.
#ifndef SUPREMUM_TESTS_FRONTENDS_ONNX_TESTING_H_
#define SUPREMUM_TESTS_FRONTENDS_ONNX_TESTING_H_

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/bytes.h"
#include "support/errors.h"
#include "support/model_builder.h"
#include "support/named.h"
#include "supremum/model.h"

namespace supremum::test {

inline constexpr auto kFloat = onnx::TensorProto::FLOAT;
inline constexpr auto kInt64 = onnx::TensorProto::INT64;

using Axes = std::vector<std::int64_t>;

inline Result<Model> Parsed(const ModelBuilder& model, const LoadOptions& options = {}) {
  const std::string bytes = model.Serialize();
  return Model::Parse(std::as_bytes(std::span(bytes)), "m.onnx", options);
}

/// A model in ONNX's text form: `body` is its graph after the name, and functions after that. FN begins a
/// function of the domain "local", of the model's opset.
inline ModelBuilder TextModel(std::string body, std::int64_t opset = 13) {
  const std::string imports =
      "opset_import: [\"\" : " + std::to_string(opset) + ", \"local\" : 1, \"other\" : 1]>";
  for (std::size_t at; (at = body.find("FN ")) != std::string::npos;) {
    body.replace(at, 2, "<domain: \"local\", " + imports);
  }
  ModelBuilder builder;
  builder.model().Clear();
  const auto status =
      onnx::OnnxParser::Parse(builder.model(), ("<ir_version: 8, " + imports + " graph " + body).c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return builder;
}

/// Makes an attribute that is a graph a list of `count` such graphs: the text form of onnx 1.12 has no lists.
inline void MakeList(onnx::AttributeProto& attribute, int count = 1) {
  for (int i = 0; i < count; ++i) *attribute.add_graphs() = attribute.g();
  attribute.clear_g();
  attribute.set_type(onnx::AttributeProto::GRAPHS);
}

/// y = Max(x0, x1, ...), a node 'fuse', of inputs of these types and shapes.
inline ModelBuilder TypedMaxModel(const std::vector<std::pair<int, ModelShape>>& inputs, int output_type,
                                  const ModelShape& output = std::nullopt, std::int64_t opset = 13) {
  ModelBuilder builder(opset);
  std::vector<std::string> names;
  for (const auto& [type, shape] : inputs) {
    names.push_back("x" + std::to_string(names.size()));
    builder.Input(names.back(), type, shape);
  }
  builder.Node("Max", names, {"y"}, "fuse");
  builder.Output("y", output_type, output);
  return builder;
}

/// The same of one type.
inline ModelBuilder MaxModel(const std::vector<ModelShape>& inputs, const ModelShape& output = std::nullopt,
                             std::int64_t opset = 13, int type = kFloat) {
  std::vector<std::pair<int, ModelShape>> typed;
  for (const ModelShape& shape : inputs) typed.emplace_back(type, shape);
  return TypedMaxModel(typed, type, output, opset);
}

/// A ReduceMax: what its node and its tensors state.
struct Reduction {
  std::int64_t opset = 18;
  std::optional<Axes> axes = std::nullopt;              ///< the attribute, or from opset 18 on an initializer
  std::optional<std::int64_t> keepdims = std::nullopt;  ///< nullopt: the attribute is not written
  std::optional<std::int64_t> noop = std::nullopt;      ///< noop_with_empty_axes
  ModelShape x = {2, "N", kUnknownDim};
  ModelShape y = std::nullopt;
  int type = kFloat;
  int output_type = kFloat;
  std::optional<ModelShape> axes_input = std::nullopt;  ///< the shape of axes that are an input of the graph
  int axes_type = kInt64;
};

/// y = ReduceMax(x, a), a node 'pool'; 'a' are the axes where they are no attribute.
inline ModelBuilder ReduceMaxModel(const Reduction& reduction) {
  ModelBuilder builder(reduction.opset);
  const bool attribute = reduction.axes && reduction.opset < 18;
  const bool input = reduction.axes_input || (reduction.axes && !attribute);
  builder.Input("x", reduction.type, reduction.x);
  onnx::NodeProto& node = builder.Node(
      "ReduceMax", input ? std::vector<std::string>{"x", "a"} : std::vector<std::string>{"x"}, {"y"}, "pool");
  if (reduction.keepdims) ModelBuilder::SetInt(node, "keepdims", *reduction.keepdims);
  if (reduction.noop) ModelBuilder::SetInt(node, "noop_with_empty_axes", *reduction.noop);
  if (attribute) ModelBuilder::SetInts(node, "axes", *reduction.axes);
  if (reduction.axes_input) {
    builder.Input("a", reduction.axes_type, *reduction.axes_input);
  } else if (input) {
    builder.Initializer<std::int64_t>("a", kInt64, {static_cast<std::int64_t>(reduction.axes->size())},
                                      *reduction.axes);
  }
  builder.Output("y", reduction.output_type, reduction.y);
  return builder;
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_FRONTENDS_ONNX_TESTING_H_
