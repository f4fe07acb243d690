// The cases whose instructions are counted: what programs spend their time in.
#ifndef SUPREMUM_TESTS_INSTRUCTIONS_HOT_CASES_H_
#define SUPREMUM_TESTS_INSTRUCTIONS_HOT_CASES_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "instructions/measured.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define SUPREMUM_HAS_CALLGRIND 1
#else
#define SUPREMUM_HAS_CALLGRIND 0
#define CALLGRIND_START_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_STOP_INSTRUMENTATION static_cast<void>(0)
#endif

namespace supremum {

inline constexpr std::size_t kInputs = 16;
inline constexpr std::size_t kInputBytes = 64 * 1024;

/// Zeros: no count depends on the elements (instructions.do_not_depend_on_the_data). Each input begins at a
/// multiple of a cache line, so that no count depends on where the linker places it.
struct Memory {
  alignas(4096) std::byte x[kInputs][kInputBytes];
  alignas(4096) std::byte y[4 * kInputBytes];
};

/// Measures function() and prints the name of the case.
template <class Function>
void Measure(const char* name, Function function) {
  function();  // what happens once, happens now
  CALLGRIND_START_INSTRUMENTATION;
  SupremumMeasured([](void* context) { (*static_cast<Function*>(context))(); }, &function);
  CALLGRIND_STOP_INSTRUMENTATION;
  std::printf("%s\n", name);
}

/// Each returns false if a call failed.
bool MeasurePrimitives(Memory& memory);  ///< of the active target
bool MeasurePlans(Memory& memory);
bool MeasureSmallCalls(Memory& memory);  ///< the one-call forms and preparing
bool MeasureCInterface(Memory& memory, const char* target);

}  // namespace supremum

#endif  // SUPREMUM_TESTS_INSTRUCTIONS_HOT_CASES_H_
