#include "interruption.h"

#include <csignal>
#include <cstddef>

namespace supremum::cli {
namespace {

constexpr std::array<int, 3> kSignals = {SIGHUP, SIGINT, SIGTERM};
volatile std::sig_atomic_t pending = 0;

extern "C" void Note(int signal) { pending = signal; }

}  // namespace

Interruption::Interruption() {
  pending = 0;
  struct sigaction action = {};
  action.sa_handler = Note;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    // Who ignores a signal, as nohup does, goes on ignoring it.
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

int Interruption::Pending() { return pending; }

}  // namespace supremum::cli
