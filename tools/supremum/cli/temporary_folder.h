// A temporary folder.
#ifndef SUPREMUM_TOOLS_CLI_TEMPORARY_FOLDER_H_
#define SUPREMUM_TOOLS_CLI_TEMPORARY_FOLDER_H_

#include <filesystem>
#include <string>

#include "supremum/result.h"

namespace supremum::cli {

/// A new folder below TMPDIR or the system's default, which only this user may access. The destructor removes
/// it with its content.
class TemporaryFolder {
 public:
  /// Errors: kIo.
  static Result<TemporaryFolder> Create(const std::string& name);

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty once there is nothing to remove
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_TEMPORARY_FOLDER_H_
