#include "frontends/onnx/read/parse_model.h"

#include <google/protobuf/arena.h>
#include <onnx/onnx_pb.h>

#include <memory>
#include <new>

#include "core/foreign_content.h"
#include "core/messages.h"
#include "io/files/file_bytes.h"
#include "io/formats/parse_message.h"

namespace supremum::onnx_front {
namespace {

// A model and everything that it points to. If an allocation fails during parsing, protobuf loses the object
// that it was about to link; the arena still owns it.
struct HeldModel {
  google::protobuf::Arena arena;
  onnx::ModelProto* const model = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena);
};

Result<std::shared_ptr<onnx::ModelProto>> Parse(std::span<const std::byte> bytes, const std::string& source,
                                                std::int64_t max_bytes) {
  if (bytes.empty()) return ErrorAt(ErrorCode::kMalformedFile, source, "the file is empty");
  if (static_cast<std::int64_t>(bytes.size()) > io::kMaxMessageBytes) {
    return ErrorAt(ErrorCode::kLimitExceeded, source,
                   "it has " + std::to_string(bytes.size()) + " bytes; a model has at most " +
                       std::to_string(io::kMaxMessageBytes));
  }
  try {
    std::shared_ptr<onnx::ModelProto> model = NewModel();
    auto fits = io::CheckExpansion(source, bytes, kMaxModelDepth, *model, max_bytes);
    if (!fits) return std::move(fits).error();
    if (!io::ParseMessage(bytes, kMaxModelDepth, model.get())) {
      return io::ParseError(source, bytes, kMaxModelDepth, *model, "ModelProto",
                            "give a file that holds an ONNX model");
    }
    if (!model->has_graph()) {
      return ErrorAt(ErrorCode::kMalformedFile, source,
                     "it holds no graph; give a file that holds an ONNX model");
    }
    return model;
  } catch (const std::bad_alloc&) {
    return ErrorAt(ErrorCode::kOutOfMemory, source, "no memory for parsing the model");
  }
}

}  // namespace

std::shared_ptr<onnx::ModelProto> NewModel() {
  const auto held = std::make_shared<HeldModel>();
  return {held, held->model};
}

Result<std::shared_ptr<onnx::ModelProto>> ParseModel(std::span<const std::byte> bytes,
                                                     const std::string& source, std::int64_t max_bytes) {
  return OrContentError(source, ForeignContent(bytes), Parse(bytes, source, max_bytes));
}

Result<std::vector<std::byte>> ReadModelFile(const std::string& path) {
  return io::ReadFileBytes(path, io::kMaxMessageBytes);
}

}  // namespace supremum::onnx_front
