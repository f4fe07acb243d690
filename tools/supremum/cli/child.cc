#include "cli/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/interrupt.h"
#include "cli/signals.h"

namespace supremum::cli {
namespace {

constexpr std::chrono::milliseconds kTick(50);
constexpr std::size_t kKeptComplaints = 4096;

Error CannotStart(const std::string& program, int error) {
  return MakeError(ErrorCode::kIo, fmt::format("cannot start {}: {}; check that it exists and is executable",
                                               program, std::generic_category().message(error)));
}

void Close(int* descriptor) {
  if (*descriptor >= 0) ::close(*descriptor);
  *descriptor = -1;
}

/// The settings of posix_spawn, freed by the destructor.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  SpawnSettings(int out, int err) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes);
    const ChildSignals signals = SignalsForChild();
    ::posix_spawnattr_setsigdefault(&attributes, &signals.defaults);
    ::posix_spawnattr_setsigmask(&attributes, &signals.mask);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

Result<Child> Child::Start(const std::vector<std::string>& command) {
  std::array<int, 2> out = {-1, -1}, err = {-1, -1};
  if (::pipe2(out.data(), O_CLOEXEC) != 0) return CannotStart(command[0], errno);
  if (::pipe2(err.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    for (int descriptor : out) ::close(descriptor);
    return CannotStart(command[0], error);
  }
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnSettings settings(out[1], err[1]);
  pid_t pid = 0;
  const int error =
      ::posix_spawn(&pid, argv[0], &settings.actions, &settings.attributes, argv.data(), ::environ);
  ::close(out[1]);
  ::close(err[1]);
  if (error != 0) {
    ::close(out[0]);
    ::close(err[0]);
    return CannotStart(command[0], error);
  }
  for (int descriptor : {out[0], err[0]}) ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return Child(pid, out[0], err[0]);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      out_(std::exchange(other.out_, -1)),
      err_(std::exchange(other.err_, -1)),
      lines_(std::move(other.lines_)),
      scanned_(other.scanned_),
      complaints_(std::move(other.complaints_)) {}

Child::~Child() {
  Finish(Clock::now());
  Close(&out_);
  Close(&err_);
}

bool Child::HasExited() const {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

void Child::ReadSome(int* descriptor, std::string* into) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(*descriptor, buffer.data(), buffer.size());
  if (count > 0) into->append(buffer.data(), static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) Close(descriptor);
}

void Child::Poll(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const auto wait = std::clamp(left, std::chrono::milliseconds(0), kTick);
  // poll ignores negative descriptors.
  std::array<pollfd, 2> polled = {{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(wait.count()));
  if (ready > 0 && polled[0].revents != 0) ReadSome(&out_, &lines_);
  if (ready > 0 && polled[1].revents != 0) {
    ReadSome(&err_, &complaints_);
    if (complaints_.size() > kKeptComplaints) complaints_.erase(0, complaints_.size() - kKeptComplaints);
  }
  // A process that it started may keep the pipe open indefinitely.
  if (ready == 0 && pid_ != 0 && HasExited()) ::kill(-pid_, SIGKILL);
}

Child::Event Child::Next(std::string* line, Clock::time_point deadline) {
  for (;;) {
    const std::size_t end = lines_.find('\n', scanned_);
    if (end != std::string::npos) {
      line->assign(lines_, 0, end);
      lines_.erase(0, end + 1);
      scanned_ = 0;
      return kLine;
    }
    scanned_ = lines_.size();
    if (scanned_ > kMaxLine) return kLongLine;
    if (out_ < 0) {
      if (lines_.empty()) return kEnd;
      *line = std::exchange(lines_, {});
      scanned_ = 0;
      return kLine;
    }
    if (Interruption::Pending() != 0) return kInterrupted;
    if (Clock::now() >= deadline) return kLate;
    Poll(deadline);
  }
}

Child::Ending Child::Finish(Clock::time_point deadline) {
  Ending ending;
  if (pid_ == 0) return ending;
  while (!HasExited()) {
    if (Clock::now() >= deadline || Interruption::Pending() != 0) {
      ending.late = true;
      break;
    }
    // Its output is read, so that a full pipe does not block it.
    if (out_ >= 0 || err_ >= 0) {
      Poll(deadline);
      lines_.clear();
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // Killed before waitpid, until which its number cannot be reused. If posix_spawn returns early, as under
  // emulation, its process group may not exist yet.
  if (::kill(-pid_, SIGKILL) != 0) ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  if (err_ >= 0) ReadSome(&err_, &complaints_);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ending.status = WEXITSTATUS(status);
  return ending;
}

std::string Child::LastComplaint() const {
  std::string_view text = complaints_;
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n');
  return std::string(begin == std::string_view::npos ? text : text.substr(begin + 1));
}

}  // namespace supremum::cli
