// Every way in which an operator can be run here: the targets, and some numbers of threads.
#ifndef SUPREMUM_TESTS_SUPPORT_CONFIGURATIONS_H_
#define SUPREMUM_TESTS_SUPPORT_CONFIGURATIONS_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "kernels/targets.h"

namespace supremum::test {

/// Calls check(threads) for each target that this processor runs, active meanwhile, with 1, 2 and 3 threads,
/// until one of the calls fails fatally. Afterwards the best target is active again.
template <class Check>
void ForEachConfiguration(Check check) {
  struct Restore {
    ~Restore() { kernels::UseKernels(nullptr); }
  } restore;
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    kernels::UseKernels(table);
    for (std::size_t threads : {1u, 2u, 3u}) {
      check(threads);
      if (testing::Test::HasFatalFailure()) {
        ADD_FAILURE() << "with target " << table->target << " and " << threads << " threads";
        return;
      }
    }
  }
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_CONFIGURATIONS_H_
