// std::bit_cast, which the C++20 library of Debian 12's emscripten does not have yet; its compiler does.
// Included before everything else.
#ifndef SUPREMUM_WEB_STD_BIT_CAST_H_
#define SUPREMUM_WEB_STD_BIT_CAST_H_

#include <version>

#if !defined(__cpp_lib_bit_cast)
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

#endif  // SUPREMUM_WEB_STD_BIT_CAST_H_
