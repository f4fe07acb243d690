// The checker on a parsed model.
#ifndef SUPREMUM_SRC_ONNX_CHECK_PROTO_H_
#define SUPREMUM_SRC_ONNX_CHECK_PROTO_H_

#include <optional>
#include <string>

#include "supremum/check.h"
#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// CheckModel once the file has been read.
Result<CheckReport> CheckProto(const onnx::ModelProto& model, const std::string& source,
                               const CheckOptions& options);

/// The most important finding that does not hold, as the error that a run reports; nothing if all hold.
std::optional<Error> FirstError(const CheckReport& report);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_ONNX_CHECK_PROTO_H_
