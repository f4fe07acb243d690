// The function by which callgrind tells calls apart.
#ifndef SUPREMUM_TESTS_INSTRUCTIONS_MEASURED_H_
#define SUPREMUM_TESTS_INSTRUCTIONS_MEASURED_H_

/// Returns call(context). callgrind counts what is executed inside, and writes the count when it returns.
extern "C" void SupremumMeasured(void (*call)(void* context), void* context);

#endif  // SUPREMUM_TESTS_INSTRUCTIONS_MEASURED_H_
