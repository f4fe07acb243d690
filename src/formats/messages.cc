#include "formats/messages.h"

#include <algorithm>
#include <system_error>

#include "core/quote.h"

namespace supremum::formats {

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

std::size_t FirstNonBool(std::span<const std::byte> bytes) {
  const auto found = std::find_if(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; });
  return static_cast<std::size_t>(found - bytes.begin());
}

Result<void> CheckBools(std::string_view where, std::int64_t offset, std::span<const std::byte> bytes,
                        std::string_view hint) {
  const std::size_t at = FirstNonBool(bytes);
  if (at == bytes.size()) return {};
  return MalformedAtByte(
      where, offset + static_cast<std::int64_t>(at),
      std::to_string(std::to_integer<int>(bytes[at])) + " is outside bool (0 to 1)" + std::string(hint));
}

Error IoError(std::string_view path, std::string_view verb, int error_number, std::string_view hint) {
  return MakeError(ErrorCode::kIo, Quote(path)
                                       .append(" cannot be ")
                                       .append(verb)
                                       .append(": ")
                                       .append(std::generic_category().message(error_number))
                                       .append("; ")
                                       .append(hint));
}

}  // namespace supremum::formats
