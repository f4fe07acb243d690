// Which files this process has open.
#ifndef SUPREMUM_TESTS_SUPPORT_DESCRIPTORS_H_
#define SUPREMUM_TESTS_SUPPORT_DESCRIPTORS_H_

#include <fcntl.h>

#include <set>

namespace supremum::test {

/// The descriptors below 1024 that are open.
inline std::set<int> OpenDescriptors() {
  std::set<int> open;
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) open.insert(descriptor);
  }
  return open;
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_DESCRIPTORS_H_
