// What writers of files have in common: where a target really lies, and how bytes get to the disk.
#ifndef SUPREMUM_SRC_FORMATS_OUTPUT_FILES_H_
#define SUPREMUM_SRC_FORMATS_OUTPUT_FILES_H_

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/open_folder.h"
#include "supremum/result.h"

namespace supremum::formats {

/// How errors of writing end.
inline constexpr std::string_view kWriteHint = "check the folder, the permissions and the free space";

/// A file that is to be made or replaced.
struct OutputTarget {
  FolderEntry entry;                  ///< behind symbolic links of that name
  mode_t permissions = 0;             ///< for the new file
  std::optional<FileId> direct = {};  ///< neither file nor folder (a pipe): this one is written to directly
};

/// Follows symbolic links under the target's name, and looks at what is there. The new file gets the
/// permissions of one of this user that it replaces. In place of another user's file it gets no permission
/// that either that one or a new file does not have.
///
/// Errors: kIo, for a folder, a name that no file has, a link that leads nowhere, a file that may not be
/// written, and where everybody may make files (sticky) for a link or a pipe that is neither this user's nor of
/// the folder's owner.
Result<OutputTarget> ExamineTarget(const std::string& target);

/// Opens a target that is written to directly, and waits for the reader of a pipe. Requires: examined.direct.
///
/// Errors: kIo, also where the name means something else by now; nothing is written to that, or cut.
Result<int> OpenDirect(const std::string& target, const OutputTarget& examined);

/// Writes all of `bytes`, at the descriptor's position. Returns 0 or the error number.
int WriteAll(int descriptor, std::span<const std::byte> bytes);

/// Makes what was written durable. Returns 0 or the error number.
int SyncFile(int descriptor);

/// The new name outlasts a power failure only once the folder is on disk too. The file is complete under its
/// name by now, so that a file system which cannot do this is no reason to report an error.
void SyncFolder(const OpenFolder& folder);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_OUTPUT_FILES_H_
