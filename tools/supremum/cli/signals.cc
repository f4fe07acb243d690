#include "cli/signals.h"

namespace supremum::cli {
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

}  // namespace supremum::cli
