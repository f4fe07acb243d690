// ONNX models of one node, written.
#ifndef SUPREMUM_SRC_FORMATS_MODEL_PROTO_H_
#define SUPREMUM_SRC_FORMATS_MODEL_PROTO_H_

#include <cstdint>
#include <optional>
#include <string>
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

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_MODEL_PROTO_H_
