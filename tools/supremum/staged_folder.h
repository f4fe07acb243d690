// A folder that appears under its name only when it is complete, in place of another if there is one.
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

/// Removes the folders that are being filled, for a program that is about to be ended by a signal. Whoever
/// still makes, commits or removes one afterwards waits for the end.
void DiscardStagedFolders() noexcept;

/// Makes `folder` and those around it, in a folder that is being filled, unless the program is being ended.
std::error_code MakeFolders(const std::filesystem::path& folder);

/// What a file was when it was listed: another one, or one that was changed since, is not it.
struct ListedFile {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool is_folder = false;  ///< and then device and inode alone count
};

/// A folder as it was found, or none: what may be replaced, and nothing else.
struct FoundFolder {
  bool exists = false;
  ListedFile self;
  mode_t permissions = 0;
  /// By their paths in it, so that a folder stands before what is in it.
  std::map<std::filesystem::path, ListedFile> files;
};

/// A new folder beside `target`, to be filled; Commit gives it the target's name. Destroyed without Commit,
/// or after an error, it is removed, and the target is as it was.
class StagedFolder {
 public:
  /// Says on standard error what killed runs have left beside the target. Requires: the folder around the
  /// target is there. Errors: kIo.
  static Result<StagedFolder> Create(const std::string& target);

  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;
  ~StagedFolder();

  /// Where its files go.
  const std::filesystem::path& path() const { return staged_; }

  /// Makes everything in it durable at once, with all else on its filesystem: for files so many that making
  /// each durable by itself would take longer than writing them. Errors: kIo.
  Result<void> MakeDurable();

  /// Takes the place of what was found, which is then removed file by file. At every moment the target is the
  /// old folder or the new one, whole; where the file system cannot exchange two names (RENAME_EXCHANGE),
  /// there is none for a moment, and a kill at that moment leaves the old one as TARGET.old-PID-N.
  ///
  /// A file that was put into the old folder or changed since it was found goes to the new one; if that has
  /// one of this name, it stays where it is, and standard error says where.
  ///
  /// Requires: BeginNaming was called, so that no signal comes between. Errors: kIo, also where the target is
  /// no longer the folder that was found; then the target is as it was.
  Result<void> Commit(const FoundFolder& found);

 private:
  StagedFolder(std::filesystem::path target, std::filesystem::path staged);
  void RemoveOld(const std::filesystem::path& old, const FoundFolder& found) const;

  std::filesystem::path target_;
  std::filesystem::path staged_;  // empty once there is nothing to remove
};

/// Finds `target`, and refuses one that must not be replaced: anything but a folder; a folder with files
/// unless `force` is set; and with it one with files that are not `is_ours`, by their paths in it. `shown` is
/// what texts call the target ("--output x"), `whole` what it may hold ("a test case"). Errors:
/// kInvalidArgument; kIo.
Result<FoundFolder> FindReplaceable(std::string_view shown, const std::filesystem::path& target, bool force,
                                    std::string_view whole,
                                    const std::function<bool(const std::filesystem::path&)>& is_ours);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_STAGED_FOLDER_H_
