// Work that is split among threads.
#ifndef SUPREMUM_SRC_OPS_PARALLEL_H_
#define SUPREMUM_SRC_OPS_PARALLEL_H_

#include <cstddef>
#include <type_traits>

namespace supremum {

namespace internal {
using RunRange = void (*)(const void* run, std::size_t begin, std::size_t end);
void ParallelFor(std::size_t threads, std::size_t units, const void* run, RunRange run_range) noexcept;
}  // namespace internal

/// How many threads a request for `threads` means: itself, or kMostThreads if that is less; for 0 as many as
/// this process may run at once, at least 1. Always 1 in a build without oneTBB.
inline constexpr std::size_t kMostThreads = 1024;
std::size_t ThreadCount(std::size_t threads) noexcept;

/// Readies the calling thread and the pool of threads for ParallelFor, so that what oneTBB takes once is
/// taken here: for Prepare. Without it, the first ParallelFor does the same.
void WarmUpThreads(std::size_t threads) noexcept;

/// How many of `threads` are worth calling for work that moves `bytes`: handing it over costs more than a
/// core needs for what its own caches hold.
std::size_t ThreadsWorthHaving(std::size_t threads, double bytes) noexcept;

/// Calls run(begin, end) for ranges that do not meet and together are [0, units), each unit in exactly one,
/// on at most ThreadCount(threads) threads at a time, the calling one among them. There are as many ranges as
/// threads, or `units` if that is less; their lengths differ by at most one unit, and which ranges there are
/// depends on `threads` and `units` alone. With one thread or one unit `run` is called here and nothing else
/// happens; with no units it is not called.
///
/// Ensures: when this returns, all calls have returned, and what they wrote is seen. If oneTBB cannot get
///   memory for its bookkeeping, the calling thread does what is left.
/// Cost: some microseconds to hand work to other threads, paid by those who split. No allocation by this
///   library; see WarmUpThreads for oneTBB's.
///
///   ParallelFor(threads, rows, [&](std::size_t begin, std::size_t end) noexcept { RunRows(begin, end); });
template <class Run>
void ParallelFor(std::size_t threads, std::size_t units, const Run& run) noexcept {
  static_assert(std::is_nothrow_invocable_v<const Run&, std::size_t, std::size_t>, "declare it noexcept");
  internal::ParallelFor(threads, units, &run, [](const void* erased, std::size_t begin, std::size_t end) {
    (*static_cast<const Run*>(erased))(begin, end);
  });
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_OPS_PARALLEL_H_
