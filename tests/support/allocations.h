// Counts the allocations of the program that it is linked into, makes one fail, and puts them at the ends of
// pages.
#ifndef SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
#define SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_

#include <cstddef>

namespace supremum::test {

/// Number of allocations by operator new, in any of its forms, since the program started.
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

/// While it lives, what the calling thread allocates ends where a page begins that cannot be read: an access
/// beyond it is a segmentation fault. Memory whose size is no multiple of its alignment, which is that of
/// pointers and more where an object may have one, ends somewhat earlier. With the sanitizers, which find
/// such accesses themselves, nothing changes.
class GuardedAllocations {
 public:
  GuardedAllocations();
  ~GuardedAllocations();
  GuardedAllocations(const GuardedAllocations&) = delete;
  GuardedAllocations& operator=(const GuardedAllocations&) = delete;
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
