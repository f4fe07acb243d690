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

void SetValue(const std::string& name, DType dtype, const std::optional<Shape>& shape,
              onnx::ValueInfoProto* info) {
  info->set_name(name);
  onnx::TypeProto::Tensor* type = info->mutable_type()->mutable_tensor_type();
  type->set_elem_type(OnnxFromDType(dtype));
  if (!shape) return;
  onnx::TensorShapeProto* stated = type->mutable_shape();
  for (const std::int64_t extent : *shape) stated->add_dim()->set_dim_value(extent);
}

onnx::AttributeProto* AddAttribute(const char* name, onnx::AttributeProto::AttributeType type,
                                   onnx::NodeProto* node) {
  onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return attribute;
}

void SetFlag(const char* name, std::optional<bool> value, onnx::NodeProto* node) {
  if (value) AddAttribute(name, onnx::AttributeProto::INT, node)->set_i(*value ? 1 : 0);
}

void SetAxes(const std::vector<std::int64_t>& axes, onnx::TensorProto* proto) {
  proto->set_name("axes");
  proto->set_data_type(onnx::TensorProto::INT64);
  proto->add_dims(static_cast<std::int64_t>(axes.size()));
  std::string data(reinterpret_cast<const char*>(axes.data()), axes.size() * sizeof(std::int64_t));
  ToMachineOrder(std::as_writable_bytes(std::span(data)), sizeof(std::int64_t), /*file_is_big_endian=*/false);
  proto->set_raw_data(std::move(data));
}

}  // namespace

std::string ModelBytes(const OneNodeModel& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(IrVersionOf(model.opset));
  proto.set_producer_name("supremum");
  proto.set_producer_version(model.producer_version);
  onnx::OperatorSetIdProto* opset = proto.add_opset_import();
  opset->set_domain("");
  opset->set_version(model.opset);
  onnx::GraphProto* graph = proto.mutable_graph();
  graph->set_name(model.op_type);
  onnx::NodeProto* node = graph->add_node();
  node->set_name(model.op_type);
  node->set_op_type(model.op_type);
  node->add_output("y");
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    node->add_input("x" + std::to_string(i));
    SetValue(node->input().Get(static_cast<int>(i)), model.dtype, model.inputs[i], graph->add_input());
  }
  SetValue("y", model.dtype, model.output, graph->add_output());
  if (model.axes && model.opset < kAxesInput) {
    onnx::AttributeProto* attribute = AddAttribute("axes", onnx::AttributeProto::INTS, node);
    for (const std::int64_t axis : *model.axes) attribute->add_ints(axis);
  } else if (model.axes) {
    node->add_input("axes");
    SetAxes(*model.axes, graph->add_initializer());
  }
  SetFlag("keepdims", model.keepdims, node);
  SetFlag("noop_with_empty_axes", model.noop_with_empty_axes, node);
  return proto.SerializeAsString();
}

}  // namespace supremum::io
