// A background thread that runs one task at a time: reading ahead, or writing.
#ifndef SUPREMUM_SRC_STREAM_WORKER_H_
#define SUPREMUM_SRC_STREAM_WORKER_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "supremum/result.h"

namespace supremum::stream {

/// Runs tasks in a thread of its own; or at once in the caller's, if `threaded` is false or no thread can be
/// created.
///
///   Worker reader(true);
///   reader.Start([&] { return Read(next); });
///   Compute(current);
///   if (auto done = reader.Wait(); !done) return done.error();
class Worker {
 public:
  explicit Worker(bool threaded);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Waits for the task in progress.
  ~Worker();

  /// Requires: no task is in progress.
  void Start(std::function<Result<void>()> work);

  /// Waits, and returns the result of the last task; success if it was returned before.
  Result<void> Wait();

 private:
  void Loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<Result<void>()> work_;  // empty if no task is in progress
  std::optional<Error> error_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_WORKER_H_
