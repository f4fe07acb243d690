// The primitives for Arm's SVE2 with vectors of 128 bits. Compiled with -msve-vector-bits=128: only then does
// GCC let a vector be a member or an element of an array. Everything but the kernels is compiled for any Arm
// processor.
#define HWY_BASELINE_TARGETS HWY_SVE2_128
#define HWY_COMPILE_ONLY_STATIC
#include "kernels/simd_all-inl.h"

namespace supremum::kernels {

constinit const SimdParts kSve2Parts128 = HWY_NAMESPACE::kParts;

}  // namespace supremum::kernels
