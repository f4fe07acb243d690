// The primitives for RISC-V's vectors of 128 bits. Compiled with -mrvv-vector-bits=zvl, which states their
// length: only then does GCC let a vector be a member or an element of an array. Everything but the kernels
// is compiled for any RISC-V processor.
#define HWY_BASELINE_TARGETS HWY_RVV
#define HWY_COMPILE_ONLY_STATIC
#include "kernels/simd_all-inl.h"

namespace supremum::kernels {

constinit const SimdParts kRvvParts128 = HWY_NAMESPACE::kParts;

}  // namespace supremum::kernels
