// The clock that files are stamped with.
#ifndef SUPREMUM_TESTS_SUPPORT_CLOCK_H_
#define SUPREMUM_TESTS_SUPPORT_CLOCK_H_

#include <sys/stat.h>
#include <time.h>

#include <stdexcept>
#include <string>
#include <tuple>

namespace supremum::test {

/// Waits until that clock has moved on since the file was changed. A change within the same tick (1 to 10 ms)
/// would not move the file's time of change on Linux before 6.13.
inline void WaitForClock(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) throw std::runtime_error("no file: " + path);
#ifdef CLOCK_REALTIME_COARSE
  constexpr clockid_t kClock = CLOCK_REALTIME_COARSE;
#else
  constexpr clockid_t kClock = CLOCK_REALTIME;
#endif
  for (;;) {
    timespec now = {};
    if (::clock_gettime(kClock, &now) != 0) throw std::runtime_error("no clock");
    if (std::tie(now.tv_sec, now.tv_nsec) > std::tie(status.st_ctim.tv_sec, status.st_ctim.tv_nsec)) return;
    const timespec moment = {0, 1'000'000};
    ::nanosleep(&moment, nullptr);
  }
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_CLOCK_H_
