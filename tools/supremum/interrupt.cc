#include "interrupt.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "formats/atomic_file.h"
#include "made_folders.h"
#include "output.h"
#include "signals.h"
#include "staged_folder.h"

namespace supremum::cli {
namespace {

/// What the thread that waits for signals and the one that works share.
struct Shared {
  std::mutex
      mutex;  ///< held for good by whoever comes first: the signal, or the outputs that get their names
  bool naming = false;     ///< of the working thread alone
  bool note_only = false;  ///< by `mutex`
  std::atomic<int> noted = 0;

  static Shared& Instance() {
    // Never destroyed: the other thread may ask for it while the program ends.
    static Shared& instance = *new Shared;
    return instance;
  }
};

/// A standard error that takes nothing, as a full pipe does, must not keep the program from its end. A pipe
/// that takes something takes 4096 bytes, and a byte is shown as at most 4.
void PrintErrorIfRead(const std::string& message) {
  pollfd polled = {STDERR_FILENO, POLLOUT, 0};
  if (::poll(&polled, 1, 0) == 1 && (polled.revents & POLLOUT) != 0) PrintError(message.substr(0, 1000));
}

/// Waits for the signals, which every thread has blocked; does not come back from one that ends the program.
void Watch(sigset_t signals) {
  for (;;) {
    int signal = 0;
    if (::sigwait(&signals, &signal) != 0) continue;
    Shared& shared = Shared::Instance();
    shared.mutex.lock();
    if (shared.note_only) {
      shared.noted = signal;
      shared.mutex.unlock();
      continue;
    }
    const std::vector<std::string> kept = formats::DiscardTemporaries();
    DiscardStagedFolders();
    DiscardMadeFolders();
    if (kept.empty()) {
      PrintErrorIfRead("interrupted: what was not finished has been removed, and no output was changed");
    } else {
      PrintErrorIfRead("interrupted: what is done of '" + kept.front() +
                       "' is kept beside it; the same command with --resume goes on, and without it starts "
                       "again");
    }
    EndBy(signal);
  }
}

/// At the hard limit of processor time the system kills the program; below it SIGXCPU comes first.
void LeaveTimeToCleanUp() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return;
  if (limit.rlim_cur != limit.rlim_max || limit.rlim_max < 2) return;
  limit.rlim_cur = limit.rlim_max - 1;
  static_cast<void>(::setrlimit(RLIMIT_CPU, &limit));
}

}  // namespace

void CleanUpWhenInterrupted() {
  sigset_t blocked, signals;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  ::sigemptyset(&signals);
  for (const int signal : EndingSignals()) {
    struct sigaction action = {};
    const bool ends = ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL;
    if (ends && ::sigismember(&blocked, signal) == 0) ::sigaddset(&signals, signal);
  }
  LeaveTimeToCleanUp();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    // In a thread of its own everything may be done, and not only what a handler may do.
    std::thread([signals] { Watch(signals); }).detach();
  } catch (const std::system_error&) {
    // There is no memory or no process for a thread: signals end the program as they always did.
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

void BeginNaming() {
  Shared& shared = Shared::Instance();
  if (shared.naming) return;
  shared.mutex.lock();
  shared.naming = true;
}

Interruption::Interruption() {
  Shared& shared = Shared::Instance();
  const std::lock_guard lock(shared.mutex);
  shared.noted = 0;
  shared.note_only = true;
}

int Interruption::End() {
  Shared& shared = Shared::Instance();
  if (shared.naming) return 0;
  const std::lock_guard lock(shared.mutex);
  shared.note_only = false;
  return shared.noted.exchange(0);
}

int Interruption::Pending() { return Shared::Instance().noted; }

void EndBy(int signal) {
  // By the signal itself, so that whoever waits for the command sees its end as it is.
  static_cast<void>(::signal(signal, SIG_DFL));
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  static_cast<void>(::raise(signal));
  for (;;) ::pause();
}

}  // namespace supremum::cli
