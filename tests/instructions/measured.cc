#include "instructions/measured.h"

// A translation unit of its own, so that the compiler makes no copy of the function for its callers.
void SupremumMeasured(void (*call)(void* context), void* context) { call(context); }
