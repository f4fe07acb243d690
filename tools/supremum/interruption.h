// Ctrl-C where there are children to end and folders to remove first.
#ifndef SUPREMUM_TOOLS_INTERRUPTION_H_
#define SUPREMUM_TOOLS_INTERRUPTION_H_

#include <signal.h>

#include <array>

namespace supremum::cli {

/// While one lives, SIGHUP, SIGINT and SIGTERM are noted instead of ending the program; poll and the like
/// return with EINTR. Afterwards they mean what they meant before.
///
///   int signal;
///   {
///     Interruption interruption;
///     Work();   // asks Interruption::Pending() now and then, and cleans up
///     signal = Interruption::Pending();
///   }
///   if (signal != 0) std::raise(signal);
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// The signal that came, or 0.
  static int Pending();

 private:
  std::array<struct sigaction, 3> before_;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_INTERRUPTION_H_
