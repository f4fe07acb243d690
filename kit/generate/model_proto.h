// Writes ONNX models: those of one node, and any others, including invalid ones for the tests of readers.
#ifndef SUPREMUM_KIT_GENERATE_MODEL_PROTO_H_
#define SUPREMUM_KIT_GENERATE_MODEL_PROTO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/shape.h"

namespace supremum::io {

/// y = Max(x0, x1, ...) or y = ReduceMax(x0), of tensors of one type.
struct OneNodeModel {
  std::string op_type = "Max";
  std::int64_t opset = 13;
  DType dtype = DType::kFloat32;
  std::vector<Shape> inputs;    ///< of x0, x1, ...
  std::optional<Shape> output;  ///< left out of the model if empty
  std::optional<std::vector<std::int64_t>> axes;
  std::optional<bool> keepdims;
  std::optional<bool> noop_with_empty_axes;
  std::string producer_version;
};

/// The serialized model. Every attribute that is set is written; the axes are an initializer `axes` from
/// opset 18 on and an attribute before (RED-5). Equal descriptions give equal bytes. The model may be
/// invalid: that is for its reader to check.
std::string ModelBytes(const OneNodeModel& model);

/// An extent as a model states it: nothing, a number, or a symbol.
using StatedDim = std::variant<std::monostate, std::int64_t, std::string>;

/// What a model states of a value. Types are ONNX numbers (tensor_proto.h); 0 states none.
struct StatedValue {
  std::string name;
  std::int32_t onnx_type = 0;
  std::optional<std::vector<StatedDim>> shape;  ///< empty: not stated
  bool sparse = false;
  bool has_type = true;  ///< false: neither type nor shape is stated
};

/// A tensor stored in the model.
struct StoredTensor {
  std::string name;
  std::int32_t onnx_type = 0;
  std::vector<std::int64_t> dims;
  std::string raw_data;  ///< little-endian; the stored elements of a sparse tensor
  std::optional<std::vector<std::int64_t>> indices;  ///< of these elements; present: the tensor is sparse
};

struct StatedAttribute {
  std::string name;
  std::variant<std::int64_t, std::vector<std::int64_t>, StoredTensor> value;
};

struct StatedNode {
  std::string op_type;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<StatedAttribute> attributes;
};

/// A model that may be invalid in any way.
struct AnyModel {
  std::int64_t opset = 13;
  std::vector<StatedValue> inputs;
  std::vector<StatedValue> outputs;
  std::vector<StatedValue> values;  ///< value_info
  std::vector<StoredTensor> initializers;
  std::vector<StatedNode> nodes;
  std::string producer_version;
};

/// The serialized model, with its faults. Equal descriptions give equal bytes.
std::string ModelBytes(const AnyModel& model);

}  // namespace supremum::io

#endif  // SUPREMUM_KIT_GENERATE_MODEL_PROTO_H_
