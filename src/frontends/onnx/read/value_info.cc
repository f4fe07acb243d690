#include "frontends/onnx/read/value_info.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "core/messages.h"
#include "core/quote.h"
#include "io/formats/tensor_proto.h"

namespace supremum {

std::string ToString(const Dim& dim) {
  if (dim.value) return std::to_string(*dim.value);
  return dim.symbol.empty() ? "?" : Printable(dim.symbol);
}

std::string ToString(const SymbolicShape& shape) {
  std::string text = "[";
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d > 0) text += ',';
    text += ToString(shape[d]);
  }
  return text + "]";
}

std::string ToString(const ValueInfo& info) {
  return (info.type_name.empty() ? "?" : info.type_name) + (info.shape ? ToString(*info.shape) : "[?...]");
}

std::string Describe(const NodeInfo& node) {
  if (!node.name.empty()) return "node " + Quote(node.name) + " (" + Printable(node.op_type) + ")";
  std::string text = "node #" + std::to_string(node.index) + " (" + Printable(node.op_type);
  if (!node.outputs.empty()) text += ", output " + Quote(node.outputs[0]);
  return text + ")";
}

std::string ToString(const AttributeInfo& attribute) {
  std::string text = attribute.name + "=";
  if (attribute.integer) {
    text += std::to_string(*attribute.integer);
  } else if (attribute.integers) {
    text += ToString(DimsView(*attribute.integers));
  } else {
    text += "all";
  }
  return text + (attribute.is_default ? " (default)" : "");
}

