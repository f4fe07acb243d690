// Counts the allocations of the program that it is linked into, and makes one fail.
#ifndef SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
#define SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_

#include <cstddef>

namespace supremum::test {

/// How often operator new, in any of its forms, has been called so far.
std::size_t Allocations();

/// While it lives, the calling thread's allocation after the next `good` ones fails, and those after it too.
class FailingAllocations {
 public:
  explicit FailingAllocations(std::size_t good);
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  /// True if one has failed.
  bool Failed() const;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
