// Creation of all output files, and removal of the unfinished ones.
#ifndef SUPREMUM_SRC_IO_FILES_TEMPORARIES_H_
#define SUPREMUM_SRC_IO_FILES_TEMPORARIES_H_

#include <sys/types.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "io/files/open_folder.h"

namespace supremum::io {

/// The temporary files of this process, which a signal removes. A name is removed or renamed only while it
/// still refers to the file that was created.
class Temporaries {
 public:
  static Temporaries& Instance();

  /// Creates a file. It belongs to this user, and other users cannot open it until it is finished. Returns
  /// its descriptor; -1 with errno set, EEXIST if the name exists, whatever it is.
  int Create(const FolderEntry& entry, mode_t mode = 0600);

  void Remove(const FolderEntry& entry) noexcept;

  /// Renames the open file within its folder. Returns 0, or the error number: ENOENT if `entry` no longer
  /// refers to that file.
  int Rename(const FolderEntry& entry, int descriptor, const std::string& to) noexcept;

  /// Removes the temporary files and never releases the mutex, so that threads which create or rename files
  /// afterwards block until the process ends.
  void RemoveAllForTheEnd() noexcept;

 private:
  std::mutex mutex_;
  std::map<FolderEntry, FileId> made_;
};

/// Creates a temporary file with a new name, and registers it in Temporaries. Returns its descriptor and the
/// entry; -1 with errno set.
///
///   .supremum-RANDOM.tmp    RANDOM, 16 hexadecimal digits, prevents other users from creating the name
///                           beforehand
int CreateTemporary(const std::shared_ptr<const OpenFolder>& folder, FolderEntry* entry);

/// The permissions that the system gives a new file in the folder, by the umask or the folder's access
/// control list. Determined by creating an empty file, since umask() cannot be read without setting it for
/// all threads. Returns 0, or the error number.
int NewFilePermissions(const std::shared_ptr<const OpenFolder>& folder, mode_t* permissions);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_TEMPORARIES_H_
