// Parses protobuf messages from untrusted bytes, and reports the position of an error.
#ifndef SUPREMUM_SRC_IO_FORMATS_PARSE_MESSAGE_H_
#define SUPREMUM_SRC_IO_FORMATS_PARSE_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "supremum/result.h"

namespace google::protobuf {
class MessageLite;
}  // namespace google::protobuf

namespace supremum::io {

/// The most bytes of a serialized message.
inline constexpr std::int64_t kMaxMessageBytes = 2147483647;

/// Checks the memory that parsing `bytes` as a message of ONNX, of `type`'s type, would need in addition to
/// the bytes. An empty message has two bytes in a file and some hundred in memory. Allocates
/// nothing; stops at the first bytes that are not a message, and at a limit. Errors: kLimitExceeded beyond
/// `max_bytes`, and for messages nested more than `depth` deep.
Result<void> CheckExpansion(std::string_view where, std::span<const std::byte> bytes, int depth,
                            const google::protobuf::MessageLite& type, std::int64_t max_bytes);

/// The memory that a message of ONNX takes: an upper bound. Cost: that of serializing it.
std::size_t MemoryOf(const google::protobuf::MessageLite& message);

/// Parses a message with messages nested at most `depth` deep. False if the bytes are not such a message.
/// Prints nothing.
///
/// Requires: at most kMaxMessageBytes.
bool ParseMessage(std::span<const std::byte> bytes, int depth, google::protobuf::MessageLite* message);

/// kMalformedFile for bytes that ParseMessage refused: the position and the first bytes of the first field
/// that `message`'s type does not have. `what` is the name of that type, `hint` the advice.
Error ParseError(std::string_view where, std::span<const std::byte> bytes, int depth,
                 const google::protobuf::MessageLite& message, std::string_view what, std::string_view hint);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FORMATS_PARSE_MESSAGE_H_
