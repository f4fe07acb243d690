// A line on standard error that says what is going on, for people who wait.
#ifndef SUPREMUM_TOOLS_PROGRESS_H_
#define SUPREMUM_TOOLS_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace supremum::cli {

/// Shows the current phase and the seconds since the start, once a second has passed; only if standard error
/// is a terminal. The line is gone when the object is.
///
///   Progress progress;
///   progress.Phase("reading a.npy");
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// What is being done from now on.
  void Phase(std::string text);

  /// Erases the line, because something else is about to be printed; it comes back by itself.
  void Hide();

 private:
  void Show();
  void Erase();

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string phase_;
  bool shown_ = false;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_PROGRESS_H_
