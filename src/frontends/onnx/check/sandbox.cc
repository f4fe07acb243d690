#include "frontends/onnx/check/sandbox.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <optional>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace supremum {
namespace onnx_front {
namespace {

// The sanitizers reserve address space, most of which they never use.
constexpr bool kAddressSpaceMeansMemory =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    false;
#else
    true;
#endif
#else
    true;
#endif

template <class Resource>
void Limit(Resource resource, rlim_t value) {
  rlimit limit = {};
  if (::getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max != RLIM_INFINITY && value > limit.rlim_max) value = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = value;
  ::setrlimit(resource, &limit);
}

// The size of this process's address space, from /proc; nullopt if it cannot be read.
std::optional<std::int64_t> AddressSpaceBytes() {
  std::array<char, 64> text = {};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const ssize_t got = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (got <= 0) return std::nullopt;
  const long pages = std::strtol(text.data(), nullptr, 10);
  return pages <= 0 ? std::nullopt : std::optional(std::int64_t{pages} * ::sysconf(_SC_PAGESIZE));
}

// Closes the descriptors from `first` to `last`. Without close_range (Linux before 5.9), at most a million:
// in a process that raised its limit beyond that, the rest stays open in the child.
void CloseRange(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  rlimit limit = {};
  rlim_t end = 1 << 20;
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) end = std::min(end, limit.rlim_cur);
  for (rlim_t descriptor = first; descriptor < end && descriptor <= last; ++descriptor) {
    ::close(static_cast<int>(descriptor));
  }
}

// Standard output and standard error are closed too, since text of a library must not reach the program's.
// The pipe is moved beyond their numbers: if the program has closed its own, the pipe may have one of them.
bool CloseAllBut(int* pipe) {
  if (*pipe <= STDERR_FILENO) {
    const int moved = ::fcntl(*pipe, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) return false;
    *pipe = moved;
  }
  CloseRange(0, static_cast<unsigned>(*pipe) - 1);
  CloseRange(static_cast<unsigned>(*pipe) + 1, ~0u);
  return true;
}

// The program's signal handlers, and its blocked and ignored signals, do not apply to this process.
void ForgetSignals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signal != SIGKILL && signal != SIGSTOP) static_cast<void>(std::signal(signal, SIG_DFL));
  }
  // With SIGPIPE ignored, a write to a parent that no longer reads fails, and the exit status tells it.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

bool EnterSandbox(int parent, const SandboxLimits& limits, int* pipe) {
  bool confined = true;
#ifdef __linux__
  confined = ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
#endif
  // If the parent had ended before this call, no signal would come.
  if (::getppid() != parent) return false;
  ForgetSignals();
  const std::optional<std::int64_t> present = AddressSpaceBytes();
  if (!CloseAllBut(pipe)) return false;
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_FSIZE, 0);
  Limit(RLIMIT_NOFILE, 0);
#ifdef RLIMIT_NPROC
  Limit(RLIMIT_NPROC, 0);
#endif
  Limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds));
  if (kAddressSpaceMeansMemory && present && *present <= INT64_MAX - limits.bytes) {
    Limit(RLIMIT_AS, static_cast<rlim_t>(*present + limits.bytes));
  }
#ifdef __linux__
  confined = ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && confined;
  confined = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && confined;
#endif
  // An emulator may not support these either; a system with filters supports all of them.
  return !CanFilterSystemCalls() || (confined && FilterSystemCalls());
}

}  // namespace onnx_front

InferenceSandbox InferenceSandboxHere() {
  return onnx_front::CanFilterSystemCalls() ? InferenceSandbox::kFiltered : InferenceSandbox::kLimitsAlone;
}

std::string_view ToString(InferenceSandbox sandbox) {
  return sandbox == InferenceSandbox::kFiltered ? "seccomp" : "limits alone";
}

}  // namespace supremum
