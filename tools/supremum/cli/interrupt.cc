#include "cli/interrupt.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include "cli/exit_status.h"
#include "cli/output.h"
#include "core/never_destroyed.h"
#include "io/files/atomic_file.h"

namespace supremum::cli {
namespace {

/// The state shared by the thread that waits for signals and the working thread.
struct Shared {
  std::mutex mutex;     ///< locked permanently by the first of two: the signal, or BeginNaming
  bool naming = false;  ///< used only by the working thread

  static Shared& Instance() {
    static NeverDestroyed<Shared> instance;
    return *instance;
  }
};

/// Prints only if standard error can be written without blocking: a full pipe must not delay the end of the
/// program. A pipe that is ready takes at least 4096 bytes, and each byte is printed as at most 4.
void PrintErrorWithoutBlocking(std::string_view message) {
  pollfd polled = {STDERR_FILENO, POLLOUT, 0};
  if (::poll(&polled, 1, 0) == 1 && (polled.revents & POLLOUT) != 0) PrintError(message.substr(0, 1000));
}

/// True in the thread that waits for signals, which ends the program itself.
thread_local bool watches = false;

pid_t command = 0;  // its process

/// The handler of exceptions that no function catches.
[[noreturn]] void EndUncaught() {
  // A subprocess that infers shapes leaves the files to the command.
  if (::getpid() != command) std::abort();
  static std::atomic<bool> ends = false;
  // A second time: discarding has failed for the same reason.
  if (ends.exchange(true) || watches) ::_exit(static_cast<int>(ExitStatus::kSystem));
  Shared& shared = Shared::Instance();
  if (!shared.naming) {
    shared.mutex.lock();       // for ever if a signal ends the program at the same time
    io::DiscardTemporaries();  // other threads can neither create nor rename files now
  }
  std::string_view reason = "out of memory: an allocation failed";
  // Null where the compiler has resolved a throw in a function that must not.
  if (std::current_exception() != nullptr) {
    try {
      throw;
    } catch (const std::bad_alloc&) {
    } catch (...) {
      reason = "internal error: an exception was not caught";
    }
  }
  PrintErrorWithoutBlocking(reason);
  ::_exit(static_cast<int>(ExitStatus::kSystem));
}

/// Ends the program by `signal`.
[[noreturn]] void EndBy(int signal) {
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

/// Waits for the signals, which every thread has blocked. Does not return from one that ends the program.
void Watch(sigset_t signals) {
  watches = true;
  for (;;) {
    int signal = 0;
    if (::sigwait(&signals, &signal) != 0) continue;
    Shared& shared = Shared::Instance();
    shared.mutex.lock();
    io::DiscardTemporaries();  // other threads can neither create nor rename files now
    PrintErrorWithoutBlocking("interrupted: temporary files were removed, and no existing file was changed");
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

const std::vector<int>& EndingSignals() {
  static const std::vector<int> signals = [] {
    std::vector<int> list = {SIGHUP,  SIGINT,    SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM,
                             SIGPROF, SIGVTALRM, SIGXCPU, SIGABRT, SIGSYS,  SIGTRAP};
    // These signals are not in every POSIX system.
#ifdef SIGPOLL
    list.push_back(SIGPOLL);  // Linux calls it SIGIO too
#elif defined(SIGIO)
    list.push_back(SIGIO);
#endif
#ifdef SIGPWR
    list.push_back(SIGPWR);
#endif
#ifdef SIGSTKFLT
    list.push_back(SIGSTKFLT);
#endif
#ifdef SIGRTMIN
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) list.push_back(signal);
#endif
    return list;
  }();
  return signals;
}

void IgnoreWriteSignals() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = SIG_IGN;
    ::sigaction(signal, &action, nullptr);
  }
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &action, nullptr);
}

void CleanUpWhenTerminated() {
  command = ::getpid();
  std::set_terminate(EndUncaught);
}

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

}  // namespace supremum::cli
