// The temporary file of an output, taken away where a rank is ended from outside.
#ifndef SUPREMUM_TOOLS_MPI_LEFTOVER_H_
#define SUPREMUM_TOOLS_MPI_LEFTOVER_H_

#include <string>

namespace supremum::cli {

/// When one rank dies, mpirun ends the others by SIGTERM. From now on EndingSignals (signals.h) make rank
/// `rank` say so, remove the leftover and end by that signal.
void HandleSignals(int rank);

/// Signals are ignored: this rank has done all it had to, and ends with its own status. mpirun ends ranks as
/// soon as the first one has ended with a status other than 0.
void IgnoreSignals();

/// The file that is removed then; every rank knows it, since the one that made it may be the one that died.
/// At most PATH_MAX bytes; "" for none.
void SetLeftover(const std::string& path);

/// Removes it now: before MPI_Abort.
void RemoveLeftover();

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_MPI_LEFTOVER_H_
