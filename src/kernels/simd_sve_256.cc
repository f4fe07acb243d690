// The primitives for Arm's SVE with vectors of 256 bits. Compiled with -msve-vector-bits=256: only then does
// GCC let a vector be a member or an element of an array. Everything but the kernels is compiled for any Arm
// processor.
#define HWY_BASELINE_TARGETS HWY_SVE_256
#define HWY_COMPILE_ONLY_STATIC
#include "kernels/simd_all-inl.h"

namespace supremum::kernels {

constinit const SimdParts kSveParts256 = HWY_NAMESPACE::kParts;

}  // namespace supremum::kernels
