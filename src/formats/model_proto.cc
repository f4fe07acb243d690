#include "formats/model_proto.h"

#include <onnx/onnx_pb.h>

#include <string_view>

#include "formats/tensor_proto.h"

namespace supremum::formats {
namespace {

// The opset from which on ReduceMax takes its axes as an input.
constexpr std::int64_t kAxesInput = 18;

// The IR version of the first release of ONNX that had the opset: a later one would lock older readers out.
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
  type->mutable_shape();
  for (std::int64_t extent : DimsView(*shape)) type->mutable_shape()->add_dim()->set_dim_value(extent);
}

onnx::AttributeProto* AddAttribute(const char* name, onnx::AttributeProto::AttributeType type,
                                   onnx::NodeProto* node) {
  onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return attribute;
}

void AddInt(const char* name, const std::optional<bool>& value, onnx::NodeProto* node) {
  if (value) AddAttribute(name, onnx::AttributeProto::INT, node)->set_i(*value ? 1 : 0);
}

void AddAxes(const OneNodeModel& model, onnx::GraphProto* graph, onnx::NodeProto* node) {
  if (!model.axes) return;
  if (model.opset < kAxesInput) {
    onnx::AttributeProto* axes = AddAttribute("axes", onnx::AttributeProto::INTS, node);
    for (std::int64_t axis : *model.axes) axes->add_ints(axis);
    return;
  }
  node->add_input("axes");
  onnx::TensorProto* axes = graph->add_initializer();
  axes->set_name("axes");
  axes->set_data_type(onnx::TensorProto::INT64);
  axes->add_dims(static_cast<std::int64_t>(model.axes->size()));
  for (std::int64_t axis : *model.axes) axes->add_int64_data(axis);
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
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const std::string name = "x" + std::to_string(i);
    SetValue(name, model.dtype, model.inputs[i], graph->add_input());
    node->add_input(name);
  }
  node->add_output("y");
  AddAxes(model, graph, node);
  AddInt("keepdims", model.keepdims, node);
  AddInt("noop_with_empty_axes", model.noop_with_empty_axes, node);
  SetValue("y", model.dtype, model.output, graph->add_output());
  return proto.SerializeAsString();
}

}  // namespace supremum::formats
