// The functions of tensor_proto.h that open files.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "formats/atomic_file.h"
#include "formats/file_bytes.h"
#include "formats/messages.h"
#include "formats/tensor_proto.h"

namespace supremum::formats {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// A serialized message has at most this many bytes.
constexpr std::int64_t kMaxMessage = std::numeric_limits<std::int32_t>::max();
// What a file may have beside its elements: names, documentation.
constexpr std::int64_t kSlack = std::int64_t{1} << 20;
// TensorProto has messages in messages, none deeper.
constexpr int kMaxDepth = 8;

bool Parse(std::span<const std::byte> bytes, google::protobuf::MessageLite* message) {
  CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                          static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kMaxDepth);
  return message->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

// Where the first field begins that is not one of a TensorProto; protobuf itself does not tell.
std::size_t FindBadField(std::span<const std::byte> bytes) {
  CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                          static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kMaxDepth);
  std::size_t start = 0;
  while (start < bytes.size()) {
    const std::uint32_t tag = stream.ReadTag();
    if (tag == 0 || !WireFormatLite::SkipField(&stream, tag)) return start;
    const std::size_t end = static_cast<std::size_t>(stream.CurrentPosition());
    onnx::TensorProto field;
    if (!Parse(bytes.subspan(start, end - start), &field)) return start;
    start = end;
  }
  return start;
}

bool IsSparseTensor(std::span<const std::byte> bytes) {
  onnx::SparseTensorProto sparse;
  return Parse(bytes, &sparse) && sparse.values().data_type() != 0 &&
         sparse.indices().data_type() == onnx::TensorProto::INT64;
}

Result<onnx::TensorProto> ParseTensorProto(std::vector<std::byte> bytes, const std::string& where) {
  // Otherwise protobuf writes what it finds to standard error.
  const google::protobuf::LogSilencer silencer;
  onnx::TensorProto proto;
  const bool parsed = Parse(bytes, &proto);
  if (parsed && proto.data_type() != 0) return proto;
  if (IsSparseTensor(bytes)) {
    return ErrorAt(ErrorCode::kSparseTensor, where,
                   "the file is a SparseTensorProto (PRO-1); write it as a dense tensor");
  }
  if (parsed) return proto;
  const std::size_t start = FindBadField(bytes);
  const std::size_t shown = std::min<std::size_t>(bytes.size() - start, 8);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + start, shown);
  return MalformedAtByte(
      where, static_cast<std::int64_t>(start),
      "what begins here, " + Quote(text) +
          ", is not a field of a TensorProto, or the file is cut short; write the tensor again");
}

}  // namespace

Result<NamedTensor> ReadTensorProto(const std::string& path, std::int64_t max_bytes) {
  const std::int64_t limit = max_bytes < kMaxMessage - kSlack ? max_bytes + kSlack : kMaxMessage;
  Result<std::vector<std::byte>> bytes = ReadFileBytes(path, limit);
  if (!bytes) return bytes.error();
  const std::string where = Quote(path);
  try {
    const Result<onnx::TensorProto> proto = ParseTensorProto(*std::move(bytes), where);
    if (!proto) return proto.error();
    Result<Tensor> tensor = TensorFromProto(*proto, where, max_bytes);
    if (!tensor) return tensor.error();
    return NamedTensor{proto->name(), *std::move(tensor)};
  } catch (const std::bad_alloc&) {
    return ErrorAt(ErrorCode::kOutOfMemory, where,
                   "no memory for parsing; free memory or use a .npy file, which takes less");
  }
}

Result<void> WriteTensorProto(const std::string& path, std::string_view name, const Tensor& tensor) {
  // raw_data is the last field, and appending it by hand spares two copies of the elements.
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
  if (size > kMaxMessage) {
    return ErrorAt(ErrorCode::kLimitExceeded, Quote(path),
                   "a TensorProto of " + std::to_string(size) + " bytes; at most " +
                       std::to_string(kMaxMessage) + " can be read again: write a .npy file");
  }
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file) return file.error();
  if (auto done = file->Write(std::as_bytes(std::span(head))); !done) return done.error();
  if (auto done = file->Write(tensor.bytes()); !done) return done.error();
  return file->Commit();
}

}  // namespace supremum::formats