namespace onnx_front {
namespace {

void SetType(std::int32_t onnx_type, ValueInfo& info) {
  info.type_name = io::OnnxTypeName(onnx_type);
  info.dtype = io::DTypeFromOnnx(onnx_type);
}

template <class Dims>
SymbolicShape Numbers(const Dims& dims) {
  SymbolicShape shape;
  for (std::int64_t dim : dims) shape.push_back(Dim{dim, ""});
  return shape;
}

}  // namespace

std::int64_t MemoryOf(const ValueInfo& info) {
  std::size_t bytes = sizeof info + info.name.size() + info.type_name.size();
  if (info.shape) {
    bytes += info.shape->size() * sizeof(Dim);
    for (const Dim& dim : *info.shape) bytes += dim.symbol.size();
  }
  return static_cast<std::int64_t>(bytes);
}

ValueInfo InfoOf(const std::string& name, DType dtype, DimsView shape) {
  return {name, std::string(Name(dtype)), dtype, Numbers(shape)};
}

Error InferenceLimitError(std::string_view where, std::int64_t max_bytes) {
  return ErrorAt(ErrorCode::kLimitExceeded, where,
                 "what follows from the types and shapes that it states, the names of extents among it, "
                 "takes more than the limit of " +
                     std::to_string(max_bytes) + " bytes" + std::string(kRaiseLimit));
}

StatedValue FromValueInfoProto(const onnx::ValueInfoProto& proto) {
  const onnx::TypeProto& type = proto.type();
  StatedValue value;
  value.info.name = proto.name();
  const onnx::TensorShapeProto* shape = nullptr;
  if (type.has_tensor_type()) {
    SetType(type.tensor_type().elem_type(), value.info);
    if (type.tensor_type().has_shape()) shape = &type.tensor_type().shape();
  } else if (type.has_sparse_tensor_type()) {
    SetType(type.sparse_tensor_type().elem_type(), value.info);
    value.info.dtype.reset();
    value.info.type_name = "sparse " + value.info.type_name;
    value.sparse = true;
    if (type.sparse_tensor_type().has_shape()) shape = &type.sparse_tensor_type().shape();
  } else if (type.has_sequence_type()) {
    value.info.type_name = "sequence";
  } else if (type.has_optional_type()) {
    value.info.type_name = "optional";
  } else if (type.has_map_type()) {
    value.info.type_name = "map";
  } else if (type.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
    value.info.type_name = "opaque";
  }
  if (shape == nullptr) return value;

  value.info.shape.emplace();
  for (const onnx::TensorShapeProto::Dimension& extent : shape->dim()) {
    Dim dim;
    if (extent.has_dim_value() && extent.dim_value() >= 0) {
      dim.value = extent.dim_value();
    } else if (extent.has_dim_param()) {
      dim.symbol = extent.dim_param();
    }
    value.info.shape->push_back(dim);
  }
  return value;
}

StatedValue FromTensorProto(const std::string& name, const onnx::TensorProto& tensor) {
  StatedValue value;
  value.info.name = name;
  SetType(tensor.data_type(), value.info);
  value.info.shape = Numbers(tensor.dims());
  return value;
}

StatedValue FromSparseProto(const std::string& name, const onnx::SparseTensorProto& sparse) {
  StatedValue value = FromTensorProto(name, sparse.values());
  value.info.dtype.reset();
  value.info.type_name = "sparse " + value.info.type_name;
  value.info.shape = Numbers(sparse.dims());
  value.sparse = true;
  return value;
}

StatedValue FromConstantNode(const std::string& name, const onnx::NodeProto& node) {
  StatedValue value;
  value.info.name = name;
  const auto set = [&](std::int32_t onnx_type, SymbolicShape shape) {
    SetType(onnx_type, value.info);
    value.info.shape = std::move(shape);
  };
  // The length of a list that a function's caller would give is not known.
  const auto list = [&](std::int32_t onnx_type, const onnx::AttributeProto& attribute, int length) {
    set(onnx_type, {attribute.ref_attr_name().empty() ? Dim{length, ""} : Dim{}});
  };
  if (const auto* tensor = FindAttribute(node, "value"); tensor != nullptr && tensor->has_t()) {
    return FromTensorProto(name, tensor->t());
  }
  if (const auto* sparse = FindAttribute(node, "sparse_value"); sparse != nullptr) {
    value = FromSparseProto(name, sparse->sparse_tensor());
    if (!sparse->ref_attr_name().empty()) value.info.shape.reset();
  } else if (FindAttribute(node, "value_float") != nullptr) {
    set(onnx::TensorProto::FLOAT, {});
  } else if (FindAttribute(node, "value_int") != nullptr) {
    set(onnx::TensorProto::INT64, {});
  } else if (FindAttribute(node, "value_string") != nullptr) {
    set(onnx::TensorProto::STRING, {});
  } else if (const auto* floats = FindAttribute(node, "value_floats"); floats != nullptr) {
    list(onnx::TensorProto::FLOAT, *floats, floats->floats_size());
  } else if (const auto* ints = FindAttribute(node, "value_ints"); ints != nullptr) {
    list(onnx::TensorProto::INT64, *ints, ints->ints_size());
  } else if (const auto* strings = FindAttribute(node, "value_strings"); strings != nullptr) {
    list(onnx::TensorProto::STRING, *strings, strings->strings_size());
  }
  return value;
}

bool MayBe(const ValueInfo& initializer, const ValueInfo& input) {
  bool agree = input.type_name.empty() || input.type_name == initializer.type_name;
  if (!input.shape || !initializer.shape) return agree;
  agree = agree && input.shape->size() == initializer.shape->size();
  for (std::size_t d = 0; agree && d < input.shape->size(); ++d) {
    agree = !(*input.shape)[d].value || (*input.shape)[d] == (*initializer.shape)[d];
  }
  return agree;
}

Result<void> AddStatement(const StatedValue& more, const std::string& where, StatedValue& value) {
  value.sparse = value.sparse || more.sparse;
  if (value.info.type_name.empty()) {
    value.info.type_name = more.info.type_name;
    value.info.dtype = more.info.dtype;
  } else if (!more.info.type_name.empty() && more.info.type_name != value.info.type_name) {
    return ErrorAt(ErrorCode::kTypeMismatch, where, "TYP-2",
                   "it is stated as " + more.info.type_name + " here and as " + value.info.type_name +
                       " elsewhere; nothing is converted");
  }
  if (!more.info.shape) return {};
  if (!value.info.shape) {
    value.info.shape = more.info.shape;
    return {};
  }
  SymbolicShape& shape = *value.info.shape;
  bool agree = shape.size() == more.info.shape->size();
  for (std::size_t d = 0; agree && d < shape.size(); ++d) {
    const Dim& dim = (*more.info.shape)[d];
    if (shape[d].value && dim.value) {
      agree = *shape[d].value == *dim.value;
    } else if (dim.value || (!shape[d].value && shape[d].symbol.empty())) {
      shape[d] = dim;
    }
  }
  if (agree) return {};
  return ErrorAt(ErrorCode::kOutputShapeMismatch, where,
                 "it is stated with the shape " + ToString(*more.info.shape) + " here and with " +
                     ToString(shape) + " elsewhere");
}

const onnx::AttributeProto* FindAttribute(const onnx::NodeProto& node, std::string_view name) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

std::vector<const onnx::GraphProto*> GraphsOf(const onnx::AttributeProto& attribute) {
  std::vector<const onnx::GraphProto*> graphs;
  if (attribute.has_g()) graphs.push_back(&attribute.g());
  for (const onnx::GraphProto& graph : attribute.graphs()) graphs.push_back(&graph);
  return graphs;
}

bool IsOnnxDomain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

std::string Count(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

bool IsExplicit(const SymbolicShape& shape) {
  return std::all_of(shape.begin(), shape.end(), [](const Dim& dim) { return dim.value.has_value(); });
}

}  // namespace onnx_front
}  // namespace supremum
