// A folder that appears under its name only when it is complete.
#ifndef SUPREMUM_TOOLS_STAGED_FOLDER_H_
#define SUPREMUM_TOOLS_STAGED_FOLDER_H_

#include <filesystem>
#include <string>

#include "supremum/result.h"

namespace supremum::cli {

/// Removes the folders that are being filled, for a program that is about to be ended by a signal.
void DiscardStagedFolders() noexcept;

/// A new folder beside `target`, to be filled; Commit gives it the target's name. Destroyed without Commit,
/// or after an error, it is removed, and the target is as it was.
class StagedFolder {
 public:
  /// Errors: kIo.
  static Result<StagedFolder> Create(const std::string& target);

  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;
  ~StagedFolder();

  /// Where its files go.
  const std::filesystem::path& path() const { return staged_; }

  /// A folder that has the target's name already is replaced, with all that is in it, if `replace` is set;
  /// otherwise it must be empty. Errors: kIo.
  Result<void> Commit(bool replace);

 private:
  StagedFolder(std::filesystem::path target, std::filesystem::path staged);

  std::filesystem::path target_;
  std::filesystem::path staged_;  // empty once there is nothing to remove
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_STAGED_FOLDER_H_
