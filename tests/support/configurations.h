// Every way in which an operator can be run here: the targets, some numbers of threads, and stores of both
// kinds.
#ifndef SUPREMUM_TESTS_SUPPORT_CONFIGURATIONS_H_
#define SUPREMUM_TESTS_SUPPORT_CONFIGURATIONS_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>

#include "kernels/targets.h"
#include "supremum/target.h"

namespace supremum::test {

/// Calls check() for each target that this processor runs, active meanwhile, until one of the calls fails
/// fatally. Afterwards the best target is active again.
template <class Check>
void ForEachTarget(Check check) {
  struct Restore {
    ~Restore() { kernels::UseKernels(nullptr); }
  } restore;
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    kernels::UseKernels(table);
    check();
    if (testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "with target " << table->target;
      return;
    }
  }
}

/// Calls check(threads) for each target as ForEachTarget does, with 1, 2 and 3 threads, until one of the
/// calls fails fatally. With 2 threads no cache is assumed, so that stores of Max are non-temporal wherever
/// they can be. Afterwards it is the machine's caches again.
template <class Check>
void ForEachConfiguration(Check check) {
  struct Restore {
    ~Restore() { AssumeCaches(std::nullopt); }
  } restore;
  ForEachTarget([&] {
    for (std::size_t threads : {1u, 2u, 3u}) {
      if (threads == 2) {
        AssumeCaches(CacheSizes{0, 0});
      } else {
        AssumeCaches(std::nullopt);
      }
      check(threads);
      if (testing::Test::HasFatalFailure()) {
        ADD_FAILURE() << "with " << threads << " threads";
        return;
      }
    }
  });
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_CONFIGURATIONS_H_
