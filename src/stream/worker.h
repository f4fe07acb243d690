// One thing at a time beside the caller: reading ahead, writing behind.
#ifndef SUPREMUM_SRC_STREAM_WORKER_H_
#define SUPREMUM_SRC_STREAM_WORKER_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "supremum/result.h"

namespace supremum::stream {

/// Does what it is given in a thread of its own, or at once in the caller's if that is asked for or no thread
/// is to be had.
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

  /// Waits for what was started.
  ~Worker();

  /// Requires: nothing is under way.
  void Start(std::function<Result<void>()> work);

  /// What the work returned that was started last; success if that was asked before.
  Result<void> Wait();

 private:
  void Loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<Result<void>()> work_;  // empty if nothing is under way
  std::optional<Error> error_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace supremum::stream

#endif  // SUPREMUM_SRC_STREAM_WORKER_H_
