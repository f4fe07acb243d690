// Common parts of the writers of files: resolving a target through symbolic links, and making bytes durable.
#ifndef SUPREMUM_SRC_IO_FILES_OUTPUT_FILES_H_
#define SUPREMUM_SRC_IO_FILES_OUTPUT_FILES_H_

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/files/open_folder.h"
#include "supremum/result.h"

namespace supremum::io {

/// The hint at the end of errors of writing.
inline constexpr std::string_view kWriteHint = "check the folder, the permissions and the free space";

/// A file that is to be made or replaced.
struct OutputTarget {
  FolderEntry entry;                  ///< after following symbolic links
  mode_t permissions = 0;             ///< for the new file
  std::optional<FileId> direct = {};  ///< set for a pipe or device, which is written to directly
};

/// Follows symbolic links from the target's name, and examines the file there. The new file gets the
/// permissions of the file of this user that it replaces. In place of another user's file, it gets only
/// permissions that both that file and a new file would have.
///
/// Errors: kIo, for a folder, a name that no file can have, a dangling link, and a file that may not be
///   written. In a folder in which all users may create files (sticky), also for a link or a pipe that
///   belongs neither to this user nor to the folder's owner.
Result<OutputTarget> ExamineTarget(const std::string& target);

/// Opens a target that is written to directly; blocks until a pipe has a reader. Requires: examined.direct.
///
/// Errors: kIo, also if the name refers to another file by now; that file is neither written to nor
///   truncated.
Result<int> OpenDirect(const std::string& target, const OutputTarget& examined);

/// Writes all of `bytes`, at the descriptor's position. Returns 0 or the error number.
int WriteAll(int descriptor, std::span<const std::byte> bytes);

/// Makes what was written durable. Returns 0 or the error number.
int SyncFile(int descriptor);

/// Makes the folder durable: before, a new name can be lost in a power failure. Reports no error, since the
/// file is complete under its name by now.
void SyncFolder(const OpenFolder& folder);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_OUTPUT_FILES_H_
