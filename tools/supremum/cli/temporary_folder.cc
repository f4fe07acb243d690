#include "cli/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace supremum::cli {

Result<TemporaryFolder> TemporaryFolder::Create(const std::string& name) {
  std::error_code error;
  const std::filesystem::path below = std::filesystem::temp_directory_path(error);
  std::string path = (below / (name + "-XXXXXX")).string();
  if (!error && ::mkdtemp(path.data()) == nullptr) error = std::error_code(errno, std::generic_category());
  if (error) {
    return MakeError(ErrorCode::kIo,
                     fmt::format("cannot create a temporary folder: {}; set TMPDIR to a writable folder",
                                 error.message()));
  }
  return TemporaryFolder(path);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, std::filesystem::path())) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace supremum::cli
