// Removing what processes left that were killed.
#ifndef SUPREMUM_SRC_FORMATS_SWEEP_H_
#define SUPREMUM_SRC_FORMATS_SWEEP_H_

#include <memory>

#include "formats/open_folder.h"

namespace supremum::formats {

/// Removes from the folder what dead processes of this user left, and nothing else:
///
///   .supremum-PID-RANDOM.tmp         a file that was not finished
///   .supremum-NAME.partial           without its note, so that nothing can go on with it
///   .supremum-NAME.partial.state     without its file
///
/// if it is a regular file of this user, of one name, in the latter two of mode 0600, and its lock is free:
/// whoever makes one holds the lock, and the system ends it with the process. A .partial file with its note
/// stays.
///
/// Errors: none; what cannot be removed stays. Cost: a listing of the folder, of at most 65,536 names.
void Sweep(const std::shared_ptr<const OpenFolder>& folder);

/// The same, once for each folder and process.
void SweepOnce(const std::shared_ptr<const OpenFolder>& folder);

}  // namespace supremum::formats

#endif  // SUPREMUM_SRC_FORMATS_SWEEP_H_
