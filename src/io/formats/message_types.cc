#include "io/formats/message_types.h"

namespace supremum::io {
namespace {

// All versions of onnx.proto up to that of ONNX 1.20.
constexpr MessageType kMessages[] = {
    {"AttributeProto",
     Fields(1, 4, 9, 13, 21),
     Fields(2, 3, 7, 8, 20),
     {{"TensorProto", Fields(5, 10)},
      {"GraphProto", Fields(6, 11)},
      {"TypeProto", Fields(14, 15)},
      {"SparseTensorProto", Fields(22, 23)}}},
    {"ValueInfoProto", Fields(1, 3), 0, {{"TypeProto", Fields(2)}, {"StringStringEntryProto", Fields(4)}}},
    {"NodeProto",
     Fields(1, 2, 3, 4, 6, 7, 8),
     0,
     {{"AttributeProto", Fields(5)},
      {"StringStringEntryProto", Fields(9)},
      {"NodeDeviceConfigurationProto", Fields(10)}}},
    {"TrainingInfoProto", 0, 0, {{"GraphProto", Fields(1, 2)}, {"StringStringEntryProto", Fields(3, 4)}}},
    {"ModelProto",
     Fields(2, 3, 4, 6),
     Fields(1, 5),
     {{"GraphProto", Fields(7)},
      {"OperatorSetIdProto", Fields(8)},
      {"StringStringEntryProto", Fields(14)},
      {"TrainingInfoProto", Fields(20)},
      {"FunctionProto", Fields(25)},
      {"DeviceConfigurationProto", Fields(26)}}},
    {"StringStringEntryProto", Fields(1, 2)},
    {"TensorAnnotation", Fields(1), 0, {{"StringStringEntryProto", Fields(2)}}},
    {"GraphProto",
     Fields(2, 10),
     0,
     {{"NodeProto", Fields(1)},
      {"TensorProto", Fields(5)},
      {"ValueInfoProto", Fields(11, 12, 13)},
      {"TensorAnnotation", Fields(14)},
      {"SparseTensorProto", Fields(15)},
      {"StringStringEntryProto", Fields(16)}}},
    {"TensorProto",
     Fields(6, 8, 9, 12),
     Fields(1, 2, 4, 5, 7, 10, 11, 14),
     {{"TensorProto.Segment", Fields(3)}, {"StringStringEntryProto", Fields(13, 16)}}},
    {"TensorProto.Segment", 0, Fields(1, 2)},
    {"SparseTensorProto", 0, Fields(3), {{"TensorProto", Fields(1, 2)}}},
    {"TensorShapeProto", 0, 0, {{"TensorShapeProto.Dimension", Fields(1)}}},
    {"TensorShapeProto.Dimension", Fields(2, 3), Fields(1)},
    {"TypeProto",
     Fields(6),
     0,
     {{"TypeProto.Tensor", Fields(1)},
      {"TypeProto.Sequence", Fields(4)},
      {"TypeProto.Map", Fields(5)},
      {"TypeProto.Opaque", Fields(7)},
      {"TypeProto.SparseTensor", Fields(8)},
      {"TypeProto.Optional", Fields(9)}}},
    {"TypeProto.Tensor", 0, Fields(1), {{"TensorShapeProto", Fields(2)}}},
    {"TypeProto.Sequence", 0, 0, {{"TypeProto", Fields(1)}}},
    {"TypeProto.Map", 0, Fields(1), {{"TypeProto", Fields(2)}}},
    {"TypeProto.Optional", 0, 0, {{"TypeProto", Fields(1)}}},
    {"TypeProto.SparseTensor", 0, Fields(1), {{"TensorShapeProto", Fields(2)}}},
    {"TypeProto.Opaque", Fields(1, 2)},
    {"OperatorSetIdProto", Fields(1), Fields(2)},
    {"FunctionProto",
     Fields(1, 4, 5, 6, 8, 10, 13),
     Fields(2, 3),
     {{"NodeProto", Fields(7)},
      {"OperatorSetIdProto", Fields(9)},
      {"AttributeProto", Fields(11)},
      {"ValueInfoProto", Fields(12)},
      {"StringStringEntryProto", Fields(14)}}},
    {"DeviceConfigurationProto", Fields(1, 3), Fields(2)},
    {"NodeDeviceConfigurationProto", Fields(1), Fields(3), {{"ShardingSpecProto", Fields(2)}}},
    {"ShardingSpecProto",
     Fields(1),
     Fields(2),
     {{"IntIntListEntryProto", Fields(3)}, {"ShardedDimProto", Fields(4)}}},
    {"ShardedDimProto", 0, Fields(1), {{"SimpleShardedDimProto", Fields(2)}}},
    {"SimpleShardedDimProto", Fields(2), Fields(1, 3)},
    {"IntIntListEntryProto", 0, Fields(1, 2)},
};

}  // namespace

const MessageType* MessageType::TypeOfField(int number) const {
  for (const Nested& one : nested) {
    if (Has(one.fields, number)) return MessageNamed(one.type);
  }
  return nullptr;
}

const MessageType* MessageNamed(std::string_view name) {
  constexpr std::string_view kPackage = "onnx.";
  if (name.starts_with(kPackage)) name.remove_prefix(kPackage.size());
  for (const MessageType& type : kMessages) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace supremum::io
