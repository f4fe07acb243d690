#include "core/messages.h"

#include <string>

namespace supremum {

Error ErrorAt(std::string_view where, const Error& error) {
  std::string details(where);
  if (!error.details().empty()) details.append(": ").append(error.details());
  Error placed = MakeError(error.code, details);
  placed.rule = error.rule;
  return placed;
}

Error ErrorAt(ErrorCode code, std::string_view where, std::string_view details) {
  return ErrorAt(where, MakeError(code, details));
}

Error ErrorAt(ErrorCode code, std::string_view where, RuleId rule, std::string_view what,
              std::string_view advice) {
  return ErrorAt(where, MakeError(code, rule, what, advice));
}

Error MalformedAtByte(std::string_view where, std::int64_t offset, std::string_view details) {
  return ErrorAt(ErrorCode::kMalformedFile, where,
                 "byte " + std::to_string(offset) + ": " + std::string(details));
}

}  // namespace supremum
