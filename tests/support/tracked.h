// A scalar that carries its own error: what is computed, and what is true.
#ifndef SUPREMUM_TESTS_SUPPORT_TRACKED_H_
#define SUPREMUM_TESTS_SUPPORT_TRACKED_H_

#include <gmpxx.h>

#include <algorithm>

#include "supremum/reference.h"

namespace supremum::test {

/// A number as it is computed and the one that it stands for. Its order is that of what is computed: a
/// program knows nothing else.
struct Tracked {
  mpq_class computed;
  mpq_class exact;

  mpq_class Error() const { return abs(computed - exact); }
  friend bool operator<(const Tracked& a, const Tracked& b) { return a.computed < b.computed; }
};

/// The maximum of two such numbers: what a program takes for it, and the maximum of what is true, which may
/// be the other operand's.
struct TrackedJoin {
  Tracked operator()(const Tracked& a, const Tracked& b) const {
    return {reference::JoinBy<std::less<Tracked>>{}(a, b).computed, std::max(a.exact, b.exact)};
  }
};

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_TRACKED_H_
