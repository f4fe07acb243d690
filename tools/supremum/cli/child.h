// An untrusted subprocess: it may crash, hang, or print without end.
#ifndef SUPREMUM_TOOLS_CLI_CHILD_H_
#define SUPREMUM_TOOLS_CLI_CHILD_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "supremum/result.h"

namespace supremum::cli {

/// Its standard output is read line by line; the last 4096 bytes of its standard error are kept; its standard
/// input is empty. It has its own process group, which is killed when it ends.
///
///   Result<Child> child = Child::Start({"/usr/bin/env", "date"});
///   std::string line;
///   while (child->Next(&line, deadline) == Child::kLine) Use(line);
///   if (child->Finish(deadline).Good()) ...
class Child {
 public:
  using Clock = std::chrono::steady_clock;

  enum Event {
    kLine,         ///< a line, without its end
    kEnd,          ///< standard output is closed
    kLate,         ///< the deadline has passed
    kLongLine,     ///< a line exceeds kMaxLine
    kInterrupted,  ///< Interruption::Pending()
  };

  /// How it ended.
  struct Ending {
    int status = 0;  ///< the exit status, if no signal ended it
    int signal = 0;
    bool late = false;  ///< it was still running at the deadline, and was killed

    bool Good() const { return status == 0 && signal == 0 && !late; }
  };

  static constexpr std::size_t kMaxLine = std::size_t{16} << 20;

  /// Starts `command[0]`, a path, with the rest as its arguments and this program's environment.
  ///
  /// Errors: kIo, with the system's reason.
  static Result<Child> Start(const std::vector<std::string>& command);

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  /// Waits for the next line.
  Event Next(std::string* line, Clock::time_point deadline);

  /// Waits for its end; whatever is left of its group is killed.
  Ending Finish(Clock::time_point deadline);

  /// The last line of its standard error that is not empty.
  std::string LastComplaint() const;

 private:
  Child(pid_t pid, int out, int err) : pid_(pid), out_(out), err_(err) {}
  bool HasExited() const;
  void ReadSome(int* descriptor, std::string* into);
  void Poll(Clock::time_point deadline);

  pid_t pid_;  // 0 once it has been waited for
  int out_;    // -1 once closed
  int err_;
  std::string lines_;        // read, not yet handed out
  std::size_t scanned_ = 0;  // no line ends before this position
  std::string complaints_;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_CLI_CHILD_H_
