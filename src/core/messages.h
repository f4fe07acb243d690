// Common parts of error texts about files and graphs.
#ifndef SUPREMUM_SRC_CORE_MESSAGES_H_
#define SUPREMUM_SRC_CORE_MESSAGES_H_

#include <cstdint>
#include <string_view>

#include "supremum/result.h"

namespace supremum {

/// The end of texts about a limit of memory: the names of the limit in C++ and Python, and in the command.
inline constexpr std::string_view kRaiseLimit =
    "; raise the limit (max_bytes; in the command --max-bytes, or --memory if given) if this is meant";

/// `error`, with "where: " between its title and its details.
Error ErrorAt(std::string_view where, const Error& error);

/// MakeError for "where: details".
Error ErrorAt(ErrorCode code, std::string_view where, std::string_view details);

/// MakeError for "where: what (rule)advice".
Error ErrorAt(ErrorCode code, std::string_view where, RuleId rule, std::string_view what,
              std::string_view advice = "");

/// kMalformedFile for "where: byte 17: details".
Error MalformedAtByte(std::string_view where, std::int64_t offset, std::string_view details);

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_MESSAGES_H_
