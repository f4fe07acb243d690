// Splitting work among threads.
#include "ops/parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "support/allocations.h"

namespace supremum {
namespace {

using Range = std::pair<std::size_t, std::size_t>;

// The ranges that were run, in order.
std::vector<Range> RangesOf(std::size_t threads, std::size_t units) {
  std::mutex mutex;
  std::vector<Range> ranges;
  ParallelFor(threads, units, [&](std::size_t begin, std::size_t end) noexcept {
    const std::lock_guard lock(mutex);
    ranges.emplace_back(begin, end);
  });
  std::ranges::sort(ranges);
  return ranges;
}

TEST(RangeBegin, DividesAnyNumberOfUnitsWithoutOverflow) {
  for (std::size_t units :
       {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{1000}, SIZE_MAX - 1, SIZE_MAX}) {
    for (std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1024}}) {
      ASSERT_EQ(RangeBegin(0, count, units), 0u);
      ASSERT_EQ(RangeBegin(count, count, units), units);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t length = RangeBegin(k + 1, count, units) - RangeBegin(k, count, units);
        ASSERT_EQ(length, units / count + (k < units % count ? 1 : 0))
            << k << " of " << count << ", " << units;
      }
    }
  }
}

TEST(ParallelFor, GivesEachUnitToExactlyOneRangeForAnyNumberOfThreads) {
  for (std::size_t threads : {0u, 1u, 2u, 3u, 4u, 7u, 16u, 100'000u}) {
    for (std::size_t units : {0u, 1u, 2u, 3u, 5u, 16u, 17u, 1000u, 5000u}) {
      const std::vector<Range> ranges = RangesOf(threads, units);
      ASSERT_EQ(ranges.size(), std::min(ThreadCount(threads), units)) << threads << " " << units;
      std::size_t next = 0;
      for (const auto& [begin, end] : ranges) {
        ASSERT_EQ(begin, next);
        ASSERT_GE(end - begin, units / ranges.size());
        ASSERT_LE(end - begin, units / ranges.size() + 1);
        next = end;
      }
      ASSERT_EQ(next, units);
    }
  }
}

TEST(ParallelFor, SplitsNumbersThatFillASizeT) {
  const std::size_t most = ~std::size_t{0};
  const std::vector<Range> ranges = RangesOf(3, most);
  EXPECT_EQ(ranges.front().first, 0u);
  EXPECT_EQ(ranges.back().second, most);
}

TEST(ParallelFor, RunsInTheCallingThreadWhereThereIsNothingToSplit) {
  const auto caller = std::this_thread::get_id();
  for (const auto& [threads, units] : {Range{1, 100}, Range{8, 1}}) {
    int calls = 0;
    ParallelFor(threads, units, [&, expected = units](std::size_t begin, std::size_t end) noexcept {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(begin, 0u);
      EXPECT_EQ(end, expected);
      ++calls;
    });
    EXPECT_EQ(calls, 1);
  }
}

TEST(ParallelFor, NeverUsesMoreThreadsThanItMay) {
  for (std::size_t threads : {2u, 3u}) {
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::atomic<std::size_t> at_work = 0, most = 0;
      ParallelFor(threads, 64, [&](std::size_t, std::size_t) noexcept {
        const std::size_t now = ++at_work;
        std::size_t seen = most;
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::yield();
        --at_work;
      });
      ASSERT_LE(most, threads);
    }
  }
}

