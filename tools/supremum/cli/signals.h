// The signals that end a program: one list.
#ifndef SUPREMUM_TOOLS_CLI_SIGNALS_H_
#define SUPREMUM_TOOLS_CLI_SIGNALS_H_

#include <signal.h>

#include <vector>

namespace supremum::cli {

/// Every signal whose default action ends a process, as POSIX and Linux define it, except
///
///   SIGKILL                        cannot be handled
///   SIGSEGV SIGBUS SIGFPE SIGILL   faults of this program itself. If they are blocked or caught, a fault is
///                                  undefined behaviour in POSIX, and a sanitizer loses its report
///   SIGPIPE SIGXFSZ                ignored (IgnoreWriteSignals): write() returns EPIPE and EFBIG instead
///
/// SIGABRT is in the list because another process may send it. abort() of this program unblocks it first and
/// ends the program at once, like a fault. SIGTSTP, SIGTTIN, SIGTTOU and SIGCONT keep their default actions.
const std::vector<int>& EndingSignals();

/// From now on, writing to a pipe without a reader, or beyond the limit of a file's size (`ulimit -f`), is an
/// error of write(), and SIGCHLD has its default action, so that waitpid works. Requires: there are no other
/// threads yet, and the signal mask has not been changed.
void IgnoreWriteSignals();

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_SIGNALS_H_
