// A folder that gets its name only when it is complete, and replaces an older one if there is one.
#ifndef SUPREMUM_TOOLS_CLI_STAGED_FOLDER_H_
#define SUPREMUM_TOOLS_CLI_STAGED_FOLDER_H_

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "io/files/file_bytes.h"
#include "supremum/result.h"

namespace supremum::cli {

/// Removes the unfinished folders, for a program that a signal is about to end. A thread that creates,
/// commits or removes one afterwards blocks until the process ends.
void DiscardStagedFolders() noexcept;

/// Creates `folder` and its parents, inside an unfinished folder; blocks if the program is being ended.
std::error_code MakeFolders(const std::filesystem::path& folder);

/// A file or folder as it was found.
struct FoundFile {
  io::FileIdentity identity;
  bool is_folder = false;  ///< if true, only device and inode are compared
};

/// The existing folder of the target's name, or none: only these files may be replaced.
struct FoundFolder {
  bool exists = false;
  FoundFile self;
  mode_t permissions = 0;
  /// By relative path, so that a folder comes before its content.
  std::map<std::filesystem::path, FoundFile> files;
};

/// A new folder beside `target`; Commit gives it the target's name. Destroyed without Commit, or after an
/// error, it is removed, and the target is unchanged. A folder of another process that has its name by then
/// is neither removed nor given the target's name.
class StagedFolder {
 public:
  /// Prints to standard error what killed runs have left beside the target. Requires: the parent folder of
  /// the target exists. Errors: kIo.
  static Result<StagedFolder> Create(const std::string& target);

  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;
  ~StagedFolder();

  /// The path of the new folder, for its files.
  const std::filesystem::path& path() const { return staged_; }

  /// Makes all its files durable at once (syncfs), which is faster than fsync of each if they are many.
  /// Errors: kIo.
  Result<void> MakeDurable();

  /// Replaces the folder that was found, and removes the old one file by file. At every moment the target is
  /// the complete old folder or the complete new one. Exception: if the file system cannot exchange two names
  /// (RENAME_EXCHANGE), the target is absent for a moment, and a kill at that moment leaves the old folder as
  /// TARGET.old-PID-N.
  ///
  /// A file that was added to the old folder or changed since it was found is moved to the new one. If that
  /// has a file of the same name, the file stays in the old folder, and standard error states its path.
  ///
  /// Requires: BeginNaming was called, so that no signal interrupts. Errors: kIo, also if the target is no
  /// longer the folder that was found, or path() no longer the folder that was created; then the target is
  /// unchanged.
  Result<void> Commit(const FoundFolder& found);

 private:
  StagedFolder(std::filesystem::path target, std::filesystem::path staged, const FoundFile& created);
  void RemoveOld(const std::filesystem::path& old, const FoundFolder& found) const;

  std::filesystem::path target_;
  std::filesystem::path staged_;  // empty once there is nothing to remove
  FoundFile created_;             // `staged_` as it was created
};

/// Examines `target`, and refuses it if it must not be replaced: if it is not a folder; if it ends in "." or
/// ".."; if it has files and `force` is not set; or if it has files for which `is_ours`, given the relative
/// path, is false. `shown` names the target in error texts ("--output x"), `whole` its content ("a test
/// case"). Errors: kInvalidArgument; kIo.
Result<FoundFolder> FindReplaceable(std::string_view shown, const std::filesystem::path& target, bool force,
                                    std::string_view whole,
                                    const std::function<bool(const std::filesystem::path&)>& is_ours);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_STAGED_FOLDER_H_
