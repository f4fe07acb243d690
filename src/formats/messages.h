// What error texts about files have in common.
#ifndef SUPREMUM_SRC_FORMATS_MESSAGES_H_
#define SUPREMUM_SRC_FORMATS_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "supremum/result.h"

namespace supremum::formats {

/// MakeError for "where: details".
Error ErrorAt(ErrorCode code, std::string_view where, std::string_view details);

/// `error`, with "where: " between its title and its details.
Error ErrorAt(std::string_view where, const Error& error);

/// kMalformedFile for "where: byte 17: details".
Error MalformedAtByte(std::string_view where, std::int64_t offset, std::string_view details);

/// kIo for "'path' cannot be VERB: the system's reason for errno; hint".
Error IoError(std::string_view path, std::string_view verb, int error_number, std::string_view hint);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_MESSAGES_H_
