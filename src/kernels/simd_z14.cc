// The primitives for IBM Z from z14 on. Compiled with -march=z14 -mzvector: Highway has vectors for this
// processor only where the whole file may use them. Everything but the kernels is compiled for any
// z/Architecture processor.
#define HWY_BASELINE_TARGETS HWY_Z14
#define HWY_COMPILE_ONLY_STATIC
#include "kernels/simd_all-inl.h"

namespace supremum::kernels {

constinit const SimdParts kZ14Parts = HWY_NAMESPACE::kParts;

}  // namespace supremum::kernels
