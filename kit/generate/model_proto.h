// Writes ONNX models of one node.
#ifndef SUPREMUM_KIT_GENERATE_MODEL_PROTO_H_
#define SUPREMUM_KIT_GENERATE_MODEL_PROTO_H_

#include <cstdint>
#include <optional>
#include <string>
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

}  // namespace supremum::io

#endif  // SUPREMUM_KIT_GENERATE_MODEL_PROTO_H_
