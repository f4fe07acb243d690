// Splits work among worker threads.
#ifndef SUPREMUM_SRC_OPS_PARALLEL_H_
#define SUPREMUM_SRC_OPS_PARALLEL_H_

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace supremum {

namespace internal {
using RunRange = void (*)(const void* run, std::size_t begin, std::size_t end);
void ParallelFor(std::size_t threads, std::size_t units, const void* run, RunRange run_range) noexcept;
}  // namespace internal

/// The largest number of threads of one ParallelFor: it bounds the table of ranges on the caller's stack.
/// Chosen by estimate; no benchmark line yet.
inline constexpr std::size_t kMaxThreads = 1024;

/// The number of threads that a request for `threads` means, at most kMaxThreads. The request 0 means the
/// number that this process may run at once by its affinity and by the CPU quota of its control groups
/// (kernels/cpu_quota.h), at least 1. Always 1 if there is neither oneTBB nor ScopedWorkers.
std::size_t ThreadCount(std::size_t threads) noexcept;

/// Threads of a caller's that ParallelFor uses in place of oneTBB's: those of a runtime that calls the
/// library.
struct Workers {
  using Part = void (*)(void* task, std::size_t part);

  /// Calls part(task, k) for each k < count, on threads of `pool`, one of which may be the calling one, and
  /// returns when all calls have returned; false if it called none.
  bool (*run)(void* pool, std::size_t count, Part part, void* task) noexcept;
  void* pool;
};

/// While it exists, the calling thread's calls of Prepare and Run use `workers`, and a request for 0 threads
/// means one. The results have the same bits (ORD-5). `workers` must outlive it; it restores what was before.
class ScopedWorkers {
 public:
  explicit ScopedWorkers(const Workers& workers) noexcept;
  ~ScopedWorkers();
  ScopedWorkers(const ScopedWorkers&) = delete;
  ScopedWorkers& operator=(const ScopedWorkers&) = delete;

 private:
  const Workers* const before_;
};

/// Starts oneTBB's pool of worker threads and lets it allocate its bookkeeping for the calling thread: called
/// by Prepare, so that Run does not allocate. Without it, the first ParallelFor does the same. It does
/// nothing under ScopedWorkers.
void WarmUpThreads(std::size_t threads) noexcept;

/// The number of threads, at most ThreadCount(threads), for work that reads and writes `bytes`: one for each
/// tuning.min_bytes_per_thread, at least 1.
std::size_t ThreadsWorthHaving(std::size_t threads, double bytes) noexcept;

/// The first unit of range `k` of `count` ranges of about equal length: the first units % count are a unit
/// longer. No product or sum here exceeds `units`.
///
/// Requires: k <= count, count > 0. Ensures: 0 for k = 0, `units` for k = count.
constexpr std::size_t RangeBegin(std::size_t k, std::size_t count, std::size_t units) {
  return k * (units / count) + std::min(k, units % count);
}

/// Calls run(begin, end) for disjoint ranges whose union is [0, units), on at most ThreadCount(threads)
/// threads at a time, one of which is the calling thread. The number of ranges is ThreadCount(threads), or
/// `units` if that is less; their lengths differ by at most one unit, and they depend on `threads` and
/// `units` alone. With one thread or one unit, `run` is called once, by the calling thread; with no units it
/// is not called.
///
// clang-format off
///   units    |0 ...              |...                |...           units-1|
///   ranges   |range 0            |range 1            |range 2              |
///   worker   0 begins here       1 begins here       2 begins here, then takes ranges not yet taken
// clang-format on
///
/// Ensures: when this returns, all calls have returned, and their writes are visible to the caller. If oneTBB
///   cannot allocate its bookkeeping, the calling thread runs the remaining ranges.
/// Cost: some microseconds to start worker threads where there is more than one range. No allocation by this
///   library; see WarmUpThreads for oneTBB's.
///
///   ParallelFor(threads, rows, [&](std::size_t begin, std::size_t end) noexcept { RunRows(begin, end); });
template <class Run>
void ParallelFor(std::size_t threads, std::size_t units, const Run& run) noexcept {
  static_assert(std::is_nothrow_invocable_v<const Run&, std::size_t, std::size_t>, "declare it noexcept");
  if (units == 1) return run(0, 1);  // small tensors: without a call through a pointer
  internal::ParallelFor(threads, units, &run, [](const void* erased, std::size_t begin, std::size_t end) {
    (*static_cast<const Run*>(erased))(begin, end);
  });
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_PARALLEL_H_
