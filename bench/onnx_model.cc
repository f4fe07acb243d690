#include "onnx_model.h"

#include <string_view>

namespace supremum::bench {
namespace {

// Protobuf's wire format: a field is its number and kind, then a number or a length and bytes.
std::string Varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

std::string Number(unsigned field, std::int64_t value) {
  return Varint(field << 3) + Varint(static_cast<std::uint64_t>(value));
}

std::string Bytes(unsigned field, std::string_view content) {
  return Varint(field << 3 | 2) + Varint(content.size()) + std::string(content);
}

std::string ValueInfo(std::string_view name, DType dtype, const Shape& shape) {
  std::string dims;
  for (std::int64_t extent : shape) dims += Bytes(1, Number(1, extent));   // dim.dim_value
  const std::string tensor = Number(1, OnnxType(dtype)) + Bytes(2, dims);  // elem_type, shape
  return Bytes(1, name) + Bytes(2, Bytes(1, tensor));                      // name, type.tensor_type
}

}  // namespace

int OnnxType(DType dtype) {
  constexpr int kTypes[] = {16, 10, 1, 11, 3, 5, 6, 7, 2, 4, 12, 13, 9};
  return kTypes[static_cast<std::size_t>(dtype)];
}

std::string OnnxModel(const Case& spec, std::size_t nodes) {
  std::string node, inputs, graph;
  for (std::size_t m = 0; m < spec.inputs.size(); ++m) {
    const std::string name = "x" + std::to_string(m);
    node += Bytes(1, name);
    inputs += Bytes(11, ValueInfo(name, spec.dtype, spec.inputs[m].shape));
  }
  node += Bytes(4, spec.op == Op::kMax ? "Max" : "ReduceMax");
  if (spec.op == Op::kReduceMax) {
    constexpr int kInt = 2, kInts = 7;  // AttributeProto.Type
    std::string axes = Bytes(1, "axes") + Number(20, kInts);
    for (std::int64_t axis : spec.axes) axes += Number(8, axis);
    node += Bytes(5, axes) + Bytes(5, Bytes(1, "keepdims") + Number(20, kInt) + Number(3, 0));
  }
  std::string outputs;
  for (std::size_t k = 0; k < nodes; ++k) {
    const std::string name = k == 0 ? "y" : "y" + std::to_string(k);
    graph += Bytes(1, node + Bytes(2, name));
    outputs += Bytes(12, ValueInfo(name, spec.dtype, spec.output));
  }
  graph += Bytes(2, "case") + inputs + outputs;
  return Number(1, 7) + Bytes(7, graph) + Bytes(8, Number(2, 13));  // ir_version, graph, opset_import
}

}  // namespace supremum::bench
