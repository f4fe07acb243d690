// The primitives for Arm's SVE with vectors of 256 bits. Compiled with -msve-vector-bits=256: only then does
// GCC let a vector be a member or an element of an array. Everything but the kernels is compiled for any Arm
// processor.
#define HWY_BASELINE_TARGETS HWY_SVE_256
#define HWY_COMPILE_ONLY_STATIC
#include "kernels/simd_join-inl.h"
#include "kernels/simd_lines-inl.h"
#include "kernels/simd_many-inl.h"
#include "kernels/simd_moves-inl.h"
#include "kernels/simd_rows-inl.h"
#include "kernels/simd_runs-inl.h"
#include "kernels/simd_short_runs-inl.h"
#include "kernels/simd_table-inl.h"

namespace supremum::kernels {

const SimdParts& SveParts256() { return *HWY_STATIC_DISPATCH(Parts)(); }

}  // namespace supremum::kernels
