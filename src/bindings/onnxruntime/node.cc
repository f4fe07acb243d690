#include "bindings/onnxruntime/node.h"

#include <cstring>
#include <string_view>

#include "core/messages.h"
#include "core/quote.h"

namespace supremum::onnxruntime {
namespace {

using Values = std::vector<const OrtValueInfo*>;

std::string_view OperatorOf(const Api& api, const OrtNode* node) {
  const char* type = nullptr;
  api.Check(api.ort->Node_GetOperatorType(node, &type));
  return type == nullptr ? "" : type;
}

Values InputsOf(const Api& api, const OrtNode* node) {
  std::size_t count = 0;
  api.Check(api.ort->Node_GetNumInputs(node, &count));
  Values inputs(count);
  api.Check(api.ort->Node_GetInputs(node, inputs.data(), count));
  return inputs;
}

std::string NameOf(const Api& api, const OrtValueInfo* value) {
  if (value == nullptr) return "";
  const char* name = nullptr;
  api.Check(api.ort->GetValueInfoName(value, &name));
  return name == nullptr ? "" : name;
}

// ONNX Runtime's number for the elements' type; undefined if the value is no dense tensor.
ONNXTensorElementDataType ElementTypeOf(const Api& api, const OrtValueInfo* value) {
  const OrtTypeInfo* type = nullptr;
  api.Check(api.ort->GetValueInfoTypeInfo(value, &type));
  ONNXType kind = ONNX_TYPE_UNKNOWN;
  if (type != nullptr) api.Check(api.ort->GetOnnxTypeFromTypeInfo(type, &kind));
  if (kind != ONNX_TYPE_TENSOR) return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  api.Check(api.ort->CastTypeInfoToTensorInfo(type, &tensor));
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  if (tensor != nullptr) api.Check(api.ort->GetTensorElementType(tensor, &element));
  return element;
}

// The attribute, or null. Looking for one that is absent is an error in some versions.
const OrtOpAttr* AttributeOf(const Api& api, const OrtNode* node, std::string_view wanted) {
  std::size_t count = 0;
  api.Check(api.ort->Node_GetNumAttributes(node, &count));
  std::vector<const OrtOpAttr*> attributes(count);
  api.Check(api.ort->Node_GetAttributes(node, attributes.data(), count));
  for (const OrtOpAttr* attribute : attributes) {
    if (attribute == nullptr) continue;
    const char* name = nullptr;
    api.Check(api.ort->OpAttr_GetName(attribute, &name));
    if (name != nullptr && name == wanted) return attribute;
  }
  return nullptr;
}

bool ReadFlag(const Api& api, const OrtNode* node, const char* name, bool otherwise) {
  const OrtOpAttr* const attribute = AttributeOf(api, node, name);
  if (attribute == nullptr) return otherwise;
  std::int64_t value = 0;
  std::size_t bytes = 0;
  api.Check(api.ort->ReadOpAttr(attribute, ORT_OP_ATTR_INT, &value, sizeof value, &bytes));
  return value != 0;
}

std::optional<std::vector<std::int64_t>> ReadAxes(const Api& api, const OrtNode* node) {
  const OrtOpAttr* const attribute = AttributeOf(api, node, "axes");
  if (attribute == nullptr) return std::nullopt;
  // A first call that is not given enough memory reports how much is needed, as an error.
  std::size_t bytes = 0;
  OrtStatus* const status = api.ort->ReadOpAttr(attribute, ORT_OP_ATTR_INTS, nullptr, 0, &bytes);
  if (bytes == 0) {
    api.Check(status);
    return std::vector<std::int64_t>();
  }
  api.ort->ReleaseStatus(status);
  std::vector<std::int64_t> axes(bytes / sizeof(std::int64_t));
  api.Check(api.ort->ReadOpAttr(attribute, ORT_OP_ATTR_INTS, axes.data(), bytes, &bytes));
  return axes;
}

// The version of the operator: that of its last schema up to the model's opset.
int VersionOf(const Api& api, const OrtNode* node) {
  int version = 0;
  api.Check(api.ort->Node_GetSinceVersion(node, &version));
  return version;
}

// The version that begins with opset `since`; nullopt if this program does not know it.
template <class Version>
std::optional<Version> Exactly(std::optional<Version> version, int since) {
  return version && static_cast<int>(*version) == since ? version : std::nullopt;
}

}  // namespace

bool IsMaxOrReduceMax(const Api& api, const OrtNode* node) {
  const char* domain = nullptr;
  api.Check(api.ort->Node_GetDomain(node, &domain));
  const std::string_view op = OperatorOf(api, node);
  return (domain == nullptr || *domain == '\0' || std::strcmp(domain, "ai.onnx") == 0) &&
         (op == "Max" || op == "ReduceMax");
}

std::string TitleOf(const Api& api, const OrtNode* node) {
  const char* name = nullptr;
  api.Check(api.ort->Node_GetName(node, &name));
  const std::string op = Printable(OperatorOf(api, node));
  if (name == nullptr || *name == '\0') return "a node " + op + " without a name";
  return "node " + Quote(name) + " (" + op + ")";
}

std::vector<std::string> InputNames(const Api& api, const OrtNode* node) {
  std::vector<std::string> names;
  for (const OrtValueInfo* value : InputsOf(api, node)) names.push_back(NameOf(api, value));
  return names;
}

std::optional<DType> DTypeOf(ONNXTensorElementDataType type) {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16:
      return DType::kBFloat16;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
      return DType::kFloat16;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
      return DType::kFloat32;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE:
      return DType::kFloat64;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
      return DType::kInt8;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16:
      return DType::kInt16;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
      return DType::kInt32;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
      return DType::kInt64;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      return DType::kUInt8;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16:
      return DType::kUInt16;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32:
      return DType::kUInt32;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64:
      return DType::kUInt64;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL:
      return DType::kBool;
    default:
      return std::nullopt;
  }
}

