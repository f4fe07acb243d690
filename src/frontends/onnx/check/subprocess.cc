#include "frontends/onnx/check/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include "frontends/onnx/check/sandbox.h"

namespace supremum::onnx_front {
namespace {

using Clock = std::chrono::steady_clock;

// The child writes the length of its result, and the result, so that a truncated result is detected.
using Length = std::uint64_t;

// Exit statuses of the child.
constexpr int kNoMemory = 2, kNotConfined = 4;

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

[[noreturn]] void BeChild(const std::function<std::string()>& work, const SubprocessLimits& limits,
                          int parent, int out) {
  int status = 1;
  if (!EnterSandbox(parent, {.bytes = limits.bytes, .seconds = limits.seconds}, &out)) ::_exit(kNotConfined);
  try {
    const std::string result = work();
    const Length length = result.size();
    std::array<char, sizeof length> head = {};
    std::memcpy(head.data(), &length, sizeof length);
    if (WriteAll(out, {head.data(), head.size()}) && WriteAll(out, result)) status = 0;
  } catch (const std::bad_alloc&) {
    status = kNoMemory;
  } catch (...) {
    status = 3;
  }
  // _exit, and not exit: no destructors or handlers of the program's end run in the child.
  ::_exit(status);
}

// Reads to the end, and sets `whole`; or to `limit` bytes or to `deadline`, and leaves it false.
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

// Waits for the child to end; kills it at `deadline`, or at once if `now`, since a child that has closed its
// pipe may still run. Its process id is not reused until it has been waited for. False if there is no status:
// a program that waits for any child may have received it.
bool Reap(pid_t child, Clock::time_point deadline, bool now, int* status) {
  for (auto pause = std::chrono::microseconds(50);;
       pause = std::min(2 * pause, std::chrono::microseconds(10'000))) {
    const pid_t reaped = ::waitpid(child, status, WNOHANG);
    if (reaped == child) return true;
    if (reaped < 0 && errno != EINTR) return false;
    if (reaped == 0 && (now || Clock::now() >= deadline)) {
      ::kill(child, SIGKILL);
      pid_t ended = -1;
      do {
        ended = ::waitpid(child, status, 0);
      } while (ended < 0 && errno == EINTR);
      return ended == child;
    }
    std::this_thread::sleep_for(pause);
  }
}

// How the child ended, if its result is incomplete.
std::string HowItEnded(bool reaped, int status, bool too_late) {
  if (too_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return "it took too long";
  if (!reaped) return "its exit status is not available";
#ifdef SIGSYS
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
    return "it made a system call that its sandbox does not allow (signal " + std::to_string(SIGSYS) + ")";
  }
#endif
  if (WIFSIGNALED(status)) return "it was stopped by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == kNotConfined) return "its sandbox could not be set up";
  if (WEXITSTATUS(status) == kNoMemory) return "it exceeded its memory limit";
  return "it ended without a result";
}

}  // namespace

Result<std::string> RunInSubprocess(const std::function<std::string()>& work,
                                    const SubprocessLimits& limits) {
  const auto no_child = [](std::string_view what) {
    return MakeError(ErrorCode::kIo, std::string(what) + ": " + std::generic_category().message(errno));
  };
  std::array<int, 2> pipe = {};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return no_child("could not create a pipe to a subprocess");
  const Descriptor in(pipe[0]);
  Descriptor out(pipe[1]);
  const auto deadline = Clock::now() + std::chrono::seconds(limits.wall_seconds);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return no_child("could not start a subprocess");
  if (child == 0) BeChild(work, limits, parent, out.number());
  out.Close();
  std::string bytes;
  bool out_of_memory = false, whole = false;
  try {
    bytes =
        ReadUntil(in.number(), sizeof(Length) + static_cast<std::size_t>(limits.max_bytes), deadline, &whole);
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
  int status = 0;
  const bool reaped = Reap(child, deadline, !whole, &status);
  const bool too_late = Clock::now() >= deadline;
  if (out_of_memory) throw std::bad_alloc();

  Length length = 0;
  if (bytes.size() >= sizeof length) {
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length == bytes.size() - sizeof length) return bytes.substr(sizeof length);
  }
  return MakeError(ErrorCode::kUnsupportedFormat, HowItEnded(reaped, status, too_late));
}

}  // namespace supremum::onnx_front
