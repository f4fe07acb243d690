// What happens when the command is interrupted.
#ifndef SUPREMUM_TOOLS_INTERRUPT_H_
#define SUPREMUM_TOOLS_INTERRUPT_H_

namespace supremum::cli {

/// From now on SIGINT, SIGTERM and SIGHUP remove what is half written before they end the program, and say
/// so. One that was ignored stays so. To be called before there are other threads.
void CleanUpWhenInterrupted();

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_INTERRUPT_H_
