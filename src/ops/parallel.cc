#include "ops/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>

#ifdef SUPREMUM_WITH_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace supremum {
namespace {

#ifdef SUPREMUM_WITH_TBB

// Each thread begins with the range of its own number, so that what it touched in the run before may still
// lie in its own caches, and goes on with those that nobody has taken: a thread that comes late, or not at
// all, delays nobody, and no more threads can be at work than were called.
class Ranges {
 public:
  Ranges(std::size_t count, std::size_t units, const void* run, internal::RunRange run_range)
      : count_(count), units_(units), run_(run), run_range_(run_range) {}

  void TakeAll(std::size_t thread) noexcept {
    HandOver();
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t k = (thread + i) % count_;
      if (!taken_[k].test_and_set(std::memory_order_relaxed)) run_range_(run_, Begin(k), Begin(k + 1));
    }
    HandOver();
  }

  // oneTBB is not built with the thread sanitizer, which therefore does not see that a task comes after what
  // its caller did, and the caller after its tasks. Said here, for the sanitizer alone.
  void HandOver() noexcept {
#if defined(__SANITIZE_THREAD__)
    handed_over_.fetch_add(1, std::memory_order_acq_rel);
#endif
  }

 private:
  // The first units_ % count_ ranges are a unit longer.
  std::size_t Begin(std::size_t k) const { return k * (units_ / count_) + std::min(k, units_ % count_); }

  const std::size_t count_, units_;
  const void* const run_;
  const internal::RunRange run_range_;
  // Not atomic<bool>: GCC 12 for RISC-V calls libatomic to exchange one byte.
  std::array<std::atomic_flag, kMostThreads> taken_ = {};
#if defined(__SANITIZE_THREAD__)
  std::atomic<unsigned> handed_over_ = 0;
#endif
};

// The calling thread's number among those of oneTBB's arena.
std::size_t ThreadNumber() noexcept {
  const int index = oneapi::tbb::this_task_arena::current_thread_index();
  return index < 0 ? 0 : static_cast<std::size_t>(index);
}

void Spread(std::size_t threads, Ranges& ranges) {
  namespace tbb = oneapi::tbb;
  // Isolated: while it waits, the calling thread takes no other work of a caller who uses oneTBB too.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, threads, 1),
        [&](const tbb::blocked_range<std::size_t>&) { ranges.TakeAll(ThreadNumber()); },
        tbb::static_partitioner());
  });
}

#endif

}  // namespace

std::size_t ThreadCount(std::size_t threads) noexcept {
#ifdef SUPREMUM_WITH_TBB
  if (threads == 0) threads = static_cast<std::size_t>(std::max(1, oneapi::tbb::info::default_concurrency()));
  return std::min(threads, kMostThreads);
#else
  static_cast<void>(threads);
  return 1;
#endif
}

std::size_t ThreadsWorthHaving(std::size_t threads, double bytes) noexcept {
  constexpr double kBytesOfAThread = 256 * 1024;
  if (threads == 1 || bytes < 2 * kBytesOfAThread) return 1;
  const std::size_t count = ThreadCount(threads);
  return bytes < static_cast<double>(count) * kBytesOfAThread
             ? static_cast<std::size_t>(bytes / kBytesOfAThread)
             : count;
}

void WarmUpThreads(std::size_t threads) noexcept {
  threads = ThreadCount(threads);
  if (threads > 1) ParallelFor(threads, threads, [](std::size_t, std::size_t) noexcept {});
}

void internal::ParallelFor(std::size_t threads, std::size_t units, const void* run,
                           RunRange run_range) noexcept {
  if (units == 0) return;
  const std::size_t count = std::min(ThreadCount(threads), units);
  if (count == 1) return run_range(run, 0, units);
#ifdef SUPREMUM_WITH_TBB
  Ranges ranges(count, units, run, run_range);
  ranges.HandOver();
  try {
    Spread(count, ranges);
  } catch (...) {  // std::bad_alloc: then fewer threads came
  }
  ranges.TakeAll(ThreadNumber());
  ranges.HandOver();
#endif
}

}  // namespace supremum
