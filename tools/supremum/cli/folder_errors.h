// The error of a folder that cannot be listed, with one text for all verbs.
#ifndef SUPREMUM_TOOLS_CLI_FOLDER_ERRORS_H_
#define SUPREMUM_TOOLS_CLI_FOLDER_ERRORS_H_

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "supremum/result.h"

namespace supremum::cli {

inline Error CannotListFolder(const std::filesystem::path& folder, const std::error_code& error) {
  return MakeError(ErrorCode::kIo,
                   fmt::format("cannot list the folder {}: {}", folder.string(), error.message()));
}

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_FOLDER_ERRORS_H_
