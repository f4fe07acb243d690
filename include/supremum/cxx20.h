// Included by every C++ header first: an older language gives this error before all others.
#ifndef SUPREMUM_CXX20_H_
#define SUPREMUM_CXX20_H_

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error \
    "supremum needs C++20: compile with -std=c++20, or in CMake link supremum::supremum or set(CMAKE_CXX_STANDARD 20)"
#endif

#endif  // SUPREMUM_CXX20_H_
