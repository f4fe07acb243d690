// The elements of a Constant node.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_CONSTANT_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_CONSTANT_H_

#include <cstdint>
#include <string>

#include "io/formats/external_data.h"
#include "supremum/result.h"
#include "supremum/tensor.h"

namespace onnx {
class NodeProto;
}

namespace supremum::onnx_front {

/// The tensor of a Constant node, from its one attribute: `value`, or, from opset 12 on, `value_float`,
/// `value_floats`, `value_int` or `value_ints`.
///
/// Errors: kMalformedFile unless the node has exactly one attribute, which the opset has and which has the
///   right kind; kSparseTensor for sparse_value; kTypeNotAdmitted for strings; those of TensorFromProto.
Result<Tensor> ConstantElements(const onnx::NodeProto& node, std::int64_t opset, const std::string& where,
                                std::int64_t max_bytes, const io::ExternalFolder& external = std::nullopt);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_CONSTANT_H_
