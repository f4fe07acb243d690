// Bytes to protobuf messages, with the place where they stop being one.
#ifndef SUPREMUM_SRC_FORMATS_PARSE_MESSAGE_H_
#define SUPREMUM_SRC_FORMATS_PARSE_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "supremum/result.h"

namespace google::protobuf {
class Message;
class MessageLite;
}  // namespace google::protobuf

namespace supremum::formats {

/// A serialized message has at most this many bytes.
inline constexpr std::int64_t kMaxMessageBytes = 2147483647;

/// Counts the memory that parsing `bytes` as a message of `type`'s type would take beside what the bytes
/// themselves take: an empty message is two bytes in a file and some hundred in memory. Takes no memory
/// itself, and ends where the bytes are no message any more, or where a limit is exceeded. Errors:
/// kLimitExceeded beyond `max_bytes`, and for messages that are nested more than `depth` deep.
Result<void> CheckExpansion(std::string_view where, std::span<const std::byte> bytes, int depth,
                            const google::protobuf::Message& type, std::int64_t max_bytes);

/// Parses a message whose messages are nested at most `depth` deep. False if the bytes are none. Nothing is
/// printed.
///
/// Requires: at most kMaxMessageBytes.
bool ParseMessage(std::span<const std::byte> bytes, int depth, google::protobuf::MessageLite* message);

/// kMalformedFile for bytes that ParseMessage refused: where the first field begins that `message`'s type
/// does not have, and its first bytes. `what` is that type as people call it, `hint` what to do.
Error ParseError(std::string_view where, std::span<const std::byte> bytes, int depth,
                 const google::protobuf::MessageLite& message, std::string_view what, std::string_view hint);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_PARSE_MESSAGE_H_
