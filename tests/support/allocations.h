// Counts the allocations of the program that it is linked into.
#ifndef SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
#define SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_

#include <cstddef>

namespace supremum::test {

/// How often operator new, in any of its forms, has been called so far.
std::size_t Allocations();

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_ALLOCATIONS_H_
