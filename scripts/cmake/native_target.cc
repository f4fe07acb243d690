// Prints Highway's number of the fastest instruction set of this processor that the kernels are compiled for;
// 0 if there is none.
#include <cstdio>

#include "hwy/targets.h"
#include "kernels/simd_targets.h"  // must come first

int main() {
  const long long runnable = hwy::SupportedTargets() & HWY_ATTAINABLE_TARGETS & ~(HWY_SCALAR | HWY_EMU128);
  std::printf("%lld", runnable & -runnable);  // the better one has the lower bit
}
