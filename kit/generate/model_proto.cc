#include "generate/model_proto.h"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <span>
#include <utility>

#include "io/formats/byte_order.h"
#include "io/formats/tensor_proto.h"

namespace supremum::io {
namespace {

// From this opset on, ReduceMax takes its axes as an input.
constexpr std::int64_t kAxesInput = 18;

// The IR version of the first release of ONNX that had the opset: older readers would refuse a later one.
std::int64_t IrVersionOf(std::int64_t opset) {
  if (opset >= 23) return 11;
  if (opset >= 21) return 10;
  if (opset >= 19) return 9;
  if (opset >= 15) return 8;
  if (opset >= 12) return 7;
  if (opset >= 11) return 6;
  if (opset >= 10) return 5;
  return opset >= 9 ? 4 : 3;
}

void SetValue(const StatedValue& value, onnx::ValueInfoProto* info) {
  info->set_name(value.name);
  if (!value.has_type) return;
  onnx::TensorShapeProto* shape = nullptr;
  if (value.sparse) {
    onnx::TypeProto::SparseTensor* type = info->mutable_type()->mutable_sparse_tensor_type();
    type->set_elem_type(value.onnx_type);
    if (value.shape) shape = type->mutable_shape();
  } else {
    onnx::TypeProto::Tensor* type = info->mutable_type()->mutable_tensor_type();
    type->set_elem_type(value.onnx_type);
    if (value.shape) shape = type->mutable_shape();
  }
  if (shape == nullptr) return;
  for (const StatedDim& stated : *value.shape) {
    onnx::TensorShapeProto::Dimension* dim = shape->add_dim();
    if (const auto* number = std::get_if<std::int64_t>(&stated)) dim->set_dim_value(*number);
    if (const auto* symbol = std::get_if<std::string>(&stated)) dim->set_dim_param(*symbol);
  }
}

void SetDense(const StoredTensor& tensor, onnx::TensorProto* proto) {
  proto->set_name(tensor.name);
  proto->set_data_type(tensor.onnx_type);
  for (std::int64_t dim : tensor.dims) proto->add_dims(dim);
  proto->set_raw_data(tensor.raw_data);
}

void SetSparse(const StoredTensor& tensor, onnx::SparseTensorProto* proto) {
  const auto count = static_cast<std::int64_t>(tensor.indices->size());
  SetDense({tensor.name, tensor.onnx_type, {count}, tensor.raw_data, std::nullopt}, proto->mutable_values());
  onnx::TensorProto* indices = proto->mutable_indices();
  indices->set_data_type(onnx::TensorProto::INT64);
  indices->add_dims(count);
  for (std::int64_t index : *tensor.indices) indices->add_int64_data(index);
  for (std::int64_t dim : tensor.dims) proto->add_dims(dim);
}

void SetAttribute(const StatedAttribute& stated, onnx::AttributeProto* attribute) {
  attribute->set_name(stated.name);
  if (const auto* number = std::get_if<std::int64_t>(&stated.value)) {
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(*number);
  } else if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&stated.value)) {
    attribute->set_type(onnx::AttributeProto::INTS);
    for (std::int64_t one : *numbers) attribute->add_ints(one);
  } else if (const auto& tensor = std::get<StoredTensor>(stated.value); tensor.indices) {
    attribute->set_type(onnx::AttributeProto::SPARSE_TENSOR);
    SetSparse(tensor, attribute->mutable_sparse_tensor());
  } else {
    attribute->set_type(onnx::AttributeProto::TENSOR);
    SetDense(tensor, attribute->mutable_t());
  }
}

StatedValue ValueOf(std::string name, DType dtype, const std::optional<Shape>& shape) {
  StatedValue value{std::move(name), OnnxFromDType(dtype), std::nullopt, false, true};
  if (shape) value.shape.emplace(shape->begin(), shape->end());
  return value;
}

StoredTensor AxesTensor(const std::vector<std::int64_t>& axes) {
  StoredTensor tensor{"axes", OnnxFromDType(DType::kInt64), {static_cast<std::int64_t>(axes.size())}, {}, {}};
  tensor.raw_data.assign(reinterpret_cast<const char*>(axes.data()), axes.size() * sizeof(std::int64_t));
  ToMachineOrder(std::as_writable_bytes(std::span(tensor.raw_data)), sizeof(std::int64_t),
                 /*file_is_big_endian=*/false);
  return tensor;
}

}  // namespace

std::string ModelBytes(const OneNodeModel& model) {
  AnyModel any;
  any.opset = model.opset;
  any.producer_version = model.producer_version;
  StatedNode node{model.op_type, {}, {"y"}, {}};
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    node.inputs.push_back("x" + std::to_string(i));
    any.inputs.push_back(ValueOf(node.inputs.back(), model.dtype, model.inputs[i]));
  }
  any.outputs.push_back(ValueOf("y", model.dtype, model.output));
  if (model.axes && model.opset < kAxesInput) {
    node.attributes.push_back({"axes", *model.axes});
  } else if (model.axes) {
    node.inputs.emplace_back("axes");
    any.initializers.push_back(AxesTensor(*model.axes));
  }
  const auto add_flag = [&](const char* name, std::optional<bool> value) {
    if (value) node.attributes.push_back({name, std::int64_t{*value}});
  };
  add_flag("keepdims", model.keepdims);
  add_flag("noop_with_empty_axes", model.noop_with_empty_axes);
  any.nodes.push_back(std::move(node));
  return ModelBytes(any);
}

std::string ModelBytes(const AnyModel& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(IrVersionOf(model.opset));
  proto.set_producer_name("supremum");
  proto.set_producer_version(model.producer_version);
  onnx::OperatorSetIdProto* opset = proto.add_opset_import();
  opset->set_domain("");
  opset->set_version(model.opset);
  onnx::GraphProto* graph = proto.mutable_graph();
  graph->set_name(model.nodes.empty() ? "empty" : model.nodes.back().op_type);
  for (const StatedNode& stated : model.nodes) {
    onnx::NodeProto* node = graph->add_node();
    node->set_name(stated.op_type);
    node->set_op_type(stated.op_type);
    for (const std::string& input : stated.inputs) node->add_input(input);
    for (const std::string& output : stated.outputs) node->add_output(output);
    for (const StatedAttribute& attribute : stated.attributes) SetAttribute(attribute, node->add_attribute());
  }
  for (const StatedValue& input : model.inputs) SetValue(input, graph->add_input());
  for (const StatedValue& output : model.outputs) SetValue(output, graph->add_output());
  for (const StatedValue& value : model.values) SetValue(value, graph->add_value_info());
  for (const StoredTensor& tensor : model.initializers) {
    if (tensor.indices) {
      SetSparse(tensor, graph->add_sparse_initializer());
    } else {
      SetDense(tensor, graph->add_initializer());
    }
  }
  return proto.SerializeAsString();
}

}  // namespace supremum::io
