// What an ONNX model has besides the values and nodes of its main graph, for people.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_CONTENTS_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_CONTENTS_H_

#include <cstdint>
#include <string>

#include "supremum/model.h"
#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// "pytorch 2.1.0": name and version, as the model states them.
std::string ProducerOf(const onnx::ModelProto& model);

/// Lists it. Subgraphs have limited depth, since protobuf has read the model.
///
/// Errors: kLimitExceeded if the list takes more than `max_bytes`.
Result<ModelContents> ContentsOf(const onnx::ModelProto& model, const std::string& source,
                                 std::int64_t max_bytes);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_CONTENTS_H_
