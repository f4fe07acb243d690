#include "ops/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/cpu_quota.h"
#include "ops/tuning.h"

#ifdef SUPREMUM_WITH_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace supremum {
namespace {

thread_local const Workers* scoped_workers = nullptr;

#ifdef SUPREMUM_WITH_TBB

// Each worker thread begins with the range of its own number, whose data may still be in its caches from the
// run before, and then takes the ranges that no other worker has taken. A worker that starts late, or not at
// all, delays no range, and no more workers run than were started.
class Ranges {
 public:
  Ranges(std::size_t count, std::size_t units, const void* run, internal::RunRange run_range)
      : count_(count), units_(units), run_(run), run_range_(run_range) {}

  void TakeAll(std::size_t thread) noexcept {
    AnnotateBarrier();
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t k = (thread + i) % count_;
      if (taken_[k].test_and_set(std::memory_order_relaxed)) continue;
      run_range_(run_, RangeBegin(k, count_, units_), RangeBegin(k + 1, count_, units_));
    }
    AnnotateBarrier();
  }

  // oneTBB is not built with the thread sanitizer, which therefore does not know that a task begins after its
  // caller's earlier writes, and that the caller continues after its tasks. For the sanitizer alone.
  void AnnotateBarrier() noexcept {
#if defined(__SANITIZE_THREAD__)
    barrier_.fetch_add(1, std::memory_order_acq_rel);
#endif
  }

 private:
  const std::size_t count_, units_;
  const void* const run_;
  const internal::RunRange run_range_;
  // Not atomic<bool>: GCC 12 for RISC-V calls libatomic to exchange a byte.
  std::array<std::atomic_flag, kMaxThreads> taken_ = {};
#if defined(__SANITIZE_THREAD__)
  std::atomic<unsigned> barrier_ = 0;
#endif
};

// The calling thread's number among those of oneTBB's arena.
std::size_t ThreadNumber() noexcept {
  const int index = oneapi::tbb::this_task_arena::current_thread_index();
  return index < 0 ? 0 : static_cast<std::size_t>(index);
}

void RunOnWorkers(std::size_t threads, Ranges& ranges) {
  namespace tbb = oneapi::tbb;
  // Isolated: at the barrier, the calling thread takes no unrelated task of a caller that uses oneTBB too.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, threads, 1),
        [&](const tbb::blocked_range<std::size_t>&) { ranges.TakeAll(ThreadNumber()); },
        tbb::static_partitioner());
  });
}

#endif

// The ranges of one ParallelFor, for Workers.
struct Task {
  std::size_t count, units;
  const void* run;
  internal::RunRange run_range;

  static void RunPart(void* task, std::size_t k) noexcept {
    const Task& all = *static_cast<const Task*>(task);
    all.run_range(all.run, RangeBegin(k, all.count, all.units), RangeBegin(k + 1, all.count, all.units));
  }
};

}  // namespace

ScopedWorkers::ScopedWorkers(const Workers& workers) noexcept : before_(scoped_workers) {
  scoped_workers = &workers;
}

ScopedWorkers::~ScopedWorkers() { scoped_workers = before_; }

std::size_t ThreadCount(std::size_t threads) noexcept {
  if (scoped_workers != nullptr) return std::clamp<std::size_t>(threads, 1, kMaxThreads);
#ifdef SUPREMUM_WITH_TBB
  if (threads == 0) {
    threads = static_cast<std::size_t>(std::max(1, oneapi::tbb::info::default_concurrency()));
    // oneTBB respects the affinity of the process, but not every version respects a quota.
    if (const std::size_t quota = ProcessorsOfQuota(); quota != 0) threads = std::min(threads, quota);
  }
  return std::min(threads, kMaxThreads);
#else
  static_cast<void>(threads);
  return 1;
#endif
}

std::size_t ThreadsWorthHaving(std::size_t threads, double bytes) noexcept {
  const double kBytes = static_cast<double>(tuning.min_bytes_per_thread);
  if (threads == 1 || bytes < 2 * kBytes) return 1;
  const std::size_t count = ThreadCount(threads);
  return bytes < static_cast<double>(count) * kBytes ? static_cast<std::size_t>(bytes / kBytes) : count;
}

void WarmUpThreads(std::size_t threads) noexcept {
  if (scoped_workers != nullptr) return;
  threads = ThreadCount(threads);
  if (threads > 1) ParallelFor(threads, threads, [](std::size_t, std::size_t) noexcept {});
}

void internal::ParallelFor(std::size_t threads, std::size_t units, const void* run,
                           RunRange run_range) noexcept {
  if (units == 0) return;
  const std::size_t count = std::min(ThreadCount(threads), units);
  if (count == 1) return run_range(run, 0, units);
  if (scoped_workers != nullptr) {
    Task task = {count, units, run, run_range};
    if (!scoped_workers->run(scoped_workers->pool, count, Task::RunPart, &task)) run_range(run, 0, units);
    return;
  }
#ifdef SUPREMUM_WITH_TBB
  Ranges ranges(count, units, run, run_range);
  ranges.AnnotateBarrier();
  try {
    RunOnWorkers(count, ranges);
  } catch (...) {  // std::bad_alloc: then fewer workers were started
  }
  ranges.TakeAll(ThreadNumber());
  ranges.AnnotateBarrier();
#endif
}

}  // namespace supremum
