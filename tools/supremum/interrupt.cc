#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "formats/atomic_file.h"
#include "output.h"
#include "staged_folder.h"

namespace supremum::cli {
namespace {

std::atomic<bool> noted_only = false;
std::atomic<int> noted = 0;

/// Waits for the signals, which every thread has blocked; does not come back from one that ends the program.
void Watch(sigset_t signals) {
  for (;;) {
    int signal = 0;
    if (::sigwait(&signals, &signal) != 0) continue;
    if (noted_only) {
      noted = signal;
      continue;
    }
    const std::vector<std::string> kept = formats::DiscardTemporaries();
    DiscardStagedFolders();
    if (kept.empty()) {
      PrintError("interrupted: what was not finished has been removed, and no file is half written");
    } else {
      PrintError("interrupted: what is done of '" + kept.front() +
                 "' is kept beside it; the same command with --resume goes on, and without it starts again");
    }
    EndBy(signal);
  }
}

}  // namespace

void CleanUpWhenInterrupted() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
      ::sigaddset(&signals, signal);
    }
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    // In a thread of its own everything may be done, and not only what a handler may do.
    std::thread([signals] { Watch(signals); }).detach();
  } catch (const std::system_error&) {
    // No thread is to be had: they end the program as they always did.
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

Interruption::Interruption() {
  noted = 0;
  noted_only = true;
}

Interruption::~Interruption() { noted_only = false; }

int Interruption::Pending() { return noted; }

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
