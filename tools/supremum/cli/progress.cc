#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "cli/output.h"
#include "cli/terminal.h"

namespace supremum::cli {
namespace {

constexpr std::chrono::milliseconds kDelay(1000);
constexpr std::chrono::milliseconds kTick(200);

void WriteToStderr(std::string_view text) {
  // A failure to show progress is ignored.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress() {
  if (!StderrIsTerminal()) return;
  try {
    thread_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      for (auto wait = kDelay; !wake_.wait_for(lock, wait, [this] { return done_; }); wait = kTick) Show();
    });
  } catch (const std::system_error&) {
    // Without a thread there is no progress line; the work does not depend on it.
  }
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    Erase();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::Phase(std::string text) {
  const std::lock_guard lock(mutex_);
  phase_ = std::move(text);
}

void Progress::Hide() {
  const std::lock_guard lock(mutex_);
  Erase();
}

void Progress::Show() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const std::string time = fmt::format(" {:.0f} s", elapsed.count());
  const std::size_t width = StderrWidth();
  const std::size_t room = width > time.size() + 4 ? width - time.size() - 1 : 3;
  WriteToStderr(fmt::format("\r\x1b[K{}{}", Shortened(Printable(phase_), room), time));
  shown_ = true;
}

void Progress::Erase() {
  if (shown_) WriteToStderr("\r\x1b[K");
  shown_ = false;
}

}  // namespace supremum::cli
