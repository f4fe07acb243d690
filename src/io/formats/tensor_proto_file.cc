// The functions of tensor_proto.h that open files.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/foreign_content.h"
#include "core/quote.h"
#include "io/files/file_bytes.h"
#include "io/files/messages.h"
#include "io/formats/byte_order.h"
#include "io/formats/parse_message.h"
#include "io/formats/tensor_proto.h"

namespace supremum::io {
namespace {

// The most bytes of a file in addition to its elements: names, documentation.
constexpr std::int64_t kSlack = std::int64_t{1} << 20;
// TensorProto has messages nested two deep.
constexpr int kMaxDepth = 8;

bool IsSparseTensor(std::span<const std::byte> bytes) {
  onnx::SparseTensorProto sparse;
  return ParseMessage(bytes, kMaxDepth, &sparse) && sparse.values().data_type() != 0 &&
         sparse.indices().data_type() == onnx::TensorProto::INT64;
}

Result<onnx::TensorProto> ParseTensorProto(std::vector<std::byte> bytes, const std::string& where,
                                           std::int64_t max_bytes) {
  onnx::TensorProto proto;
  if (auto fits = CheckExpansion(where, bytes, kMaxDepth, proto, max_bytes); !fits) return fits.error();
  const bool parsed = ParseMessage(bytes, kMaxDepth, &proto);
  if (parsed && proto.data_type() != 0) return proto;
  if (IsSparseTensor(bytes)) {
    return ErrorAt(ErrorCode::kSparseTensor, where, "PRO-1", "the file is a SparseTensorProto",
                   "; write it as a dense tensor");
  }
  if (parsed) return proto;
  return ParseError(where, bytes, kMaxDepth, proto, "TensorProto", "write the tensor again");
}

}  // namespace

Result<NamedTensor> ReadTensorProto(const std::string& path, std::int64_t max_bytes,
                                    std::vector<UnsupportedTensor>* unsupported) {
  const std::int64_t limit = max_bytes < kMaxMessageBytes - kSlack ? max_bytes + kSlack : kMaxMessageBytes;
  Result<std::vector<std::byte>> bytes = ReadFileBytes(path, limit);
  if (!bytes) return bytes.error();
  const std::string where = Quote(path);
  try {
    const std::string foreign = ForeignContent(*bytes);
    const Result<onnx::TensorProto> proto =
        OrContentError(where, foreign, ParseTensorProto(*std::move(bytes), where, limit));
    if (!proto) return proto.error();
    Result<Tensor> tensor = OrContentError(where, foreign, TensorFromProto(*proto, where, max_bytes));
    if (!tensor && tensor.error().code == ErrorCode::kTypeNotAdmitted && unsupported != nullptr) {
      const std::vector<std::int64_t> dims(proto->dims().begin(), proto->dims().end());
      const std::optional<Shape> shape = Shape::FromSpan(dims);
      if (shape && std::ranges::all_of(dims, [](std::int64_t extent) { return extent >= 0; })) {
        unsupported->push_back({proto->name(), OnnxTypeName(proto->data_type()), *shape});
      }
    }
    if (!tensor) return tensor.error();
    return NamedTensor{proto->name(), *std::move(tensor)};
  } catch (const std::bad_alloc&) {
    return ErrorAt(ErrorCode::kOutOfMemory, where,
                   "no memory for parsing; free memory or use a .npy file, which takes less");
  }
}

Result<std::string> TensorProtoHead(const std::string& path, std::string_view name, const Tensor& tensor) {
  // raw_data is written after the serialized message, as its last field: this avoids two copies of the
  // elements.
  constexpr std::uint8_t kRawDataTag = onnx::TensorProto::kRawDataFieldNumber << 3 | 2;
  std::string head;
  {
    const google::protobuf::LogSilencer silencer;
    onnx::TensorProto proto;
    proto.set_name(name.data(), name.size());
    proto.set_data_type(OnnxFromDType(tensor.dtype()));
    for (const std::int64_t extent : DimsView(tensor.shape())) proto.add_dims(extent);
    proto.SerializeToString(&head);
  }
  head += static_cast<char>(kRawDataTag);
  for (std::size_t rest = tensor.byte_size();; rest >>= 7) {
    head += static_cast<char>((rest & 0x7F) | (rest > 0x7F ? 0x80 : 0));
    if (rest <= 0x7F) break;
  }
  const std::int64_t size = static_cast<std::int64_t>(head.size() + tensor.byte_size());
  if (size <= kMaxMessageBytes) return head;
  return ErrorAt(ErrorCode::kLimitExceeded, Quote(path),
                 "a TensorProto of " + std::to_string(size) + " bytes; at most " +
                     std::to_string(kMaxMessageBytes) + " can be read again: write a .npy file");
}

}  // namespace supremum::io
