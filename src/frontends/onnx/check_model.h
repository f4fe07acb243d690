// Every Max and ReduceMax node of a model, in subgraphs and functions too.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_MODEL_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_MODEL_H_

#include "supremum/check.h"
#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// Adds the reports of the nodes to `report`, whose model and opset are set. `inferred` is the model after
/// another library's inference, or the model itself.
///
/// Returns: true if types and shapes of all inputs of the nodes are known.
/// Errors: kMalformedFile.
Result<bool> CheckNodes(const onnx::ModelProto& model, const onnx::ModelProto& inferred,
                        const CheckOptions& options, CheckReport& report);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_MODEL_H_
