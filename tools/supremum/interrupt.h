// What happens when the command is interrupted.
#ifndef SUPREMUM_TOOLS_INTERRUPT_H_
#define SUPREMUM_TOOLS_INTERRUPT_H_

namespace supremum::cli {

/// From now on SIGINT, SIGTERM and SIGHUP remove what is half written before they end the program, and say
/// so. One that was ignored stays so. To be called before there are other threads.
void CleanUpWhenInterrupted();

/// While one lives, these signals are noted instead of ending the program: for work that has children to end
/// and folders to remove first, and that looks at Pending() a few times a second.
///
///   int signal;
///   {
///     const Interruption interruption;
///     Work();   // asks Interruption::Pending() now and then, and cleans up
///     signal = Interruption::Pending();
///   }
///   if (signal != 0) EndBy(signal);
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// The signal that came, or 0.
  static int Pending();
};

/// Ends the program as `signal` would have ended it.
[[noreturn]] void EndBy(int signal);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_INTERRUPT_H_
