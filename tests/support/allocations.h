// Counts the allocations of the program that it is linked into, and makes one fail.
#ifndef SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
#define SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_

#include <cstddef>

namespace supremum::test {

/// How often operator new, in any of its forms, has been called so far.
std::size_t Allocations();

/// How many of those have not been freed yet.
std::size_t LiveAllocations();

/// While it lives, the calling thread's allocation after the next `good` ones fails, and those after it too;
/// or, if it is to fail once, that one alone.
class FailingAllocations {
 public:
  explicit FailingAllocations(std::size_t good, bool once = false);
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  /// True if one has failed.
  bool Failed() const;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
