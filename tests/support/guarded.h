// Memory at the end of a page whose next page cannot be read: a read beyond it is a segmentation fault.
#ifndef SUPREMUM_TESTS_SUPPORT_GUARDED_H_
#define SUPREMUM_TESTS_SUPPORT_GUARDED_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace supremum::test {

/// As many whole pages as `bytes` takes, and one behind them that cannot be read.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    usable_ = (bytes + page - 1) / page * page;
    mapped_ = usable_ + page;
    void* const memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    memory_ = static_cast<std::byte*>(memory);
    if (mprotect(memory_ + usable_, page, PROT_NONE) != 0) std::abort();
  }
  ~Guarded() { munmap(memory_, mapped_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  /// Copies `n` bytes to the end. Requires: n is not more than there are.
  const std::byte* Copy(const std::byte* from, std::size_t n) {
    if (n > usable_) std::abort();
    std::byte* const at = memory_ + usable_ - n;
    std::memcpy(at, from, n);
    return at;
  }

 private:
  std::byte* memory_ = nullptr;
  std::size_t usable_ = 0, mapped_ = 0;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_GUARDED_H_
