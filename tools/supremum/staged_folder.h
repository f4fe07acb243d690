// A folder that gets its name only when it is complete; it may replace an existing folder.
#ifndef SUPREMUM_TOOLS_STAGED_FOLDER_H_
#define SUPREMUM_TOOLS_STAGED_FOLDER_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "supremum/result.h"

namespace supremum::cli {

/// Removes the folders that are being filled, before a signal ends the program. A thread that creates,
/// commits or removes one afterwards blocks until the end.
void DiscardStagedFolders() noexcept;

/// Creates `folder` and its missing parents, in a folder that is being filled; blocks if a signal is ending
/// the program.
std::error_code MakeFolders(const std::filesystem::path& folder);

/// The identity of a file when it was listed; it detects replaced and changed files.
struct ListedFile {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool is_folder = false;  ///< if true, only device and inode are compared
};

/// The state of the target when it was listed: only this may be replaced.
struct FoundFolder {
  bool exists = false;
  ListedFile self;
  mode_t permissions = 0;
  /// By relative paths, so that a folder precedes its content.
  std::map<std::filesystem::path, ListedFile> files;
};

/// A new folder beside `target`, to be filled; Commit gives it the target's name. Without Commit, or after an
/// error, the destructor removes it, and the target is unchanged.
class StagedFolder {
 public:
  /// Reports on standard error folders that killed runs have left beside the target. Requires: the parent of
  /// the target exists. Errors: kIo.
  static Result<StagedFolder> Create(const std::string& target);

  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;
  ~StagedFolder();

  /// The folder to be filled.
  const std::filesystem::path& path() const { return staged_; }

  /// Makes everything on its file system durable in one call (syncfs): for many files, syncing each one would
  /// take longer than writing it. Errors: kIo.
  Result<void> MakeDurable();

  /// Replaces `found`, whose files are then removed one by one. At every moment the target is the complete
  /// old folder or the complete new one. Exception: if the file system cannot exchange two names
  /// (RENAME_EXCHANGE), the target does not exist for a moment, and a kill at that moment leaves the old
  /// folder as TARGET.old-PID-N.
  ///
  /// A file that was created or changed in the old folder since it was listed is moved to the new one; if
  /// that has a file of this name, it is not moved, and its place is reported on standard error.
  ///
  /// Requires: BeginNaming was called, so that no signal interrupts this. Errors: kIo, also if the target is
  /// no longer the folder that was listed; then the target is unchanged.
  Result<void> Commit(const FoundFolder& found);

 private:
  StagedFolder(std::filesystem::path target, std::filesystem::path staged);
  void RemoveOld(const std::filesystem::path& old, const FoundFolder& found) const;

  std::filesystem::path target_;
  std::filesystem::path staged_;  // empty once there is nothing to remove
};

/// Lists `target`, and refuses one that must not be replaced: anything that is not a folder; a folder with
/// files, unless `force` is set; and with `force`, a folder with files for whose relative paths `is_ours` is
/// false. Errors call the target `shown` ("--output x") and its permitted content `whole` ("a test case").
/// Errors: kInvalidArgument; kIo.
Result<FoundFolder> FindReplaceable(std::string_view shown, const std::filesystem::path& target, bool force,
                                    std::string_view whole,
                                    const std::function<bool(const std::filesystem::path&)>& is_ours);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_STAGED_FOLDER_H_
