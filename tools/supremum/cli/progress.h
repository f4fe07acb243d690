// A progress line on standard error.
#ifndef SUPREMUM_TOOLS_CLI_PROGRESS_H_
#define SUPREMUM_TOOLS_CLI_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace supremum::cli {

/// Shows the current phase and the seconds since the start, from the first second on, if standard error is a
/// terminal. The destructor erases the line.
///
///   Progress progress;
///   progress.Phase("reading a.npy");
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Sets the text of the current phase.
  void Phase(std::string text);

  /// Erases the line before other output. It is shown again with the next update.
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

#endif  // SUPREMUM_TOOLS_CLI_PROGRESS_H_
