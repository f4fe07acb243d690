// The checker on a parsed model.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_PROTO_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_PROTO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontends/onnx/check/check_model.h"
#include "supremum/check.h"
#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// CheckModel once the file has been read. Each node is shown to `visit`, if it is set, with what is known in
/// the end.
Result<CheckReport> CheckProto(const onnx::ModelProto& model, const std::string& source,
                               const CheckOptions& options, const NodeVisitor& visit = {});

/// The model in `answer`, which is the result of the subprocess of the onnx library's inference; nullopt
/// unless it has the structure of `model` and takes at most `max_bytes`. The subprocess may have been taken
/// over, so only types and shapes of values that `model` does not state are used.
std::optional<onnx::ModelProto> AcceptCompleted(const onnx::ModelProto& model, std::string_view answer,
                                                std::int64_t max_bytes);

/// The most important finding that does not hold, as the error that a run reports; nothing if all hold.
std::optional<Error> FirstError(const CheckReport& report);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_CHECK_CHECK_PROTO_H_
