// Converts what models state about their values from protobuf to ValueInfo.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_VALUE_INFO_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_VALUE_INFO_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "supremum/model.h"
#include "supremum/result.h"

namespace onnx {
class AttributeProto;
class GraphProto;
class NodeProto;
class SparseTensorProto;
class TensorProto;
class TypeProto;
class ValueInfoProto;
}  // namespace onnx

namespace supremum::onnx_front {

/// The memory of `info`, in bytes. Inference copies names of extents from value to value, and a model may
/// give them any length, so callers add this up and limit it.
std::int64_t MemoryOf(const ValueInfo& info);

/// kLimitExceeded for that sum.
Error InferenceLimitError(std::string_view where, std::int64_t max_bytes);

/// A value's type and shape, and whether it is a sparse tensor (PRO-1).
struct StatedValue {
  ValueInfo info;
  bool sparse = false;
};

/// The type and shape of a tensor.
ValueInfo InfoOf(const std::string& name, DType dtype, DimsView shape);

/// Reads graph inputs, outputs and value_info. An extent below zero is unknown; BindSymbols (bind_symbols.h)
/// has refused those of a model that are not -1.
StatedValue FromValueInfoProto(const onnx::ValueInfoProto& proto);

/// The type and shape of a tensor's elements, without reading them.
StatedValue FromTensorProto(const std::string& name, const onnx::TensorProto& tensor);

StatedValue FromSparseProto(const std::string& name, const onnx::SparseTensorProto& sparse);

/// The type and shape of a Constant node's output, as far as its attributes state them.
StatedValue FromConstantNode(const std::string& name, const onnx::NodeProto& node);

/// True if an initializer of that type and shape may be the default of that input.
bool MayBe(const ValueInfo& initializer, const ValueInfo& input);

/// Adds another statement about `value`. `where` begins the error texts.
///
/// Errors: kTypeMismatch, kOutputShapeMismatch if the two statements contradict each other.
Result<void> AddStatement(const StatedValue& more, const std::string& where, StatedValue& value);

/// The attribute with that name, or null.
const onnx::AttributeProto* FindAttribute(const onnx::NodeProto& node, std::string_view name);

/// The graphs in an attribute.
std::vector<const onnx::GraphProto*> GraphsOf(const onnx::AttributeProto& attribute);

/// True for ONNX's own operators: domain "" or "ai.onnx".
bool IsOnnxDomain(std::string_view domain);

/// "1 input", "3 inputs".
std::string Count(std::size_t n, const std::string& noun);

/// True if every extent is a number.
bool IsExplicit(const SymbolicShape& shape);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_VALUE_INFO_H_
