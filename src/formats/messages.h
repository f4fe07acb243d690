// What error texts about files have in common: core/messages.h, and what of a foreign text is shown, under
// the names of this room, and I/O errors.
#ifndef SUPREMUM_SRC_FORMATS_MESSAGES_H_
#define SUPREMUM_SRC_FORMATS_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/messages.h"  // IWYU pragma: export
#include "core/quote.h"     // IWYU pragma: export
#include "supremum/result.h"

namespace supremum::formats {

using supremum::ErrorAt;
using supremum::MalformedAtByte;
using supremum::ShownLength;

/// The bytes of bools, which a file has from byte `offset` on: kMalformedFile for "where: byte 17: 2 is
/// outside bool (0 to 1)HINT" if one is neither.
Result<void> CheckBools(std::string_view where, std::int64_t offset, std::span<const std::byte> bytes,
                        std::string_view hint);

/// The position of the first byte that is neither 0 nor 1; the size of `bytes` if there is none.
std::size_t FirstNonBool(std::span<const std::byte> bytes);

/// kInvalidArgument unless a file that holds tensors by name holds exactly one: "where: the file holds 2
/// ITEMs, 'a', 'b'; exactly one is expectedHINT". ITEM is what the format calls a tensor.
Result<void> CheckSingle(std::string_view where, std::string_view item, std::span<const std::string> names,
                         std::string_view hint);

/// What to do about EFBIG.
inline constexpr std::string_view kTooLargeHint =
    "raise the limit of a file's size (ulimit -f), or name a disk that takes files of this size";

/// What to do about that error: of limits of the process always the same, else `hint`.
std::string_view HintFor(int error_number, std::string_view hint);

/// kIo for "'path' cannot be VERB: the system's reason for errno; HintFor(errno, hint)".
Error IoError(std::string_view path, std::string_view verb, int error_number, std::string_view hint);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_MESSAGES_H_
