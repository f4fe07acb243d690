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

#include "../supremum/signals.h"

namespace supremum::cli {
namespace {

// A handler of signals may read what was there before it was told that it is there.
std::array<char, PATH_MAX + 1> leftover = {};
std::atomic<bool> is_there = false;
static_assert(std::atomic<bool>::is_always_lock_free);

std::array<char, 200> farewell = {};
std::size_t farewell_length = 0;

extern "C" void EndBySignal(int number) {
  RemoveLeftover();
  static_cast<void>(!::write(STDERR_FILENO, farewell.data(), farewell_length));
  static_cast<void>(std::signal(number, SIG_DFL));
  static_cast<void>(std::raise(number));
}

}  // namespace

void HandleSignals(int rank) {
  farewell_length =
      fmt::format_to_n(farewell.data(), farewell.size(),
                       "supremum-mpi: rank {}: ended by a signal, as ranks are when another one dies; "
                       "no output was written\n",
                       rank)
          .size;
  farewell_length = std::min(farewell_length, farewell.size());
  struct sigaction action = {};
  action.sa_handler = EndBySignal;
  for (const int number : EndingSignals()) {
    struct sigaction before = {};
    // One that is ignored, as nohup does, or that MPI has a handler for, stays so.
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
