#include "stream/worker.h"

#include <system_error>
#include <utility>

#include "core/out_of_memory.h"

namespace supremum::stream {

Worker::Worker(bool threaded) {
  if (!threaded) return;
  try {
    thread_ = std::thread([this] { Loop(); });
  } catch (const std::system_error&) {
    // No thread could be created: the caller does the work.
  }
}

Worker::~Worker() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::Start(std::function<Result<void>()> work) {
  if (!thread_.joinable()) {
    if (Result<void> done = work(); !done) error_ = done.error();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = std::move(work);
  }
  changed_.notify_all();
}

Result<void> Worker::Wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !work_; });
  if (!error_) return {};
  return *std::exchange(error_, std::nullopt);
}

void Worker::Loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return work_ || ends_; });
    if (!work_) return;
    lock.unlock();
    const Result<void> done = OrOutOfMemory(work_);
    lock.lock();
    if (!done) error_ = done.error();
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace supremum::stream
