// Defines kIsSanitized: true if this program is compiled with the address, thread or memory sanitizer.
#ifndef SUPREMUM_TESTS_SUPPORT_SANITIZED_H_
#define SUPREMUM_TESTS_SUPPORT_SANITIZED_H_

namespace supremum::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_SANITIZED_H_