TEST(ParallelFor, UsesSeveralThreadsWhereThereAreSome) {
  if (ThreadCount(0) < 2) GTEST_SKIP() << "one core, or no oneTBB";
  // Each range waits for the other: only two threads can finish this. On a busy machine a thread may come
  // late; the deadline is there to report a failure instead of a hang.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  std::atomic<int> here = 0;
  std::set<std::thread::id> ids;
  std::mutex mutex;
  ParallelFor(2, 2, [&](std::size_t, std::size_t) noexcept {
    ++here;
    while (here < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 2u);
}

TEST(ParallelFor, MayBeCalledByThreadsAtOnceAndByItself) {
  std::atomic<std::size_t> sum = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) {
        ParallelFor(2, 10, [&](std::size_t begin, std::size_t end) noexcept {
          ParallelFor(3, end - begin, [&](std::size_t b, std::size_t e) noexcept { sum += e - b; });
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4u * 50 * 10);
}

// The counter sees what goes through operator new; oneTBB's own memory does not.
TEST(ParallelFor, AllocatesNothing) {
  WarmUpThreads(3);
  std::atomic<std::size_t> sum = 0;
  const std::size_t before = test::Allocations();
  for (int i = 0; i < 100; ++i) {
    ParallelFor(3, 1000, [&](std::size_t begin, std::size_t end) noexcept { sum += end - begin; });
  }
  EXPECT_EQ(test::Allocations(), before);
  EXPECT_EQ(sum, 100'000u);
}

// Threads of a caller's: they run the parts from the last to the first, or none.
struct Backwards {
  static bool Run(void* pool, std::size_t count, Workers::Part part, void* task) noexcept {
    auto* const self = static_cast<Backwards*>(pool);
    ++self->calls;
    if (self->fails) return false;
    for (std::size_t k = count; k > 0; --k) part(task, k - 1);
    return true;
  }
  int calls = 0;
  bool fails = false;
};

TEST(ScopedWorkers, RunEachRangeOnceForAnyNumberOfThreads) {
  Backwards pool;
  const Workers workers = {Backwards::Run, &pool};
  const ScopedWorkers scope(workers);
  EXPECT_EQ(ThreadCount(0), 1u);
  EXPECT_EQ(ThreadCount(7), 7u);
  EXPECT_EQ(ThreadCount(~std::size_t{0}), kMaxThreads);
  for (std::size_t threads : {0u, 1u, 2u, 7u, 100'000u}) {
    for (std::size_t units : {0u, 1u, 2u, 5u, 1000u, 5000u}) {
      pool.calls = 0;
      const std::vector<Range> ranges = RangesOf(threads, units);
      const std::size_t count = std::min(ThreadCount(threads), units);
      ASSERT_EQ(ranges.size(), count) << threads << " " << units;
      ASSERT_EQ(pool.calls, count > 1 ? 1 : 0);
      std::size_t next = 0;
      for (const auto& [begin, end] : ranges) {
        ASSERT_EQ(begin, next);
        next = end;
      }
      ASSERT_EQ(next, units);
    }
  }
}

TEST(ScopedWorkers, ThatRunNothingLeaveAllToTheCallingThread) {
  Backwards pool;
  pool.fails = true;
  const Workers workers = {Backwards::Run, &pool};
  const ScopedWorkers scope(workers);
  EXPECT_THAT(RangesOf(3, 10), testing::ElementsAre(Range{0, 10}));
  EXPECT_EQ(pool.calls, 1);
}

TEST(ScopedWorkers, AreThoseOfTheirThreadAndEndWithTheScope) {
  Backwards outer, inner;
  const Workers of_outer = {Backwards::Run, &outer}, of_inner = {Backwards::Run, &inner};
  {
    const ScopedWorkers scope(of_outer);
    {
      const ScopedWorkers nested(of_inner);
      RangesOf(2, 2);
    }
    RangesOf(2, 2);
    std::thread([] { RangesOf(2, 2); }).join();
    WarmUpThreads(2);  // there is nothing to warm up
  }
  RangesOf(2, 2);
  EXPECT_EQ(inner.calls, 1);
  EXPECT_EQ(outer.calls, 1);
}

TEST(ThreadCount, MeansAllCoresForZeroAndHasALimit) {
  EXPECT_GE(ThreadCount(0), 1u);
  EXPECT_EQ(ThreadCount(1), 1u);
  EXPECT_LE(ThreadCount(~std::size_t{0}), kMaxThreads);
}

TEST(ThreadsWorthHaving, IsOneForLittleWorkAndNeverMoreThanAskedFor) {
  EXPECT_EQ(ThreadsWorthHaving(0, 0), 1u);
  EXPECT_EQ(ThreadsWorthHaving(8, 1000), 1u);
  const std::int64_t gibibyte = std::int64_t{1} << 30;
  EXPECT_EQ(ThreadsWorthHaving(1, gibibyte), 1u);
  for (std::size_t threads : {0u, 2u, 3u}) {
    EXPECT_EQ(ThreadsWorthHaving(threads, gibibyte), ThreadCount(threads));
  }
}

}  // namespace
}  // namespace supremum
