// The signals that end a program: one list, for the command and for supremum-mpi.
#ifndef SUPREMUM_TOOLS_SIGNALS_H_
#define SUPREMUM_TOOLS_SIGNALS_H_

#include <signal.h>

#include <vector>

namespace supremum::cli {

/// Every signal whose default action ends a process, as POSIX and Linux define it, except
///
///   SIGKILL                        cannot be caught; the next run that writes in that folder removes what is
///                                  left
///   SIGSEGV SIGBUS SIGFPE SIGILL   faults of this program itself. Where they are blocked or caught, POSIX
///                                  leaves what a fault does undefined, and a sanitizer loses its report
///   SIGPIPE SIGXFSZ                ignored (IgnoreWriteSignals): write() reports EPIPE and EFBIG instead
///
/// SIGABRT is in the list for those who send it. abort() of this program unblocks it first and ends the
/// program at once, like a fault. SIGTSTP, SIGTTIN, SIGTTOU and SIGCONT stop and continue it as always.
const std::vector<int>& EndingSignals();

/// From now on writing to a pipe without a reader and beyond the limit of a file's size (`ulimit -f`) are
/// errors of write(), and an exited child is waited for whatever the caller did with SIGCHLD. To be called
/// before there are other threads, and before the signal mask is changed.
void IgnoreWriteSignals();

/// What a child that is started by exec gets in place of what this program has changed for itself.
struct ChildSignals {
  sigset_t defaults;  ///< ignored by this program, and not by its caller
  sigset_t mask;      ///< blocked when this program was started
};
ChildSignals SignalsForChild();

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_SIGNALS_H_
