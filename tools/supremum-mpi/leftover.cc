#include "leftover.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstddef>

#include "cli/signals.h"

namespace supremum::cli {
namespace {

// A signal handler reads the path only after `is_there` is set.
std::array<char, PATH_MAX + 1> leftover = {};
std::atomic<bool> is_there = false;
static_assert(std::atomic<bool>::is_always_lock_free);

std::array<char, 200> message = {};
std::size_t message_length = 0;

extern "C" void EndBySignal(int number) {
  RemoveLeftover();
  static_cast<void>(!::write(STDERR_FILENO, message.data(), message_length));
  static_cast<void>(std::signal(number, SIG_DFL));
  // Not raise(), which fails for a real-time signal if no more signals can be queued (ulimit -i).
  if (::kill(::getpid(), number) != 0) ::_exit(128 + number);
}

}  // namespace

void HandleSignals(int rank) {
  message_length =
      fmt::format_to_n(
          message.data(), message.size(),
          "supremum-mpi: rank {}: ended by a signal, which mpirun also sends if another rank fails; "
          "no output was written\n",
          rank)
          .size;
  message_length = std::min(message_length, message.size());
  struct sigaction action = {};
  action.sa_handler = EndBySignal;
  for (const int number : EndingSignals()) {
    struct sigaction before = {};
    // A signal that is ignored (by nohup) or handled by MPI is left unchanged.
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
      ::sigaction(number, &action, nullptr);
    }
  }
}

void IgnoreSignals() {
  for (const int number : EndingSignals()) static_cast<void>(std::signal(number, SIG_IGN));
}

void SetLeftover(const std::string& path) {
  is_there = false;
  if (path.empty() || path.size() > PATH_MAX) return;
  std::copy(path.begin(), path.end(), leftover.begin());
  leftover[path.size()] = '\0';
  is_there = true;
}

void RemoveLeftover() {
  if (is_there.exchange(false)) ::unlink(leftover.data());
}

}  // namespace supremum::cli
