// ONNX models, written: those of one node that readers accept, and any other, so that readers can be shown
// what they must refuse.
#ifndef SUPREMUM_SRC_FORMATS_MODEL_PROTO_H_
#define SUPREMUM_SRC_FORMATS_MODEL_PROTO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "supremum/dtype.h"
#include "supremum/shape.h"

namespace supremum::formats {

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

/// The model as a file holds it: every attribute that is set is written, and the axes stand where the opset
/// wants them, from 18 on in an initializer `axes`, before in an attribute (RED-5). The same bytes for the
/// same description. Whether ONNX admits such a model is for its reader to say.
std::string ModelBytes(const OneNodeModel& model);

/// An extent as a model states it: nothing, a number, or a symbol.
using StatedDim = std::variant<std::monostate, std::int64_t, std::string>;

/// What a model says of a value. Types go by ONNX's numbers (tensor_proto.h); 0 states none.
struct StatedValue {
  std::string name;
  std::int32_t onnx_type = 0;
  std::optional<std::vector<StatedDim>> shape;  ///< empty: not stated
  bool sparse = false;
  bool has_type = true;  ///< false: nothing at all is said of the value
};

/// A tensor that stands in the model.
struct StoredTensor {
  std::string name;
  std::int32_t onnx_type = 0;
  std::vector<std::int64_t> dims;
  std::string raw_data;  ///< little-endian; of a sparse tensor the elements that are stored
  std::optional<std::vector<std::int64_t>> indices;  ///< of these elements, which makes the tensor sparse
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

/// A model of which nothing need be right.
struct AnyModel {
  std::int64_t opset = 13;
  std::vector<StatedValue> inputs;
  std::vector<StatedValue> outputs;
  std::vector<StatedValue> values;  ///< value_info
  std::vector<StoredTensor> initializers;
  std::vector<StatedNode> nodes;
  std::string producer_version;
};

/// The model as a file holds it, faults and all. The same bytes for the same description.
std::string ModelBytes(const AnyModel& model);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_MODEL_PROTO_H_
