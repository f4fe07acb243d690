#include "cli/interrupt.h"

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

#include "cli/made_folders.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/staged_folder.h"
#include "io/files/atomic_file.h"

namespace supremum::cli {
namespace {

/// The state shared by the thread that waits for signals and the working thread.
struct Shared {
  std::mutex mutex;        ///< locked permanently by the first of two: the signal, or BeginNaming
  bool naming = false;     ///< used only by the working thread
  bool note_only = false;  ///< guarded by `mutex`
  std::atomic<int> noted = 0;

  static Shared& Instance() {
    // Never destroyed: the other thread may use it while the program ends.
    static Shared& instance = *new Shared;
    return instance;
  }
};

/// Prints only if standard error can be written without blocking: a full pipe must not delay the end of the
/// program. A pipe that is ready takes at least 4096 bytes, and each byte is printed as at most 4.
void PrintErrorWithoutBlocking(const std::string& message) {
  pollfd polled = {STDERR_FILENO, POLLOUT, 0};
  if (::poll(&polled, 1, 0) == 1 && (polled.revents & POLLOUT) != 0) PrintError(message.substr(0, 1000));
}

/// Waits for the signals, which every thread has blocked. Does not return from one that ends the program.
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
    const std::vector<std::string> kept = io::DiscardTemporaries();
    DiscardStagedFolders();
    DiscardMadeFolders();
    if (kept.empty()) {
      PrintErrorWithoutBlocking("interrupted: unfinished files were removed, and no output was changed");
    } else {
      PrintErrorWithoutBlocking("interrupted: a checkpoint of '" + kept.front() +
                                "' is kept beside it; run the same command with --resume to continue, or "
                                "without it to start again");
    }
    EndBy(signal);
  }
}

/// At the hard limit of processor time the system kills the program. A lower soft limit sends SIGXCPU first.
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
    // A separate thread may call any function, unlike a signal handler.
    std::thread([signals] { Watch(signals); }).detach();
  } catch (const std::system_error&) {
    // No thread could be created: signals end the program by their default action.
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
  // By the signal itself, so that the parent process sees the true cause.
  static_cast<void>(::signal(signal, SIG_DFL));
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  // Not raise(), which fails for a real-time signal if no more signals can be queued (ulimit -i).
  if (::kill(::getpid(), signal) != 0) ::_exit(128 + signal);
  for (;;) ::pause();
}

}  // namespace supremum::cli
