// The floating-point environments that no result may depend on (ORD-6).
#ifndef SUPREMUM_TESTS_SUPPORT_ENVIRONMENTS_H_
#define SUPREMUM_TESTS_SUPPORT_ENVIRONMENTS_H_

#include <gtest/gtest.h>

#include <cfenv>
#include <string>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace supremum::test {

/// Calls `visit` in every rounding mode, with subnormal numbers flushed and kept (FTZ, DAZ), and restores the
/// environment after each call. A failure names the environment.
template <class Visit>
void ForEachEnvironment(Visit visit) {
  std::fenv_t saved;
  ASSERT_EQ(std::fegetenv(&saved), 0);
  for (int rounding : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    for (unsigned flush : {0x0000u, 0x8000u, 0x0040u, 0x8040u}) {  // FTZ, DAZ
      SCOPED_TRACE("rounding " + std::to_string(rounding) + ", FTZ and DAZ " + std::to_string(flush));
      std::fesetround(rounding);
#if defined(__SSE__)
      _mm_setcsr((_mm_getcsr() & ~0x8040u) | flush);
#endif
      visit();
      std::fesetenv(&saved);
    }
  }
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_ENVIRONMENTS_H_
