#include "frontends/onnx/read/constant.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/messages.h"
#include "core/quote.h"
#include "frontends/onnx/read/operators.h"
#include "io/formats/tensor_proto.h"

namespace supremum::onnx_front {
namespace {

struct ConstantAttribute {
  std::string_view name;
  onnx::AttributeProto::AttributeType type;
  std::int64_t since_opset;
};

constexpr std::array<ConstantAttribute, 8> kAttributes = {{
    {"value", onnx::AttributeProto::TENSOR, 1},
    {"sparse_value", onnx::AttributeProto::SPARSE_TENSOR, 11},
    {"value_float", onnx::AttributeProto::FLOAT, 12},
    {"value_floats", onnx::AttributeProto::FLOATS, 12},
    {"value_int", onnx::AttributeProto::INT, 12},
    {"value_ints", onnx::AttributeProto::INTS, 12},
    {"value_string", onnx::AttributeProto::STRING, 12},
    {"value_strings", onnx::AttributeProto::STRINGS, 12},
}};

template <class T, class Range>
Result<Tensor> ListOf(const Range& values, DimsView shape, std::int64_t max_bytes) {
  Result<Tensor> tensor = Tensor::Create(kDTypeOf<T>, shape, max_bytes);
  if (tensor) std::copy(values.begin(), values.end(), tensor->template Elements<T>().begin());
  return tensor;
}

}  // namespace

Result<Tensor> ConstantElements(const onnx::NodeProto& node, std::int64_t opset, const std::string& where,
                                std::int64_t max_bytes, const io::ExternalFolder& external) {
  if (node.attribute_size() != 1) {
    return ErrorAt(
        ErrorCode::kMalformedFile, where,
        "a Constant has exactly one attribute, this one has " + std::to_string(node.attribute_size()));
  }
  const onnx::AttributeProto& attribute = node.attribute(0);
  const auto known = std::find_if(kAttributes.begin(), kAttributes.end(),
                                  [&](const ConstantAttribute& a) { return a.name == attribute.name(); });
  if (known == kAttributes.end() || known->since_opset > opset) {
    return ErrorAt(ErrorCode::kMalformedFile, where,
                   "Constant has no attribute " + Quote(attribute.name()) + " in opset " +
                       std::to_string(opset) + "; every opset has 'value'");
  }
  // IR version 1 did not store the attribute's type; there the field that is filled tells.
  if (attribute.type() != onnx::AttributeProto::UNDEFINED && attribute.type() != known->type) {
    return ErrorAt(ErrorCode::kMalformedFile, where,
                   "the attribute " + Quote(attribute.name()) + " is stored as another kind than " +
                       onnx::AttributeProto::AttributeType_Name(known->type));
  }
  if (!attribute.ref_attr_name().empty()) {
    return NotGivenByCall(where, attribute.name());
  }
  switch (known->type) {
    case onnx::AttributeProto::TENSOR:
      if (!attribute.has_t())
        return ErrorAt(ErrorCode::kMalformedFile, where, "the attribute 'value' holds no tensor");
      return io::TensorFromProto(attribute.t(), where + ", attribute 'value'", max_bytes, external);
    case onnx::AttributeProto::FLOAT:
      return ListOf<float>(std::array{attribute.f()}, {}, max_bytes);
    case onnx::AttributeProto::INT:
      return ListOf<std::int64_t>(std::array{attribute.i()}, {}, max_bytes);
    case onnx::AttributeProto::FLOATS:
      return ListOf<float>(attribute.floats(), Shape{attribute.floats_size()}, max_bytes);
    case onnx::AttributeProto::INTS:
      return ListOf<std::int64_t>(attribute.ints(), Shape{attribute.ints_size()}, max_bytes);
    case onnx::AttributeProto::SPARSE_TENSOR:
      return ErrorAt(ErrorCode::kSparseTensor, where, "PRO-1", "its value is a sparse tensor",
                     "; store it as a dense one, in the attribute 'value'");
    default:
      return ErrorAt(ErrorCode::kTypeNotAdmitted, where, "TYP-1", "its value is text; Max takes numbers");
  }
}

}  // namespace supremum::onnx_front
