// Every file that is made: how it is created, and how what is not finished is removed.
#ifndef SUPREMUM_SRC_FORMATS_TEMPORARIES_H_
#define SUPREMUM_SRC_FORMATS_TEMPORARIES_H_

#include <sys/types.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "formats/open_folder.h"

namespace supremum::formats {

/// The files that this process has made and not finished: temporary ones, which a signal removes, and those
/// that are kept for a later run. A name is removed only while it means the file that was made.
class Temporaries {
 public:
  static Temporaries& Instance();

  /// The one opener of files that are made: a new file, of this user, under a name that nothing has, which
  /// nobody else may open until it is finished. Returns its descriptor; -1 with errno set, EEXIST if
  /// something has the name, whatever it is.
  int Create(const FolderEntry& entry, mode_t mode = 0600);

  /// The file that is open there, which an earlier run left under that name, is now temporary.
  void Adopt(const FolderEntry& entry, int descriptor);

  void Forget(const FolderEntry& entry) noexcept;
  void Remove(const FolderEntry& entry) noexcept;

  enum class Target { kMayExist, kMustBeNew };

  /// Gives the file that is open there another name in its folder. Returns 0, or the error number: ENOENT if
  /// `entry` no longer means that file.
  int Rename(const FolderEntry& entry, int descriptor, const std::string& to, Target target) noexcept;

  /// The same; and from then on `kept` is kept, for `target`, with nothing between that a signal could meet.
  int RenameAndKeep(const FolderEntry& entry, int descriptor, const std::string& to, Target existing,
                    const FolderEntry& kept, const std::string& target);

  /// `entry` is no longer removed; at the end it is said that what there is of `target` is kept.
  void Keep(const FolderEntry& entry, const std::string& target);
  void ForgetKept(const FolderEntry& entry) noexcept;

  /// Whoever goes on making and renaming files waits here for the end. Returns what is kept, by its target.
  std::vector<std::string> RemoveAllForTheEnd() noexcept;

 private:
  std::mutex mutex_;
  std::map<FolderEntry, FileId> made_;
  std::map<FolderEntry, std::string> kept_;  // and their targets
};

/// Who writes to a temporary file.
enum class Writers {
  kThisProcess,
  kOthersToo,  ///< by its name, from other machines too, where locks of theirs and of ours may be the same
};

/// A temporary file with a name of its own, locked as long as it is open.
///
///   .supremum-PID-RANDOM.tmp           PID for people; RANDOM, 16 hexadecimal digits, so that nobody can
///   take
///                                      the name beforehand
///   .supremum-PID-RANDOM.shared.tmp    kOthersToo: not locked, and so not swept either
///
/// Adds it to Temporaries. Returns its descriptor, and the entry; -1 with errno set. Sweeps the folder first.
int CreateTemporary(const std::shared_ptr<const OpenFolder>& folder, FolderEntry* entry,
                    Writers writers = Writers::kThisProcess);

/// Whether that name is one that CreateTemporary gives to a file that is locked.
bool IsTemporaryName(const std::string& name);

/// The permissions that the system gives a new file in the folder, by the umask or the folder's own list.
/// Asked by making an empty one, since asking for the umask alone would set it, for all threads. Returns 0,
/// or the error number.
int NewFilePermissions(const std::shared_ptr<const OpenFolder>& folder, mode_t* permissions);

/// What came of locking a file under its name.
enum class Locked {
  kYes,
  kByOther,  ///< another process, or another descriptor of this one, has it
  kGone,     ///< it was, but the name means another file by now, or none
  kFailed,   ///< errno says why
};

/// Locks an open file until all its descriptors are closed. Those who make files and those who remove what
/// dead processes left both hold the lock, and look under the name once they have it.
Locked LockNamed(const FolderEntry& entry, int descriptor);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_TEMPORARIES_H_
