#include "onnx/parse_model.h"

#include <onnx/onnx_pb.h>

#include <new>

#include "formats/file_bytes.h"
#include "formats/messages.h"
#include "formats/parse_message.h"

namespace supremum::onnx_front {
namespace {

// A graph in an attribute of a node is three levels deeper than the node's own graph: about thirty loops in
// one another.
constexpr int kMaxDepth = 100;

}  // namespace

Result<std::shared_ptr<onnx::ModelProto>> ParseModel(std::span<const std::byte> bytes,
                                                     const std::string& source) {
  if (bytes.empty()) return formats::ErrorAt(ErrorCode::kMalformedFile, source, "the file is empty");
  if (static_cast<std::int64_t>(bytes.size()) > formats::kMaxMessageBytes) {
    return formats::ErrorAt(ErrorCode::kLimitExceeded, source,
                            "it has " + std::to_string(bytes.size()) + " bytes; a model has at most " +
                                std::to_string(formats::kMaxMessageBytes));
  }
  try {
    auto model = std::make_shared<onnx::ModelProto>();
    if (!formats::ParseMessage(bytes, kMaxDepth, model.get())) {
      return formats::ParseError(source, bytes, kMaxDepth, *model, "ModelProto",
                                 "give a file that holds an ONNX model");
    }
    if (!model->has_graph()) {
      return formats::ErrorAt(ErrorCode::kMalformedFile, source,
                              "it holds no graph; give a file that holds an ONNX model");
    }
    return model;
  } catch (const std::bad_alloc&) {
    return formats::ErrorAt(ErrorCode::kOutOfMemory, source, "no memory for parsing the model");
  }
}

Result<std::vector<std::byte>> ReadModelFile(const std::string& path) {
  return formats::ReadFileBytes(path, formats::kMaxMessageBytes);
}

}  // namespace supremum::onnx_front
