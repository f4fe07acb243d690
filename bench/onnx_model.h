// A model of one node, or of several that are alike, as the bytes of an ONNX file.
#ifndef SUPREMUM_BENCH_ONNX_MODEL_H_
#define SUPREMUM_BENCH_ONNX_MODEL_H_

#include <string>

#include "case.h"

namespace supremum::bench {

/// ONNX's number for an element type (TensorProto.DataType).
int OnnxType(DType dtype);

/// Opset 13: Max of inputs "x0", "x1", ..., or ReduceMax of "x0" without keepdims; the output is "y". Each of
/// several nodes has all inputs and an output of its own: "y", "y1", "y2", ...
std::string OnnxModel(const Case& spec, std::size_t nodes = 1);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_ONNX_MODEL_H_
