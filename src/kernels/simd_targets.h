// The instruction sets that the kernels are compiled for: those that the project's tests have run on, but not
// SSSE3 (decision 0027). Included before foreach_target.h; a newer one that Highway adds is left out until it
// is named here (LeftOutTargets).
#ifndef SUPREMUM_SRC_KERNELS_SIMD_TARGETS_H_
#define SUPREMUM_SRC_KERNELS_SIMD_TARGETS_H_

// Highway 1.0 leaves out the newest AVX-512 by default, to save compilation time; that target can permute
// bytes.
#define HWY_WANT_AVX3_DL
#include "hwy/detect_targets.h"

// Highway 1.0 does not know these.
#ifndef HWY_PPC10
#define HWY_PPC9 0
#define HWY_PPC10 0
#endif

// Highway evaluates this late, where it chooses what to compile, and defines all names in it on every
// processor. SCALAR and EMU128 are replaced by the portable kernels. SVE, RVV and Z14 have translation units
// of their own (simd_sve_256.cc and others), since options of the compiler set the length of their vectors or
// admit them.
#undef HWY_ENABLED
#define HWY_ENABLED(targets)                                                                               \
  ((targets) & ~((HWY_DISABLED_TARGETS) | (HWY_BROKEN_TARGETS)) &                                          \
   (HWY_SSE4 | HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL | HWY_NEON | HWY_PPC8 | HWY_PPC9 | HWY_PPC10 | HWY_WASM | \
    HWY_SCALAR | HWY_EMU128))

#endif  // SUPREMUM_SRC_KERNELS_SIMD_TARGETS_H_