Result<Node> ReadNode(const Api& api, const OrtNode* node) {
  const std::string title = TitleOf(api, node);
  const int since = VersionOf(api, node);
  Node result;
  result.title = title;
  result.inputs = InputNames(api, node);
  const bool is_max = OperatorOf(api, node) == "Max";
  const auto max = Exactly(MaxVersionForOpset(since), since);
  const auto reduce_max = Exactly(ReduceMaxVersionForOpset(since), since);
  if (is_max ? !max : !reduce_max) {
    return ErrorAt(ErrorCode::kUnsupportedOperator, title,
                   "its version " + std::to_string(since) + " is not known here");
  }

  const Values inputs = InputsOf(api, node);
  if (inputs.empty() || result.inputs.front().empty()) {
    return ErrorAt(ErrorCode::kInputCount, title, is_max ? RuleId("MAX-1") : RuleId("RED-5"),
                   "it has no input");
  }
  if (is_max) {
    for (std::size_t i = 0; i < result.inputs.size(); ++i) {
      if (!result.inputs[i].empty()) continue;
      return ErrorAt(ErrorCode::kInputCount, title, "MAX-1",
                     "input " + std::to_string(i) + " is left out, and none may be");
    }
  }
  const std::optional<DType> dtype = DTypeOf(ElementTypeOf(api, inputs.front()));
  const RuleId rule = is_max ? RuleId("TYP-3") : RuleId("TYP-4");
  if (!dtype || (is_max ? !Admits(*max, *dtype) : !Admits(*reduce_max, *dtype))) {
    return ErrorAt(ErrorCode::kTypeNotAdmitted, title, rule,
                   "input " + Quote(result.inputs.front()) + " is no tensor of a type that " +
                       (is_max ? ToString(*max) : ToString(*reduce_max)) + " has");
  }
  result.dtype = *dtype;
  if (is_max) {
    result.version = *max;
    return result;
  }

  result.version = *reduce_max;
  result.keepdims = ReadFlag(api, node, "keepdims", true);
  if (TakesAxesInput(*reduce_max)) {
    result.noop_with_empty_axes = ReadFlag(api, node, "noop_with_empty_axes", false);
    if (result.inputs.size() > 1 && result.inputs[1].empty()) result.inputs.pop_back();
    if (result.inputs.size() > 2)
      return ErrorAt(ErrorCode::kInputCount, title, "RED-5", "it has more than two inputs");
  } else {
    result.axes = ReadAxes(api, node);
    if (result.inputs.size() > 1)
      return ErrorAt(ErrorCode::kInputCount, title, "RED-5", "it has more than one input");
  }
  return result;
}

}  // namespace supremum::onnxruntime
