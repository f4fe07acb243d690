// The temporary file of an output, which is removed if a signal ends a rank.
#ifndef SUPREMUM_TOOLS_MPI_LEFTOVER_H_
#define SUPREMUM_TOOLS_MPI_LEFTOVER_H_

#include <string>

namespace supremum::cli {

/// If one rank fails, mpirun ends the others by SIGTERM. From now on, on any of EndingSignals (signals.h),
/// rank `rank` prints a message, removes the leftover and ends by that signal.
void HandleSignals(int rank);

/// From now on signals are ignored, so that this rank ends with its own status: mpirun ends all ranks as soon
/// as one has ended with a status other than 0.
void IgnoreSignals();

/// Sets the file to remove, on every rank, because the rank that created it may be the one that failed. At
/// most PATH_MAX bytes; "" for none.
void SetLeftover(const std::string& path);

/// Removes it now: before MPI_Abort.
void RemoveLeftover();

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_LEFTOVER_H_
