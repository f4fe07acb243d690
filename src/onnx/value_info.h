// What models state about their values: from protobuf to ValueInfo.
#ifndef SUPREMUM_SRC_ONNX_VALUE_INFO_H_
#define SUPREMUM_SRC_ONNX_VALUE_INFO_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "supremum/model.h"
#include "supremum/result.h"

namespace onnx {
class AttributeProto;
class NodeProto;
class TensorProto;
class TypeProto;
class ValueInfoProto;
}  // namespace onnx

namespace supremum::onnx_front {

/// The memory that `info` takes. Names of extents are handed on from value to value, and a model may give
/// them any length: who hands on keeps an account.
std::int64_t MemoryOf(const ValueInfo& info);

/// kLimitExceeded for such an account.
Error InferenceLimitError(std::string_view where, std::int64_t max_bytes);

/// A value's type and shape, and whether it is a sparse tensor (PRO-1).
struct StatedValue {
  ValueInfo info;
  bool sparse = false;
};

/// Reads a type. `where` begins the texts.
///
/// Errors: kMalformedFile for an extent below zero.
Result<StatedValue> FromTypeProto(const std::string& name, const onnx::TypeProto& type,
                                  std::string_view where);

/// Reads graph inputs, outputs and value_info. Errors: those of FromTypeProto.
Result<StatedValue> FromValueInfoProto(const onnx::ValueInfoProto& proto, std::string_view where);

/// The type and shape of a tensor's elements, without reading them.
StatedValue FromTensorProto(const std::string& name, const onnx::TensorProto& tensor);

/// The type and shape that a Constant node gives its output; neither, where its attributes do not say.
StatedValue FromConstantNode(const std::string& name, const onnx::NodeProto& node);

/// True if an initializer of that type and shape may stand in for an input that is stated so.
bool MayBe(const ValueInfo& initializer, const ValueInfo& input);

/// Takes over what is stated of `value` in one more place. `where` begins the texts.
///
/// Errors: kTypeMismatch, kOutputShapeMismatch where the two statements contradict each other.
Result<void> AddStatement(const StatedValue& more, const std::string& where, StatedValue& value);

/// The attribute with that name, or null.
const onnx::AttributeProto* FindAttribute(const onnx::NodeProto& node, std::string_view name);

/// True for ONNX's own operators: domain "" or "ai.onnx".
bool IsOnnxDomain(std::string_view domain);

/// True if every extent is a number.
bool IsExplicit(const SymbolicShape& shape);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_VALUE_INFO_H_
