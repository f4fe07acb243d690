// What writers of files have in common: where a target really lies, and the temporary files that a signal
// removes.
#ifndef SUPREMUM_SRC_FORMATS_OUTPUT_FILES_H_
#define SUPREMUM_SRC_FORMATS_OUTPUT_FILES_H_

#include <sys/types.h>

#include <cstddef>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "supremum/result.h"

namespace supremum::formats {

/// How errors of writing end.
inline constexpr std::string_view kWriteHint = "check the folder, the permissions and the free space";

/// A file that is to be made or replaced.
struct OutputTarget {
  std::string path;     ///< without symbolic links
  bool exists = false;  ///< and then with these permissions
  mode_t permissions = 0;
  bool direct = false;  ///< neither file nor folder (a pipe): written to directly
};

/// Errors: kIo, for a folder, a name that no file has, a link that leads nowhere, and a file that may not be
/// written.
Result<OutputTarget> ExamineTarget(const std::string& target);

/// "dir/" of "dir/name", "" of "name".
std::string FolderOf(const std::string& path);

/// open(), again if it is interrupted; closed when another program is started, and no controlling terminal.
int OpenRetrying(const std::string& path, int flags);

/// Writes all of `bytes`, at the descriptor's position. Returns 0 or the error number.
int WriteAll(int descriptor, std::span<const std::byte> bytes);

/// Makes what was written durable. Returns 0 or the error number.
int SyncFile(int descriptor);

/// The new name outlasts a power failure only once the folder is on disk too. The file is complete under its
/// name by now, so that a file system which cannot do this is no reason to report an error.
void SyncFolder(const std::string& target);

/// The files that this process has made and not finished, by name: temporary ones, which a signal removes,
/// and those that are kept for a later run.
class Temporaries {
 public:
  static Temporaries& Instance();

  void Add(const std::string& path);
  void Forget(const std::string& path) noexcept;
  void Remove(const std::string& path) noexcept;

  /// Returns 0, or the error number.
  int Rename(const std::string& path, const std::string& target) noexcept;

  /// The same; and from then on `kept` is kept, for `name`, with nothing between that a signal could meet.
  int RenameAndKeep(const std::string& path, const std::string& target, const std::string& kept,
                    const std::string& name);

  /// `path` is no longer removed; at the end it is said that what there is of `target` is kept.
  void Keep(const std::string& path, const std::string& target);
  void ForgetKept(const std::string& path) noexcept;

  /// Whoever goes on making and renaming files waits here for the end. Returns what is kept, by its target.
  std::vector<std::string> RemoveAllForTheEnd() noexcept;

 private:
  std::mutex mutex_;
  std::set<std::string> paths_;
  std::set<std::pair<std::string, std::string>> kept_;  // path, target
};

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_OUTPUT_FILES_H_
