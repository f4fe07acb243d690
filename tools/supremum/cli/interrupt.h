// What ends the command before its time: signals, and exceptions that no function can catch.
#ifndef SUPREMUM_TOOLS_CLI_INTERRUPT_H_
#define SUPREMUM_TOOLS_CLI_INTERRUPT_H_

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

/// From now on, on any of EndingSignals, temporary files are removed and a message is printed before the
/// program ends. A signal that was ignored, blocked or caught is not changed. Requires: there are no other
/// threads yet.
void CleanUpWhenInterrupted();

/// From now on, if an exception leaves a function that must not throw, temporary files are removed and a
/// message is printed before the program ends with ExitStatus::kSystem. Destructors of nlohmann-json
/// allocate, and so throw if memory is short.
void CleanUpWhenTerminated();

/// Called when all outputs are complete, before they get their names. If a signal came before, the program
/// ends and this does not return; signals that come later have no effect, and the program ends with its
/// status. So after a signal no existing file was changed, and after status 0 all outputs exist. A second
/// call is a no-op.
void BeginNaming();

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_INTERRUPT_H_
