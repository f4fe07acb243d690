// A model of one node, as the bytes of an ONNX file.
#ifndef SUPREMUM_BENCH_ONNX_MODEL_H_
#define SUPREMUM_BENCH_ONNX_MODEL_H_

#include <string>

#include "case.h"

namespace supremum::bench {

/// ONNX's number for an element type (TensorProto.DataType).
int OnnxType(DType dtype);

/// Opset 13: Max of inputs "x0", "x1", ..., or ReduceMax of "x0" without keepdims; the output is "y".
std::string OnnxModel(const Case& spec);

}  // namespace supremum::bench

#endif  // SUPREMUM_BENCH_ONNX_MODEL_H_
