#include "onnx/parse_model.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include <cstdint>
#include <limits>

#include "formats/file_bytes.h"
#include "formats/messages.h"

namespace supremum::onnx_front {

Result<std::shared_ptr<onnx::ModelProto>> ParseModel(std::span<const std::byte> bytes, const std::string& source) {
  if (bytes.empty()) return formats::ErrorAt(ErrorCode::kMalformedFile, source, "the file is empty");
  if (bytes.size() > std::numeric_limits<int>::max()) {
    return formats::ErrorAt(ErrorCode::kLimitExceeded, source,
                            "it has " + std::to_string(bytes.size()) + " bytes; protobuf reads at most 2147483647");
  }
  auto model = std::make_shared<onnx::ModelProto>();
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  if (!model->ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    return formats::MalformedAtByte(source, stream.CurrentPosition(),
                                    "this is no ONNX model from here on; give a file that holds a ModelProto");
  }
  if (!model->has_graph()) {
    return formats::ErrorAt(ErrorCode::kMalformedFile, source,
                            "it holds no graph; give a file that holds a ModelProto");
  }
  return model;
}

Result<std::vector<std::byte>> ReadModelFile(const std::string& path) {
  return formats::ReadFileBytes(path, std::numeric_limits<int>::max());
}

}  // namespace supremum::onnx_front
