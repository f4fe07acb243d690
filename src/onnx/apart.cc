#include "onnx/apart.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace supremum::onnx_front {
namespace {

using Clock = std::chrono::steady_clock;

// What the child writes: the length of its result, and the result. What is cut short is recognised.
using Length = std::uint64_t;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }
  int number() const { return number_; }
  void Close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

template <class Resource>
void Limit(Resource resource, rlim_t value) {
  rlimit limit = {};
  if (::getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max != RLIM_INFINITY && value > limit.rlim_max) value = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = value;
  ::setrlimit(resource, &limit);
}

// Of this process's address space, from /proc; nothing where that is not to be had.
std::optional<std::int64_t> AddressSpaceBytes() {
  std::array<char, 64> text = {};
  const Descriptor file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return std::nullopt;
  const ssize_t got = ::read(file.number(), text.data(), text.size() - 1);
  if (got <= 0) return std::nullopt;
  const long pages = std::strtol(text.data(), nullptr, 10);
  return pages <= 0 ? std::nullopt : std::optional(std::int64_t{pages} * ::sysconf(_SC_PAGESIZE));
}

// The sanitizers' own memory is address space that they never use.
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

[[noreturn]] void BeChild(const std::function<std::string()>& work, const ApartLimits& limits, int out) {
  // The handlers of the program around us are not meant for this, nor are its outputs.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGXCPU, SIGALRM}) {
    static_cast<void>(std::signal(signal, SIG_DFL));
  }
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
  }
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds));
  const std::optional<std::int64_t> present = AddressSpaceBytes();
  if (kAddressSpaceMeansMemory && present && *present <= INT64_MAX - limits.bytes) {
    Limit(RLIMIT_AS, static_cast<rlim_t>(*present + limits.bytes));
  }
  int status = 1;
  try {
    const std::string result = work();
    const Length length = result.size();
    std::array<char, sizeof length> head = {};
    std::memcpy(head.data(), &length, sizeof length);
    if (WriteAll(out, {head.data(), head.size()}) && WriteAll(out, result)) status = 0;
  } catch (const std::bad_alloc&) {
    status = 2;
  } catch (...) {
    status = 3;
  }
  // Nothing of what the program around us does at its end.
  ::_exit(status);
}

// Reads to the end; or to `limit` bytes or `deadline`, and then `whole` stays false.
std::string ReadUntil(int descriptor, std::size_t limit, Clock::time_point deadline, bool* whole) {
  std::string bytes;
  std::array<char, 65536> buffer;
  while (bytes.size() <= limit) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait = {descriptor, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    *whole = got == 0;
    if (got <= 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return bytes;
}

// What became of the child, whose result is not whole.
std::string Fate(bool reaped, int status, bool too_late) {
  if (too_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return "it took too long";
  if (!reaped) return "it came to no end";
  if (WIFSIGNALED(status)) return "it was stopped by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 2) return "it wanted too much memory";
  return "it gave up";
}

}  // namespace

Result<std::string> RunApart(const std::function<std::string()>& work, const ApartLimits& limits) {
  const auto no_child = [](std::string_view what) {
    return MakeError(ErrorCode::kIo, std::string(what) + ": " + std::generic_category().message(errno));
  };
  std::array<int, 2> pipe = {};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return no_child("no pipe for a process of its own");
  const Descriptor in(pipe[0]);
  Descriptor out(pipe[1]);
  const auto deadline = Clock::now() + std::chrono::seconds(limits.seconds);
  const pid_t child = ::fork();
  if (child < 0) return no_child("no process of its own");
  if (child == 0) BeChild(work, limits, out.number());
  out.Close();
  std::string bytes;
  bool out_of_memory = false, whole = false;
  try {
    bytes =
        ReadUntil(in.number(), sizeof(Length) + static_cast<std::size_t>(limits.max_bytes), deadline, &whole);
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
  const bool too_late = Clock::now() >= deadline;
  // At the end of the pipe it is gone, and its number may be another's soon.
  if (!whole) ::kill(child, SIGKILL);
  int status = 0;
  pid_t reaped = -1;
  do {
    reaped = ::waitpid(child, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  if (out_of_memory) throw std::bad_alloc();

  Length length = 0;
  if (bytes.size() >= sizeof length) {
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length == bytes.size() - sizeof length) return bytes.substr(sizeof length);
  }
  return MakeError(ErrorCode::kUnsupportedFormat, Fate(reaped == child, status, too_late));
}

}  // namespace supremum::onnx_front
