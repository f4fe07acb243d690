// A model whose types, shapes and axes are all known before it runs, as loops over arrays: what a generator
// of programs needs.
#ifndef SUPREMUM_STATIC_GRAPH_H_
#define SUPREMUM_STATIC_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/model.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/tensor.h"

namespace supremum {

/// A value of the graph: a dense row-major array.
struct StaticValue {
  std::string name;
  DType dtype = DType::kFloat32;
  Shape shape = {};
  std::int64_t elements = 1;               ///< the product of the extents
  std::shared_ptr<const Tensor> constant;  ///< the elements that the model stores; null if it computes them
};

/// A loop of `extent` iterations, and how far each array moves in one of them, in elements.
struct StaticLoop {
  std::int64_t extent = 1;
  std::int64_t output_step = 0;
  std::vector<std::int64_t> input_steps;  ///< one for each input of the node
};

/// A node: y[i] = the maximum of the elements that contribute to i, or a copy.
///
/// Ensures: `loops`, outermost first, visit each element of the output exactly once, in row-major order. For
/// each of them, `reduced_loops` visit the elements of input 0 that contribute to it. The list is empty for a
/// Max, which joins one element of each input. Neighbouring loops are merged wherever that changes nothing.
/// An output of one element has no loops.
struct StaticNode {
  enum class Operation : std::uint8_t { kMax, kReduceMax, kCopy };

  NodeInfo info;
  Operation operation = Operation::kMax;
  std::vector<std::size_t> inputs;  ///< numbers of values, without the axes of a ReduceMax
  std::size_t output = 0;           ///< the number of a value; without elements, the node does nothing
  std::vector<StaticLoop> loops;
  std::vector<StaticLoop> reduced_loops;
  bool of_nothing = false;  ///< a ReduceMax of no elements: each element of y is the identity element (RED-6)
};

struct StaticGraph {
  std::vector<StaticValue> values;
  std::vector<std::size_t> inputs;   ///< of the graph, without initializers
  std::vector<std::size_t> outputs;  ///< of the graph
  std::vector<StaticNode> nodes;     ///< in the order in which they run; a Constant is a value, not a node
};

/// The graph of a model of Max, ReduceMax, Constant and Identity nodes. An initializer that is also a graph
/// input is a constant here.
///
/// Errors: kUnsupportedOperator; kShapeNotExplicit (PRO-2) for an extent that is not a number, and for axes
///   that are known only when the model runs; kTypeNotExplicit (PRO-3); kTypeNotAdmitted; kSparseTensor.
///   Tensors of 2^63 elements or more are kLimitExceeded. Those of Model::Infer, such as E1 and E2.
///
///   Result<Model> model = Model::Load("fuse.onnx", {.dims = {{"N", 8}}});
///   Result<StaticGraph> graph = StaticGraphOf(*model);
Result<StaticGraph> StaticGraphOf(const Model& model);

}  // namespace supremum

#endif  // SUPREMUM_STATIC_GRAPH_H_
