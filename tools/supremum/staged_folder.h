// A folder that appears under its name only when it is complete.
#ifndef SUPREMUM_TOOLS_STAGED_FOLDER_H_
#define SUPREMUM_TOOLS_STAGED_FOLDER_H_

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include "supremum/result.h"

namespace supremum::cli {

/// Removes the folders that are being filled, for a program that is about to be ended by a signal. Whoever
/// still makes, commits or removes one afterwards waits for the end.
void DiscardStagedFolders() noexcept;

/// Makes `folder` and those around it, in a folder that is being filled, unless the program is being ended.
std::error_code MakeFolders(const std::filesystem::path& folder);

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

  /// Makes everything in it durable at once, with all else on its filesystem: for files so many that making
  /// each durable by itself would take longer than writing them. Errors: kIo.
  Result<void> MakeDurable();

  /// A folder that has the target's name already is replaced, with all that is in it, if `replace` is set;
  /// otherwise it must be empty. Errors: kIo.
  Result<void> Commit(bool replace);

 private:
  StagedFolder(std::filesystem::path target, std::filesystem::path staged);

  std::filesystem::path target_;
  std::filesystem::path staged_;  // empty once there is nothing to remove
};

/// Refuses a `target` that Commit would have to replace: anything but a folder; a folder with files unless
/// `force` is set; and with it one with files that are not `is_ours`, by their paths in it. `shown` is what
/// texts call the target ("--output x"), `whole` what it may hold ("a test case").
/// Errors: kInvalidArgument; kIo.
Result<void> CheckReplaceable(std::string_view shown, const std::filesystem::path& target, bool force,
                              std::string_view whole,
                              const std::function<bool(const std::filesystem::path&)>& is_ours);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_STAGED_FOLDER_H_
