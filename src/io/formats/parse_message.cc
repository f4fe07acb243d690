#include "io/formats/parse_message.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>

#include "core/quote.h"
#include "io/files/messages.h"
#include "io/formats/message_types.h"

namespace supremum::io {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

const std::uint8_t* Data(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

// protobuf does not report where it stopped, so the fields are parsed one by one.
std::size_t FindBadField(std::span<const std::byte> bytes, int depth,
                         const google::protobuf::MessageLite& message) {
  CodedInputStream stream(Data(bytes), static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(depth);
  std::size_t start = 0;
  while (start < bytes.size()) {
    const std::uint32_t tag = stream.ReadTag();
    if (tag == 0 || !WireFormatLite::SkipField(&stream, tag)) return start;
    const std::size_t end = static_cast<std::size_t>(stream.CurrentPosition());
    google::protobuf::Arena arena;  // owns what protobuf would leak when an allocation fails
    if (!ParseMessage(bytes.subspan(start, end - start), depth, message.New(&arena))) return start;
    start = end;
  }
  return start;
}

// Memory that each parsed item takes in addition to its bytes in the file: upper bounds for protobuf 3.21 on
// 64 bits.
constexpr std::int64_t kBytesOfMessage = 64, kBytesOfField = 16, kBytesOfString = 64, kBytesOfNumber = 8;

// Adds up the parsed form of messages, field by field, from the bytes alone.
class ExpansionCounter {
 public:
  ExpansionCounter(CodedInputStream& stream, std::int64_t limit) : stream_(stream), limit_(limit) {}

  // Counts the fields of a message up to the stream's limit, with messages nested at most `depth` deep.
  // Returns false where counting ends: at a limit, or at bytes that are not a message, which parsing will
  // report.
  bool Count(const MessageType& type, int depth) {
    too_deep_ = depth < 0;
    if (too_deep_ || !Add(kBytesOfMessage + kBytesOfField * type.CountFields())) return false;
    while (const std::uint32_t tag = stream_.ReadTag()) {
      const int field = WireFormatLite::GetTagFieldNumber(tag);
      if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
        // A group, which ONNX does not use, may contain another message in every two bytes.
        const int before = stream_.CurrentPosition();
        if (!WireFormatLite::SkipField(&stream_, tag)) return false;
        if (!Add(kBytesOfString + kBytesOfField * (stream_.CurrentPosition() - before))) return false;
        continue;
      }
      std::uint32_t length = 0;
      if (!stream_.ReadVarint32(&length) || length > INT32_MAX) return false;
      if (const MessageType* const nested = type.TypeOfField(field)) {
        const auto outer = stream_.PushLimit(static_cast<int>(length));
        if (!Count(*nested, depth - 1) || stream_.BytesUntilLimit() != 0) return false;
        stream_.PopLimit(outer);
        continue;
      }
      if (!Has(type.texts, field)) {
        // A field of a later version of ONNX may contain another message in every two bytes.
        const std::int64_t factor = Has(type.numbers, field) ? kBytesOfNumber : kBytesOfMessage;
        if (!Add(factor * length)) return false;
      }
      if (!Add(kBytesOfString) || !stream_.Skip(static_cast<int>(length))) return false;
    }
    return true;
  }

  std::int64_t taken() const { return taken_; }
  bool too_deep() const { return too_deep_; }

 private:
  bool Add(std::int64_t bytes) {
    taken_ += bytes;
    return taken_ <= limit_;
  }

  CodedInputStream& stream_;
  std::int64_t limit_;
  std::int64_t taken_ = 0;
  bool too_deep_ = false;
};

const MessageType& TypeOf(const google::protobuf::MessageLite& message) {
  static constexpr MessageType kNotOfOnnx = {};
  const MessageType* const type = MessageNamed(std::string(message.GetTypeName()));
  return type == nullptr ? kNotOfOnnx : *type;
}

}  // namespace

Result<void> CheckExpansion(std::string_view where, std::span<const std::byte> bytes, int depth,
                            const google::protobuf::MessageLite& type, std::int64_t max_bytes) {
  CodedInputStream stream(Data(bytes), static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(depth);
  ExpansionCounter counter(stream, max_bytes);
  counter.Count(TypeOf(type), depth);
  if (counter.too_deep()) {
    return ErrorAt(ErrorCode::kLimitExceeded, where,
                   "its messages are nested more than the limit of " + std::to_string(depth) +
                       " deep; nest fewer graphs or types in one another");
  }
  if (counter.taken() <= max_bytes) return {};
  return ErrorAt(ErrorCode::kLimitExceeded, where,
                 "its " + std::to_string(bytes.size()) +
                     " bytes hold messages that take more than the limit of " + std::to_string(max_bytes) +
                     " bytes in memory" + std::string(kRaiseLimit));
}

std::size_t MemoryOf(const google::protobuf::MessageLite& message) {
  const google::protobuf::LogSilencer silencer;
  const std::string bytes = message.SerializePartialAsString();
  CodedInputStream stream(Data(std::as_bytes(std::span(bytes))), static_cast<int>(bytes.size()));
  ExpansionCounter counter(stream, INT64_MAX);
  counter.Count(TypeOf(message), INT_MAX);
  return message.ByteSizeLong() + static_cast<std::size_t>(counter.taken());
}

bool ParseMessage(std::span<const std::byte> bytes, int depth, google::protobuf::MessageLite* message) {
  // Otherwise protobuf logs errors to standard error.
  const google::protobuf::LogSilencer silencer;
  CodedInputStream stream(Data(bytes), static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(depth);
  return message->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

Error ParseError(std::string_view where, std::span<const std::byte> bytes, int depth,
                 const google::protobuf::MessageLite& message, std::string_view what, std::string_view hint) {
  const google::protobuf::LogSilencer silencer;
  const std::size_t start = FindBadField(bytes, depth, message);
  const std::size_t shown = std::min<std::size_t>(bytes.size() - start, 8);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + start, shown);
  return MalformedAtByte(where, static_cast<std::int64_t>(start),
                         "what begins here, " + Quote(text) + ", is not a field of a " + std::string(what) +
                             ", or the file is cut short; " + std::string(hint));
}

}  // namespace supremum::io
