#include "formats/parse_message.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "core/quote.h"
#include "formats/messages.h"

namespace supremum::formats {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

const std::uint8_t* Data(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

// protobuf itself does not tell where it stopped, so the fields are tried one by one.
std::size_t FindBadField(std::span<const std::byte> bytes, int depth,
                         const google::protobuf::MessageLite& message) {
  CodedInputStream stream(Data(bytes), static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(depth);
  std::size_t start = 0;
  while (start < bytes.size()) {
    const std::uint32_t tag = stream.ReadTag();
    if (tag == 0 || !WireFormatLite::SkipField(&stream, tag)) return start;
    const std::size_t end = static_cast<std::size_t>(stream.CurrentPosition());
    const std::unique_ptr<google::protobuf::MessageLite> field(message.New());
    if (!ParseMessage(bytes.subspan(start, end - start), depth, field.get())) return start;
    start = end;
  }
  return start;
}

}  // namespace

bool ParseMessage(std::span<const std::byte> bytes, int depth, google::protobuf::MessageLite* message) {
  // Otherwise protobuf writes what it finds to standard error.
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

}  // namespace supremum::formats
