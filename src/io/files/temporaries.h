// Creation of all output files, and removal of the unfinished ones.
#ifndef SUPREMUM_SRC_IO_FILES_TEMPORARIES_H_
#define SUPREMUM_SRC_IO_FILES_TEMPORARIES_H_

#include <sys/types.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/files/open_folder.h"

namespace supremum::io {

/// The unfinished files of this process: temporary ones, which a signal removes, and those that are kept for
/// a later run. A name is removed only while it still refers to the file that was created.
class Temporaries {
 public:
  static Temporaries& Instance();

  /// Creates a file; every file is created here. It belongs to this user, and other users cannot open it
  /// until it is finished. Returns its descriptor; -1 with errno set, EEXIST if the name exists, whatever it
  /// is.
  int Create(const FolderEntry& entry, mode_t mode = 0600);

  /// Registers an open file that an earlier run left under that name as temporary.
  void Adopt(const FolderEntry& entry, int descriptor);

  void Forget(const FolderEntry& entry) noexcept;
  void Remove(const FolderEntry& entry) noexcept;

  enum class Target { kMayExist, kMustBeNew };

  /// Renames the open file within its folder. Returns 0, or the error number: ENOENT if `entry` no longer
  /// refers to that file.
  int Rename(const FolderEntry& entry, int descriptor, const std::string& to, Target target) noexcept;

  /// The same, and keeps `kept`, for `target`, from then on; a signal cannot come between the two.
  int RenameAndKeep(const FolderEntry& entry, int descriptor, const std::string& to, Target existing,
                    const FolderEntry& kept, const std::string& target);

  /// `entry` is no longer removed; RemoveAllForTheEnd returns `target` as one that is kept in part.
  void Keep(const FolderEntry& entry, const std::string& target);
  void ForgetKept(const FolderEntry& entry) noexcept;

  /// Removes the temporary files and never releases the mutex, so that threads which create or rename files
  /// afterwards block until the process ends. Returns the targets of which a part is kept.
  std::vector<std::string> RemoveAllForTheEnd() noexcept;

 private:
  std::mutex mutex_;
  std::map<FolderEntry, FileId> made_;
  std::map<FolderEntry, std::string> kept_;  // target of each kept file
};

/// Creates a temporary file with a new name, locked as long as it is open.
///
///   .supremum-PID-RANDOM.tmp    PID is for users; RANDOM, 16 hexadecimal digits, prevents
///                               other users from creating the name beforehand
///
/// Sweeps the folder first, and registers the file in Temporaries. Returns its descriptor and the entry; -1
/// with errno set.
int CreateTemporary(const std::shared_ptr<const OpenFolder>& folder, FolderEntry* entry);

/// True if CreateTemporary gives such names.
bool IsTemporaryName(const std::string& name);

/// The permissions that the system gives a new file in the folder, by the umask or the folder's access
/// control list. Determined by creating an empty file, since umask() cannot be read without setting it for
/// all threads. Returns 0, or the error number.
int NewFilePermissions(const std::shared_ptr<const OpenFolder>& folder, mode_t* permissions);

/// The result of LockNamed.
enum class Locked {
  kYes,
  kByOther,  ///< another process, or another descriptor of this process, holds the lock
  kGone,     ///< locked, but the name refers to another file by now, or to none
  kFailed,   ///< errno says why
};

/// Locks an open file until all its descriptors are closed. Creating and sweeping both take this lock, and
/// check after it that the name still refers to the file.
Locked LockNamed(const FolderEntry& entry, int descriptor);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_TEMPORARIES_H_
