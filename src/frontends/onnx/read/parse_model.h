// Parses ModelProto from bytes.
#ifndef SUPREMUM_SRC_FRONTENDS_ONNX_READ_PARSE_MODEL_H_
#define SUPREMUM_SRC_FRONTENDS_ONNX_READ_PARSE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "supremum/result.h"

namespace onnx {
class ModelProto;
}

namespace supremum::onnx_front {

/// How deep messages may be nested. A graph in an attribute of a node is three levels deeper than the node's
/// own graph: about thirty nested loops.
inline constexpr int kMaxModelDepth = 100;

/// An empty model. It and all that it will point to are owned by one arena, so that nothing is lost if an
/// allocation fails.
std::shared_ptr<onnx::ModelProto> NewModel();

/// Parses a model. Errors: kMalformedFile, with the position at which parsing stopped; kLimitExceeded if its
/// messages would take more than `max_bytes` in memory; kOutOfMemory.
Result<std::shared_ptr<onnx::ModelProto>> ParseModel(std::span<const std::byte> bytes,
                                                     const std::string& source, std::int64_t max_bytes);

/// The bytes of a model file; protobuf's own limit of 2 GiB applies. Errors: kIo, kLimitExceeded,
/// kOutOfMemory.
Result<std::vector<std::byte>> ReadModelFile(const std::string& path);

}  // namespace supremum::onnx_front

#endif  // SUPREMUM_SRC_FRONTENDS_ONNX_READ_PARSE_MODEL_H_
