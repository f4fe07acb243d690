// What happens when the command is interrupted.
#ifndef SUPREMUM_TOOLS_INTERRUPT_H_
#define SUPREMUM_TOOLS_INTERRUPT_H_

namespace supremum::cli {

/// From now on EndingSignals remove what is not finished before they end the program, and say so. One that
/// was ignored, blocked or caught stays so. To be called before there are other threads.
void CleanUpWhenInterrupted();

/// The last moment of a run: all outputs are complete and get their names next. A signal that came before
/// ends the program, and this does not return; one that comes later is too late: the program ends with its
/// status. So after a signal no output was changed, and after status 0 all are there. A second call does
/// nothing.
void BeginNaming();

/// While one lives, these signals are noted instead of ending the program: for work that has children to end
/// and folders to remove first, and that looks at Pending() a few times a second.
///
///   {
///     Interruption interruption;
///     Work();   // asks Interruption::Pending() now and then, and cleans up
///     if (const int signal = interruption.End(); signal != 0) EndBy(signal);
///   }
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption() { End(); }

  /// The signal that came, or 0.
  static int Pending();

  /// Signals end the program again. Returns the one that came before, or 0.
  int End();
};

/// Ends the program as `signal` would have ended it.
[[noreturn]] void EndBy(int signal);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_INTERRUPT_H_
