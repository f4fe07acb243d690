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

// All settings for flushing subnormal numbers, as bits of the floating-point control register.
#if defined(__SSE__)
inline constexpr unsigned kFlushes[] = {0x0000, 0x8000, 0x0040, 0x8040};  // FTZ, DAZ
inline void SetFlush(unsigned flush) { _mm_setcsr((_mm_getcsr() & ~0x8040u) | flush); }
#elif defined(__aarch64__)
inline constexpr unsigned kFlushes[] = {0, 1u << 24, 1u << 19, 1u << 24 | 1u << 19};  // FZ, FZ16
inline void SetFlush(unsigned flush) {
  unsigned long state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  __asm__ volatile("msr fpcr, %0" : : "r"((state & ~(1ul << 24 | 1ul << 19)) | flush));
}
#else
inline constexpr unsigned kFlushes[] = {0};
inline void SetFlush(unsigned) {}
#endif

/// Calls `visit` in every rounding mode, with subnormal numbers flushed and kept, and restores the
/// environment after each call. A failure names the environment.
template <class Visit>
void ForEachEnvironment(Visit visit) {
  std::fenv_t saved;
  ASSERT_EQ(std::fegetenv(&saved), 0);
  for (int rounding : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    for (unsigned flush : kFlushes) {
      SCOPED_TRACE("rounding " + std::to_string(rounding) + ", flushing bits " + std::to_string(flush));
      std::fesetround(rounding);
      SetFlush(flush);
      visit();
      std::fesetenv(&saved);
    }
  }
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_ENVIRONMENTS_H_
