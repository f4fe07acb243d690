// Removes the files of processes that were killed.
#ifndef SUPREMUM_SRC_IO_FILES_SWEEP_H_
#define SUPREMUM_SRC_IO_FILES_SWEEP_H_

#include <memory>

#include "io/files/open_folder.h"

namespace supremum::io {

/// Removes from the folder the files that ended processes of this user left there, and no others:
///
///   .supremum-PID-RANDOM.tmp         a file that was not finished
///   .supremum-NAME.partial           without its resume file, so that no run can resume it
///   .supremum-NAME.partial.state     without its partial file
///
/// if it is a regular file of this user with one hard link, in the latter two cases of mode 0600, and its
/// lock is free: the process that creates such a file holds the lock until it ends. A .partial file with its
/// resume file stays.
///
/// Errors: none; what cannot be removed stays. Cost: a listing of the folder, of at most 65,536 names.
void Sweep(const std::shared_ptr<const OpenFolder>& folder);

/// The same, once for each folder and process.
void SweepOnce(const std::shared_ptr<const OpenFolder>& folder);

}  // namespace supremum::io

#endif  // SUPREMUM_SRC_IO_FILES_SWEEP_H_
