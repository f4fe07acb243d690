#include "core/messages.h"

#include <string>

namespace supremum {

Error ErrorAt(ErrorCode code, std::string_view where, std::string_view details) {
  return MakeError(code, std::string(where).append(": ").append(details));
}

Error ErrorAt(std::string_view where, const Error& error) {
  std::string_view details = error.message;
  const std::string title = std::string(InfoOf(error.code).title) + ": ";
  if (details.starts_with(title)) details.remove_prefix(title.size());
  return ErrorAt(error.code, where, details);
}

Error MalformedAtByte(std::string_view where, std::int64_t offset, std::string_view details) {
  return ErrorAt(ErrorCode::kMalformedFile, where,
                 "byte " + std::to_string(offset) + ": " + std::string(details));
}

}  // namespace supremum
