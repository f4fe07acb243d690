// Error texts about files: those of core/messages.h and core/quote.h, and I/O errors.
#ifndef SUPREMUM_SRC_IO_FILES_MESSAGES_H_
#define SUPREMUM_SRC_IO_FILES_MESSAGES_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/messages.h"  // IWYU pragma: export
#include "core/quote.h"     // IWYU pragma: export
#include "supremum/result.h"

namespace supremum::io {

using supremum::ErrorAt;
using supremum::MalformedAtByte;
using supremum::ShownLength;

/// Checks the bytes of bools, which begin at byte `offset` of the file. kMalformedFile for "where: byte 17: 2
/// is outside bool (0 to 1)HINT" if one is neither 0 nor 1.
Result<void> CheckBools(std::string_view where, std::int64_t offset, std::span<const std::byte> bytes,
                        std::string_view hint);

/// The position of the first byte that is neither 0 nor 1; the size of `bytes` if there is none.
std::size_t FirstNonBool(std::span<const std::byte> bytes);

/// The position of the tensor `wanted` in a file that holds tensors by name; without `wanted`, that of the
/// only one. `item` is the format's word for a tensor.
///
/// Errors: kInvalidArgument, with the names: "'x.npz': the file holds 2 arrays, 'a', 'b'; exactly one is
///   expected: name one, as in 'x.npz::a'".
Result<std::size_t> ChooseTensor(std::string_view path, std::string_view item,
                                 std::span<const std::string> names,
                                 const std::optional<std::string>& wanted);

/// The kind of a folder's entry that is no regular file: "a folder", "a symbolic link", "a pipe".
std::string_view KindOfEntry(mode_t mode);

/// The hint for EFBIG.
inline constexpr std::string_view kTooLargeHint =
    "raise the limit of a file's size (ulimit -f), or name a disk that takes files of this size";

/// The hint for that error number: a fixed one for limits of the process (EFBIG, EMFILE), otherwise `hint`.
std::string_view HintFor(int error_number, std::string_view hint);

/// kIo for "'path' cannot be VERB: the system's reason for errno; HintFor(errno, hint)".
Error IoError(std::string_view path, std::string_view verb, int error_number, std::string_view hint);

/// kIo for a name with a zero byte.
Error ZeroByteIn(std::string_view path);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_MESSAGES_H_
